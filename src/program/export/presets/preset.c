/* preset.c - the table of presets: what each tool reads. A comment at each entry names the sources. */
#include "program/export/presets/preset.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "program/export/presets/preset_explain.h"
#include "program/file/output_file.h"
#include "program/file/path_name.h"

/* ---- sizes ---- */

/** Source: UnityEngine.TerrainData.heightmapResolution: 33, 65, 129 ... 4097. */
static bool takes_unity_size(int64_t side)
{
    const int64_t quads = side - 1;
    return side >= 33 && side <= 4097 && (quads & (quads - 1)) == 0;
}

/** Source: Unreal Engine, landscape technical guide, "recommended landscape sizes". */
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

/** Sources: gz::common::Dem and Ogre's terrain: a power of two plus one. */
static bool takes_gazebo_size(int64_t side)
{
    const int64_t quads = side - 1;
    return side >= 33 && side <= 8193 && (quads & (quads - 1)) == 0;
}

/** A height field with a side of 1 sample has no surface. */
static bool takes_mesh_size(int64_t side)
{
    return side >= 2;
}

/** Sizes that the formats of meshes allow. */
static bool takes_isaac_size(int64_t side)
{
    return side >= 2 && side <= export_formats[EXPORT_OBJ].side_max;
}

static bool takes_terrain3d_size(int64_t side)
{
    return side >= 1 && side <= 16384;
}

/* ---- names ---- */

/** Unreal's import panel reads u, v, x or y before a number as a tile's index, anywhere in a name. */
static const char *unreal_misreads(const char *name, bool is_set)
{
    int n_tokens = 0;
    for (const char *at = name; *at; at++)
        n_tokens += strchr("uvxy", *at) && (at[1] == '-' ? at[2] >= '0' && at[2] <= '9' : at[1] >= '0' && at[1] <= '9');
    if (n_tokens > (is_set ? 2 : 0))
        return "u, v, x or y before a number, which Unreal takes for a tile's index";
    if (strpbrk(name, "()[]+*?^$|\\"))
        return "a character with a meaning in regular expressions, with which Unreal finds the other tiles";
    return NULL;
}

static const char *nothing_misread(const char *name, bool is_set)
{
    (void)name, (void)is_set;
    return NULL;
}

/** The name of the file is printed without escapes into the XML files and programs of robots' worlds. */
static const char *quoted_misreads(const char *name, bool is_set)
{
    (void)is_set;
    return strpbrk(name, "\"<>&")
               ? "one of the characters \" < > &, which cannot stand in the lines for the robot's world"
               : NULL;
}

/** Unity's Terrain Toolbox sorts tiles by the part of their names after the first '_'. */
static const char *unity_misreads(const char *name, bool is_set)
{
    int n_joints = 0;
    for (const char *at = name; *at; at++)
        n_joints += *at == '_';
    return is_set && n_joints > 2
               ? "a '_' before the indices, from which Unity's Terrain Toolbox would sort the tiles: expected '-'"
               : NULL;
}

/* ---- layers ---- */

static const char ENGINE_LAYERS[] = "height,normal,splat,forest";

#define SPLAT                                                                                                          \
    "splat has red for plants, green for rock, blue for soil, sand, scree and the beds of waters, alpha for snow"
#define FOREST "forest, a grey PNG, is the part of splat's red that is forest"
#define FLOATS "--layer height,water,flow writes floats beside the heights: "

/* Source: Unity's Terrain Tools, Terrain Toolbox, "Splatmaps". {layer} comes after a '-', because the toolbox sorts
 * tiles by the part of their names after the first '_'. */
static const char UNITY_LAYERS[] =
    "  Layers: -o 'NAME-{layer}.raw' writes height, normal, splat and forest, with --tiles as well. normal (green is "
    "north, as\n"
    "  Unity has it): Texture Type Normal map.\n"
    "  " SPLAT ":\n"
    "  Terrain Toolbox > Terrain Utilities > Splatmaps takes it for four Terrain Layers.\n"
    "  " FOREST ": the weight of a fifth\n"
    "  Terrain Layer, for a script, or a mask for trees. " FLOATS "'NAME-water.r32'.\n";

/* Source: Unreal Engine 5, landscape technical guide: each layer has a weightmap, 8-bit grey. */
static const char UNREAL_LAYERS[] = "  Layers: -o 'NAME_{layer}.r16' writes height, normal, splat and forest. normal "
                                    "(green is south, as Unreal has it):\n"
                                    "  Compression Normalmap, sRGB off.\n"
                                    "  " SPLAT ":\n"
                                    "  a texture with Compression Masks for the landscape's material, or each channel "
                                    "as a grey PNG, the weightmap of a target\n"
                                    "  layer. " FOREST ": import it as the weightmap of a target layer of its own,\n"
                                    "  over that of the plants. " FLOATS "'NAME_water.r32'.\n";

/* Source: Terrain3D, Import Tool: height, control and colour files. */
static const char GODOT_LAYERS[] =
    "  Layers: -o 'NAME_{layer}.exr' writes height, normal, splat and forest. Terrain3D's import takes only the "
    "height; Terrain3D\n"
    "  makes normals itself.\n"
    "  " SPLAT ":\n"
    "  for a script that paints Terrain3D's control map, or for a shader. " FOREST ":\n"
    "  for the same script, or for an instancer that places trees. " FLOATS "'NAME_water.exr'.\n";

/* ---- the table ---- */

const preset presets[PRESETS] = {
    /* UnityCsReference Modules/TerrainEditor/TerrainWizards.cs: little endian, height = v / 65536 * size.y, the first
     * row at z = 0. com.unity.terrain-tools TerrainToolboxCreateTerrain.cs: reads *.raw, sorted by the part of their
     * names after the first '_'. */
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
     .layer_part = "-{layer}",
     .may_reorder = true,
     .y_from_south = true,
     .is_south_first = true,
     .channel = "Y",
     .misreads = unity_misreads,
     .layers = ENGINE_LAYERS,
     .layers_help = UNITY_LAYERS,
     .explain = explain_unity},
    /* Unreal Engine 5: LandscapeFileFormatRaw.cpp (the .json), LandscapeEditorObject.cpp and FLandscapeTiledImage
     * (names), LandscapeDataAccess.h (32768 and 1/128), STiledLandscapeImportDlg.cpp (World Composition). */
    {.name = "unreal",
     .tool = "Unreal Engine landscape",
     .formats = {"r16", "png16"},
     .sizes = "127, 253, 505, 1009, 2017, 4033 or 8129",
     .takes_size = takes_unreal_size,
     .is_square = true,
     .may_overlap = true,
     .indices = "_x{x}_y{y}",
     .is_green_south = true,
     .json_replaces_ending = true,
     .channel = "Y",
     .misreads = unreal_misreads,
     .layers = ENGINE_LAYERS,
     .layers_help = UNREAL_LAYERS,
     .explain = explain_unreal},
    /* TokisanGames/Terrain3D src/terrain_3d_util.cpp, doc/docs/import_export.md; godot modules/tinyexr: reads channel
     * R.
     */
    {.name = "godot",
     .tool = "Godot 4, Terrain3D",
     .formats = {"exr", "r16", "r32"},
     .sizes = "1 to 16384",
     .takes_size = takes_terrain3d_size,
     .indices = "_x{x}_y{y}",
     .channel = "R",
     .misreads = nothing_misread,
     .layers = ENGINE_LAYERS,
     .layers_help = GODOT_LAYERS,
     .explain = explain_godot},
    /* docs.gaea.app: file formats; build options, tiles; the File node reads 0..1. */
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
    /* Blender manual: Displace modifier, colour spaces. Tried with Blender 5.0: it reads a single channel R or Y, and
     * ignores gAMA. Tried with 4.2: with Extend and without Interpolation each vertex of the grid has its own sample;
     * Repeat turns the last row and column into walls. */
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
    /* MuJoCo, XML reference, asset/hfield, the binary file: x is along columns, the first row lies at the least y.
     * When a model is compiled, heights are scaled to 0..1 and then multiplied by size z. Tried with MuJoCo 4.0. */
    {.name = "mujoco",
     .tool = "MuJoCo, height field",
     .formats = {"hfield"},
     .sizes = "2 or more",
     .takes_size = takes_mesh_size,
     .may_overlap = true,
     .overlap = 1,
     .indices = "_x{x}_y{y}",
     .channel = "Y",
     .misreads = quoted_misreads,
     .explain = explain_mujoco},
    /* gz-common geospatial/src/ImageHeightmap.cc and ImageHeightmap.hh: 16-bit gray, square; the height of a sample is
     * size z times the sample divided by the brightest sample. SDFormat 1.9, heightmap. */
    {.name = "gazebo",
     .tool = "Gazebo, heightmap",
     .formats = {"png16"},
     .sizes = "33, 65, 129, 257, 513, 1025, 2049, 4097 or 8193",
     .takes_size = takes_gazebo_size,
     .is_square = true,
     .may_overlap = true,
     .overlap = 1,
     .indices = "_x{x}_y{y}",
     .is_z_up = true,
     .channel = "Y",
     .misreads = quoted_misreads,
     .explain = explain_gazebo},
    /* Isaac Lab isaaclab/terrains/terrain_importer.py, import_mesh: a trimesh in metres, z up. USD stages of Isaac Sim:
     * metres, z up. */
    {.name = "isaac",
     .tool = "Isaac Sim and Isaac Lab, terrain mesh",
     .formats = {"obj", "stl"},
     .sizes = "2 to 4097",
     .takes_size = takes_isaac_size,
     .may_overlap = true,
     .overlap = 1,
     .indices = "_x{x}_y{y}",
     .is_z_up = true,
     .channel = "Y",
     .misreads = quoted_misreads,
     .explain = explain_isaac},
};

const char *const preset_names[PRESETS + 1] = {"unity",  "unreal", "godot", "gaea", "worldmachine", "blender", "gdal",
                                               "mujoco", "gazebo", "isaac", NULL};

/* ---- use ---- */

bool preset_takes_format(const preset *preset, const export_format *format)
{
    for (int n = 0; preset->formats[n]; n++)
        if (strcmp(preset->formats[n], format->name) == 0)
            return true;
    return false;
}

void preset_list_formats(const preset *preset, char text[PRESET_FORMATS_TEXT])
{
    size_t used = 0;
    for (int n = 0; preset->formats[n]; n++)
        used += (size_t)snprintf(text + used, PRESET_FORMATS_TEXT - used, "%s%s",
                                 n == 0                   ? ""
                                 : preset->formats[n + 1] ? ", "
                                                          : " or ",
                                 preset->formats[n]);
}
