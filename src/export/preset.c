/* preset.c - the presets: tables of what tools read. Sources of each tool's conventions stand beside its entry. */
#include "export/preset.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "export/format.h"
#include "export/job.h"

/* ---- sizes ---- */

/** UnityEngine.TerrainData.heightmapResolution: 33, 65, 129 ... 4097. */
static bool takes_unity_size(int64_t side)
{
    const int64_t quads = side - 1;
    return side >= 33 && side <= 4097 && (quads & (quads - 1)) == 0;
}

/** Unreal's landscape technical guide, "recommended landscape sizes". */
static bool takes_unreal_size(int64_t side)
{
    static const int64_t sizes[] = {127, 253, 505, 1009, 2017, 4033, 8129};
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++)
        if (side == sizes[n])
            return true;
    return false;
}

static bool takes_any_size(int64_t side)
{
    return side >= 1;
}

static bool takes_terrain3d_size(int64_t side)
{
    return side >= 1 && side <= 16384;
}

/* ---- names ---- */

/** Unreal's import panel takes u, v, x or y before a number for a tile's index, anywhere in a name. */
static const char *unreal_misreads(const char *name, bool is_set)
{
    int n_tokens = 0;
    for (const char *at = name; *at; at++)
        n_tokens += strchr("uvxy", *at) && (at[1] == '-' ? at[2] >= '0' && at[2] <= '9' : at[1] >= '0' && at[1] <= '9');
    if (n_tokens > (is_set ? 2 : 0))
        return "u, v, x or y before a number, which Unreal takes for a tile's index";
    if (strpbrk(name, "()[]+*?^$|\\"))
        return "a character of regular expressions, in which Unreal looks the other tiles up";
    return NULL;
}

static const char *nothing_misread(const char *name, bool is_set)
{
    (void)name, (void)is_set;
    return NULL;
}

/** The Terrain Toolbox sorts names from their first '_' on. */
static const char *unity_misreads(const char *name, bool is_set)
{
    int n_joints = 0;
    for (const char *at = name; *at; at++)
        n_joints += *at == '_';
    return is_set && n_joints > 2 ? "a '_' before the indices, from which Unity's Terrain Toolbox would sort the tiles" : NULL;
}

/* ---- what to enter ---- */

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

static void explain_unity(FILE *to, const export_job *job)
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

static void explain_unreal(FILE *to, const export_job *job)
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

static void explain_godot(FILE *to, const export_job *job)
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

static void explain_gaea(FILE *to, const export_job *job)
{
    fprintf(to, "  File node: the file; Build > Terrain Definition: Height and Scale as below\n");
    explain_scaled_tool(to, job);
    fprintf(to, "  Tiles: TileInput node, pattern _y%%Y%%_x%%X%%, numbers from %d, Overlap Pixels %d\n", job->tiles.start,
            job->tiles.border);
}

static void explain_worldmachine(FILE *to, const export_job *job)
{
    fprintf(to, "  File Input device: the file, Elevation: Natural; project heights as below. Raw files are square.\n");
    explain_scaled_tool(to, job);
    fprintf(to, "  Tiles: _x0_y0 from %d; Share edge vertices %s; border for blending: %d samples\n", job->tiles.start,
            job->tiles.overlap ? "on" : "off", job->tiles.border);
}

static void explain_blender(FILE *to, const export_job *job)
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

static void explain_gdal(FILE *to, const export_job *job)
{
    fprintf(
        to,
        "  Nothing to enter: QGIS, GDAL and rasterio read size, place, metres and, for tiff16, scale and offset from the file.\n");
    fprintf(to, "  Coordinates: a local system in metres, east = x * %s, north = -z * %s; samples are points.\n",
            figure_of(job->tile.world.spacing, "").text, figure_of(job->tile.world.spacing, "").text);
    fprintf(to, "  A set of tiles has a .vrt beside it, which opens all of them as one picture.\n");
}

/* ---- the table ---- */

const preset presets[PRESETS] = {
    /* UnityCsReference Modules/TerrainEditor/TerrainWizards.cs: little endian, height = v / 65536 * size.y, the first row at z = 0;
     * com.unity.terrain-tools TerrainToolboxCreateTerrain.cs: *.raw in the order of their names from the first '_' on. */
    {.name = "unity",
     .tool = "Unity terrain, Import Raw",
     .formats = {"r16"},
     .sizes = "33, 65, 129, 257, 513, 1025, 2049 or 4097",
     .takes_size = takes_unity_size,
     .is_square = true,
     .may_overlap = true,
     .overlap = 1,
     .ending = "raw",
     .indices = "_{x:%d}_{y:%d}",
     .y_from_south = true,
     .is_south_first = true,
     .channel = "Y",
     .misreads = unity_misreads,
     .explain = explain_unity},
    /* Unreal Engine 5: LandscapeFileFormatRaw.cpp (the .json), LandscapeEditorObject.cpp and FLandscapeTiledImage (names),
     * LandscapeDataAccess.h (32768 and 1/128), STiledLandscapeImportDlg.cpp (World Composition). */
    {.name = "unreal",
     .tool = "Unreal Engine landscape",
     .formats = {"r16", "png16"},
     .sizes = "127, 253, 505, 1009, 2017, 4033 or 8129",
     .takes_size = takes_unreal_size,
     .is_square = true,
     .may_overlap = true,
     .indices = "_x{x}_y{y}",
     .json_replaces_ending = true,
     .channel = "Y",
     .misreads = unreal_misreads,
     .explain = explain_unreal},
    /* TokisanGames/Terrain3D src/terrain_3d_util.cpp, doc/docs/import_export.md; godot modules/tinyexr: channel R. */
    {.name = "godot",
     .tool = "Godot, Terrain3D",
     .formats = {"exr", "r16", "r32"},
     .sizes = "1 to 16384",
     .takes_size = takes_terrain3d_size,
     .indices = "_x{x}_y{y}",
     .channel = "R",
     .misreads = nothing_misread,
     .explain = explain_godot},
    /* docs.gaea.app: file formats; build options, tiles; the File node takes 0..1. */
    {.name = "gaea",
     .tool = "QuadSpinner Gaea",
     .formats = {"r16", "r32"},
     .takes_size = takes_any_size,
     .may_overlap = true,
     .may_border = true,
     .indices = "_y{y}_x{x}",
     .normalises_floats = true,
     .channel = "Y",
     .misreads = nothing_misread,
     .explain = explain_gaea},
    /* help.world-machine.com: file output; forum.world-machine.com: raw files are square, Intel words, heights 0..1. */
    {.name = "worldmachine",
     .tool = "World Machine, File Input",
     .formats = {"r16", "r32"},
     .takes_size = takes_any_size,
     .is_square = true,
     .may_overlap = true,
     .may_border = true,
     .overlap = 1,
     .indices = "_x{x}_y{y}",
     .normalises_floats = true,
     .channel = "Y",
     .misreads = nothing_misread,
     .explain = explain_worldmachine},
    /* Blender manual: Displace modifier, colour spaces; tried with Blender 5.0: lone channels R and Y are read, gAMA is not. */
    {.name = "blender",
     .tool = "Blender, Displace modifier",
     .formats = {"exr", "png16"},
     .takes_size = takes_any_size,
     .may_overlap = true,
     .overlap = 1,
     .indices = "_x{x}_y{y}",
     .is_marked_linear = true,
     .channel = "Y",
     .misreads = nothing_misread,
     .explain = explain_blender},
    /* GDAL: drivers GTiff and VRT; OGC GeoTIFF 1.1. */
    {.name = "gdal",
     .tool = "GDAL, QGIS, rasterio",
     .formats = {"tiff", "tiff16"},
     .takes_size = takes_any_size,
     .may_overlap = true,
     .may_border = true,
     .indices = "_x{x}_y{y}",
     .channel = "Y",
     .misreads = nothing_misread,
     .explain = explain_gdal},
};

const char *const preset_names[PRESETS + 1] = {"unity", "unreal", "godot", "gaea", "worldmachine", "blender", "gdal", NULL};

/* ---- use ---- */

bool preset_takes_format(const preset *preset, const export_format *format)
{
    for (int n = 0; preset->formats[n]; n++)
        if (strcmp(preset->formats[n], format->name) == 0)
            return true;
    return false;
}

static void list_formats(const preset *preset, char text[64])
{
    size_t used = 0;
    for (int n = 0; preset->formats[n]; n++)
        used += (size_t)snprintf(text + used, 64 - used, "%s%s",
                                 n == 0                   ? ""
                                 : preset->formats[n + 1] ? ", "
                                                          : " or ",
                                 preset->formats[n]);
}

/** A path's last part, without its ending. */
static void base_of(const char *path, char base[1024])
{
    const char *slash = strrchr(path, '/');
    snprintf(base, 1024, "%s", slash ? slash + 1 : path);
    char *dot = strrchr(base, '.');
    if (dot)
        *dot = '\0';
}

static outcome check_tiles(const preset *p, const export_job *job)
{
    if (job->tiles.overlap && !p->may_overlap)
        return outcome_of(OUTCOME_USAGE, "--overlap is %d, but tiles of preset %s do not overlap: expected 0", job->tiles.overlap,
                          p->name);
    if (job->tiles.border && !p->may_border)
        return outcome_of(OUTCOME_USAGE, "--border is %d, but tiles of preset %s have none: expected 0", job->tiles.border,
                          p->name);
    return outcome_done();
}

outcome preset_check(const preset *p, const export_job *job)
{
    char base[1024], formats[64];
    const export_file file = export_job_file(job, 0);
    if (!preset_takes_format(p, file.format)) {
        list_formats(p, formats);
        return outcome_of(OUTCOME_USAGE, "--format is %s, but preset %s takes %s", file.format->name, p->name, formats);
    }
    if (!p->takes_size(job->tile.width) || !p->takes_size(job->tile.height))
        return outcome_of(OUTCOME_USAGE, "--size is %lldx%lld, but preset %s takes %s samples a side", (long long)job->tile.width,
                          (long long)job->tile.height, p->name, p->sizes);
    if (p->is_square && job->tile.width != job->tile.height)
        return outcome_of(OUTCOME_USAGE, "--size is %lldx%lld, but preset %s takes squares%s%s", (long long)job->tile.width,
                          (long long)job->tile.height, p->name, p->sizes ? " of " : "", p->sizes ? p->sizes : "");
    outcome o = check_tiles(p, job);
    char path[1024];
    if (o.kind == OUTCOME_DONE)
        o = export_job_path(job, 0, path);
    if (o.kind != OUTCOME_DONE)
        return o;
    base_of(path, base);
    const char *misread = p->misreads(base, job->tiles.is_set);
    if (misread)
        return outcome_of(OUTCOME_USAGE, "-o is '%s': the name has %s", job->path, misread);
    return outcome_done();
}

outcome preset_name_files(const preset *p, const export_job *job, const char *path, char result[1024], char changed[512])
{
    char indices[64] = "";
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    const size_t stem = dot ? (size_t)(dot - path) : strlen(path);
    changed[0] = '\0';
    if (job->tiles.is_set && output_file_is_regular(path) && !strstr(path, "{x") && !strstr(path, "{y")) {
        const char *of = p ? p->indices : "_x{x}_y{y}";
        size_t used = 0;
        for (const char *at = of; *at; at++)
            if (at[0] == '%' && at[1] == 'd')
                used += (size_t)snprintf(indices + used, sizeof indices - used, "%d", tile_set_digits(&job->tiles)), at++;
            else
                indices[used++] = *at;
        indices[used] = '\0';
    }
    const bool changes = p && p->ending && output_file_is_regular(path) && strcasecmp(dot ? dot + 1 : "", p->ending) != 0;
    const int length = changes ? snprintf(result, 1024, "%.*s%s.%s", (int)stem, path, indices, p->ending)
                               : snprintf(result, 1024, "%.*s%s%s", (int)stem, path, indices, dot ? dot : "");
    if (length >= 1000)
        return outcome_of(OUTCOME_USAGE, "-o is a name of %d characters, expected at most 1000", length);
    if (changes)
        snprintf(changed, 512, "'%.200s' becomes '%.200s': %s lists .%s files only", path, result, p->tool, p->ending);
    return outcome_done();
}

void presets_print(void)
{
    printf("\nPresets, each for a tool; terrane export --preset NAME --help says what to enter there\n");
    for (int n = 0; n < PRESETS; n++) {
        char formats[64];
        list_formats(&presets[n], formats);
        printf("  %-13s %s: %s%s%s\n", presets[n].name, presets[n].tool, formats, presets[n].sizes ? "; sizes " : "",
               presets[n].sizes ? presets[n].sizes : "");
    }
}
