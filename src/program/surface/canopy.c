/* canopy.c - applies the rules of shaders/ground_rules.glsl for trees to a position. */
#include "program/surface/canopy.h"

#include <constants.glsl>
#include <math.h>

#include "program/surface/ground_cover.h"

static const double WOODED = 0.3; /* a position is wooded if the chance of a tree in its grid cell is greater */

/** Height of the tallest tree where trees grow best, rounded up to whole metres; see tree_height in scatter.comp. */
static double highest_tree_m(void)
{
    static const double least_m[] = {PLANT_HEIGHTS_LEAST_M}, more_m[] = {PLANT_HEIGHTS_MORE_M};
    double highest_m = 0.0;
    for (size_t n = 0; n < sizeof least_m / sizeof least_m[0]; n++)
        highest_m = fmax(highest_m, least_m[n] + more_m[n]);
    return ceil(highest_m * (TREE_GROWTH_LEAST + TREE_GROWTH_MORE));
}

double canopy_height_m(const look *l, const canopy_site *place)
{
    double stunted;
    if (l->is_plain || l->air <= 0.0)
        return 0.0;
    const double chance = ground_cover_trees(l, place->x_m, place->z_m, place->over_sea_m, &stunted);
    return chance > WOODED ? highest_tree_m() * (1.0 - stunted) : 0.0;
}
