/* check_drained.c - checks layers, format, extent and options of jobs whose files follow from the drainage of the whole
 * request. */
#include "program/export/write/check_drained.h"

#include <math.h>

#include "program/core/least_river.h"
#include "program/drainage/drained_area.h"

/** Check that a job with --conditioned has only layers that can be conditioned. *name becomes the option or the layer
 * that needs the drainage, for messages; NULL if none does. */
static result check_layers(const export_job *job, const char **name)
{
    const bool is_conditioned = job->tile.drainage.is_conditioned;
    *name = is_conditioned ? "--conditioned" : NULL;
    for (int k = 0; k < export_job_layer_count(job); k++) {
        const export_layer *layer = &export_layers[export_job_layer(job, k)];
        if (is_conditioned && !layer->is_drained && export_job_layer(job, k) != EXPORT_HEIGHT)
            return result_of(RESULT_USAGE,
                             "--conditioned is for layers height, accumulation and direction, not for layer %s",
                             layer->name);
        *name = layer->is_drained && !is_conditioned ? layer->name : *name;
    }
    return result_done();
}

static result check_format(const export_job *job, const char *name)
{
    const export_file *f = &job->tile;
    bool has_height = false;
    for (int k = 0; k < export_job_layer_count(job); k++)
        has_height |= export_job_layer(job, k) == EXPORT_HEIGHT;
    if (f->format->is_mesh || f->format == &export_formats[EXPORT_COG] || f->format == &export_formats[EXPORT_MAP])
        return result_of(RESULT_USAGE, "--format %s is for plain heights, not for %s", f->format->name, name);
    if (f->drainage.is_conditioned && has_height && export_file_is_scaled(f) && isnan(f->range[0]))
        return result_of(RESULT_USAGE, "--conditioned: --range is auto, which does not measure conditioned heights: "
                                       "expected --range LO,HI, or a format of floats");
    return result_done();
}

static result check_extent(const export_job *job, const char *name)
{
    const export_file request = export_job_request(job);
    const ter_rect rect = export_file_rect(&request);
    return drained_area_check(&request.world, &rect, name);
}

static result check_rivers(const export_file *f)
{
    if (f->drainage.is_conditioned && f->world.basis != TER_BASIS_FLUVIAL)
        return result_of(RESULT_USAGE, "--conditioned: basis %s has no rivers; basis %s has",
                         ter_basis_name(f->world.basis), ter_basis_name(TER_BASIS_FLUVIAL));
    return least_river_check(&f->world, f->drainage.min_area_km2, "--min-area");
}

result export_check_drained(const export_job *job)
{
    const char *name;
    result res = check_layers(job, &name);
    if (res.kind != RESULT_DONE || !name)
        return res;
    res = check_rivers(&job->tile);
    if (res.kind == RESULT_DONE)
        res = check_format(job, name);
    return res.kind == RESULT_DONE ? check_extent(job, name) : res;
}
