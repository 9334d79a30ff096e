/* quadtree.c - walks the quadtree: finds missing tiles and tiles to draw. */
#include "program/stream/quadtree.h"

#include <math.h>
#include <string.h>

static const double PREFETCH = 1.15;     /* tiles are requested within this many times their drawing range */
static const double HIDDEN_SHARE = 0.25; /* due distance of tiles out of view grows by this share of their distance */
static const double EARLY_ROOTS = 1.25;  /* tiles that become roots if the far distance grows so much are requested */
static const double SOON = 2.0;        /* a tile is soon needed if due within this many times the look-ahead distance */
static const double UNFOLD_S = 0.25;   /* time in which a tile that was missing in view shows all of its detail */
static const double REACH_MAX = 14.0;  /* limit of the far distance, widths of the coarsest tile */
static const double STEPS_MAX = 5.0e8; /* greatest far distance, lattice steps: tile positions have 32 bits */

static int64_t tile_steps(int lod)
{
    return (int64_t)TILE_QUADS << lod;
}

static lod_scale scale_of(const quadtree *tree)
{
    return (lod_scale){.top = tree->top, .n_parts = tree->n_parts, .spacing = tree->spacing, .detail = tree->detail};
}

double quadtree_tile_width(const quadtree *tree, int lod)
{
    const lod_scale scale = scale_of(tree);
    return lod_tile_width(&scale, lod);
}

static double wanted_range(const quadtree *tree, int lod)
{
    const lod_scale scale = scale_of(tree);
    return lod_wanted_range(&scale, lod);
}

static bool is_above_roots(const quadtree *tree, const quadtree_view *view, int lod)
{
    const lod_scale scale = scale_of(tree);
    return lod_is_above_roots(&scale, view->far_distance, lod);
}

double quadtree_morph_start(const quadtree *tree, int lod)
{
    return lod_morph_start(tree->ranges.tiles[lod]);
}

double quadtree_morph_end(const quadtree *tree, int lod)
{
    return lod_morph_end(tree->ranges.tiles[lod]);
}

double quadtree_part_morph_start(const quadtree *tree, int part)
{
    return lod_morph_start(tree->ranges.parts[part]);
}

double quadtree_part_morph_end(const quadtree *tree, int part)
{
    return lod_morph_end(tree->ranges.parts[part]);
}

static box node_box(const quadtree *tree, const quadtree_view *view, tile_key key)
{
    const int64_t steps = tile_steps(key.lod);
    return bounds_box(view, tree->spacing, key.i * steps, key.j * steps, (double)steps);
}

/** Bounds of a node and its descendants, from the node's measured heights; the parent's bounds if not measured yet. */
static span node_span(const quadtree *tree, const quadtree_view *view, tile_key key, uint32_t slot, span parent)
{
    float low, high;
    tile_pool_bounds(tree->pool, slot, &low, &high);
    if (!isfinite(low))
        return parent;
    const double reach = tree->reach[key.lod];
    return (span){(double)low - reach - view->altitude, (double)high + reach - view->altitude};
}

/** Whether every sample of a tile, apron included, lies in the world. */
static bool is_in_world(const quadtree *tree, tile_key key)
{
    const int64_t limit = (TER_COORDINATE_MAX << tree->fine_lods) >> key.lod;
    const int64_t first_i = key.i * TILE_QUADS - TILE_APRON, first_j = key.j * TILE_QUADS - TILE_APRON;
    return first_i >= -limit && first_j >= -limit && first_i + TILE_SAMPLES - 1 <= limit &&
           first_j + TILE_SAMPLES - 1 <= limit;
}

static tile_key child_of(tile_key key, int n)
{
    return (tile_key){key.lod - 1, 2 * key.i + (n & 1), 2 * key.j + (n >> 1)};
}

/** List a request unless the tile is already pending. */
static void add_request(quadtree *tree, tile_state state, const quadtree_request *request)
{
    if (state == TILE_ABSENT && tree->n_requests < QUADTREE_REQUESTS_MAX)
        tree->requests[tree->n_requests++] = *request;
}

int32_t quadtree_page_slot(int32_t page)
{
    return page < 0 ? -1 : page & ((1 << QUADTREE_SLOT_BITS) - 1);
}

/** Enter a tile in the page table. */
static void enter_page(quadtree *tree, tile_key key, uint32_t slot)
{
    const int64_t row = key.j & (QUADTREE_PAGES - 1), column = key.i & (QUADTREE_PAGES - 1);
    const float hidden = 1.0f - tile_pool_detail_share(tree->pool, slot);
    tree->pages[key.lod][row * QUADTREE_PAGES + column] = (int32_t)slot | (int32_t)(hidden * (float)QUADTREE_HIDDEN_MAX)
                                                                              << QUADTREE_SLOT_BITS;
    tree->is_fading |= hidden > 0.0f;
}

/** Advance the unfolding of a tile, in which its own detail replaces the shape of its parent. was_missed: the last
 * frame drew the parent instead, so unfolding starts now. */
static void unfold(quadtree *tree, uint32_t slot, bool was_missed)
{
    const float step = (float)fmin(tree->elapsed_s / UNFOLD_S, 1.0);
    const float before = was_missed ? 0.0f : tile_pool_detail_share(tree->pool, slot) + step;
    tile_pool_set_detail_share(tree->pool, slot, step >= 1.0f ? 1.0f : fminf(before, 1.0f));
}

/** Whether a tile's children may be drawn: the tile is fully unfolded, and no seam needs the tile itself. */
static bool is_open(const quadtree *tree, uint32_t slot)
{
    for (size_t n = 0; n < tree->n_unsplit; n++)
        if (tree->unsplit[n] == slot)
            return false;
    return tile_pool_detail_share(tree->pool, slot) >= 1.0f;
}

/** Whether a node or its child is so near that the child is kept and requested. The reach exceeds the drawing range,
 * because levels are loaded one after another. lod: level of detail of the child */
static bool is_within_reach(const quadtree *tree, const quadtree_view *view, const box *b, int lod)
{
    const double reach = PREFETCH * fmin(wanted_range(tree, lod), view->far_distance);
    return bounds_are_soon_within(b, view, tree->spacing, reach);
}

/** Request a missing tile. least_due: m; the camera travels at least this far before the tile is drawn */
static void request_missing(quadtree *tree, const quadtree_view *view, tile_key key, tile_state state,
                            const span *parent, double least_due)
{
    const box b = node_box(tree, view, key);
    const double distance = bounds_distance(&b, view);
    const double draw_due = fmax(least_due, distance - fmin(wanted_range(tree, key.lod), view->far_distance));
    const bool is_in_frustum = bounds_are_in_frustum(&b, view, parent);
    const double beyond = bounds_beyond_horizon(view, parent, distance),
                 penalty = is_in_frustum ? fmax(beyond, 0.0) : HIDDEN_SHARE * distance;
    const bool is_visible = is_in_frustum && beyond < 0.0;
    const double soon = SOON * hypot(view->ahead_x, view->ahead_z) * tree->spacing;
    const double due = is_visible ? draw_due : fmax(draw_due, 0.0) + penalty;
    const quadtree_request request = {key, distance, due, draw_due < 0.0 && is_visible, due < soon};
    add_request(tree, state, &request);
    tree->n_late += request.is_seen;
}

/** Request a tile that becomes a root once the far distance has grown a little. The tile is due when the far distance
 * has grown by the difference. */
static void gather_early_root(quadtree *tree, const quadtree_view *view, tile_key key, const span *parent)
{
    uint32_t slot;
    const double range = wanted_range(tree, key.lod - 1);
    if (range < EARLY_ROOTS * view->far_distance)
        request_missing(tree, view, key, tile_pool_use(tree->pool, key, tree->frame, &slot), parent,
                        range - view->far_distance);
}

/** What a node inherits from its parent during traversal. */
typedef struct descent {
    span bounds;     /* bounds of the parent */
    bool is_root;    /* the parent is coarser than the roots and has no tile */
    bool is_open;    /* the parent's children may be drawn */
    bool was_missed; /* the last frame drew the parent instead of this node */
} descent;

static void gather(quadtree *tree, const quadtree_view *view, tile_key key, const descent *from);

/** Keep the ready children of a missing root. They were the roots while the far distance was shorter. */
static void gather_without_root(quadtree *tree, const quadtree_view *view, tile_key key, const descent *from)
{
    uint32_t slot;
    descent down = *from;
    down.is_root = false;
    for (int n = 0; n < 4 && key.lod > 0; n++)
        if (tile_pool_use(tree->pool, child_of(key, n), tree->frame, &slot) == TILE_READY)
            gather(tree, view, child_of(key, n), &down);
}

/** Mark a node and the descendants that the view needs as used, and request those that are missing. */
static void gather(quadtree *tree, const quadtree_view *view, tile_key key, const descent *from)
{
    uint32_t slot = 0;
    if (!is_in_world(tree, key))
        return;
    const bool has_tile = !is_above_roots(tree, view, key.lod);
    const tile_state state = has_tile ? tile_pool_use(tree->pool, key, tree->frame, &slot) : TILE_READY;
    if (state != TILE_READY) {
        request_missing(tree, view, key, state, &from->bounds, -INFINITY);
        if (from->is_root)
            gather_without_root(tree, view, key, from);
        return;
    }
    if (has_tile && from->is_open) {
        if (!tree->has_seams) /* with seams, this is a repeated traversal for the same frame */
            unfold(tree, slot, from->was_missed);
        enter_page(tree, key, slot);
    }
    if (!has_tile)
        gather_early_root(tree, view, key, &from->bounds);
    const box b = node_box(tree, view, key);
    if (key.lod == 0 || !is_within_reach(tree, view, &b, key.lod - 1))
        return;
    const unsigned missed = has_tile ? tile_pool_replaced_children(tree->pool, slot, tree->frame - 1) : 0;
    descent down = {.bounds = has_tile ? node_span(tree, view, key, slot, from->bounds) : from->bounds,
                    .is_root = !has_tile,
                    .is_open = from->is_open && (!has_tile || is_open(tree, slot))};
    for (int n = 0; n < 4; n++) {
        const tile_key child = child_of(key, n);
        const box child_box = node_box(tree, view, child);
        down.was_missed = missed >> n & 1;
        if (!has_tile || is_within_reach(tree, view, &child_box, child.lod))
            gather(tree, view, child, &down);
    }
}

/** A part of a tile: how often the tile is halved, and the part's position in the tile, in widths of such parts. */
typedef struct tile_part {
    int halvings, column, row;
} tile_part;

static tile_part quarter_of(tile_part p, int n)
{
    return (tile_part){p.halvings + 1, 2 * p.column + (n & 1), 2 * p.row + (n >> 1)};
}

/** A ready tile with its bounds. */
typedef struct drawn_tile {
    tile_key key;
    uint32_t slot;
    span bounds;
} drawn_tile;

static box part_box(const quadtree *tree, const quadtree_view *view, tile_key key, tile_part p)
{
    const int64_t tile = tile_steps(key.lod), steps = tile >> p.halvings;
    return bounds_box(view, tree->spacing, key.i * tile + p.column * steps, key.j * tile + p.row * steps,
                      (double)steps);
}

/** Range of meshes of a level. Levels below 0 are parts of tiles of lod 0. */
static double level_range(const quadtree *tree, int level)
{
    return level >= 0 ? tree->ranges.tiles[level] : tree->ranges.parts[-level];
}

static void add_tile(quadtree *tree, const quadtree_view *view, const drawn_tile *t, tile_part p)
{
    const int64_t tile = tile_steps(t->key.lod), steps = tile >> p.halvings;
    /* Only the finest mesh unfolds: coarser meshes had the same vertices while the ancestor was drawn instead. */
    const bool is_finest = p.halvings == tree->n_parts;
    if (tree->n_tiles < QUADTREE_TILES_MAX)
        tree->tiles[tree->n_tiles++] =
            (quadtree_tile){.x = (int32_t)(t->key.i * tile + p.column * steps - view->cell_x),
                            .z = (int32_t)(t->key.j * tile + p.row * steps - view->cell_z),
                            .lod = (uint8_t)t->key.lod,
                            .part = (uint8_t)p.halvings,
                            .column = (uint8_t)p.column,
                            .row = (uint8_t)p.row,
                            .slot = t->slot,
                            .detail_share = is_finest ? tile_pool_detail_share(tree->pool, t->slot) : 1.0f};
}

/** List a part of a tile, or its four quarters where the view needs finer meshes. Returns whether the meshes are as
 * fine as the view needs. */
static bool draw_part(quadtree *tree, const quadtree_view *view, const drawn_tile *t, tile_part p)
{
    const int level = t->key.lod - p.halvings;
    const box b = part_box(tree, view, t->key, p);
    const double distance = bounds_distance(&b, view);
    if (p.halvings > 0 &&
        (distance >= view->far_distance || (!tree->has_seams && !bounds_are_in_frustum(&b, view, &t->bounds))))
        return true;
    const bool is_split = level > -tree->n_parts && distance < level_range(tree, level - 1);
    bool is_fine = true;
    if (is_split && p.halvings < tree->n_parts) {
        for (int n = 0; n < 4; n++)
            is_fine &= draw_part(tree, view, t, quarter_of(p, n));
        return is_fine;
    }
    add_tile(tree, view, t, p);
    return !is_split && (p.halvings < tree->n_parts || tile_pool_detail_share(tree->pool, t->slot) >= 1.0f);
}

/** List a quarter of a tile instead of its child there: the child is missing, or beyond its range. */
static bool draw_quarter(quadtree *tree, const quadtree_view *view, const drawn_tile *t, int child, bool is_missing)
{
    const tile_part quarter = quarter_of((tile_part){0}, child);
    const box b = part_box(tree, view, t->key, quarter);
    const double distance = bounds_distance(&b, view);
    if (distance >= view->far_distance || !bounds_are_visible(&b, view, &t->bounds, distance))
        return true;
    if (is_missing)
        tile_pool_note_replaced_children(tree->pool, t->slot, tree->frame, 1u << child);
    return draw_part(tree, view, t, quarter);
}

static bool select_tiles(quadtree *tree, const quadtree_view *view, tile_key key, span parent);

/** List a ready, visible tile, or its children where the view needs them. */
static bool draw_tile(quadtree *tree, const quadtree_view *view, const drawn_tile *t, const box *b, double distance)
{
    const bool is_split = t->key.lod > 0 && distance < tree->ranges.tiles[t->key.lod - 1];
    bool is_fine = true;
    if (!is_split)
        return draw_part(tree, view, t, (tile_part){0});
    if (!is_open(tree, t->slot)) {
        tree->n_late++;
        tile_pool_note_replaced_children(tree->pool, t->slot, tree->frame, 15);
        return draw_part(tree, view, t, (tile_part){0});
    }
    /* Front to back: near tiles hide far tiles. */
    const int nearest = (b->west + b->east < 0) + 2 * (b->north + b->south < 0);
    for (int n = 0; n < 4; n++) {
        uint32_t slot;
        const tile_key child = child_of(t->key, n ^ nearest);
        const box child_box = node_box(tree, view, child);
        const bool is_in_range = bounds_distance(&child_box, view) < tree->ranges.tiles[child.lod];
        const bool is_ready = is_in_range && tile_pool_use(tree->pool, child, tree->frame, &slot) == TILE_READY;
        is_fine &= is_ready ? select_tiles(tree, view, child, t->bounds)
                            : draw_quarter(tree, view, t, n ^ nearest, is_in_range);
    }
    return is_fine;
}

/** List the tiles to draw for a node. Returns whether all meshes are as fine as the view needs. */
static bool select_tiles(quadtree *tree, const quadtree_view *view, tile_key key, span parent)
{
    uint32_t slot = 0;
    bool is_fine = true;
    const box b = node_box(tree, view, key);
    const double distance = bounds_distance(&b, view);
    const bool has_tile = !is_above_roots(tree, view, key.lod);
    if (distance >= view->far_distance)
        return true;
    const bool is_ready = has_tile && tile_pool_use(tree->pool, key, tree->frame, &slot) == TILE_READY;
    const span bounds = is_ready ? node_span(tree, view, key, slot, parent) : parent;
    if (!bounds_are_visible(&b, view, &bounds, distance))
        return true;
    if (is_ready)
        return draw_tile(tree, view, &(drawn_tile){key, slot, bounds}, &b, distance);
    const int nearest = (b.west + b.east < 0) + 2 * (b.north + b.south < 0);
    for (int n = 0; n < 4 && key.lod > 0; n++) {
        const tile_key child = child_of(key, n ^ nearest);
        if (!has_tile || tile_pool_use(tree->pool, child, tree->frame, &slot) == TILE_READY)
            is_fine &= select_tiles(tree, view, child, bounds);
    }
    return is_fine;
}

static int64_t floor_divide(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/** Call `visit` for every node of the coarsest lod within the far distance, ring by ring around the camera. Returns
 * whether all calls returned true. */
static bool for_each_root(quadtree *tree, const quadtree_view *view,
                          bool (*visit)(quadtree *, const quadtree_view *, tile_key))
{
    const int64_t steps = tile_steps(tree->top);
    const int64_t reach = (int64_t)ceil(view->far_distance / quadtree_tile_width(tree, tree->top));
    const int64_t i = floor_divide(view->cell_x, steps), j = floor_divide(view->cell_z, steps);
    bool is_fine = true;
    for (int64_t ring = 0; ring <= reach; ring++)
        for (int64_t row = -ring; row <= ring; row++)
            for (int64_t column = -ring; column <= ring;
                 column += row == -ring || row == ring || ring == 0 ? 1 : 2 * ring)
                is_fine &= visit(tree, view, (tile_key){tree->top, i + column, j + row});
    return is_fine;
}

static bool visit_gather(quadtree *tree, const quadtree_view *view, tile_key key)
{
    const box b = node_box(tree, view, key);
    const descent from = {.bounds = {view->low, view->high}, .is_root = true, .is_open = true};
    if (bounds_are_soon_within(&b, view, tree->spacing, PREFETCH * view->far_distance))
        gather(tree, view, key, &from);
    return true;
}

static bool visit_select(quadtree *tree, const quadtree_view *view, tile_key key)
{
    return !is_in_world(tree, key) || select_tiles(tree, view, key, (span){view->low, view->high});
}

/** Walk the tree for tiles to keep and to request, and fill the page table. */
static void gather_all(quadtree *tree, const quadtree_view *view)
{
    tree->n_requests = tree->n_late = 0;
    tree->is_fading = false;
    memset(tree->pages, 0xff, (size_t)(tree->top + 1) * sizeof tree->pages[0]); /* -1 */
    for_each_root(tree, view, visit_gather);
}

/** List the tiles to draw. Returns whether all meshes are as fine as the view needs. */
static bool select_all(quadtree *tree, const quadtree_view *view)
{
    tree->n_tiles = 0;
    return for_each_root(tree, view, visit_select);
}

/** Draw a tile instead of its children in this frame. */
static void keep_unsplit(quadtree *tree, tile_key key)
{
    uint32_t slot;
    if (tree->n_unsplit < QUADTREE_UNSPLIT_MAX && key.lod <= tree->top &&
        tile_pool_use(tree->pool, key, tree->frame, &slot) == TILE_READY)
        tree->unsplit[tree->n_unsplit++] = slot;
}

/** Close the seams beside meshes that are coarser than the view needs. A fine tile whose edge cannot be drawn as
 * coarsely as its neighbour's is replaced by an ancestor. */
static void close_seams(quadtree *tree, const quadtree_view *view)
{
    static const int ROUNDS = 16; /* each round may replace tiles by coarser ones */
    tree->has_seams = true;
    for (int n = 0; n < ROUNDS; n++) {
        tile_key ancestors[QUADTREE_UNSPLIT_MAX];
        (void)select_all(tree, view);
        const size_t count = seams_close(&tree->seams, tree->tiles, tree->n_tiles, view, tree->mesh_step, ancestors,
                                         QUADTREE_UNSPLIT_MAX);
        if (count == 0)
            return;
        for (size_t k = 0; k < count; k++)
            keep_unsplit(tree, ancestors[k]);
        gather_all(tree, view);
    }
}

void quadtree_update(quadtree *tree, const quadtree_view *given, double elapsed_s)
{
    const lod_scale scale = scale_of(tree);
    quadtree_view limited = *given;
    limited.far_distance = fmin(given->far_distance, REACH_MAX * quadtree_tile_width(tree, tree->top));
    limited.far_distance = fmin(limited.far_distance, STEPS_MAX * tree->spacing);
    const quadtree_view *view = &limited;
    tree->frame++;
    tree->elapsed_s = elapsed_s;
    tree->has_seams = false;
    tree->n_unsplit = 0;
    lod_ranges_update(&tree->ranges, &scale, view->far_distance, view->height, elapsed_s);
    gather_all(tree, view);
    if (!select_all(tree, view))
        close_seams(tree, view);
    requests_sort(tree->requests, tree->n_requests);
}
