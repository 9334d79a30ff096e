/* lod_ranges.c - lets ranges grow over time, and limits them so that neighbouring levels meet without gaps. */
#include "program/stream/lod_ranges.h"

#include <math.h>

static const double MORPH_START = 0.8; /* share of the range */
static const double MORPH_END = 0.98;  /* share of the range; the margin covers float rounding in the shader */
static const double DIAGONAL = 1.4143; /* diagonal of a tile, in widths */
static const double GROWTH_S = 0.6;    /* time in which a range grows from 0 to its full width */

double lod_tile_width(const lod_scale *scale, int lod)
{
    return (double)((int64_t)TILE_QUADS << lod) * scale->spacing;
}

int lod_of_width(double spacing, int levels, double width)
{
    const lod_scale scale = {.spacing = spacing};
    int lod = 0;
    while (lod < levels && lod_tile_width(&scale, lod) < width && lod < TILE_LODS - 1)
        lod++;
    return lod;
}

double lod_wanted_range(const lod_scale *scale, int lod)
{
    return lod >= scale->top ? INFINITY : scale->detail * lod_tile_width(scale, lod);
}

bool lod_is_above_roots(const lod_scale *scale, double far_distance, int lod)
{
    return lod > 0 && lod_wanted_range(scale, lod - 1) >= far_distance;
}

double lod_morph_start(double range)
{
    return MORPH_START * range;
}

double lod_morph_end(double range)
{
    return MORPH_END * range;
}

/** Limit how far ranges grow within a frame. */
static void grow_ranges(const lod_ranges *ranges, const lod_scale *scale, double far_distance, double height,
                        double elapsed_s, double range[TILE_LODS])
{
    for (int lod = 0; lod < scale->top && !lod_is_above_roots(scale, far_distance, lod + 1); lod++) {
        const double grown = fmax(ranges->tiles[lod], height) + lod_wanted_range(scale, lod) * elapsed_s / GROWTH_S;
        range[lod] = range[lod] < grown ? range[lod] : grown;
    }
}

/** Limit each range so that the finer level ends before the coarser level begins to morph. The margin is the diagonal
 * of a tile, because a tile of the finer level is drawn if its nearest point is within the range. */
static void limit_ranges(const lod_scale *scale, double range[TILE_LODS])
{
    for (int lod = scale->top - 1; lod >= 0; lod--) {
        const double limit = MORPH_START * range[lod + 1] - DIAGONAL * lod_tile_width(scale, lod);
        range[lod] = range[lod] < limit ? range[lod] : limit > 0 ? limit : 0;
    }
}

/** Derive the ranges of parts from the range of lod 0 by the rule of limit_ranges. */
static void set_part_ranges(lod_ranges *ranges, const lod_scale *scale)
{
    ranges->parts[0] = scale->top > 0 ? ranges->tiles[0] : scale->detail * lod_tile_width(scale, 0);
    for (int part = 1; part <= scale->n_parts; part++) {
        const double width = lod_tile_width(scale, 0) / (double)(1 << part);
        const double limit = MORPH_START * ranges->parts[part - 1] - DIAGONAL * width;
        ranges->parts[part] = fmax(fmin(scale->detail * width, limit), 0.0);
    }
}

void lod_ranges_update(lod_ranges *ranges, const lod_scale *scale, double far_distance, double height, double elapsed_s)
{
    double range[TILE_LODS];
    for (int lod = 0; lod < TILE_LODS; lod++)
        range[lod] = lod_wanted_range(scale, lod);
    grow_ranges(ranges, scale, far_distance, height, elapsed_s, range);
    limit_ranges(scale, range);
    for (int lod = 0; lod < TILE_LODS; lod++)
        ranges->tiles[lod] = range[lod];
    set_part_ranges(ranges, scale);
}
