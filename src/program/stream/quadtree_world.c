/* quadtree_world.c - fits a quadtree to a world: its levels of detail and the bounds of its heights. */
#include "program/stream/quadtree.h"

#include <assert.h>
#include <math.h>

static const double TOP_WIDTH_M = 8.0e6;       /* approximate width of roots that show a whole planet */
static const double LEAST_TOP_WIDTH_M = 5.0e5; /* approximate width of roots that show the land from low altitudes */

void quadtree_widen_bounds(quadtree *tree, const ter_params *p)
{
    double amplitude[TER_LEVELS_MAX + 1], reach = 0.0;
    ter_params_amplitudes(p, amplitude);
    if (p->basis == TER_BASIS_FLUVIAL)
        tree->means_lod = TER_MEANS_LOD + tree->fine_lods;
    for (int lod = 0; lod <= tree->top; lod++) {
        tree->reach[lod] = fmax(tree->reach[lod], QUADTREE_OVERSHOOT * reach);
        reach += amplitude[p->levels - (lod > tree->fine_lods ? lod - tree->fine_lods : 0)];
    }
}

void quadtree_init(quadtree *tree, tile_pool *pool, const ter_params *p, double detail, int mesh_step, int fine_lods)
{
    assert(mesh_step >= 2 && mesh_step <= 32 && fine_lods >= 0 && fine_lods <= TER_FINE_LODS);
    *tree = (quadtree){.pool = pool,
                       .fine_lods = fine_lods,
                       .means_lod = TILE_LODS,
                       .spacing = ldexp(p->spacing, -fine_lods),
                       .detail = detail,
                       .mesh_step = mesh_step};
    while (mesh_step >> tree->n_parts > 1 && tree->n_parts < QUADTREE_PARTS_MAX)
        tree->n_parts++;
    tree->top = lod_of_width(tree->spacing, p->levels + fine_lods, TOP_WIDTH_M);
    quadtree_widen_bounds(tree, p);
}

int quadtree_least_top(const quadtree *tree, const ter_params *p)
{
    const int top = lod_of_width(tree->spacing, p->levels + tree->fine_lods, LEAST_TOP_WIDTH_M);
    return (top < tree->top ? top : tree->top) - tree->fine_lods;
}

void quadtree_limit_top(quadtree *tree, const ter_params *p)
{
    const int top = p->levels + tree->fine_lods;
    tree->top = tree->top < top ? tree->top : top;
}
