/* sidecar_json.c - writes and reads the members of JSON sidecars. */
#include "program/export/sidecar/sidecar_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/core/world_parameters.h"
#include "program/export/formats/export_file.h"
#include "program/export/sidecar/sidecar_crs.h"
#include "program/export/sidecar/sidecar_drainage.h"
#include "program/export/sidecar/sidecar_guide.h"
#include "program/file/json_file.h"
#include "program/file/path_name.h"

/* ---- writing ---- */

/** Add the parameters that only some worlds have. */
static void add_special(cJSON *world, const ter_params *p)
{
    for (int n = 0; n < WORLD_NUMBERS; n++)
        if (p->basis == TER_BASIS_FLUVIAL ? world_parameters[n].group >= PARAMETERS_OF_PROVINCES
                                          : world_parameters[n].group == PARAMETERS_OF_CRATERS && p->craters > 0.0)
            cJSON_AddNumberToObject(world, world_parameters[n].name, world_parameter_get(p, &world_parameters[n]));
}

/** Add the parameters of a world. All worlds have those of the bases midpoint and smooth, which readers expect. */
static void add_world(cJSON *object, const ter_params *p)
{
    cJSON *world = cJSON_AddObjectToObject(object, "world");
    json_add_seed(world, p->seed);
    cJSON_AddNumberToObject(world, "levels", p->levels);
    cJSON_AddNumberToObject(world, "amplitude", p->amplitude);
    cJSON_AddNumberToObject(world, "gain", p->gain);
    cJSON_AddNumberToObject(world, "broad", p->broad);
    cJSON_AddNumberToObject(world, "broad_gain", p->broad_gain);
    cJSON_AddNumberToObject(world, "base", p->base);
    cJSON_AddStringToObject(world, "basis", ter_basis_name(p->basis));
    cJSON_AddNumberToObject(world, "valley", p->valley);
    cJSON_AddNumberToObject(world, "sea", p->sea);
    cJSON_AddNumberToObject(world, "spacing", p->spacing);
    add_special(world, p);
    sidecar_add_guide(world, p);
}

/** Add the least or the greatest number; null if no sample has a number. */
static void add_extreme(cJSON *root, const char *name, const file_facts *facts, float value)
{
    if (file_facts_has_numbers(facts))
        cJSON_AddNumberToObject(root, name, (double)value);
    else
        cJSON_AddNullToObject(root, name);
}

/** Add the names of the biomes. The number of a biome is its place in the list. */
static void add_classes(cJSON *root)
{
    const char *names[TER_BIOME_COUNT];
    for (int n = 0; n < TER_BIOME_COUNT; n++)
        names[n] = ter_biome_name((ter_biome)n);
    cJSON_AddItemToObject(root, "classes", cJSON_CreateStringArray(names, TER_BIOME_COUNT));
}

/** Add the description of the numbers and their extremes. Only heights have keys with a unit, such as "min_m". */
static void add_numbers(cJSON *root, const export_file *file, const file_facts *facts)
{
    const export_layer *layer = &export_layers[file->layer];
    const bool is_height = file->layer == EXPORT_HEIGHT;
    cJSON_AddStringToObject(root, "layer", layer->name);
    cJSON_AddStringToObject(root, "unit", layer->unit);
    cJSON_AddStringToObject(root, "meaning", layer->meaning);
    if (file->layer == EXPORT_BIOME)
        add_classes(root);
    if (file->map_style != MAP_RELIEF)
        cJSON_AddStringToObject(root, "map_style", map_style_names[file->map_style]);
    if (export_file_has_water(file))
        cJSON_AddStringToObject(root, "water", file->is_any_water ? "any" : "point");
    if (layer->has_no_data && file->format->bits == 32)
        cJSON_AddStringToObject(root, "no_data", "nan");
    else
        cJSON_AddNullToObject(root, "no_data");
    if (file->format->channels) {
        cJSON_AddNumberToObject(root, "channels", file->format->channels);
        if (file->layer == EXPORT_NORMAL)
            cJSON_AddStringToObject(root, "green", file->is_green_south ? "south" : "north");
        return;
    }
    add_extreme(root, is_height ? "min_m" : "min", facts, facts->min_m);
    add_extreme(root, is_height ? "max_m" : "max", facts, facts->max_m);
    if (export_file_is_scaled(file)) {
        cJSON_AddItemToObject(root, is_height ? "range_m" : "range", cJSON_CreateDoubleArray(file->range, 2));
        cJSON_AddNumberToObject(root, is_height ? "step_m" : "step", (file->range[1] - file->range[0]) / 65535.0);
        json_add_integer(root, "clamped", (int64_t)facts->n_clamped);
    }
}

/** Add the shape of a mesh. Coordinates in the file are metres from the point `place_m`. This point is given in metres
 * from the lattice point (origin_x, origin_z), which all meshes of a set share. */
static void add_mesh(cJSON *root, const export_file *file)
{
    const mesh_shape *shape = &file->mesh;
    double place[3];
    export_file_mesh_place(file, place);
    cJSON *mesh = cJSON_AddObjectToObject(root, "mesh");
    if (shape->max_error_m >= 0.0)
        cJSON_AddNumberToObject(mesh, "max_error_m", shape->max_error_m);
    cJSON_AddNumberToObject(mesh, "skirt_m", shape->skirt_m);
    cJSON_AddNumberToObject(mesh, "base_m", shape->base_m);
    if (shape->base_m > 0.0)
        cJSON_AddNumberToObject(mesh, "bottom_m", shape->bottom_m);
    cJSON_AddNumberToObject(mesh, "origin_x", shape->origin_x);
    cJSON_AddNumberToObject(mesh, "origin_z", shape->origin_z);
    cJSON_AddItemToObject(mesh, "place_m", cJSON_CreateDoubleArray(place, 3));
    cJSON_AddStringToObject(mesh, "up", shape->is_z_up ? "z" : "y");
    cJSON_AddBoolToObject(mesh, "texture", shape->is_textured);
}

static void add_look(cJSON *root, const look *l)
{
    double colors[LOOK_COLORS * 3];
    cJSON *object = cJSON_AddObjectToObject(root, "look");
    for (int n = 0; n < LOOK_COLORS * 3; n++)
        colors[n] = (double)l->colors[n / 3][n % 3];
    cJSON_AddNumberToObject(object, "tree_line", l->tree_line_m);
    cJSON_AddNumberToObject(object, "snow_line", l->snow_line_m);
    cJSON_AddNumberToObject(object, "aridity", l->aridity);
    cJSON_AddNumberToObject(object, "strata", l->strata);
    cJSON_AddBoolToObject(object, "plain", l->is_plain);
    cJSON_AddItemToObject(object, "colors", cJSON_CreateDoubleArray(colors, LOOK_COLORS * 3));
}

result sidecar_make_json(const char *path, const export_file *file, const file_facts *facts, char **text)
{
    cJSON *root = json_create();
    cJSON_AddStringToObject(root, "generator", "terrane");
    cJSON_AddStringToObject(root, "file", path_base(path));
    cJSON_AddStringToObject(root, "version", ter_version());
    cJSON_AddNumberToObject(root, "world_format", ter_basis_format(file->world.basis));
    json_add_integer(root, "width", file->width);
    json_add_integer(root, "height", file->height);
    cJSON_AddNumberToObject(root, "bpp", file->format->bits);
    cJSON_AddStringToObject(root, "format", file->format->name);
    cJSON_AddStringToObject(root, "byte_order", file->is_big_endian ? "be" : "le");
    cJSON_AddStringToObject(root, "row_order", file->is_south_first ? "south" : "north");
    cJSON_AddNumberToObject(root, "x", file->x);
    cJSON_AddNumberToObject(root, "z", file->z);
    cJSON_AddNumberToObject(root, "lod", file->lod);
    cJSON_AddNumberToObject(root, "sample_spacing_m", export_file_spacing_m(file));
    cJSON_AddStringToObject(root, "samples",
                            file->world.basis == TER_BASIS_FLUVIAL && file->lod >= TER_MEANS_LOD ? "means" : "points");
    sidecar_add_crs(root, &file->crs);
    add_numbers(root, file, facts);
    if (file->format->is_mesh)
        add_mesh(root, file);
    sidecar_add_drainage(root, file);
    if (export_file_needs_look(file))
        add_look(root, &file->look);
    cJSON_AddBoolToObject(root, "normalised", file->is_normalised);
    cJSON_AddBoolToObject(root, "linear", file->is_marked_linear);
    cJSON_AddStringToObject(root, "channel", file->channel);
    if (*facts->checksum)
        cJSON_AddStringToObject(root, "checksum", facts->checksum);
    add_world(root, &file->world);
    return json_text(root, text);
}

/* ---- reading ---- */

static const char *const channels[] = {"Y", "R"};
/** Reads the members of an object. */
typedef struct reader {
    const cJSON *object;
    const char *missing; /* the first member that is missing or has a wrong value; NULL for none */
} reader;

static double number(reader *r, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(r->object, name);
    const bool fits = cJSON_IsNumber(item) && isfinite(item->valuedouble);
    if (!fits && !r->missing)
        r->missing = name;
    return fits ? item->valuedouble : 0.0;
}

/** Read an integer from `low` to `high`. */
static int64_t integer(reader *r, const char *name, int64_t low, int64_t high)
{
    const double value = number(r, name);
    const bool fits = value >= (double)low && value <= (double)high && value == floor(value);
    if (!fits && !r->missing)
        r->missing = name;
    return fits ? (int64_t)value : low;
}

/** Read the lattice coordinate of a sample: a multiple of 2^lod in the world. */
static double coordinate(reader *r, const char *name, int lod)
{
    const double value = number(r, name), end = (double)TER_COORDINATE_MAX;
    const bool fits = value >= -end && value <= end && fmod(value, ldexp(1.0, lod)) == 0.0;
    if (!fits && !r->missing)
        r->missing = name;
    return fits ? value : 0.0;
}

static const char *word(reader *r, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(r->object, name);
    if (!cJSON_IsString(item) && !r->missing)
        r->missing = name;
    return cJSON_IsString(item) ? item->valuestring : "";
}

static bool flag(const reader *r, const char *name)
{
    return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(r->object, name));
}

/** Read the seed from the text, with all its digits; a double would round it. */
static uint64_t read_seed(reader *r, const char *text)
{
    const double rounded = number(r, "seed");
    const char *at = strstr(text, "\"seed\":");
    const uint64_t seed = at ? strtoull(at + strlen("\"seed\":"), NULL, 10) : 0;
    const bool fits = at && rounded >= 0.0 && (double)seed == rounded;
    if (!fits && !r->missing)
        r->missing = "seed";
    return fits ? seed : 0;
}

static ter_basis basis(reader *r)
{
    const char *name = word(r, "basis");
    for (int n = 0; n < TER_BASIS_COUNT; n++)
        if (strcmp(name, ter_basis_name((ter_basis)n)) == 0)
            return (ter_basis)n;
    if (!r->missing)
        r->missing = "basis";
    return TER_BASIS_MIDPOINT;
}

/** Read the parameters that only basis fluvial has. Sidecars of earlier versions lack those of the climate, of sand,
 * glaciers and drought, which then have their usual values. */
static void read_fluvial(reader *world, ter_params *p)
{
    ter_params usual;
    ter_params_default(&usual);
    for (int n = 0; n < WORLD_NUMBERS; n++) {
        const world_parameter *w = &world_parameters[n];
        if (w->group < PARAMETERS_OF_PROVINCES)
            continue;
        const bool is_left_out =
            w->group > PARAMETERS_OF_PROVINCES && !cJSON_GetObjectItemCaseSensitive(world->object, w->name);
        world_parameter_set(p, w, is_left_out ? world_parameter_get(&usual, w) : number(world, w->name));
    }
}

/** Read the parameters of craters. Sidecars of worlds without craters lack them. */
static void read_craters(reader *world, ter_params *p)
{
    for (int n = 0; n < WORLD_NUMBERS; n++)
        if (world_parameters[n].group == PARAMETERS_OF_CRATERS &&
            cJSON_GetObjectItemCaseSensitive(world->object, "craters"))
            world_parameter_set(p, &world_parameters[n], number(world, world_parameters[n].name));
}

static void read_world(reader *r, const char *text, ter_params *p)
{
    reader world = {cJSON_GetObjectItemCaseSensitive(r->object, "world"), r->missing};
    *p = (ter_params){TER_SIZED(ter_params)};
    p->seed = read_seed(&world, text);
    p->levels = (int)integer(&world, "levels", 1, TER_LEVELS_MAX);
    p->amplitude = number(&world, "amplitude");
    p->gain = number(&world, "gain");
    p->broad = (int)integer(&world, "broad", 0, TER_LEVELS_MAX);
    p->broad_gain = number(&world, "broad_gain");
    p->base = number(&world, "base");
    p->basis = basis(&world);
    p->valley = number(&world, "valley");
    p->sea = number(&world, "sea");
    p->spacing = number(&world, "spacing");
    if (p->basis == TER_BASIS_FLUVIAL)
        read_fluvial(&world, p);
    else
        read_craters(&world, p);
    r->missing = world.missing;
}

static void read_range(reader *r, const char *name, double range[2])
{
    const cJSON *pair = cJSON_GetObjectItemCaseSensitive(r->object, name);
    const cJSON *low = cJSON_GetArrayItem(pair, 0), *high = cJSON_GetArrayItem(pair, 1);
    const bool fits = cJSON_IsNumber(low) && cJSON_IsNumber(high) && isfinite(low->valuedouble) &&
                      isfinite(high->valuedouble) && low->valuedouble < high->valuedouble;
    if (!fits && !r->missing)
        r->missing = name;
    range[0] = fits ? low->valuedouble : 0.0;
    range[1] = fits ? high->valuedouble : 1.0;
}

/** Read width and height, and check them against the limits of the format and the world. A wrong sidecar must not make
 * a codec allocate more memory than a real file needs, and the product of width and height must not overflow. */
static void read_size(reader *r, export_file *file)
{
    const int64_t lattice = export_lattice_side(file->lod);
    const double step = export_file_step(file), end = (double)TER_COORDINATE_MAX;
    const int64_t side_max = file->format && file->format->side_max < lattice ? file->format->side_max : lattice;
    const int64_t side_min = file->format && file->format->is_mesh ? 2 : 1;
    file->width = integer(r, "width", side_min, side_max);
    file->height = integer(r, "height", side_min, file->format && file->format->envi_type ? lattice : side_max);
    if (!r->missing && file->height > INT64_MAX / 8 / file->width)
        r->missing = "height";
    if (!r->missing && file->width - 1 > (int64_t)((end - file->x) / step))
        r->missing = "width";
    if (!r->missing && file->height - 1 > (int64_t)((end - file->z) / step))
        r->missing = "height";
}

/** Read the layer, which the format must be able to hold. Without the member, as in earlier versions, it is heights. */
static void read_layer(reader *r, export_file *file)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(r->object, "layer");
    const char *name = cJSON_IsString(item) ? item->valuestring : export_layers[EXPORT_HEIGHT].name;
    int id = 0;
    while (id < EXPORT_LAYERS && strcmp(export_layers[id].name, name) != 0)
        id++;
    const bool fits = id < EXPORT_LAYERS && file->format && export_format_fits_layer(file->format, (export_layer_id)id);
    if (!fits && !r->missing)
        r->missing = "layer";
    file->layer = fits ? (export_layer_id)id : EXPORT_HEIGHT;
    const cJSON *green = cJSON_GetObjectItemCaseSensitive(r->object, "green");
    file->is_green_south = cJSON_IsString(green) && strcmp(green->valuestring, "south") == 0;
}

/** Read a length of a mesh, from 0 to MESH_DEPTH_MAX. */
static double depth(reader *r, const char *name)
{
    const double value = number(r, name);
    if (!(value >= 0.0 && value <= MESH_DEPTH_MAX) && !r->missing)
        r->missing = name;
    return value;
}

/** Whether the coordinates of a mesh count from the mesh's own place. Sidecars of earlier versions have no "place_m":
 * there the coordinates of all meshes of a set counted from the origin of the set. Such a mesh is accepted only if its
 * place is this origin. */
static bool is_placed(const cJSON *mesh, const export_file *file)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(mesh, "place_m");
    double place[3];
    export_file_mesh_place(file, place);
    for (int n = 0; n < 3; n++) {
        const cJSON *metres = cJSON_GetArrayItem(item, n);
        if (item ? !cJSON_IsNumber(metres) || metres->valuedouble != place[n] : place[n] != 0.0)
            return false;
    }
    return true;
}

static void read_mesh(reader *r, export_file *file)
{
    mesh_shape *m = &file->mesh;
    reader mesh = {cJSON_GetObjectItemCaseSensitive(r->object, "mesh"), r->missing};
    const bool is_reduced = cJSON_GetObjectItemCaseSensitive(mesh.object, "max_error_m") != NULL;
    m->max_error_m = is_reduced ? depth(&mesh, "max_error_m") : -1.0;
    m->skirt_m = depth(&mesh, "skirt_m");
    m->base_m = depth(&mesh, "base_m");
    m->bottom_m = m->base_m > 0.0 ? number(&mesh, "bottom_m") : 0.0;
    m->origin_x = coordinate(&mesh, "origin_x", file->lod);
    m->origin_z = coordinate(&mesh, "origin_z", file->lod);
    m->is_z_up = strcmp(word(&mesh, "up"), "z") == 0;
    m->is_textured = flag(&mesh, "texture");
    if (!mesh.missing && !is_placed(mesh.object, file))
        mesh.missing = "place_m";
    r->missing = mesh.missing;
}

static void read_look(reader *r, look *l)
{
    reader members = {cJSON_GetObjectItemCaseSensitive(r->object, "look"), r->missing};
    const cJSON *colors = cJSON_GetObjectItemCaseSensitive(members.object, "colors");
    look_default(l);
    l->tree_line_m = number(&members, "tree_line");
    l->snow_line_m = number(&members, "snow_line");
    l->aridity = number(&members, "aridity");
    l->strata = number(&members, "strata");
    l->is_plain = flag(&members, "plain");
    for (int n = 0; n < LOOK_COLORS * 3; n++) {
        const cJSON *color = cJSON_GetArrayItem(colors, n);
        const bool fits = cJSON_IsNumber(color) && color->valuedouble >= 0.0 && color->valuedouble <= 1.0;
        if (!fits && !members.missing)
            members.missing = "colors";
        l->colors[n / 3][n % 3] = fits ? (float)color->valuedouble : 0.0F;
    }
    r->missing = members.missing;
}

/** Read the least and the greatest number; both may be null if samples can lack numbers. */
static void read_extremes(reader *r, const export_file *file, file_facts *facts)
{
    const bool is_height = file->layer == EXPORT_HEIGHT;
    const char *least = is_height ? "min_m" : "min", *greatest = is_height ? "max_m" : "max";
    if (export_layers[file->layer].has_no_data && cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(r->object, least)) &&
        cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(r->object, greatest)))
        return;
    facts->min_m = (float)number(r, least);
    facts->max_m = (float)number(r, greatest);
}

/** Read the description of the numbers, the shape of a mesh, and the look. */
static void read_numbers(reader *r, export_file *file, file_facts *facts)
{
    const bool is_height = file->layer == EXPORT_HEIGHT;
    *facts = file_facts_none();
    if (!file->format)
        return;
    const cJSON *water = cJSON_GetObjectItemCaseSensitive(r->object, "water");
    file->is_any_water = export_file_has_water(file) && cJSON_IsString(water) && strcmp(water->valuestring, "any") == 0;
    if (export_file_is_scaled(file))
        read_range(r, is_height ? "range_m" : "range", file->range);
    else if (file->layer != EXPORT_HEIGHT)
        export_layer_range(file->layer, file->world.spacing, file->lod, file->range);
    if (file->format->channels == 0)
        read_extremes(r, file, facts);
    if (file->format->is_mesh)
        read_mesh(r, file);
    if (export_file_needs_look(file))
        read_look(r, &file->look);
}

static void read_members(reader *r, const char *text, export_file *file, file_facts *facts)
{
    const char *format = word(r, "format"), *channel = word(r, "channel");
    *file = (export_file){.channel = channels[strcmp(channel, channels[1]) == 0]};
    file->format = export_format_named(format);
    if ((!file->format || file->format->is_missing || file->format == &export_formats[EXPORT_MAP]) && !r->missing)
        r->missing = "format";
    read_layer(r, file);
    file->lod = (int)integer(r, "lod", -TER_FINE_LODS, TER_LEVELS_MAX);
    file->x = coordinate(r, "x", file->lod);
    file->z = coordinate(r, "z", file->lod);
    read_size(r, file);
    file->is_big_endian = strcmp(word(r, "byte_order"), "be") == 0;
    file->is_south_first = strcmp(word(r, "row_order"), "south") == 0;
    file->is_normalised = flag(r, "normalised");
    file->is_marked_linear = flag(r, "linear");
    if (!sidecar_read_crs(r->object, &file->crs) && !r->missing)
        r->missing = "crs";
    read_world(r, text, &file->world);
    if (!r->missing && file->lod > file->world.levels)
        r->missing = "lod";
    if (!r->missing && !sidecar_read_drainage(r->object, file))
        r->missing = "drainage";
    if (integer(r, "world_format", 1, TER_WORLD_FORMAT) != ter_basis_format(file->world.basis) && !r->missing)
        r->missing = "world_format";
    read_numbers(r, file, facts);
    const cJSON *sum = cJSON_GetObjectItemCaseSensitive(r->object, "checksum");
    snprintf(facts->checksum, sizeof facts->checksum, "%s", cJSON_IsString(sum) ? sum->valuestring : "");
}

/** The world format that a sidecar names, if this program has a later one for the same basis; otherwise 0. */
static int earlier_format(const cJSON *root, const export_file *file)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(root, "world_format");
    const int format = cJSON_IsNumber(item) ? item->valueint : 0;
    return format >= 1 && format < ter_basis_format(file->world.basis) ? format : 0;
}

result sidecar_read_json(const char *path, export_file *file, file_facts *facts)
{
    cJSON *root;
    char *text;
    const result res = json_read(path, &root, &text);
    if (res.kind != RESULT_DONE)
        return res;
    reader r = {root, NULL};
    read_members(&r, text, file, facts);
    const int earlier = earlier_format(root, file);
    const result guide = r.missing || earlier ? result_done() : sidecar_open_guide(path, root, &file->world);
    cJSON_Delete(root);
    free(text);
    if (file->format == &export_formats[EXPORT_MAP])
        return result_of(RESULT_FILE, "'%s' describes a map, and --verify does not compare maps: export it again",
                         path);
    if (earlier)
        return export_file_refuse_format(path, earlier, ter_basis_format(file->world.basis));
    if (r.missing)
        return result_of(RESULT_FILE,
                         "'%s' is not a sidecar of this version of terrane: \"%s\" is missing or out of range", path,
                         r.missing);
    return guide;
}
