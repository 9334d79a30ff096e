/* export_file.c - computes rectangle, size and scale of one file, and describes it in a line. */
#include "program/export/formats/export_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "program/core/world_parameters.h"
#include "program/guide/guide_request.h"

double export_file_step(const export_file *file)
{
    return ldexp(1.0, file->lod);
}

const char *export_coordinate(double coordinate, char text[EXPORT_COORDINATE_TEXT])
{
    snprintf(text, EXPORT_COORDINATE_TEXT, "%.15g", coordinate);
    if (strtod(text, NULL) != coordinate)
        snprintf(text, EXPORT_COORDINATE_TEXT, "%.17g", coordinate);
    return text;
}

double export_file_spacing_m(const export_file *file)
{
    return file->world.spacing * export_file_step(file);
}

export_place export_file_place(const export_file *file)
{
    const earth_place place = earth_place_of(&file->world, &file->crs, file->x, file->z);
    return (export_place){place.east, place.north, export_file_spacing_m(file) / place.metres, place.epsg};
}

ter_rect export_file_rect(const export_file *file)
{
    const double step = export_file_step(file);
    return (ter_rect){file->world.levels - file->lod, (int64_t)(file->x / step), (int64_t)(file->z / step), file->width,
                      file->height};
}

int64_t export_lattice_side(int lod)
{
    return (int64_t)ldexp(2.0 * (double)TER_COORDINATE_MAX, -lod) + 1;
}

uint64_t export_file_bytes(const export_file *file)
{
    return (uint64_t)file->width * (uint64_t)file->height * export_format_sample_bytes(file->format);
}

void export_file_mesh_place(const export_file *file, double place[3])
{
    const double east = (file->x - file->mesh.origin_x) * file->world.spacing,
                 south = (file->z - file->mesh.origin_z) * file->world.spacing;
    const bool is_z_up = file->mesh.is_z_up;
    place[0] = east;
    place[1] = is_z_up ? 0.0 - south : 0.0;
    place[2] = is_z_up ? 0.0 : south;
}

double export_file_below(float height_m, double depth_m)
{
    const double under = (double)height_m - depth_m;
    return (float)under < height_m ? under : (double)nextafterf(height_m, -INFINITY);
}

bool export_file_is_scaled(const export_file *file)
{
    return export_format_is_scaled(file->format) || file->is_normalised;
}

int export_file_apron(const export_file *file)
{
    const int layer = export_layers[file->layer].apron, format = file->format->apron;
    const int ring = export_file_is_drained(file) ? 1 : 0, most = layer > format ? layer : format;
    return most > ring ? most : ring;
}

bool export_file_has_water(const export_file *file)
{
    return (export_layer_sources(file->layer, file->world.basis) >> TER_LAYER_WATER & 1U) != 0;
}

bool export_file_is_drained(const export_file *file)
{
    return export_layers[file->layer].is_drained || file->drainage.is_conditioned;
}

bool export_file_needs_look(const export_file *file)
{
    return export_layers[file->layer].needs_look || file->format == &export_formats[EXPORT_MAP] ||
           (file->format->is_mesh && file->mesh.is_textured);
}

export_file export_file_middle(const export_file *file, int64_t samples)
{
    export_file part = *file;
    const double step = export_file_step(file);
    while (part.width * part.height > samples && (part.width > 1 || part.height > 1)) {
        int64_t *longer = part.width > part.height ? &part.width : &part.height;
        *longer = (*longer + 1) / 2;
    }
    part.x += (double)((file->width - part.width) / 2) * step;
    part.z += (double)((file->height - part.height) / 2) * step;
    return part;
}

/** Describe the parameters of a group, in the order of the table. */
static size_t describe_group(const char *name, parameter_group group, const ter_params *world, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, " %s", name);
    char before = '=';
    for (int n = 0; n < WORLD_NUMBERS; n++) {
        if (world_parameters[n].group != group)
            continue;
        used += (size_t)snprintf(text + used, size - used, "%c%a", before,
                                 world_parameter_get(world, &world_parameters[n]));
        before = ',';
    }
    return used;
}

/** Describe the shape of a mesh. */
static size_t describe_mesh(const mesh_shape *m, char *text, size_t size)
{
    return (size_t)snprintf(text, size, " mesh=%a,%a,%a,%a,%.17g,%.17g,%d,%d", m->max_error_m, m->skirt_m, m->base_m,
                            m->base_m > 0.0 ? m->bottom_m : 0.0, m->origin_x, m->origin_z, m->is_z_up, m->is_textured);
}

static size_t describe_look(const look *l, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, " look=%a,%a,%a,%a,%d", l->tree_line_m, l->snow_line_m, l->aridity,
                                   l->strata, l->is_plain);
    for (int n = 0; n < LOOK_COLORS * 3 && used < size; n++)
        used += (size_t)snprintf(text + used, size - used, ",%.9g", (double)l->colors[n / 3][n % 3]);
    return used;
}

static size_t describe_guide(const ter_guide *guide, char *text, size_t size)
{
    const ter_guide_options *o = ter_guide_options_used(guide);
    char sum[TER_GUIDE_CHECKSUM];
    const guide_crs *crs = guide_crs_of(guide);
    ter_guide_checksum(guide, sum);
    size_t used = (size_t)snprintf(text, size, " guide=%s,%a,%a,%a,%a,%d,%a,%a,%a,%d", sum, o->x, o->z, o->spacing,
                                   o->rim, o->level, o->rough, o->steep, o->lakes, (int)o->surround);
    for (int k = 0; k < TER_GUIDE_RASTER_COUNT; k++) {
        ter_guide_raster_checksum(guide, (ter_guide_raster)k, sum);
        if (*sum)
            used +=
                (size_t)snprintf(text + used, size - used, " %s=%s", ter_guide_raster_name((ter_guide_raster)k), sum);
    }
    ter_guide_river_checksum(guide, sum);
    if (*sum)
        used += (size_t)snprintf(text + used, size - used, " rivers=%s", sum);
    if (o->endorheic > 0.0)
        used += (size_t)snprintf(text + used, size - used, " endorheic=%a", o->endorheic);
    if (!crs)
        return used;
    return used + (size_t)snprintf(text + used, size - used, " crs=%d,%a,%a", crs->epsg, crs->east, crs->north);
}

static size_t describe_drainage(const file_drainage *d, char *text, size_t size)
{
    return (size_t)snprintf(text, size, " drained=%lld,%lld,%lld,%lld,%d,%a", (long long)d->rect.i,
                            (long long)d->rect.j, (long long)d->rect.width, (long long)d->rect.height,
                            d->is_conditioned, d->min_area_km2);
}

void export_file_describe(const export_file *f, char text[EXPORT_FILE_TEXT])
{
    const ter_params *w = &f->world;
    const bool is_scaled = export_file_is_scaled(f);
    size_t used = (size_t)snprintf(
        text, EXPORT_FILE_TEXT,
        "terrane format=%d world=%llu,%d,%a,%a,%d,%a,%a,%d,%a,%a,%a at=%.17g,%.17g size=%lldx%lld "
        "lod=%d file=%s,%d,%d,%d,%d,%s "
        "range=%a,%a",
        ter_basis_format(w->basis), (unsigned long long)w->seed, w->levels, w->amplitude, w->gain, w->broad,
        w->broad_gain, w->base, (int)w->basis, w->valley, w->sea, w->spacing, f->x, f->z, (long long)f->width,
        (long long)f->height, f->lod, f->format->name, f->is_big_endian, f->is_south_first, f->is_normalised,
        f->is_marked_linear, f->channel, is_scaled ? f->range[0] : 0.0, is_scaled ? f->range[1] : 0.0);
    if (w->craters > 0.0)
        used += describe_group("craters", PARAMETERS_OF_CRATERS, w, text + used, EXPORT_FILE_TEXT - used);
    if (w->basis == TER_BASIS_FLUVIAL)
        used += describe_group("provinces", PARAMETERS_OF_PROVINCES, w, text + used, EXPORT_FILE_TEXT - used);
    if (world_has_cover(w))
        used += describe_group("cover", PARAMETERS_OF_COVER, w, text + used, EXPORT_FILE_TEXT - used);
    if ((f->layer >= EXPORT_CLIMATE_FIRST && f->layer <= EXPORT_CLIMATE_LAST) || world_has_cover(w))
        used += describe_group("climate", PARAMETERS_OF_CLIMATE, w, text + used, EXPORT_FILE_TEXT - used);
    if (w->guide)
        used += describe_guide(w->guide, text + used, EXPORT_FILE_TEXT - used);
    if (f->layer != EXPORT_HEIGHT)
        used += (size_t)snprintf(text + used, EXPORT_FILE_TEXT - used, " layer=%s,%d", export_layers[f->layer].name,
                                 f->layer == EXPORT_NORMAL && f->is_green_south);
    if (f->is_any_water)
        used += (size_t)snprintf(text + used, EXPORT_FILE_TEXT - used, " water=any");
    if (export_file_is_drained(f))
        used += describe_drainage(&f->drainage, text + used, EXPORT_FILE_TEXT - used);
    if (f->crs.epsg > 0)
        used += (size_t)snprintf(text + used, EXPORT_FILE_TEXT - used, " crs=%d,%a,%a", f->crs.epsg, f->crs.east,
                                 f->crs.north);
    if (f->format->is_mesh)
        used += describe_mesh(&f->mesh, text + used, EXPORT_FILE_TEXT - used);
    if (export_file_needs_look(f))
        describe_look(&f->look, text + used, EXPORT_FILE_TEXT - used);
}

result export_file_refuse_format(const char *path, int found, int expected)
{
    return result_of(RESULT_USAGE,
                     "'%s' is of world format %d, expected %d: make it again with --force, or keep it and use the "
                     "version of terrane that made it",
                     path, found, expected);
}
