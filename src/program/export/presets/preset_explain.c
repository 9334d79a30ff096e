/* preset_explain.c - the import dialogues of game engines, terrain generators, Blender and GDAL. */
#include "program/export/presets/preset_explain.h"

#include <math.h>

#include "program/file/path_name.h"

/* ---- figures ---- */

/** The text of a number. */
typedef struct figure {
    char text[40];
} figure;

/** Convert a number to text; NAN becomes `otherwise`. */
static figure figure_of(double value, const char *otherwise)
{
    figure f;
    if (isnan(value))
        snprintf(f.text, sizeof f.text, "%s", otherwise);
    else
        snprintf(f.text, sizeof f.text, "%.10g", value);
    return f;
}

/** Make the import sheet, which has the numbers to print, for a file of a set of tiles. A size of 0 is unknown. */
static import_sheet sheet_of(const export_file *f, const tile_set *tiles)
{
    return (import_sheet){.width = f->width > 0 ? (double)f->width : NAN,
                          .height = f->height > 0 ? (double)f->height : NAN,
                          .low_m = f->range[0],
                          .high_m = f->range[1],
                          .least_m = NAN,
                          .greatest_m = NAN,
                          .sample_m = export_file_spacing_m(f),
                          .step_m = f->world.spacing,
                          .epsg = export_file_place(f).epsg,
                          .is_big_endian = f->is_big_endian,
                          .is_south_first = f->is_south_first,
                          .is_set = tiles->is_set,
                          .start = tiles->start,
                          .overlap = tiles->overlap,
                          .border = tiles->border};
}

import_sheet import_sheet_of_options(const export_file *tile, const tile_set *tiles)
{
    export_file file = *tile;
    file.width += file.width > 0 ? 2 * tiles->border : 0;
    file.height += file.height > 0 ? 2 * tiles->border : 0;
    return sheet_of(&file, tiles);
}

import_sheet import_sheet_of_plan(const export_plan *plan)
{
    const export_file *heights = export_plan_heights(plan);
    import_sheet sheet = sheet_of(heights ? heights : &plan->layers[0], &plan->tiles);
    sheet.format = plan->whole.format;
    sheet.plan = plan;
    return sheet;
}

/** Whether the instructions must explain a format. */
static bool has_format(const import_sheet *s, export_format_id id)
{
    return !s->format || s->format == &export_formats[id];
}

static double span_of(const import_sheet *s)
{
    return s->high_m - s->low_m;
}

/* ---- engines ---- */

void explain_unity(FILE *to, const import_sheet *s)
{
    const double span = span_of(s), metres = (s->width - 1) * s->sample_m;
    fprintf(to, "  Terrain Settings > Import Raw: Depth Bit 16, Resolution %s, Byte Order %s, Flip Vertically %s\n",
            figure_of(s->width, "W").text, s->is_big_endian ? "Mac" : "Windows", s->is_south_first ? "off" : "on");
    fprintf(to, "  The first row is the %s one; Unity's first row lies at Z = 0, and +Z goes north.\n",
            s->is_south_first ? "southern" : "northern");
    fprintf(to, "  Terrain Size: X %s, Y %s, Z %s metres (Y: range * 65536 / 65535, as Unity divides by 65536)\n",
            figure_of(metres, "(W - 1) * spacing").text,
            figure_of(span * 65536.0 / 65535.0, "(HI - LO) * 65536 / 65535").text,
            figure_of(metres, "(W - 1) * spacing").text);
    fprintf(to, "  Position Y: %s\n", figure_of(s->low_m, "LO").text);
    fprintf(to,
            "  Neighbouring tiles share a row of samples; the first index grows to +X, the second to +Z, both begin at "
            "%d.\n",
            s->start);
    fprintf(to, "  Unity keeps heights in about 15 bits: a step of %s metres.\n",
            figure_of(span / 32766.0, "(HI - LO) / 32766").text);
}

void explain_unreal(FILE *to, const import_sheet *s)
{
    const double span = span_of(s), cm = 100.0 * s->sample_m, middle = s->low_m + span * 32768.0 / 65535.0;
    const char *sections = isnan(s->width)    ? ""
                           : s->width == 8129 ? "; here 127 x 127 quads, 2 x 2 sections"
                                              : "; here 63 x 63 quads";
    fprintf(
        to,
        "  Landscape Mode > Manage > Import from File: the %s file%s; Flip Y off (the first row is the northern one)\n",
        s->format ? s->format->name : "r16 or png16", s->is_set ? " of any tile, \"Use ... Tiled Image\" yes" : "");
    fprintf(to, "  Scale X and Y: %s. Scale Z: %s (range * 100 / 512 = %s, times 65536 / 65535)\n",
            figure_of(cm, "").text, figure_of(span * 12800.0 / 65535.0, "(HI - LO) * 12800 / 65535").text,
            figure_of(span * 100.0 / 512.0, "(HI - LO) * 100 / 512").text);
    fprintf(to, "  Location Z: %s cm, for heights over sea level 0; sample 32768 is %s m, a step is %s m\n",
            figure_of(100.0 * middle, "100 * middle of the range").text,
            figure_of(middle, "the middle of the range").text, figure_of(span / 65535.0, "(HI - LO) / 65535").text);
    fprintf(to, "  Sizes: 127, 253, 505, 1009, 2017, 4033, 8129 (whole components%s)\n", sections);
    fprintf(to, "  Tiles: _x0_y0 from the north-west; no overlap for UE5's World Partition. --overlap 1 is for World "
                "Composition: "
                "leave \"Flip\n"
                "  Tile Y Coordinate\" off there. The .json beside a .r16 tells Unreal its width, height and bpp.\n");
}

/** Place of a set in Terrain3D, whose world has 32 x 32 regions around its origin. The set's middle is near the origin,
 * and its north-west corner is a corner of regions. */
typedef struct godot_place {
    int region;        /* samples of a region's side */
    int64_t x, y;      /* vertex of the set's north-west sample */
    bool is_too_large; /* the set does not fit a world of the largest regions */
} godot_place;

static godot_place place_in_godot(const export_plan *plan)
{
    enum { REGIONS = 32, REGION = 1024, REGION_MAX = 2048 };
    const int64_t width = plan->whole.width, height = plan->whole.height, side = width > height ? width : height;
    const int region = side <= REGIONS * REGION ? REGION : REGION_MAX;
    return (godot_place){.region = region,
                         .x = -(width / 2 / region) * region,
                         .y = -(height / 2 / region) * region,
                         .is_too_large = side > REGIONS * REGION_MAX};
}

static void print_godot_places(FILE *to, const export_plan *plan)
{
    enum { LINES_MAX = 32 * 32 }; /* Terrain3D has no more regions */
    const godot_place at = place_in_godot(plan);
    if (at.is_too_large) {
        fprintf(to, "  %lld x %lld samples are more than Terrain3D holds, 65536 x 65536 with Region Size 2048.\n",
                (long long)plan->whole.width, (long long)plan->whole.height);
        return;
    }
    fprintf(to, "  Region Size %d. Import Position, in vertices, is the north-west corner of %s:\n", at.region,
            plan->n_tiles > 1 ? "each tile" : "the file");
    for (int64_t n = 0; n < plan->n_files && n < LINES_MAX; n++) {
        planned_file f;
        export_plan_file(plan, export_plan_number(plan, n), &f);
        if (f.file.layer != EXPORT_HEIGHT)
            continue;
        fprintf(to, "    %s: %lld, %lld\n", path_base(f.path), (long long)(at.x + f.column), (long long)(at.y + f.row));
    }
    if (plan->n_files > LINES_MAX)
        fprintf(to, "    and so on, %lld to the east and %lld to the south from tile to tile\n",
                (long long)plan->tile_width, (long long)plan->tile_height);
}

void explain_godot(FILE *to, const import_sheet *s)
{
    fprintf(to, "  For Godot 4 with Terrain3D 1.0 or later. Godot 3 makes half floats of OpenEXR.\n");
    fprintf(to,
            "  Terrain3D > Tools > Import Data (importer.tscn): Height File Name the file, Import Scale 1, Height "
            "Offset 0;\n"
            "  Vertex Spacing %s\n",
            figure_of(s->sample_m, "").text);
    if (has_format(s, EXPORT_EXR))
        fprintf(to, "  exr: metres, in channel R; nothing else to enter.\n");
    if (has_format(s, EXPORT_R16))
        fprintf(to, "  r16: R16 Range %s, %s and R16 Size %s, %s.\n", figure_of(s->low_m, "LO").text,
                figure_of(s->high_m, "HI").text, figure_of(s->width, "W").text, figure_of(s->height, "H").text);
    if (has_format(s, EXPORT_R32))
        fprintf(to,
                "  r32 has no import button: Image.create_from_data(%s, %s, false, Image.FORMAT_RF,\n"
                "  FileAccess.get_file_as_bytes(FILE)) makes the image for Terrain3DData.import_images.\n",
                figure_of(s->width, "W").text, figure_of(s->height, "H").text);
    if (s->plan)
        print_godot_places(to, s->plan);
    else
        fprintf(to, "  Import Position: the north-west corner of each tile, in vertices; an export prints them.\n");
    fprintf(to, "  Tiles do not overlap; sizes that are multiples of the region size (1024) fill whole regions.\n");
}

/* ---- terrain generators ---- */

static void explain_scaled_tool(FILE *to, const import_sheet *s)
{
    fprintf(to, "  16-bit samples and floats are 0..1 over the range: r32 is not in metres here.\n");
    fprintf(to, "  Height range: %s m; lowest height: %s m; extent: %s m\n", figure_of(span_of(s), "HI - LO").text,
            figure_of(s->low_m, "LO").text, figure_of(s->width * s->sample_m, "W * spacing").text);
    fprintf(to, "  Little endian, no header, the first row is the northern one; if the land appears mirrored, set the "
                "tool's Flip Y.\n");
}

void explain_gaea(FILE *to, const import_sheet *s)
{
    fprintf(to, "  File node: the file; Build > Terrain Definition: Height and Scale as below\n");
    explain_scaled_tool(to, s);
    fprintf(to, "  Tiles: TileInput node, pattern _y%%Y%%_x%%X%%, numbers from %d, Overlap Pixels %d\n", s->start,
            s->border);
}

void explain_worldmachine(FILE *to, const import_sheet *s)
{
    fprintf(to, "  File Input device: the file, Elevation: Natural; project heights as below. Raw files are square.\n");
    explain_scaled_tool(to, s);
    fprintf(to, "  Tiles: _x0_y0 from %d; Share edge vertices %s; border for blending: %d samples\n", s->start,
            s->overlap ? "on" : "off", s->border);
}

/* ---- meshes and maps ---- */

/** Explain the settings with which each vertex gets the height of its own sample. Tried with Blender 4.2: the heights
 * are exact. */
static void explain_blender_sampling(FILE *to, const import_sheet *s)
{
    fprintf(to, "  Image: Color Space Non-Color (Blender takes every 16-bit PNG for sRGB, whatever the file says)\n");
    fprintf(to, "  Texture, of type Image: Mapping > Extension: Extend. With Repeat the last row and column get the "
                "heights of the first\n"
                "  ones and stand there as walls. Sampling > Interpolation: off. Each vertex then has the height of "
                "the sample that is\n"
                "  closest to it; with Interpolation it has the average of several.\n");
    fprintf(
        to,
        "  Plane: Add > Mesh > Grid with X Subdivisions %s and Y Subdivisions %s: one vertex for each sample. "
        "A plane with\n"
        "  fewer vertices is quicker; a Subdivision Surface of type Simple before Displace adds the missing ones.\n",
        figure_of(s->width - 1, "W - 1").text, figure_of(s->height - 1, "H - 1").text);
}

void explain_blender(FILE *to, const import_sheet *s)
{
    const double width_m = (s->width - 1) * s->sample_m, height_m = (s->height - 1) * s->sample_m;
    explain_blender_sampling(to, s);
    fprintf(to, "  Dimensions %s x %s m. Modifier Displace: Texture Coordinates UV, Direction Z, Midlevel 0\n",
            figure_of(width_m, "(W - 1) * spacing").text, figure_of(height_m, "(H - 1) * spacing").text);
    if (has_format(s, EXPORT_EXR))
        fprintf(to, "  exr: metres, Strength 1, and the plane at Z 0\n");
    if (has_format(s, EXPORT_PNG16))
        fprintf(to, "  png16: Strength %s, and the plane at Z %s\n", figure_of(span_of(s), "HI - LO").text,
                figure_of(s->low_m, "LO").text);
    fprintf(to, "  View > Clip End, and that of the camera: more than %s m. The default of 1000 m cuts the land off.\n",
            figure_of(ceil(2.0 * hypot(width_m, height_m)), "twice the plane's diagonal in").text);
    if (s->is_set)
        fprintf(to, "  Tiles: each plane lies %s m east or %s m south (-Y) of the one before it\n",
                figure_of((s->width - s->overlap) * s->sample_m, "(W - overlap) * spacing").text,
                figure_of((s->height - s->overlap) * s->sample_m, "(H - overlap) * spacing").text);
}

void explain_gdal(FILE *to, const import_sheet *s)
{
    fprintf(to, "  Nothing to enter: QGIS, GDAL and rasterio read size, place, metres and, for tiff16, scale and "
                "offset from the file.\n");
    if (s->epsg > 0)
        fprintf(to, "  Coordinates: EPSG:%d, the system of the guide; samples are points.\n", s->epsg);
    else
        fprintf(to, "  Coordinates: a local system in metres, east = x * %s, north = -z * %s; samples are points.\n",
                figure_of(s->step_m, "").text, figure_of(s->step_m, "").text);
    fprintf(to, "  A set of tiles has a .vrt beside it, which opens all of them as one picture.\n");
}
