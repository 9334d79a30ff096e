/* export_file.c - arithmetic of one file. */
#include "export/export_file.h"

#include <stdio.h>

double export_file_spacing_m(const export_file *file)
{
    return file->world.spacing * (double)(INT64_C(1) << file->lod);
}

ter_rect export_file_rect(const export_file *file)
{
    const int64_t step = INT64_C(1) << file->lod;
    return (ter_rect){file->world.levels - file->lod, file->x / step, file->z / step, file->width, file->height};
}

uint64_t export_file_bytes(const export_file *file)
{
    return (uint64_t)file->width * (uint64_t)file->height * (uint64_t)(file->format->bits / 8);
}

bool export_file_is_scaled(const export_file *file)
{
    return export_format_is_scaled(file->format) || file->is_normalised;
}

export_file export_file_middle(const export_file *file, int64_t samples)
{
    export_file part = *file;
    const int64_t step = INT64_C(1) << file->lod;
    while (part.width * part.height > samples && (part.width > 1 || part.height > 1)) {
        int64_t *longer = part.width > part.height ? &part.width : &part.height;
        *longer = (*longer + 1) / 2;
    }
    part.x += (file->width - part.width) / 2 * step;
    part.z += (file->height - part.height) / 2 * step;
    return part;
}

void export_file_describe(const export_file *f, char text[1024])
{
    const ter_params *w = &f->world;
    const bool is_scaled = export_file_is_scaled(f);
    snprintf(text, 1024,
             "terrane format=%d world=%llu,%d,%a,%a,%d,%a,%a,%d,%a,%a,%a at=%lld,%lld size=%lldx%lld lod=%d file=%s,%d,%d,%d,%d,%s "
             "range=%a,%a",
             TER_WORLD_FORMAT, (unsigned long long)w->seed, w->levels, w->amplitude, w->gain, w->broad, w->broad_gain, w->base,
             (int)w->basis, w->valley, w->sea, w->spacing, (long long)f->x, (long long)f->z, (long long)f->width,
             (long long)f->height, f->lod, f->format->name, f->is_big_endian, f->is_south_first, f->is_normalised,
             f->is_marked_linear, f->channel, is_scaled ? f->range[0] : 0.0, is_scaled ? f->range[1] : 0.0);
}
