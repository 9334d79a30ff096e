/* edge_check.c - reads tiles back from the GPU and compares them. */
#include "program/viewer/tiles/edge_check.h"

#include <stdlib.h>
#include <string.h>

/** The drawn tiles of a frame. */
typedef struct shown_tiles {
    uint32_t *slots;
    tile_key *keys;
    float *heights, *water; /* water: may be NULL */
    const float *compared;  /* `heights` or `water`: the layer that is being compared */
    size_t count;
} shown_tiles;

static bool is_same(tile_key a, tile_key b)
{
    return a.lod == b.lod && a.i == b.i && a.j == b.j;
}

static const float *find(const shown_tiles *t, const quadtree *tree, tile_key key)
{
    const int64_t row = key.j & (QUADTREE_PAGES - 1), column = key.i & (QUADTREE_PAGES - 1);
    const int32_t slot =
        key.lod <= tree->top ? quadtree_page_slot(tree->pages[key.lod][row * QUADTREE_PAGES + column]) : -1;
    for (size_t n = 0; slot >= 0 && n < t->count; n++)
        if (t->slots[n] == (uint32_t)slot)
            return is_same(t->keys[n], key) ? t->compared + n * TILE_FLOATS : NULL;
    return NULL;
}

static float sample(const float *tile, int x, int y)
{
    return tile[(y + TILE_APRON) * TILE_SAMPLES + x + TILE_APRON];
}

static void compare(float a, float b, edge_count *out)
{
    out->n_compared++;
    out->n_different += memcmp(&a, &b, sizeof a) != 0;
}

/** Compare a tile's east and south edges with its neighbours, and its even samples with the coarser level. */
static void compare_tile(const shown_tiles *t, const quadtree *tree, size_t n, edge_count *out)
{
    const tile_key key = t->keys[n];
    const float *tile = t->compared + n * TILE_FLOATS;
    const float *east = find(t, tree, (tile_key){key.lod, key.i + 1, key.j});
    const float *south = find(t, tree, (tile_key){key.lod, key.i, key.j + 1});
    const float *parent = find(t, tree, (tile_key){key.lod + 1, key.i >> 1, key.j >> 1});
    const float *beside[4] = {find(t, tree, (tile_key){key.lod + 1, (key.i >> 1) + 1, key.j >> 1}),
                              find(t, tree, (tile_key){key.lod + 1, (key.i >> 1) - 1, key.j >> 1}),
                              find(t, tree, (tile_key){key.lod + 1, key.i >> 1, (key.j >> 1) + 1}),
                              find(t, tree, (tile_key){key.lod + 1, key.i >> 1, (key.j >> 1) - 1})};
    const bool are_means = key.lod + 1 >= tree->means_lod; /* the coarser level has means and shares no sample */
    const int half = TILE_QUADS / 2, at_x = (int)(key.i & 1) * half, at_y = (int)(key.j & 1) * half;
    for (int k = 0; k <= TILE_QUADS; k++) {
        if (east)
            compare(sample(tile, TILE_QUADS, k), sample(east, 0, k), out);
        if (south)
            compare(sample(tile, k, TILE_QUADS), sample(south, k, 0), out);
    }
    for (int k = 0; k <= half && !are_means; k++) {
        if (parent)
            for (int m = 0; m <= half; m++)
                compare(sample(tile, 2 * k, 2 * m), sample(parent, at_x + k, at_y + m), out);
        if (beside[0] && at_x)
            compare(sample(tile, TILE_QUADS, 2 * k), sample(beside[0], 0, at_y + k), out);
        if (beside[1] && !at_x)
            compare(sample(tile, 0, 2 * k), sample(beside[1], TILE_QUADS, at_y + k), out);
        if (beside[2] && at_y)
            compare(sample(tile, 2 * k, TILE_QUADS), sample(beside[2], at_x + k, 0), out);
        if (beside[3] && !at_y)
            compare(sample(tile, 2 * k, 0), sample(beside[3], at_x + k, TILE_QUADS), out);
    }
}

/** List the drawn tiles, each once, and read their heights and, if has_water, their water. */
static result read_tiles(const tile_store *store, const quadtree *tree, bool has_water, shown_tiles *t)
{
    t->slots = calloc(tree->n_tiles + 1, sizeof *t->slots);
    t->keys = calloc(tree->n_tiles + 1, sizeof *t->keys);
    t->heights = malloc((tree->n_tiles + 1) * TILE_FLOATS * sizeof *t->heights);
    if (has_water)
        t->water = malloc((tree->n_tiles + 1) * TILE_FLOATS * sizeof *t->water);
    if (!t->slots || !t->keys || !t->heights || (has_water && !t->water))
        return result_of(RESULT_FAILED, "no memory to compare tiles");
    for (size_t n = 0; n < tree->n_tiles; n++) {
        const quadtree_tile *drawn = &tree->tiles[n];
        if (t->count > 0 && t->slots[t->count - 1] == drawn->slot)
            continue; /* parts of a tile follow one another */
        t->slots[t->count] = drawn->slot;
        t->keys[t->count] = tile_store_read(store, drawn->slot, t->heights + t->count * TILE_FLOATS,
                                            has_water ? t->water + t->count * TILE_FLOATS : NULL);
        t->count++;
    }
    return result_done();
}

result edges_compare(const tile_store *store, const quadtree *tree, bool has_water, edge_count *out)
{
    shown_tiles t = {0};
    *out = (edge_count){0};
    const result res = read_tiles(store, tree, has_water, &t);
    for (int layer = 0; layer < (has_water ? 2 : 1) && res.kind == RESULT_DONE; layer++) {
        t.compared = layer ? t.water : t.heights;
        for (size_t n = 0; n < t.count; n++)
            compare_tile(&t, tree, n, out);
    }
    free(t.slots);
    free(t.keys);
    free(t.heights);
    free(t.water);
    return res;
}
