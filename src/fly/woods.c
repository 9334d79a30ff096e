/* woods.c - the grid of trees again, as in shaders/scatter.comp. */
#include "fly/woods.h"

#include <math.h>
#include <stdint.h>

#include "export/ground_cover.h"
#include "world/height.h"

static const double CELL_M = 7.0, BORDER = 0.08;        /* as scatter.comp and forest.c have them */
static const double LEAST_M = 13.0, MORE_M = 16.0;      /* height of spruces, the highest trees */
static const double VARIED = 1.12;                      /* by the noise of the place */
static const double CROWN = 0.5;                        /* radius, in heights */
static const double FOOT_M = 3.0;                       /* how much higher than the place a tree beside it may stand */
static const double ROUNDED = 0.02;                     /* chances in single precision */
static const double WOODED = 0.08;                      /* chance at which a place far ahead counts as woods */
enum { CELLS_AROUND = 3 };

static double unit(uint32_t word)
{
    return (double)(word >> 8) / 16777216.0;
}

/** Random words of a cell of the grid of trees. */
static ter_words words_of(int64_t i, int64_t j)
{
    uint32_t key[TER_PHILOX_ROUNDS][2];
    for (uint32_t n = 0; n < TER_PHILOX_ROUNDS; n++) {
        key[n][0] = 0x54726565U + n * 0x9E3779B9U;
        key[n][1] = 0x53746e64U + n * 0xBB67AE85U;
    }
    return ter_philox(key, (uint32_t)(uint64_t)i, (uint32_t)(uint64_t)j, 0, 0);
}

static bool has_trees(const look *l)
{
    return !l->is_plain && l->air > 0.0;
}

/** Height of a cell's tree where it may stand and reach a place, else 0. */
static double tree_in(const look *l, bool has_rivers, const woods_place *place, int64_t i, int64_t j, double margin_m)
{
    const ter_words words = words_of(i, j);
    const double x = ((double)i + BORDER + (1.0 - 2.0 * BORDER) * unit(words.w[0])) * CELL_M;
    const double z = ((double)j + BORDER + (1.0 - 2.0 * BORDER) * unit(words.w[1])) * CELL_M;
    const double high = (LEAST_M + MORE_M * unit(words.w[3])) * VARIED;
    const double east = x - place->x_m, south = z - place->z_m, reach = CROWN * high + margin_m;
    if (east * east + south * south > reach * reach)
        return 0.0;
    double stunted;
    const double chance = ground_cover_trees_most(l, x, z, place->over_sea_m, has_rivers, &stunted);
    return unit(words.w[2]) < chance + ROUNDED ? high * (1.0 - stunted) + FOOT_M : 0.0;
}

double woods_tree_m(const look *l, bool has_rivers, const woods_place *place, double margin_m)
{
    const int64_t i = (int64_t)floor(place->x_m / CELL_M), j = (int64_t)floor(place->z_m / CELL_M);
    double highest = 0.0;
    for (int64_t k = -CELLS_AROUND; has_trees(l) && k <= CELLS_AROUND; k++)
        for (int64_t n = -CELLS_AROUND; n <= CELLS_AROUND; n++)
            highest = fmax(highest, tree_in(l, has_rivers, place, i + n, j + k, margin_m));
    return highest;
}

double woods_canopy_m(const look *l, bool has_rivers, const woods_place *place)
{
    double stunted;
    const double high = (LEAST_M + MORE_M) * VARIED + FOOT_M;
    if (!has_trees(l) || ground_cover_trees_most(l, place->x_m, place->z_m, place->over_sea_m, has_rivers, &stunted) < WOODED)
        return 0.0;
    return high * (1.0 - stunted);
}
