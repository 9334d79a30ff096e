/* job.c - the files that a job asks for: their rectangles, formats and names. */
#include "program/export/job/job.h"

#include <string.h>

/* ---- layers ---- */

int export_job_layer_count(const export_job *job)
{
    return job->n_layers > 0 ? job->n_layers : 1;
}

const export_format *export_job_format(const export_job *job, int k)
{
    return job->n_layers > 0 ? job->layers[k].format : job->tile.format;
}

export_layer_id export_job_layer(const export_job *job, int k)
{
    return job->n_layers > 0 ? job->layers[k].id : EXPORT_HEIGHT;
}

/** Turn the job's tile, which describes heights, into a file of the k-th layer. Pictures have the north at their top.
 */
static export_file take_layer(export_file file, const export_job *job, int k)
{
    file.format = export_job_format(job, k);
    file.layer = export_job_layer(job, k);
    file.is_big_endian &= file.format->channels == 0;
    file.is_south_first &= file.format->channels == 0;
    file.is_any_water &= export_file_has_water(&file);
    file.is_any_water &= !export_file_is_drained(&file);
    if (file.layer == EXPORT_HEIGHT)
        return file;
    file.is_normalised = false;
    export_layer_range(file.layer, file.world.spacing, file.lod, file.range);
    return file;
}

/* ---- geometry ---- */

/** Add samples on all four sides of a file. */
static export_file grow(export_file file, int64_t border)
{
    const double step = export_file_step(&file);
    file.x -= (double)border * step;
    file.z -= (double)border * step;
    file.width += 2 * border;
    file.height += 2 * border;
    return file;
}

export_file export_job_file(const export_job *job, int64_t n)
{
    const int n_layers = export_job_layer_count(job);
    const double step = export_file_step(&job->tile);
    export_file file = take_layer(job->tile, job, (int)(n % n_layers));
    int64_t column, row;
    tile_set_place(&job->tiles, n / n_layers, file.width, file.height, &column, &row);
    file.x += step * (double)column;
    file.z += step * (double)row;
    if (export_file_is_drained(&file)) {
        const export_file request = export_job_request(job);
        file.drainage.rect = export_file_rect(&request);
    }
    return grow(file, job->tiles.border);
}

export_file export_job_whole(const export_job *job)
{
    export_file file = take_layer(job->tile, job, 0);
    file.width += (job->tiles.columns - 1) * (file.width - job->tiles.overlap);
    file.height += (job->tiles.rows - 1) * (file.height - job->tiles.overlap);
    return file;
}

export_file export_job_request(const export_job *job)
{
    return grow(export_job_whole(job), job->tiles.border);
}

/* ---- names ---- */

file_names export_job_names(const export_job *job)
{
    file_names names = {.pattern = job->path, .has_layers = job->n_layers > 0, .n_layers = export_job_layer_count(job)};
    for (int k = 0; k < names.n_layers; k++) {
        const char *ending = export_job_format(job, k)->ending;
        names.layers[k] = export_layers[export_job_layer(job, k)].name;
        names.endings[k] = strcmp(ending, job->tile.format->ending) != 0 ? ending : NULL;
    }
    return names;
}

result export_job_path(const export_job *job, int64_t n, char path[EXPORT_PATH_MAX])
{
    const file_names names = export_job_names(job);
    return file_names_path(&names, &job->tiles, n, path);
}
