/* seams.c - a table of the meshes that are drawn, by place; each edge looks up the mesh beyond it. */
#include "program/stream/seams.h"

enum { SIDES = 4 };

/** A square of the land that one mesh draws: its level, whose width is 128 * 2^level lattice steps, and its place in
 * such widths. Parts of tiles of lod 0 have levels below 0. */
typedef struct region {
    int level;
    int64_t i, j;
} region;

/** Level of a mesh. */
static int level_of(const quadtree_tile *t)
{
    return t->lod - t->part;
}

/** Level that a mesh has at its edges: while it unfolds it is the next coarser one there. */
static int edge_level(const quadtree_tile *t)
{
    return level_of(t) + (t->shown < 1.0f);
}

static region region_of(const quadtree_tile *t, const quadtree_view *view)
{
    const int level = level_of(t), bits = 7 + level; /* a tile of level 0 is 2^7 lattice steps wide */
    return (region){level, (view->cell_x + t->x) >> bits, (view->cell_z + t->z) >> bits};
}

static region parent_of(region r)
{
    return (region){r.level + 1, r.i >> 1, r.j >> 1};
}

static bool is_same(region a, region b)
{
    return a.level == b.level && a.i == b.i && a.j == b.j;
}

/** The mesh that draws a region, or the free place in the table for it. */
static seam_mesh *find(seam_table *table, region r)
{
    uint64_t h =
        (uint64_t)r.i * UINT64_C(0x9E3779B97F4A7C15) ^ (uint64_t)(r.j + r.level) * UINT64_C(0xC2B2AE3D27D4EB4F);
    h ^= h >> 29;
    h *= UINT64_C(0xBF58476D1CE4E5B9);
    size_t at = (size_t)(h >> 32) % SEAM_MESHES;
    for (seam_mesh *m = &table->meshes[at]; m->table == table->n_tables; m = &table->meshes[at]) {
        if (is_same((region){m->level, m->i, m->j}, r))
            return m;
        at = (at + 1) % SEAM_MESHES;
    }
    return &table->meshes[at];
}

static void fill_table(seam_table *table, const quadtree_tile *tiles, size_t count, const quadtree_view *view)
{
    table->n_tables++; /* all places are free */
    for (size_t n = 0; n < count; n++) {
        const region r = region_of(&tiles[n], view);
        *find(table, r) = (seam_mesh){r.i, r.j, r.level, edge_level(&tiles[n]), table->n_tables};
    }
}

/** Edge level of the mesh beyond a side of a region, if that is as wide as the region or wider; else own_level, for
 * what is narrower takes the region's edge. */
static int level_beyond(seam_table *table, region own, int side, int own_level)
{
    static const int EAST[SIDES] = {0, -1, 0, 1}, SOUTH[SIDES] = {-1, 0, 1, 0};
    region beyond = {own.level, own.i + EAST[side], own.j + SOUTH[side]};
    while (beyond.level < TILE_LODS && !is_same(beyond, own)) {
        const seam_mesh *m = find(table, beyond);
        if (m->table == table->n_tables)
            return m->edge_level;
        beyond = parent_of(beyond);
        own = parent_of(own);
    }
    return own_level;
}

/** How many levels coarser than its own samples the coarsest vertices are that a tile's edge may have: those and every
 * second of them are at the tile's corners. */
static int coarsest_vertices(int mesh_step)
{
    int levels = 0;
    while (mesh_step << (levels + 2) <= TILE_QUADS)
        levels++;
    return levels;
}

/** The ancestor of a tile at a lod. */
static tile_key ancestor_of(const quadtree_tile *t, const quadtree_view *view, int lod)
{
    return (tile_key){lod, (view->cell_x + t->x) >> (7 + lod), (view->cell_z + t->z) >> (7 + lod)};
}

/** Add a tile to a list unless it is there. */
static size_t add(tile_key key, tile_key *list, size_t count, size_t most)
{
    for (size_t n = 0; n < count; n++)
        if (list[n].lod == key.lod && list[n].i == key.i && list[n].j == key.j)
            return count;
    if (count < most)
        list[count++] = key;
    return count;
}

size_t seams_close(seam_table *table, quadtree_tile *tiles, size_t count, const quadtree_view *view, int mesh_step,
                   tile_key *ancestors, size_t most)
{
    size_t n_ancestors = 0;
    const int levels = coarsest_vertices(mesh_step);
    fill_table(table, tiles, count, view);
    for (size_t n = 0; n < count; n++) {
        quadtree_tile *t = &tiles[n];
        const int level = level_of(t), own = edge_level(t), coarsest = t->lod + levels;
        for (int side = 0; side < SIDES; side++) {
            const int beyond = level_beyond(table, region_of(t, view), side, own), drawn = beyond > own ? beyond : own;
            if (drawn > coarsest)
                n_ancestors = add(ancestor_of(t, view, drawn - levels), ancestors, n_ancestors, most);
            t->coarser[side] = (uint8_t)((drawn < coarsest ? drawn : coarsest) - level);
        }
    }
    return n_ancestors;
}
