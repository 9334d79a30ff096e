/* peak_layer.c - writes peaks with their prominence: how far one must go down on the way to higher ground. Samples are
 * taken from the highest to the lowest. A sample without a higher neighbour is a peak; where the areas of two peaks
 * meet, the lower peak is done, and the sample is its saddle. */
#include <math.h>
#include <stdlib.h>

#include "program/features/feature_run.h"

static const vector_field fields[] = {
    {"height_m", VECTOR_REAL}, {"prominence_m", VECTOR_REAL}, {"saddle_m", VECTOR_REAL},
    {"saddle_x", VECTOR_REAL}, {"saddle_y", VECTOR_REAL},     {"cut", VECTOR_TEXT},
};

enum { FIELDS = sizeof fields / sizeof fields[0] };

typedef struct ranked_sample {
    float height;
    int32_t at;
} ranked_sample;

/** The areas around peaks. */
typedef struct peak_search {
    feature_run *run;
    ranked_sample *order; /* samples above the sea, from the highest on */
    size_t count;
    int32_t *above; /* for each sample, a sample of the same area that is nearer to its peak; a peak has itself; -1: not
                       taken yet */
    unsigned char *is_cut; /* for each peak, whether its area has reached the edge of the samples */
} peak_search;

/** Height of the ground, or of the water over it. */
static float surface(const feature_run *run, size_t at)
{
    return run->water && run->water[at] > run->height[at] ? run->water[at] : run->height[at];
}

static int from_the_highest(const void *a, const void *b)
{
    const ranked_sample *u = a, *v = b;
    if (u->height != v->height)
        return u->height > v->height ? -1 : 1;
    return u->at < v->at ? -1 : u->at > v->at;
}

static int32_t peak_of(peak_search *s, int32_t at)
{
    while (s->above[at] != at) {
        s->above[at] = s->above[s->above[at]];
        at = s->above[at];
    }
    return at;
}

/** Write a peak whose area ends at a saddle. saddle: -1: at the sea, or at no higher ground */
static result write_peak(peak_search *s, int32_t peak, float saddle_m, int32_t saddle)
{
    feature_run *run = s->run;
    const int width = run->raster.width;
    const double height = surface(run, (size_t)peak);
    const double prominence = height - (double)saddle_m;
    if (prominence < run->job->interval_m)
        return result_done();
    const earth_place place = feature_place_of_sample(run, peak % width, peak / width),
                      low = feature_place_of_sample(run, saddle % width, saddle / width);
    const double point[3] = {place.east, place.north, height};
    const vector_value values[FIELDS] = {vector_real(height),
                                         vector_real(prominence),
                                         vector_real_or_null(saddle >= 0, saddle_m),
                                         vector_real_or_null(saddle >= 0, low.east),
                                         vector_real_or_null(saddle >= 0, low.north),
                                         vector_text(s->is_cut[peak] ? "edge" : "")};
    run->count++;
    return vector_file_add(run->file, point, 1, values);
}

/** Take a sample: begin an area, or join all areas around it to that of the highest peak. */
static result take(peak_search *s, int32_t at)
{
    const int width = s->run->raster.width, height = s->run->raster.height, x = at % width, y = at / width;
    int32_t best = -1;
    result res = result_done();
    s->above[at] = at;
    for (int n = 0; n < 9; n++) {
        const int u = x + n % 3 - 1, v = y + n / 3 - 1;
        const int32_t next = v * width + u;
        if (n == 4 || u < 0 || v < 0 || u >= width || v >= height || s->above[next] < 0)
            continue;
        const int32_t peak = peak_of(s, next);
        if (best < 0) {
            best = peak;
        } else if (peak != best && res.kind == RESULT_DONE) {
            const float a = surface(s->run, (size_t)peak), b = surface(s->run, (size_t)best);
            const int32_t low = a < b || (a == b && peak > best) ? peak : best, high = low == peak ? best : peak;
            res = write_peak(s, low, surface(s->run, (size_t)at), at);
            s->above[low] = high;
            s->is_cut[high] |= s->is_cut[low];
            best = high;
        }
    }
    s->above[at] = best < 0 ? at : best;
    s->is_cut[s->above[at]] |= x == 0 || y == 0 || x == width - 1 || y == height - 1;
    return res;
}

static result find_peaks(peak_search *s)
{
    const float sea = (float)s->run->params->sea;
    result res = result_done();
    for (size_t n = 0; n < s->count && res.kind == RESULT_DONE; n++) {
        if ((n & 0xfffff) == 0)
            res = feature_run_goes_on(s->run, 0.5 + 0.5 * (double)n / (double)s->count);
        if (res.kind == RESULT_DONE)
            res = take(s, s->order[n].at);
    }
    for (size_t n = 0; n < s->count && res.kind == RESULT_DONE; n++)
        if (s->above[s->order[n].at] == s->order[n].at)
            res = write_peak(s, s->order[n].at, sea, -1);
    return res;
}

static bool rank(peak_search *s)
{
    const size_t all = (size_t)s->run->raster.width * (size_t)s->run->raster.height;
    s->order = malloc(all * sizeof *s->order);
    s->above = malloc(all * sizeof *s->above);
    s->is_cut = calloc(all, 1);
    if (!s->order || !s->above || !s->is_cut)
        return false;
    for (size_t n = 0; n < all; n++) {
        const float height = surface(s->run, n);
        s->above[n] = -1;
        if ((double)height > s->run->params->sea)
            s->order[s->count++] = (ranked_sample){height, (int32_t)n};
    }
    qsort(s->order, s->count, sizeof *s->order, from_the_highest);
    return true;
}

result write_peak_layer(feature_run *run)
{
    peak_search s = {.run = run};
    result res = vector_file_layer(run->file, feature_names[FEATURE_PEAKS], VECTOR_POINT, fields, FIELDS);
    if (res.kind == RESULT_DONE)
        res = rank(&s) ? find_peaks(&s) : result_of(RESULT_FAILED, "out of memory");
    free(s.order);
    free(s.above);
    free(s.is_cut);
    return res;
}
