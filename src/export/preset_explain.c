/* preset_explain.c - each tool's import dialogue. */
#include "export/preset_explain.h"

#include <math.h>

#include "export/job.h"

/** A number, or a letter where it is not known. */
typedef struct figure {
    char text[40];
} figure;

static figure figure_of(double value, const char *otherwise)
{
    figure f;
    if (isnan(value))
        snprintf(f.text, sizeof f.text, "%s", otherwise);
    else
        snprintf(f.text, sizeof f.text, "%.10g", value);
    return f;
}

/** Samples a side, NAN when not known. */
static double side_of(const export_job *job)
{
    return job->tile.width > 0 ? (double)(job->tile.width + 2 * job->tiles.border) : NAN;
}

static double span_of(const export_job *job)
{
    return job->tile.range[1] - job->tile.range[0];
}

void explain_unity(FILE *to, const export_job *job)
{
    const double span = span_of(job), metres = (side_of(job) - 1) * export_file_spacing_m(&job->tile);
    fprintf(to, "  Terrain Settings > Import Raw: Depth Bit 16, Resolution %s, Byte Order %s, Flip Vertically %s\n",
            figure_of(side_of(job), "W").text, job->tile.is_big_endian ? "Mac" : "Windows",
            job->tile.is_south_first ? "off" : "on");
    fprintf(to, "  The first row is the %s one; Unity's first row lies at Z = 0, and +Z goes north.\n",
            job->tile.is_south_first ? "southern" : "northern");
    fprintf(to, "  Terrain Size: X %s, Y %s, Z %s metres (Y: range * 65536 / 65535, as Unity divides by 65536)\n",
            figure_of(metres, "(W - 1) * spacing").text, figure_of(span * 65536.0 / 65535.0, "(HI - LO) * 65536 / 65535").text,
            figure_of(metres, "(W - 1) * spacing").text);
    fprintf(to, "  Position Y: %s\n", figure_of(job->tile.range[0], "LO").text);
    fprintf(to, "  Tiles share their border rows; the first index grows to +X, the second to +Z, both begin at %d.\n",
            job->tiles.start);
    fprintf(to, "  Unity keeps heights in about 15 bits: a step of %s metres.\n",
            figure_of(span / 32766.0, "(HI - LO) / 32766").text);
}

void explain_unreal(FILE *to, const export_job *job)
{
    const double span = span_of(job), cm = 100.0 * export_file_spacing_m(&job->tile);
    const char *sections = "";
    fprintf(to, "  Landscape Mode > Manage > Import from File: the %s file%s; Flip Y off (the first row is the northern one)\n",
            job->tile.format->name, job->tiles.is_set ? " of any tile, \"Use ... Tiled Image\" yes" : "");
    fprintf(to, "  Scale X and Y: %s. Scale Z: %s (range * 100 / 512 = %s, times 65536 / 65535)\n", figure_of(cm, "").text,
            figure_of(span * 12800.0 / 65535.0, "(HI - LO) * 12800 / 65535").text,
            figure_of(span * 100.0 / 512.0, "(HI - LO) * 100 / 512").text);
    fprintf(to, "  Location Z: %s cm, for heights over sea level 0; sample 32768 is %s m, a step is %s m\n",
            figure_of(100.0 * (job->tile.range[0] + span * 32768.0 / 65535.0), "100 * middle of the range").text,
            figure_of(job->tile.range[0] + span * 32768.0 / 65535.0, "the middle of the range").text,
            figure_of(span / 65535.0, "(HI - LO) / 65535").text);
    if (!isnan(side_of(job)) && job->tile.width > 1)
        sections = job->tile.width == 8129 ? "127 x 127 quads, 2 x 2 sections" : "63 x 63 quads";
    fprintf(to, "  Sizes: 127, 253, 505, 1009, 2017, 4033, 8129 (whole components%s%s)\n", *sections ? "; here " : "", sections);
    fprintf(to, "  Tiles: _x0_y0 from the north-west; no overlap for UE5's World Partition. --overlap 1 is for World Composition: "
                "leave \"Flip\n"
                "  Tile Y Coordinate\" off there. The .json beside a .r16 tells Unreal its width, height and bpp.\n");
}

void explain_godot(FILE *to, const export_job *job)
{
    const char *low = "LO", *high = "HI";
    const figure l = figure_of(job->tile.range[0], low), h = figure_of(job->tile.range[1], high);
    fprintf(to,
            "  Terrain3D > Tools > Import Data (importer.tscn): Height File Name the file, Import Scale 1, Height Offset 0;\n"
            "  Vertex Spacing %s\n",
            figure_of(export_file_spacing_m(&job->tile), "").text);
    fprintf(to, "  exr: metres, in channel R. r16: R16 Range %s, %s and R16 Size %s, %s.\n", l.text, h.text,
            figure_of(side_of(job), "W").text,
            job->tile.height > 0 ? figure_of((double)(job->tile.height + 2 * job->tiles.border), "").text : "H");
    fprintf(to,
            "  r32 has no import button: Image.create_from_data(W, H, false, Image.FORMAT_RF, FileAccess.get_file_as_bytes(FILE))\n"
            "  makes the image for Terrain3DData.import_images.\n");
    fprintf(to, "  Tiles do not overlap; sizes that are multiples of the region size (1024) fill whole regions.\n");
}

static void explain_scaled_tool(FILE *to, const export_job *job)
{
    fprintf(to, "  16-bit samples and floats are 0..1 over the range: r32 is not in metres here.\n");
    fprintf(to, "  Height range: %s m; lowest height: %s m; extent: %s m\n", figure_of(span_of(job), "HI - LO").text,
            figure_of(job->tile.range[0], "LO").text,
            figure_of(side_of(job) * export_file_spacing_m(&job->tile), "W * spacing").text);
    fprintf(
        to,
        "  Little endian, no header, the first row is the northern one; if the land appears mirrored, set the tool's Flip Y.\n");
}

void explain_gaea(FILE *to, const export_job *job)
{
    fprintf(to, "  File node: the file; Build > Terrain Definition: Height and Scale as below\n");
    explain_scaled_tool(to, job);
    fprintf(to, "  Tiles: TileInput node, pattern _y%%Y%%_x%%X%%, numbers from %d, Overlap Pixels %d\n", job->tiles.start,
            job->tiles.border);
}

void explain_worldmachine(FILE *to, const export_job *job)
{
    fprintf(to, "  File Input device: the file, Elevation: Natural; project heights as below. Raw files are square.\n");
    explain_scaled_tool(to, job);
    fprintf(to, "  Tiles: _x0_y0 from %d; Share edge vertices %s; border for blending: %d samples\n", job->tiles.start,
            job->tiles.overlap ? "on" : "off", job->tiles.border);
}

void explain_blender(FILE *to, const export_job *job)
{
    const figure low = figure_of(job->tile.range[0], "LO"), span = figure_of(span_of(job), "HI - LO");
    fprintf(to, "  Image: Color Space Non-Color (Blender takes every 16-bit PNG for sRGB, whatever the file says)\n");
    fprintf(to, "  Plane of %s x %s m, subdivided; modifier Displace: Texture Coordinates UV, Direction Z, Midlevel 0\n",
            figure_of((side_of(job) - 1) * export_file_spacing_m(&job->tile), "(W - 1) * spacing").text,
            job->tile.height > 0 ? figure_of(((double)job->tile.height - 1) * export_file_spacing_m(&job->tile), "").text
                                 : "(H - 1) * spacing");
    fprintf(to, "  exr: metres, Strength 1. png16: Strength %s, and the plane at Z %s; Clipping is no matter for either.\n",
            span.text, low.text);
}

void explain_gdal(FILE *to, const export_job *job)
{
    fprintf(
        to,
        "  Nothing to enter: QGIS, GDAL and rasterio read size, place, metres and, for tiff16, scale and offset from the file.\n");
    fprintf(to, "  Coordinates: a local system in metres, east = x * %s, north = -z * %s; samples are points.\n",
            figure_of(job->tile.world.spacing, "").text, figure_of(job->tile.world.spacing, "").text);
    fprintf(to, "  A set of tiles has a .vrt beside it, which opens all of them as one picture.\n");
}
