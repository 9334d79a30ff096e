/* check_drained.c - checks layers, format, extent and options of jobs whose files follow from the drainage of the whole
 * request. */
#include "program/export/write/check_drained.h"

#include <math.h>

#include "program/drainage/drained_area.h"
#include "terrane/reaches.h"

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
    const double width = (double)request.width, height = (double)request.height,
                 steps = export_file_step(&request) * fmax(width, height);
    if (request.world.basis == TER_BASIS_FLUVIAL && steps > DRAINED_STEPS_MAX)
        return result_of(RESULT_USAGE, "a side of %.0f lattice steps, expected at most %.0f for %s", steps,
                         DRAINED_STEPS_MAX, name);
    if ((width + 2.0) * (height + 2.0) > (double)DRAINED_SAMPLES_MAX)
        return result_of(RESULT_USAGE,
                         "%.0f samples with the ring around them, expected at most %d for %s: all are in memory at the "
                         "same time",
                         (width + 2.0) * (height + 2.0), DRAINED_SAMPLES_MAX, name);
    return result_done();
}

static result check_rivers(const export_file *f)
{
    const double least = TER_EDGE_AREA_MIN * f->world.spacing * f->world.spacing * 1e-6;
    if (f->drainage.is_conditioned && f->world.basis != TER_BASIS_FLUVIAL)
        return result_of(RESULT_USAGE, "--conditioned: basis %s has no rivers; basis %s has",
                         ter_basis_name(f->world.basis), ter_basis_name(TER_BASIS_FLUVIAL));
    if (f->drainage.min_area_km2 != 0.0 && f->drainage.min_area_km2 < least)
        return result_of(RESULT_USAGE, "--min-area is %g km2, expected at least %g: smaller channels have no bed",
                         f->drainage.min_area_km2, least);
    return result_done();
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
