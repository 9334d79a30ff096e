/* export_options.c - the table of the options of terrane export, and the job made from their values. */
#include "program/cli/export_options.h"

#include <math.h>
#include <string.h>

#include "program/cli/export_shard.h"
#include "program/cli/notes.h"
#include "program/cli/start_place.h"
#include "program/export/formats/coordinate_system.h"
#include "program/export/presets/preset_names.h"
#include "program/export/write/strips.h"
#include "program/features/features.h"
#include "program/file/output_file.h"
#include "program/file/path_name.h"

static const char *const byte_orders[] = {"le", "be", NULL};
static const char *const row_orders[] = {"north", "south", NULL};
static const char *const normal_maps[] = {"opengl", "directx", NULL};
static const char *const normal_bits[] = {"8", "16", NULL};
static const char *const up_axes[] = {"y", "z", NULL};
static const char *const waters[] = {"point", "any", NULL};

export_options export_options_default(void)
{
    return (export_options){.job.tile = {.range = {NAN, NAN}, .mesh = {.max_error_m = -1.0, .bottom_m = NAN}},
                            .at = {START_X, START_Z},
                            .interval_m = 50.0};
}

bool export_options_are_of_web(const export_options *e)
{
    return e->has_preset && e->preset_number == PRESETS;
}

/** Names of presets, and after them "web", NULL-terminated. */
static const char *const *preset_choices(void)
{
    static const char *names[PRESETS + 2];
    for (int n = 0; n < PRESETS; n++)
        names[n] = preset_names[n];
    names[PRESETS] = "web";
    return names;
}

/* ---- the table ---- */

/** Names of the formats of samples and of features. */
static const char *const *format_names(void)
{
    static const char *names[EXPORT_FORMATS_NAMED + VECTOR_FORMATS + 1];
    for (int n = 0; n < EXPORT_FORMATS_NAMED; n++)
        names[n] = export_format_names[n];
    for (int n = 0; n < VECTOR_FORMATS; n++)
        names[EXPORT_FORMATS_NAMED + n] = vector_format_names[n];
    return names;
}

size_t export_options_list(export_options *e, option options[EXPORT_OPTIONS_MAX])
{
    export_job *job = &e->job;
    const option all[] = {
        {"at", "X,Z", "lattice coordinates of the north-west sample", OPTION_POINT, e->at, .is_given = &e->has_at},
        {"size", "WxH", "samples; with --tiles, of each tile; with --lod A-B, of level of detail A", OPTION_SIZE,
         e->size, .is_given = &e->has_size, .otherwise = option_required},
        {"lod",
         "D",
         "samples 2^D metres apart, with the default spacing; A-B: levels of detail A to B, FILE must contain {lod}",
         OPTION_LODS,
         e->lods,
         {-TER_FINE_LODS, TER_LEVELS_MAX, 0, 0}},
        {"o", "FILE",
         "file to write, - for standard output; {x} and {y} are a tile's indices, {layer} a layer's name, {lod} "
         "the level of detail",
         OPTION_PATH, &e->path, .otherwise = option_required},
        {"format", "NAME", "format of the files, see below", OPTION_CHOICE, &e->format, .choices = format_names(),
         .is_given = &e->has_format, .otherwise = "by FILE's ending, else r32"},
        {"preset", "NAME", "files for a tool, see below", OPTION_CHOICE, &e->preset_number, .choices = preset_choices(),
         .is_given = &e->has_preset, .otherwise = "none"},
        {"zoom",
         "A-B",
         "preset web: zooms of the tiles; at zoom 0 the map is one tile, at zoom 17 samples are 1 m apart",
         OPTION_LODS,
         e->zoom,
         {0, 21, 0, 0},
         .is_given = &e->has_zoom,
         .otherwise = "required for preset web"},
        {"pmtiles", NULL, "preset web: also pack the tiles of each kind into one file, KIND.pmtiles", OPTION_FLAG,
         &e->has_pmtiles},
        {"layer", "A,B,...", "layers to write, a file for each, see below", OPTION_LIST, &e->layers,
         .choices = export_layer_names, .otherwise = "height"},
        {"features", "A,...",
         "vector features to write instead of layers, to a .gpkg, .geojson, .geojsonl or .fgb; {feature} in FILE is "
         "the name of one",
         OPTION_LIST, &e->features, .choices = feature_names, .otherwise = "samples are written"},
        {"min-area",
         "KM2",
         "features, --conditioned: only rivers that drain at least this area",
         OPTION_REAL,
         &e->min_area_km2,
         {0, 1e12, 1, 0},
         .is_given = &e->has_min_area,
         .otherwise = "1.05, the least area of rivers with water; with --conditioned at least 32 samples, too"},
        {"conditioned", NULL,
         "change heights so that water follows the rivers of the network, for samples too coarse to show them",
         OPTION_FLAG, &job->tile.drainage.is_conditioned},
        {"interval",
         "M",
         "features: metres between contours; peaks rise at least so far above the way to higher ground",
         OPTION_REAL,
         &e->interval_m,
         {0.1, 10000, 0, 0},
         .is_given = &e->has_interval},
        {"outlet", "X,Z", "catchments: only the one that contains this lattice point, joined with all upstream",
         OPTION_POINT, e->outlet, .is_given = &e->has_outlet, .otherwise = "all catchments"},
        {"water", "NAME",
         "layer water: water at each sample's point, or any water in its cell, so that narrow rivers have no gaps",
         OPTION_CHOICE, &e->water, .choices = waters, .is_given = &e->has_water},
        {"map-style", "NAME",
         "format map: colours of heights, of the climate about as seen from above, or of biomes; basis fluvial",
         OPTION_CHOICE, &e->map_style, .choices = map_style_names, .is_given = &e->has_map_style},
        {"crs", "EPSG:N", "projected coordinate system of the Earth in which the files lie, for GIS", OPTION_TEXT,
         &e->crs, .otherwise = "that of the guide, else a local one"},
        {"origin", "E,N", "east and north of lattice point 0,0, in units of --crs", OPTION_POINT, &job->tile.crs.east,
         .is_given = &e->has_origin},
        {"range", "LO,HI", "16 bit: metres that become 0 and 65535; auto measures the whole request first",
         OPTION_RANGE, job->tile.range, .otherwise = "auto"},
        {"byte-order", "NAME", "raw: little or big endian", OPTION_CHOICE, &e->byte_order, .choices = byte_orders,
         .is_given = &e->has_byte_order},
        {"row-order", "NAME", "which row comes first", OPTION_CHOICE, &e->row_order, .choices = row_orders,
         .is_given = &e->has_row_order},
        {"normal-map", "NAME", "normals: green grows to the north (+Y), or to the south (-Y)", OPTION_CHOICE,
         &e->normal_map, .choices = normal_maps, .is_given = &e->has_normal_map,
         .otherwise = "opengl, or as the preset needs"},
        {"normal-bits", "N", "normals: bits of a channel", OPTION_CHOICE, &e->normal_bits, .choices = normal_bits,
         .is_given = &e->has_normal_bits},
        {"max-error",
         "M",
         "meshes: few triangles, with every sample at most M metres above or below them",
         OPTION_REAL,
         &job->tile.mesh.max_error_m,
         {0, MESH_DEPTH_MAX, 0, 0},
         .is_given = &e->has_max_error,
         .otherwise = "a vertex for each sample"},
        {"skirt",
         "M",
         "meshes: vertical strips M metres high around each mesh, which hide gaps between levels of detail",
         OPTION_REAL,
         &job->tile.mesh.skirt_m,
         {0, MESH_DEPTH_MAX, 1, 0},
         .is_given = &e->has_skirt,
         .otherwise = "none"},
        {"solid",
         "M",
         "meshes: a solid with walls, whose flat bottom lies M metres under the lowest point, for printing",
         OPTION_REAL,
         &job->tile.mesh.base_m,
         {0, MESH_DEPTH_MAX, 1, 0},
         .is_given = &e->has_base,
         .otherwise = "none"},
        {"up", "AXIS", "obj and stl: which axis points up; y: x east, z south; z: x east, y north", OPTION_CHOICE,
         &e->up, .choices = up_axes, .is_given = &e->has_up,
         .otherwise = "z for stl, y for obj, or as the preset needs"},
        {"texture", NULL, "glb: the colours of format map as a texture, without shading", OPTION_FLAG,
         &job->tile.mesh.is_textured},
        {"tiles", "CxR", "a set of files, C columns to the east and R rows to the south", OPTION_SIZE, e->tiles,
         .is_given = &e->has_tiles, .otherwise = "one file"},
        {"overlap",
         "N",
         "samples that neighbouring tiles share",
         OPTION_INTEGER,
         &job->tiles.overlap,
         {0, 1, 0, 0},
         .is_given = &e->has_overlap,
         .otherwise = "0, 1 for meshes, or as the preset needs"},
        {"border",
         "N",
         "samples added around every tile, for tools that blend",
         OPTION_INTEGER,
         &job->tiles.border,
         {0, 4096, 0, 0}},
        {"start-index", "N", "first index in names", OPTION_INTEGER, &job->tiles.start, {0, 1, 0, 0}},
        {"shard", "I/N", "make every Nth tile from the Ith on", OPTION_SHARD, e->shard, .is_given = &e->has_shard,
         .otherwise = "all tiles; in a job array of SLURM, this task's"},
        {"resume", NULL,
         "keep what an interrupted run has written, if its checksums are right; a single raw file, or one of "
         "vector features, is named FILE.part until it is complete",
         OPTION_FLAG, &job->resume},
        {"durable", NULL,
         "write each file and its name to the disk before the next file begins, so that a loss of power destroys none",
         OPTION_FLAG, &job->durable},
        {"verify", "FILE", "make a file again from its sidecar and compare; further words are files too", OPTION_PATH,
         &e->verify, .otherwise = "files are written, not verified"},
        {"gpus",
         "N",
         "CUDA devices to use",
         OPTION_INTEGER,
         &e->gpus,
         {1, STRIPS_GENERATORS_MAX, 0, 0},
         .otherwise = "all"},
        {"force", NULL, "replace existing files", OPTION_FLAG, &job->force},
        {"dry-run", NULL, "say what would be written and how long it takes, write nothing", OPTION_FLAG,
         &e->is_dry_run},
    };
    _Static_assert(sizeof all / sizeof all[0] <= EXPORT_OPTIONS_MAX, "room for all options");
    memcpy(options, all, sizeof all);
    return sizeof all / sizeof all[0];
}

/* ---- world, place, format, preset ---- */

/** Set the origin of a mesh, which is the first sample of the set, its axes, and the overlap of a set of meshes. */
static void take_mesh(export_options *e)
{
    export_file *f = &e->job.tile;
    f->mesh.origin_x = f->x;
    f->mesh.origin_z = f->z;
    f->mesh.is_z_up = e->has_up ? e->up == 1 : f->format == &export_formats[EXPORT_STL];
    if (f->format->is_mesh && e->has_tiles && !e->has_overlap)
        e->job.tiles.overlap = 1;
}

/** Set what the preset decides. Options that the user has given keep their values. */
static void take_preset(export_options *e, export_format_id named)
{
    const preset *p = e->has_preset && !export_options_are_of_web(e) ? &presets[e->preset_number] : NULL;
    export_file *f = &e->job.tile;
    e->preset = p;
    f->channel = p ? p->channel : "Y";
    if (!p)
        return;
    if (!e->has_format)
        f->format = export_format_named(p->formats[0]);
    if (!e->has_format && named < EXPORT_FORMATS && preset_takes_format(p, &export_formats[named]))
        f->format = &export_formats[named];
    f->is_south_first = e->has_row_order ? f->is_south_first : p->is_south_first;
    f->is_marked_linear = p->is_marked_linear;
    f->is_normalised = p->normalises_floats && f->format->bits == 32 && !f->format->is_mesh;
    f->is_green_south = e->has_normal_map ? f->is_green_south : p->is_green_south;
    f->mesh.is_z_up = e->has_up ? f->mesh.is_z_up : p->is_z_up || f->mesh.is_z_up;
    e->job.tiles.overlap = e->has_overlap ? e->job.tiles.overlap : e->has_tiles ? p->overlap : 0;
    e->job.tiles.y_from_south = p->y_from_south;
    e->job.json_replaces_ending = p->json_replaces_ending && f->format->envi_type != 0;
}

/** The coordinate of --at; without --at, that of the start place, rounded towards 0 to a sample of all levels. */
static double place(const export_options *e, int axis)
{
    const double step = ldexp(1.0, e->lods[1]);
    return e->has_at ? e->at[axis] : trunc(e->at[axis] / step) * step;
}

void export_options_begin(export_options *e, const setup *s)
{
    export_job *job = &e->job;
    export_file *f = &job->tile;
    const export_format_id named = e->path ? export_format_of_name(e->path) : EXPORT_FORMATS;
    f->world = s->params;
    f->lod = e->lods[0];
    f->x = place(e, 0);
    f->z = place(e, 1);
    f->width = e->size[0];
    f->height = e->size[1];
    f->format = &export_formats[e->has_format && e->format < EXPORT_FORMATS_NAMED ? (export_format_id)e->format
                                : named < EXPORT_FORMATS                          ? named
                                                                                  : EXPORT_R32];
    f->is_south_first = e->row_order == 1;
    f->is_green_south = e->normal_map == 1;
    f->is_any_water = e->water == 1;
    f->map_style = (map_style)e->map_style;
    f->look = s->look;
    f->drainage.min_area_km2 = f->drainage.is_conditioned ? e->min_area_km2 : 0.0;
    job->tiles.columns = e->has_tiles ? e->tiles[0] : 1;
    job->tiles.rows = e->has_tiles ? e->tiles[1] : 1;
    job->tiles.is_set = e->has_tiles;
    job->n_shards = 1;
    take_mesh(e);
    take_preset(e, named);
    f->is_south_first |= f->format->is_from_south;
    f->is_big_endian = e->byte_order == 1 || f->format == &export_formats[EXPORT_PGM];
}

/* ---- layers ---- */

/** The format for layers of floats if the heights have 16 bits: a float format of the preset, else raw floats. */
static const export_format *format_of_floats(const preset *p)
{
    for (int n = 0; p->formats[n]; n++)
        if (export_format_named(p->formats[n])->bits == 32)
            return export_format_named(p->formats[n]);
    return &export_formats[EXPORT_R32];
}

/** The format of a layer's files. Some layers need floats, although the heights of the preset have 16 bits. */
static const export_format *format_of_layer(const export_options *e, export_layer_id id)
{
    const export_layer *layer = &export_layers[id];
    const export_format *format = e->job.tile.format;
    switch (layer->channels) {
    case 0:
        return e->preset && layer->needs_floats && export_format_is_scaled(format) ? format_of_floats(e->preset)
                                                                                   : format;
    case 1:
        return &export_formats[EXPORT_GRAY8];
    case 4:
        return &export_formats[EXPORT_RGBA8];
    default:
        return &export_formats[e->normal_bits == 1 ? EXPORT_RGB16 : EXPORT_RGB8];
    }
}

/** Add a layer, which is a word of --layer, to the job. */
static result take_layer(export_options *e, const char *word, size_t length)
{
    export_job *job = &e->job;
    int id = 0;
    while (strncmp(export_layers[id].name, word, length) != 0 || export_layers[id].name[length])
        id++; /* the option allows only names of layers */
    for (int k = 0; k < job->n_layers; k++)
        if (job->layers[k].id == (export_layer_id)id)
            return result_of(RESULT_USAGE, "--layer is '%s', which names %s twice", e->layers, export_layers[id].name);
    job->layers[job->n_layers++] = (job_layer){(export_layer_id)id, format_of_layer(e, (export_layer_id)id)};
    return result_done();
}

/** Add all layers to the job. If all are pictures, the job's format is that of the first picture. */
static result take_layers(export_options *e)
{
    export_job *job = &e->job;
    result res = result_done();
    if (!e->layers && e->preset && e->preset->layers && pattern_has_layer(e->path, NULL))
        e->layers = e->preset->layers;
    bool has_numbers = !e->layers, has_normal = false, has_water = false;
    for (const char *at = e->layers; at && *at && res.kind == RESULT_DONE;) {
        const size_t length = strcspn(at, ",");
        res = take_layer(e, at, length);
        at += length + (at[length] == ',');
    }
    for (int k = 0; k < job->n_layers; k++) {
        has_numbers |= job->layers[k].format->channels == 0;
        has_normal |= job->layers[k].id == EXPORT_NORMAL;
        has_water |= job->layers[k].id == (export_layer_id)TER_LAYER_WATER ||
                     (export_layers[job->layers[k].id].needs_water && !export_layers[job->layers[k].id].is_drained);
    }
    if (res.kind == RESULT_DONE && (e->has_normal_map || e->has_normal_bits) && !has_normal)
        res =
            result_of(RESULT_USAGE, "--normal-map and --normal-bits are for layer normal, expected --layer normal too");
    if (res.kind == RESULT_DONE && e->has_water && !has_water)
        res = result_of(RESULT_USAGE, "--water is for layer water and layers made from it, expected --layer water too");
    if (res.kind == RESULT_DONE && !has_numbers && e->has_format)
        res = result_of(RESULT_USAGE, "--format is for layers of numbers; normal, splat and forest are PNG files");
    if (res.kind == RESULT_DONE && !has_numbers)
        job->tile.format = job->layers[0].format;
    return res;
}

/* ---- the job ---- */

/** Check the options for meshes. */
static result check_mesh_options(const export_options *e)
{
    const export_file *f = &e->job.tile;
    const mesh_shape *m = &f->mesh;
    if ((e->has_max_error || e->has_skirt || e->has_base) && !f->format->is_mesh)
        return result_of(RESULT_USAGE,
                         "--max-error, --skirt and --solid are for meshes, glb, stl and obj, not for format %s",
                         f->format->name);
    if (e->has_skirt && e->has_base)
        return result_of(RESULT_USAGE, "--skirt and --solid exclude each other: a solid has walls");
    if (e->has_up && f->format != &export_formats[EXPORT_OBJ] && f->format != &export_formats[EXPORT_STL])
        return result_of(RESULT_USAGE, "--up is for formats obj and stl, not for %s", f->format->name);
    if (m->is_textured && f->format != &export_formats[EXPORT_GLB])
        return result_of(RESULT_USAGE, "--texture is for format glb, not for %s", f->format->name);
    if (f->format->is_from_south && e->has_row_order && e->row_order == 0)
        return result_of(RESULT_USAGE, "--row-order is north, but the first row of %s is the southern one",
                         f->format->name);
    return result_done();
}

/** Refuse options that cannot be combined. */
static result check_options(const export_options *e)
{
    const export_job *job = &e->job;
    const export_format *format = job->tile.format;
    if ((e->has_overlap || job->tiles.start || job->tiles.border) && !e->has_tiles)
        return result_of(RESULT_USAGE,
                         "--overlap, --start-index and --border are for sets of tiles, expected --tiles CxR too");
    if (format == &export_formats[EXPORT_MAP] &&
        (e->gpus > 0 || e->has_tiles || job->resume || job->durable || e->layers))
        return result_of(RESULT_USAGE,
                         "--gpus, --tiles, --resume, --durable and --layer are for heights, not for format map");
    if (e->has_map_style && format != &export_formats[EXPORT_MAP])
        return result_of(RESULT_USAGE, "--map-style is for format map, not for format %s", format->name);
    if (job->tile.map_style != MAP_RELIEF && job->tile.world.basis != TER_BASIS_FLUVIAL)
        return result_of(RESULT_USAGE, "--map-style is %s, but a world of basis %s has no climate: expected relief",
                         map_style_names[job->tile.map_style], ter_basis_name(job->tile.world.basis));
    if (job->durable && !output_file_is_regular(e->path))
        return result_of(RESULT_USAGE, "-o is '%s', expected the name of a file with --durable", e->path);
    if (format == &export_formats[EXPORT_PGM] && e->has_byte_order && e->byte_order == 0)
        return result_of(RESULT_USAGE, "--byte-order is le, but PGM is big endian: expected be");
    return check_mesh_options(e);
}

/** Refuse an ending that no format has, unless --format is given. A program that opens a .jpg expects a JPEG. */
static result check_ending(const export_options *e)
{
    char endings[256], quoted[RESULT_QUOTE];
    const char *dot = path_dot(e->path);
    if (e->has_format || !*dot || !output_file_is_regular(e->path) || export_format_of_name(e->path) < EXPORT_FORMATS ||
        (e->preset && e->preset->ending && strcmp(dot + 1, e->preset->ending) == 0))
        return result_done();
    export_formats_list_endings(endings, sizeof endings);
    return result_of(RESULT_USAGE, "-o is %s, whose ending no format has: expected one of %s, or --format NAME",
                     result_quote(e->path, quoted), endings);
}

result export_options_take_crs(export_options *e, const ter_params *world)
{
    earth_crs *crs = &e->job.tile.crs;
    const earth_crs none = {0};
    const int epsg = earth_place_of(world, &none, 0.0, 0.0).epsg;
    if (!e->crs && e->has_origin)
        return result_of(RESULT_USAGE, "--origin is for files with a coordinate system, expected --crs EPSG:N too");
    if (!e->crs)
        return result_done();
    if (epsg > 0)
        return result_of(RESULT_USAGE, "--crs is '%.64s', but the guide has EPSG:%d, which its files get", e->crs,
                         epsg);
    return coordinate_system_find(e->crs, &crs->epsg, &crs->metres);
}

static result name_files(export_options *e)
{
    char changed[512];
    const result res = preset_name_files(e->preset, &e->job, e->path, e->name, changed);
    if (*changed)
        note("%s", changed);
    e->job.path = e->name;
    return res;
}

result export_options_job(export_options *e, const setup *s)
{
    if (e->has_zoom || e->has_pmtiles)
        return result_of(RESULT_USAGE, "%s is for web maps, expected --preset web too",
                         e->has_zoom ? "--zoom" : "--pmtiles");
    if (!e->has_size)
        return result_of(RESULT_USAGE, "--size is missing, expected --size WxH");
    if (!e->path)
        return result_of(RESULT_USAGE, "-o is missing, expected -o FILE, or -o - for standard output");
    export_options_begin(e, s);
    result res = check_options(e);
    if (res.kind == RESULT_DONE)
        res = export_options_take_crs(e, &e->job.tile.world);
    if (res.kind == RESULT_DONE)
        res = take_layers(e);
    if (res.kind == RESULT_DONE)
        res = export_shard_take(&e->job, e->has_shard ? e->shard : NULL);
    if (res.kind == RESULT_DONE)
        res = check_ending(e);
    return res.kind == RESULT_DONE ? name_files(e) : res;
}
