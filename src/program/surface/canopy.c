/* canopy.c - applies the rules of shaders/ground_rules.glsl for trees to a position. */
#include "program/surface/canopy.h"

#include "program/surface/ground_cover.h"

static const double HIGHEST_M = 33.0; /* of all trees: tree_height in scatter.comp */
static const double WOODED = 0.3;     /* chance of a tree in a cell of the grid above which a position is wooded */

double canopy_height_m(const look *l, const canopy_site *place)
{
    double stunted;
    if (l->is_plain || l->air <= 0.0)
        return 0.0;
    const double chance = ground_cover_trees(l, place->x_m, place->z_m, place->over_sea_m, &stunted);
    return chance > WOODED ? HIGHEST_M * (1.0 - stunted) : 0.0;
}
