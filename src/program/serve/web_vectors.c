/* web_vectors.c - makes a job of features from a site, and gives the folder of tiles its name. */
#include "program/serve/web_vectors.h"

#include <math.h>
#include <stdio.h>

#include "program/core/system.h"

static const double AREA_OF_PIXEL = 1000.0; /* least area of a river over the area of a pixel */

/** The map's square in the coordinates of features. */
static vector_tiles tiles_of(const web_site *site)
{
    const ter_params *params = ter_world_params(site->land.world);
    const double half = ldexp(1.0, WEB_MAP_SIDE_LOG - 1);
    const earth_crs none = {0};
    const earth_place corner =
        earth_place_of(params, &none, (double)site->land.centre[0] - half, (double)site->land.centre[1] - half);
    return (vector_tiles){corner.east,
                          corner.north,
                          2.0 * half * params->spacing / corner.metres,
                          {site->zooms.least, site->zooms.greatest}};
}

result web_vectors_begin(const web_site *site, web_vectors *vectors)
{
    features_job *job = &vectors->job;
    const ter_params *params = ter_world_params(site->land.world);
    const int lod = WEB_LOD_OF_ZOOM_0 - site->zooms.greatest;
    job->lod = lod > 0 ? lod : 0;
    const double step = ldexp(1.0, job->lod), pixel_m = step * params->spacing;
    job->x = floor(site->first[0] / step) * step;
    job->z = floor(site->first[1] / step) * step;
    job->width = (int64_t)floor((site->last[0] - job->x) / step) + 1;
    job->height = (int64_t)floor((site->last[1] - job->z) / step) + 1;
    const double least = AREA_OF_PIXEL * pixel_m * pixel_m;
    if (job->min_area_km2 == 0.0 && least > TER_EDGE_AREA_WET * params->spacing * params->spacing)
        job->min_area_km2 = 1e-6 * least;
    vectors->tiles = tiles_of(site);
    job->tiles = &vectors->tiles;
    job->path = site->folder;
    const result res = vector_tiles_check();
    return res.kind == RESULT_DONE ? features_check_place(job, params) : res;
}

/** Replace the folder of an earlier map. */
static result take_name(const char *part, const char *path)
{
    const result res = vector_folder_remove(path);
    if (res.kind != RESULT_DONE)
        return res;
    return system_rename_new(part, path) ? res : result_of_file("rename to", path);
}

result web_vectors_write(const web_site *site, web_vectors *vectors, const work_events *events)
{
    char path[1024];
    features_report report;
    snprintf(path, sizeof path, "%.1000s/vectors", site->folder);
    snprintf(vectors->path, sizeof vectors->path, "%.1000s/vectors.part", site->folder);
    if (site->resume && !site->may_replace && system_exists(path))
        return result_done();
    vectors->job.path = vectors->path;
    result res = vector_folder_remove(vectors->path);
    if (res.kind == RESULT_DONE)
        res = features_export(&vectors->job, events, &report);
    if (res.kind == RESULT_DONE)
        return take_name(vectors->path, path);
    vector_folder_remove(vectors->path);
    return res;
}
