/* check.c - checks jobs: place and size, format, layers, names, and the preset's tool. */
#include "program/export/write/check.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "program/core/system.h"
#include "program/export/mesh/mesh_texture.h"
#include "program/export/sidecar/sidecar.h"
#include "program/export/write/check_drained.h"
#include "program/file/path_name.h"

/* ---- place and size ---- */

static int64_t lesser(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/** Find the greatest numbers of columns and rows that a format and the world allow. Raw samples that are written to a
 * pipe are limited only by the world. Raw files are also limited by GDAL, which reads them by their ENVI headers: it
 * counts rows, and the bytes of a row, in an int. */
static void find_side_limits(const export_job *job, const export_format *format, int64_t most[2])
{
    const int64_t lattice = export_lattice_side(job->tile.lod);
    most[0] = lesser(format->side_max, lattice);
    most[1] = format->envi_type ? lattice : most[0];
    if (format->envi_type && output_file_is_regular(job->path)) {
        most[0] = lesser(most[0], INT32_MAX / (int64_t)export_format_sample_bytes(format));
        most[1] = lesser(most[1], INT32_MAX);
    }
}

static result check_layer_size(const export_job *job, int k)
{
    const export_file *f = &job->tile;
    const export_format *format = export_job_format(job, k);
    const int64_t borders = 2 * (int64_t)job->tiles.border;
    int64_t most[2];
    find_side_limits(job, format, most);
    if (f->width > most[0] - borders || f->height > most[1] - borders)
        return result_of(RESULT_USAGE, "--size is %lldx%lld, expected at most %lldx%lld for %s%s at --lod %d",
                         (long long)f->width, (long long)f->height, (long long)(most[0] - borders),
                         (long long)(most[1] - borders), format->channels ? "layer " : "",
                         format->channels ? export_layers[export_job_layer(job, k)].name : format->name, f->lod);
    if (format->samples_max && f->width + borders > format->samples_max / (f->height + borders))
        return result_of(RESULT_USAGE,
                         "--size is %lldx%lld, expected at most %lld samples for %s, because its readers take no more",
                         (long long)f->width, (long long)f->height, (long long)format->samples_max, format->name);
    return result_done();
}

/** Check the size against the world and against the formats of all layers. */
static result check_size(const export_job *job)
{
    result res = result_done();
    for (int k = 0; k < export_job_layer_count(job) && res.kind == RESULT_DONE; k++)
        res = check_layer_size(job, k);
    return res;
}

static result check_tiles(const export_job *job)
{
    const export_file *f = &job->tile;
    const tile_set *t = &job->tiles;
    if (t->is_set && f->format == &export_formats[EXPORT_COG])
        return result_of(RESULT_USAGE, "--tiles is for formats without overviews, not for cog: one file holds it all, "
                                       "or choose format tiff");
    if (t->columns > EXPORT_TILES_MAX || t->rows > EXPORT_TILES_MAX || tile_set_count(&job->tiles) > EXPORT_TILES_MAX)
        return result_of(RESULT_USAGE, "--tiles is %lldx%lld, expected at most %d tiles", (long long)t->columns,
                         (long long)t->rows, EXPORT_TILES_MAX);
    if (t->overlap >= f->width || t->overlap >= f->height)
        return result_of(RESULT_USAGE, "--overlap is %d, expected less than the tile, %lld x %lld", t->overlap,
                         (long long)f->width, (long long)f->height);
    return result_done();
}

/** The largest apron of all files of a tile. *file becomes the file that needs this apron. */
static int apron_of(const export_job *job, export_file *file)
{
    int apron = 0;
    *file = job->tile;
    for (int k = 0; k < export_job_layer_count(job); k++) {
        const export_file layer_file = export_job_file(job, k);
        if (export_file_apron(&layer_file) > apron) {
            apron = export_file_apron(&layer_file);
            *file = layer_file;
        }
    }
    return apron;
}

/** Describe which samples around the requested rectangle are needed, such as "; the normals of a mesh need 1 sample
 * more on all sides". The text explains why a rectangle at the edge of the world is refused. */
static void describe_around(const export_job *job, char text[160])
{
    export_file file;
    const int apron = apron_of(job, &file);
    size_t used = 0;
    text[0] = '\0';
    if (job->tiles.border)
        used = (size_t)snprintf(text, 160, "; --border adds %d samples on all sides", job->tiles.border);
    if (apron && file.format->is_mesh)
        snprintf(text + used, 160 - used, "; the normals of a mesh need %d sample%s more on all sides", apron,
                 apron > 1 ? "s" : "");
    else if (apron)
        snprintf(text + used, 160 - used, "; layer %s needs %d sample%s more on all sides",
                 export_layers[file.layer].name, apron, apron > 1 ? "s" : "");
}

static result check_extent(const export_job *job)
{
    const export_file *f = &job->tile;
    char why[160], x[EXPORT_COORDINATE_TEXT], z[EXPORT_COORDINATE_TEXT];
    export_file needs_apron;
    const double step = export_file_step(f), limit = (double)TER_COORDINATE_MAX / step;
    const __int128 border = job->tiles.border + apron_of(job, &needs_apron), i = (__int128)(f->x / step),
                   j = (__int128)(f->z / step), east = i + job->tiles.columns * (__int128)f->width - 1 + border,
                   south = j + job->tiles.rows * (__int128)f->height - 1 + border, end = (__int128)limit;
    if (east > end || south > end || i - border < -end || j - border < -end) {
        describe_around(job, why);
        return result_of(RESULT_USAGE, "--at %s,%s with --size %lldx%lld leaves the world, which ends at 2^46 = %lld%s",
                         export_coordinate(f->x, x), export_coordinate(f->z, z), (long long)f->width,
                         (long long)f->height, (long long)TER_COORDINATE_MAX, why);
    }
    if (f->height > INT64_MAX / 8 / f->width / tile_set_count(&job->tiles))
        return result_of(RESULT_USAGE, "--size is %lldx%lld, expected less than 2^60 samples", (long long)f->width,
                         (long long)f->height);
    return result_done();
}

static result check_place(const export_job *job)
{
    const export_file *f = &job->tile;
    if (f->lod > f->world.levels)
        return result_of(RESULT_USAGE, "--lod is %d, expected %d to %d, the levels of this world", f->lod,
                         -TER_FINE_LODS, f->world.levels);
    const double step = export_file_step(f);
    char x[EXPORT_COORDINATE_TEXT], z[EXPORT_COORDINATE_TEXT];
    if (fmod(f->x, step) != 0.0 || fmod(f->z, step) != 0.0)
        return result_of(RESULT_USAGE, "--at is %s,%s, expected multiples of %.15g with --lod %d",
                         export_coordinate(f->x, x), export_coordinate(f->z, z), step, f->lod);
    result res = check_size(job);
    if (res.kind == RESULT_DONE)
        res = check_tiles(job);
    return res.kind == RESULT_DONE ? check_extent(job) : res;
}

static result check_format(const export_job *job)
{
    const export_file *f = &job->tile;
    const export_format *format = f->format;
    const bool is_map = format == &export_formats[EXPORT_MAP];
    if (format->is_missing)
        return result_of(RESULT_USAGE, "--format %s: this build cannot write it (%s was missing)", format->name,
                         format->package);
    if (f->is_big_endian && !format->envi_type && format != &export_formats[EXPORT_PGM])
        return result_of(RESULT_USAGE, "--byte-order is for raw formats, r32 and r16, not for format %s", format->name);
    if (f->is_south_first && (format->has_place || is_map || format->is_mesh))
        return result_of(RESULT_USAGE, "--row-order south is not for format %s, whose rows come from the north",
                         format->name);
    if (!isnan(f->range[0]) && !export_file_is_scaled(f))
        return result_of(RESULT_USAGE, "--range is for 16-bit formats, not for %s", format->name);
    return result_done();
}

/* ---- layers and meshes ---- */

static result check_layer(const export_format *format, export_layer_id id)
{
    const export_layer *layer = &export_layers[id];
    if (format->is_missing && format->channels)
        return result_of(RESULT_USAGE, "--layer %s: this build cannot write pictures (%s was missing)", layer->name,
                         format->package);
    if (!export_format_fits_layer(format, id))
        return result_of(RESULT_USAGE, "--format %s is for heights, not for layer %s", format->name, layer->name);
    if (layer->needs_floats && format->bits == 16)
        return result_of(RESULT_USAGE, "--format %s cannot hold layer %s, for %s: expected r32, tiff or exr",
                         format->name, layer->name, layer->needs_floats);
    return result_done();
}

/** Check that the job's world has all layers. */
static result check_world(const export_job *job)
{
    ter_world *world = NULL;
    result res = result_of_library(ter_world_create(&job->tile.world, &world), "world");
    for (int k = 0; k < export_job_layer_count(job) && res.kind == RESULT_DONE; k++)
        if (!export_layer_is_of_world(export_job_layer(job, k), world))
            res = result_of(RESULT_USAGE,
                            "--layer %s: a world of basis %s does not have it, expected a world of basis fluvial",
                            export_layers[export_job_layer(job, k)].name, ter_basis_name(job->tile.world.basis));
    ter_world_destroy(world);
    return res;
}

static result check_layers(const export_job *job)
{
    result res = result_done();
    for (int k = 0; k < export_job_layer_count(job) && res.kind == RESULT_DONE; k++)
        res = check_layer(export_job_format(job, k), export_job_layer(job, k));
    if (res.kind == RESULT_DONE)
        res = export_check_drained(job);
    return res.kind == RESULT_DONE && job->n_layers > 0 ? check_world(job) : res;
}

static result check_mesh(const export_job *job)
{
    const export_file *f = &job->tile;
    if (f->format->is_mesh && (f->width < 2 || f->height < 2))
        return result_of(RESULT_USAGE, "--size is %lldx%lld, expected at least 2x2 for a mesh", (long long)f->width,
                         (long long)f->height);
    if (f->format->is_mesh && f->mesh.is_textured && !mesh_texture_is_possible())
        return result_of(RESULT_USAGE, "--texture: this build cannot draw maps (libpng or stb was missing)");
    return result_done();
}

/* ---- names ---- */

/** Check the field {layer} of the name pattern. */
static result check_layer_names(const export_job *job)
{
    const char *path = job->path;
    if (pattern_has_layer(path, NULL) && job->n_layers == 0)
        return result_of(RESULT_USAGE, "-o is '%s', but {layer} is for layers: expected --layer A,B too", path);
    if (pattern_has_layer(path, path_base(path)))
        return result_of(RESULT_USAGE, "-o is '%s', expected {layer} in the file's name, not in its folder's", path);
    if (job->n_layers > 1 && !output_file_is_regular(path))
        return result_of(RESULT_USAGE, "-o is '%s', expected the name of files for several layers", path);
    if (job->n_layers > 1 && !pattern_has_layer(path, NULL))
        return result_of(RESULT_USAGE, "-o is '%s', expected {layer} in the name for several layers", path);
    return result_done();
}

/** Check the fields {x} and {y} of the name pattern. */
static result check_indices(const export_job *job)
{
    const tile_set *t = &job->tiles;
    const char *path = job->path, *base = path_base(path);
    const bool has_x = pattern_has_index(path, 'x', NULL), has_y = pattern_has_index(path, 'y', NULL);
    if (!t->is_set && (has_x || has_y))
        return result_of(RESULT_USAGE, "-o is '%s', but {x} and {y} are for sets of tiles: expected --tiles CxR too",
                         path);
    if (!t->is_set)
        return result_done();
    if (pattern_has_index(path, 'x', base) || pattern_has_index(path, 'y', base))
        return result_of(RESULT_USAGE, "-o is '%s', expected {x} and {y} in the file's name, not in its folder's",
                         path);
    if (pattern_is_ambiguous(path, t))
        return result_of(RESULT_USAGE,
                         "-o is '%s', expected something between {x} and {y}: their digits would run together", path);
    if (!output_file_is_regular(path))
        return result_of(RESULT_USAGE, "-o is '%s', expected the name of files for a set of tiles", path);
    if ((t->columns > 1 && !has_x) || (t->rows > 1 && !has_y))
        return result_of(
            RESULT_USAGE,
            "-o is '%s', expected both {x} and {y} in the name, as {x} or {x:1} to {x:9}, or neither of them", path);
    return result_done();
}

/** Check that the longest names, which are those of sidecars and journals, are short enough. Check also that no tile
 * gets the name of the .vrt file, which joins the tiles of a set for GDAL. */
static result check_made_names(const export_job *job)
{
    char first[EXPORT_PATH_MAX], longest[EXPORT_PATH_MAX], joined[EXPORT_PATH_MAX];
    const size_t ending = strlen(job->resume ? ".part.sums" : ".json"), base_max = SYSTEM_NAME_MAX - ending;
    const tile_set *t = &job->tiles;
    result res = export_job_path(job, 0, first);
    if (res.kind == RESULT_DONE) /* the tile with the largest indices has the longest name */
        res = export_job_path(
            job, (t->y_from_south ? t->columns - 1 : tile_set_count(&job->tiles) - 1) * export_job_layer_count(job),
            longest);
    if (res.kind != RESULT_DONE || !output_file_is_regular(job->path))
        return res;
    const file_names names = export_job_names(job);
    file_names_set_path(&names, 0, ".vrt", joined);
    if (strlen(path_base(longest)) > base_max)
        return result_of(RESULT_USAGE,
                         "-o is a file name of %zu characters, expected at most %zu: with a sidecar's ending, %d fit",
                         strlen(path_base(longest)), base_max, SYSTEM_NAME_MAX);
    if (t->is_set && strcmp(first, joined) == 0)
        return result_of(RESULT_USAGE, "-o is '%s', which would be the name of the .vrt that joins the tiles",
                         job->path);
    return res;
}

/** Check the characters of a file name. Sidecars, which are JSON, and the .vrt, which is XML, contain the name. */
static result check_text(const char *path)
{
    char quoted[RESULT_QUOTE];
    const char *base = path_base(path);
    const size_t length = path_text_length(base);
    if (!base[length] || !output_file_is_regular(path))
        return result_done();
    return result_of(
        RESULT_USAGE,
        "-o is %s, expected a file name of UTF-8 without control characters, which JSON and XML can hold: its byte "
        "%zu is 0x%02x",
        result_quote(path, quoted), length + 1, (unsigned)(unsigned char)base[length]);
}

static result check_name(const export_job *job)
{
    const export_format *format = job->tile.format;
    const char *path = job->path;
    if (*path == '\0')
        return result_of(RESULT_USAGE, "-o is empty, expected the name of a file, or - for standard output");
    if (!export_format_fits_name((export_format_id)(format - export_formats), path))
        return result_of(RESULT_USAGE, "-o is '%s', whose ending means %s, but the format is %s: expected .%s", path,
                         export_formats[export_format_of_name(path)].name, format->name, format->ending);
    if (format->channels > 0 && output_file_is_regular(path) && strcasecmp(path_dot(path), ".png") != 0)
        return result_of(RESULT_USAGE, "-o is '%s', but layer %s is a picture: expected .png", path,
                         export_layers[export_job_layer(job, 0)].name);
    if (format->needs_seeking && !output_file_can_seek(path))
        return result_of(RESULT_USAGE,
                         "-o is '%s', but format %s can only be written to a file; for pipes: r32, r16, png16, pgm",
                         path, format->name);
    result res = check_text(path);
    if (res.kind == RESULT_DONE)
        res = check_layer_names(job);
    if (res.kind == RESULT_DONE)
        res = check_indices(job);
    return res.kind == RESULT_DONE ? check_made_names(job) : res;
}

/* ---- the preset's tool ---- */

static result check_tool_sides(const preset *p, const export_job *job)
{
    char formats[PRESET_FORMATS_TEXT];
    const export_file *f = &job->tile;
    if (f->format->channels == 0 && !preset_takes_format(p, f->format)) {
        preset_list_formats(p, formats);
        return result_of(RESULT_USAGE, "--format is %s, but preset %s takes %s", f->format->name, p->name, formats);
    }
    if (!p->takes_size(f->width) || !p->takes_size(f->height))
        return result_of(RESULT_USAGE, "--size is %lldx%lld, but preset %s takes %s samples a side",
                         (long long)f->width, (long long)f->height, p->name, p->sizes);
    if (p->is_square && f->width != f->height)
        return result_of(RESULT_USAGE, "--size is %lldx%lld, but preset %s takes squares%s%s", (long long)f->width,
                         (long long)f->height, p->name, p->sizes ? " of " : "", p->sizes ? p->sizes : "");
    return result_done();
}

static result check_tool_tiles(const preset *p, const export_job *job)
{
    if (job->tiles.overlap && !p->may_overlap)
        return result_of(RESULT_USAGE, "--overlap is %d, but tiles of preset %s do not overlap: expected 0",
                         job->tiles.overlap, p->name);
    if (job->tiles.border && !p->may_border)
        return result_of(RESULT_USAGE, "--border is %d, but tiles of preset %s have none: expected 0",
                         job->tiles.border, p->name);
    if (!p->may_reorder && job->tile.is_big_endian)
        return result_of(RESULT_USAGE, "--byte-order is be, but preset %s takes le", p->name);
    if (!p->may_reorder && job->tile.is_south_first && !job->tile.format->is_from_south)
        return result_of(RESULT_USAGE, "--row-order is south, but preset %s takes north", p->name);
    return result_done();
}

static result check_tool_name(const preset *p, const export_job *job)
{
    char path[EXPORT_PATH_MAX], base[EXPORT_PATH_MAX];
    const result res = export_job_path(job, 0, path);
    if (res.kind != RESULT_DONE)
        return res;
    snprintf(base, sizeof base, "%.*s", (int)(path_dot(path) - path_base(path)), path_base(path));
    const char *misread = p->misreads(base, job->tiles.is_set);
    return misread ? result_of(RESULT_USAGE, "-o is '%s': the name has %s", job->path, misread) : res;
}

static result check_preset(const preset *p, const export_job *job)
{
    result res = check_tool_sides(p, job);
    if (res.kind == RESULT_DONE)
        res = check_tool_tiles(p, job);
    return res.kind == RESULT_DONE ? check_tool_name(p, job) : res;
}

/* ---- all ---- */

result export_check(const export_job *job, const preset *preset)
{
    result res = check_format(job);
    if (res.kind == RESULT_DONE)
        res = check_layers(job);
    if (res.kind == RESULT_DONE)
        res = check_mesh(job);
    if (res.kind == RESULT_DONE)
        res = check_place(job);
    if (res.kind == RESULT_DONE)
        res = check_name(job);
    if (res.kind == RESULT_DONE && preset)
        res = check_preset(preset, job);
    if (res.kind == RESULT_DONE && job->resume && (!checksum_is_possible() || !sidecar_is_possible()))
        res = result_of(RESULT_USAGE, "--resume: this build has no %s", checksum_is_possible() ? "JSON" : "checksums");
    return res;
}
