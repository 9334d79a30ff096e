/* bed_line.c - follows a bed from reach to reach. Where its water meets a lake or the sea, the line gets a point. */
#include "library/reaches/bed_line.h"

#include <math.h>

enum { HALVINGS = 24 }; /* of an interval in which the water meets a lake or the sea */

static const ter_reach *reaches_of(const ter_fluvial_job *job, int64_t x, int64_t y)
{
    return job->reach + (size_t)ter_window_index(job->piece_at, x, y) * TER_REACHES;
}

/** Altitude of a river's own water at a share of a reach, before beaches are formed. */
static float own_level(const ter_reach *p, float t)
{
    return ter_fma(t, p->dz, p->z) + ter_river_rim(ter_fma(t, p->darea, p->area)) - ter_fma(t, p->dfall, p->fall);
}

/** What water lies at a share of a reach. level: receives its altitude before beaches are formed */
static ter_river_water water_at(const ter_fluvial_job *job, const ter_reach *p, float t, float *level)
{
    const float own = own_level(p, t);
    *level = ter_max(own, p->lake);
    return *level <= job->f.sea ? TER_EDGE_SEA : own <= p->lake ? TER_EDGE_LAKE : TER_EDGE_RIVER;
}

/** Share of a reach, between `low` and `high`, at which the kind of its water changes: the least one found with another
 * kind than at `low`. The kinds at `low` and `high` must differ.
 */
static float share_of_change(const ter_fluvial_job *job, const ter_reach *p, float low, float high)
{
    float level;
    const ter_river_water water = water_at(job, p, low, &level);
    for (int n = 0; n < HALVINGS; n++) {
        const float middle = 0.5f * (low + high);
        if (water_at(job, p, middle, &level) == water)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/** The bed that is followed, and the line that gets its points. */
typedef struct bed_walk {
    const ter_fluvial_job *job;
    int64_t x, y; /* cell */
    float distance;
    bed_line *line;
} bed_walk;

/** Add the point at a share of a reach. */
static void add_point(const bed_walk *walk, const ter_reach *p, float t)
{
    const ter_fluvial_job *job = walk->job;
    bed_line *line = walk->line;
    const float width = ter_fma(t, p->dwidth, p->width), area = ter_fma(t, p->darea, p->area);
    const float spacing = job->f.spacing;
    float level;
    const ter_river_water water = water_at(job, p, t, &level);
    const int n = line->count < BED_LINE_POINTS_MAX ? line->count++ : BED_LINE_POINTS_MAX - 1;
    const double cell = (double)(1 << TER_CELL_SHIFT);
    line->place[n].x = cell * (double)walk->x + 256.0 * ((double)p->x + (double)t * (double)p->along_x);
    line->place[n].y = cell * (double)walk->y + 256.0 * ((double)p->y + (double)t * (double)p->along_y);
    ter_river_point *out = &line->point[n];
    line->limit[n].fall = ter_fma(t, p->dfall, p->fall);
    line->limit[n].least = ter_beach(ter_max(p->lake, job->f.sea), job->f.sea);
    out->x = out->z = 0.0;
    out->level_m = ter_beach(level, job->f.sea);
    out->width_m = 2.0f * width * spacing;
    out->bank_m = ter_bed_depth(width);
    out->depth_m = ter_is_wet(area) ? ter_max(out->bank_m - line->limit[n].fall, 0.0f) : 0.0f;
    out->area_m2 = area * TER_AREA * spacing * spacing;
    out->water = water;
}

/** Add a point at each share between `low` and `high` of a reach at which the kind of its water changes. Returns 0 if
 * the line has reached the sea. */
static int add_until(const bed_walk *walk, const ter_reach *p, float low, float high)
{
    const ter_fluvial_job *job = walk->job;
    float level;
    for (;;) {
        const ter_river_water water = water_at(job, p, low, &level);
        if (water_at(job, p, high, &level) == water)
            return 1;
        low = share_of_change(job, p, low, high);
        if (low >= high)
            return 1;
        add_point(walk, p, low);
        if (water_at(job, p, low, &level) == TER_EDGE_SEA)
            return 0;
    }
}

/** Add the points of a reach, without its end. Returns 0 if the line has reached the sea. */
static int add_reach(const bed_walk *walk, const ter_reach *p)
{
    float level;
    const float length = ter_length(p->along_x, p->along_y);
    const int parts = walk->distance > 0.0f ? (int)ceilf(ter_min(length / walk->distance, 1000.0f)) : 1;
    for (int n = 0; n < parts; n++) {
        const float low = (float)n / (float)parts, high = (float)(n + 1) / (float)parts;
        add_point(walk, p, low);
        if (water_at(walk->job, p, low, &level) == TER_EDGE_SEA || !add_until(walk, p, low, high))
            return 0;
    }
    return 1;
}

ter_river_water bed_line_water(const ter_fluvial_job *job, int64_t x, int64_t y)
{
    float level;
    return water_at(job, reaches_of(job, x, y), 0.0f, &level);
}

void bed_line_make_first(const ter_fluvial_job *job, int64_t x, int64_t y, bed_line *line)
{
    line->count = 0;
    line->end = TER_EDGE_GOES_ON;
    add_point(&(bed_walk){job, x, y, 0.0f, line}, reaches_of(job, x, y), 0.0f);
}

void bed_line_make(const ter_fluvial_job *job, int64_t x, int64_t y, float distance, bed_line *line)
{
    const ter_reach *reach = reaches_of(job, x, y);
    const bed_walk walk = {job, x, y, distance, line};
    line->count = 0;
    line->end = TER_EDGE_GOES_ON;
    for (int i = 0; i < TER_REACHES; i++)
        if (!add_reach(&walk, &reach[i])) {
            line->end = TER_EDGE_INTO_SEA;
            return;
        }
    add_point(&walk, &reach[TER_REACHES - 1], 1.0f);
    if (line->point[line->count - 1].water == TER_EDGE_SEA)
        line->end = TER_EDGE_INTO_SEA;
}
