/* seams.c - keeps a hash table of drawn meshes by position; each edge looks up the neighbouring mesh. */
#include "program/stream/seams.h"

enum { SIDES = 4 };

/** A square of the land that one mesh draws. Its width is 128 * 2^level lattice steps, its position is in such widths.
 * Parts of tiles of lod 0 have levels below 0. */
typedef struct region {
    int level;
    int64_t i, j;
} region;

/** Level of a mesh. */
static int level_of(const quadtree_tile *t)
{
    return t->lod - t->part;
}

/** Level of a mesh at its edges: the next coarser level while the mesh does not show all of its own detail yet. */
static int edge_level(const quadtree_tile *t)
{
    return level_of(t) + (t->detail_share < 1.0f);
}

static region region_of(const quadtree_tile *t, const quadtree_view *view)
{
    const int level = level_of(t), bits = TILE_BITS + level;
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

/** Entry of the mesh that draws a region, or the free entry for it. */
static seam_mesh *find(seam_table *table, region r)
{
    uint64_t h =
        (uint64_t)r.i * UINT64_C(0x9E3779B97F4A7C15) ^ (uint64_t)(r.j + r.level) * UINT64_C(0xC2B2AE3D27D4EB4F);
    h ^= h >> 29;
    h *= UINT64_C(0xBF58476D1CE4E5B9);
    size_t at = (size_t)(h >> 32) % SEAM_MESHES;
    for (seam_mesh *m = &table->meshes[at]; m->generation == table->generation; m = &table->meshes[at]) {
        if (is_same((region){m->level, m->i, m->j}, r))
            return m;
        at = (at + 1) % SEAM_MESHES;
    }
    return &table->meshes[at];
}

static void fill_table(seam_table *table, const quadtree_tile *tiles, size_t count, const quadtree_view *view)
{
    table->generation++; /* frees all entries */
    for (size_t n = 0; n < count; n++) {
        const region r = region_of(&tiles[n], view);
        *find(table, r) = (seam_mesh){r.i, r.j, r.level, edge_level(&tiles[n]), table->generation};
    }
}

/** Edge level of the neighbour on a side of a region if the neighbour is at least as wide as the region; else
 * `fallback`. Narrower neighbours adapt to the region's edge themselves. */
static int neighbour_level(seam_table *table, region r, int side, int fallback)
{
    static const int EAST[SIDES] = {0, -1, 0, 1}, SOUTH[SIDES] = {-1, 0, 1, 0};
    region neighbour = {r.level, r.i + EAST[side], r.j + SOUTH[side]};
    while (neighbour.level < TILE_LODS && !is_same(neighbour, r)) {
        const seam_mesh *m = find(table, neighbour);
        if (m->generation == table->generation)
            return m->edge_level;
        neighbour = parent_of(neighbour);
        r = parent_of(r);
    }
    return fallback;
}

/** By how many levels a tile's edge may be coarser than its mesh: an edge keeps at least its ends and its middle. */
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
    const int bits = TILE_BITS + lod;
    return (tile_key){lod, (view->cell_x + t->x) >> bits, (view->cell_z + t->z) >> bits};
}

/** Append a tile to a list unless it is listed already. */
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
        const int level = level_of(t), edge = edge_level(t), coarsest = t->lod + levels;
        for (int side = 0; side < SIDES; side++) {
            const int neighbour = neighbour_level(table, region_of(t, view), side, edge);
            const int drawn = neighbour > edge ? neighbour : edge;
            if (drawn > coarsest)
                n_ancestors = add(ancestor_of(t, view, drawn - levels), ancestors, n_ancestors, most);
            t->coarser[side] = (uint8_t)((drawn < coarsest ? drawn : coarsest) - level);
        }
    }
    return n_ancestors;
}
