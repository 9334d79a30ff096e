/* river_size.h - the drained area from which a channel has a bed and water, and the width of its bed. Everything that
 * makes, draws or searches rivers uses these numbers.
 */
#ifndef TERRANE_FLUVIAL_RIVER_SIZE_H
#define TERRANE_FLUVIAL_RIVER_SIZE_H

#include "library/core/scalar.h"

/* Lengths in the network's plane are counted in units of 2 m, and areas in cells of the last level. Heights and the
 * widths of rivers are metres; slopes are metres per unit. */
#define TER_UNIT 2.0f                                        /* m */
#define TER_CELL 256.0f                                      /* units; side of a cell of the last level */
#define TER_AREA (TER_CELL * TER_UNIT * TER_CELL * TER_UNIT) /* m2; area of such a cell */

#define TER_RIVER_AREA 15.0f /* cells, 3.9 km2; above it, no lake with a higher level fills the channel's valley */
#define TER_BROOK_AREA 2.0f  /* cells, 0.52 km2; above it a channel has a bed, and above TER_WET_AREA also water */
#define TER_WET_AREA   (2.0f * TER_BROOK_AREA)

#define TER_RIVER_WIDTH  0.64f  /* m; half width of a river that drains one cell */
#define TER_RIVER_WIDEST 160.0f /* m; half width */
#define TER_BROAD_LEAST  0.75f  /* least random factor of a bed's width */
#define TER_BROAD_MORE   0.6f   /* range of that factor above TER_BROAD_LEAST */

/** Whether the bed of a channel holds water. area: cells */
TER_FN int ter_is_wet(float area)
{
    return area >= TER_WET_AREA;
}

/** Half width of a river, metres. area: cells */
TER_FN float ter_river_width(float area)
{
    return ter_min(TER_RIVER_WIDTH * ter_sqrt(area), TER_RIVER_WIDEST);
}

/** Share of the water that a river of a dry climate has lost, 0..1. dry: layer dryness of a world with drought, 0..1;
 * area: cells */
TER_FN float ter_river_loss(float dry, float area)
{
    const float a = ter_fma(3.5f, dry, 1.0f), square = a * a, fourth = square * square;
    const float least =
        TER_WET_AREA * (fourth * fourth); /* cells; smaller rivers have lost half of their water or more */
    return dry > 0.0f ? 1.0f - ter_smooth_step((area / least - 0.5f) * (1.0f / 1.5f)) : 0.0f;
}

#endif
