/* peak_layer.c - writes peaks with their prominence: how far one must go down on the way to higher ground. */
#include <stdlib.h>

#include "program/features/feature_run.h"
#include "program/features/peak_tree.h"

static const vector_field fields[] = {
    {"height_m", VECTOR_REAL}, {"prominence_m", VECTOR_REAL}, {"saddle_m", VECTOR_REAL},
    {"saddle_x", VECTOR_REAL}, {"saddle_y", VECTOR_REAL},     {"cut", VECTOR_TEXT},
};

enum { FIELDS = sizeof fields / sizeof fields[0] };

/** A peak_visit: write a peak. */
static result write_peak(void *user, const peak *found)
{
    feature_run *run = user;
    const int64_t width = run->raster.width;
    const double saddle_m = found->has_saddle ? (double)found->saddle_m : (double)(float)run->params->sea;
    const double prominence = (double)found->height - saddle_m;
    if (prominence < run->job->interval_m)
        return result_done();
    const earth_place place = feature_place_of_sample(run, (double)(found->at % width), (double)(found->at / width));
    const earth_place low =
        feature_place_of_sample(run, (double)(found->saddle % width), (double)(found->saddle / width));
    const double point[3] = {place.east, place.north, (double)found->height};
    const vector_value values[FIELDS] = {vector_real((double)found->height),
                                         vector_real(prominence),
                                         vector_real_or_null(found->has_saddle, saddle_m),
                                         vector_real_or_null(found->has_saddle, low.east),
                                         vector_real_or_null(found->has_saddle, low.north),
                                         vector_text(found->is_cut ? "edge" : "")};
    run->count++;
    return vector_file_add(run->file, point, 1, values);
}

static result find_peaks(const feature_run *run, peak_tree *tree, float *row)
{
    enum { REPORT = 16 }; /* rows */
    result res = result_done();
    for (int n = 0; n < run->raster.height && res.kind == RESULT_DONE; n++) {
        if (n % REPORT == 0)
            res = feature_run_goes_on(run, (double)n / run->raster.height);
        if (res.kind == RESULT_DONE)
            res = feature_surface_row(run, n, row);
        if (res.kind == RESULT_DONE)
            res = peak_tree_add(tree, row);
    }
    return res;
}

result write_peak_layer(feature_run *run)
{
    const trace_raster raster = run->raster;
    result res = vector_file_layer(run->file, feature_names[FEATURE_PEAKS], VECTOR_POINT, fields, FIELDS);
    float *row = malloc((size_t)raster.width * sizeof *row);
    peak_tree *tree = peak_tree_create(raster.width, raster.height, (float)run->params->sea, write_peak, run);
    if (res.kind == RESULT_DONE)
        res = row && tree ? find_peaks(run, tree, row) : result_of(RESULT_FAILED, "out of memory");
    peak_tree_destroy(tree);
    free(row);
    return res;
}
