/* canopy.c - applies the rules of shaders/ground_rules.glsl for trees to a position. */
#include "program/surface/canopy.h"

#include <constants.glsl>

#include "program/surface/ground_cover.h"

static const double WOODED = 0.3; /* a position is wooded if the chance of a tree in its grid cell is greater */
static const double HIGHEST_TREE_M = TREE_USUAL_MAX_M * (TREE_GROWTH_LEAST + TREE_GROWTH_MORE);

double canopy_height_m(const look *l, const canopy_site *place)
{
    double stunted;
    if (l->is_plain || l->air <= 0.0)
        return 0.0;
    const double chance = ground_cover_trees(l, place->x_m, place->z_m, place->over_sea_m, &stunted);
    return chance > WOODED ? HIGHEST_TREE_M * (1.0 - stunted) : 0.0;
}
