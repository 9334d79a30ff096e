/* quadtree.c - traversal, ranges, requests. */
#include "stream/quadtree.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double MORPH_START = 0.8;   /* of the range */
static const double MORPH_END = 0.98;    /* a margin for the difference between double here and float in the shader */
static const double PREFETCH = 1.15;     /* tiles are requested this far beyond the range that needs them */
static const double TURN = 0.25;         /* what lies out of view is asked for as if it were this share of its distance further */
static const double EARLY_ROOTS = 1.25;  /* roots are requested when the land in sight is nearly as wide as needs them */
static const double SOON = 2.0;          /* what is due within so many times the way that is looked ahead is wanted soon */
static const double GROWTH_S = 0.6;      /* a range that was cut short grows back in this time */
static const double TOP_WIDTH_M = 5.0e5; /* roots are about this wide */
static const double REACH_MAX = 14.0;    /* roots in sight in each direction; worlds of few levels have small ones */
static const double STEPS_MAX = 5.0e8;   /* lattice steps to the farthest land: places of tiles are 32-bit integers */
static const double DIAGONAL = 2.8285;   /* of a node of lod d + 1, in widths of lod d */

static int64_t tile_steps(int lod)
{
    return (int64_t)TILE_QUADS << lod;
}

double quadtree_tile_width(const quadtree *tree, int lod)
{
    return (double)tile_steps(lod) * tree->spacing;
}

void quadtree_admit(quadtree *tree, const ter_params *p)
{
    double amplitude[TER_LEVELS_MAX + 1], reach = 0.0;
    ter_params_amplitudes(p, amplitude);
    for (int lod = 0; lod <= tree->top; lod++) {
        tree->reach[lod] = fmax(tree->reach[lod], QUADTREE_OVERSHOOT * reach);
        reach += amplitude[p->levels - lod];
    }
}

void quadtree_init(quadtree *tree, tile_pool *pool, const ter_params *p, double detail, int n_parts)
{
    *tree = (quadtree){.pool = pool, .spacing = p->spacing, .detail = detail, .n_parts = n_parts};
    while (tree->top < p->levels && quadtree_tile_width(tree, tree->top) < TOP_WIDTH_M && tree->top < 24)
        tree->top++;
    quadtree_admit(tree, p);
}

static double wanted_range(const quadtree *tree, int lod)
{
    return lod >= tree->top ? INFINITY : tree->detail * quadtree_tile_width(tree, lod);
}

double quadtree_morph_start(const quadtree *tree, int lod)
{
    return MORPH_START * tree->shown[lod];
}

double quadtree_morph_end(const quadtree *tree, int lod)
{
    return MORPH_END * tree->shown[lod];
}

double quadtree_part_morph_start(const quadtree *tree, int part)
{
    return MORPH_START * tree->shown_parts[part];
}

double quadtree_part_morph_end(const quadtree *tree, int part)
{
    return MORPH_END * tree->shown_parts[part];
}

/** Box of a node relative to the camera, metres. */
typedef struct box {
    double west, east, north, south;
} box;

static box box_of(const quadtree *tree, const quadtree_view *view, int64_t x, int64_t z, double steps)
{
    const double west = ((double)(x - view->cell_x) - view->offset_x) * tree->spacing;
    const double north = ((double)(z - view->cell_z) - view->offset_z) * tree->spacing;
    return (box){west, west + steps * tree->spacing, north, north + steps * tree->spacing};
}

static box node_box(const quadtree *tree, const quadtree_view *view, tile_key key)
{
    const int64_t steps = tile_steps(key.lod);
    return box_of(tree, view, key.i * steps, key.j * steps, (double)steps);
}

static double square(double x)
{
    return x * x;
}

/** Square of the distance from the camera to a node, as the shader measures it at the node's nearest vertex. */
static double box_distance_squared(const box *b, const quadtree_view *view)
{
    const double dx = b->west > 0 ? b->west : b->east < 0 ? b->east : 0;
    const double dz = b->north > 0 ? b->north : b->south < 0 ? b->south : 0;
    return square(dx) + square(dz) + square(view->height);
}

static double box_distance(const box *b, const quadtree_view *view)
{
    return sqrt(box_distance_squared(b, view));
}

/** Whether a node is nearer than `reach` to a place between the camera and where it will soon be, or may be. */
static bool is_soon_within(const quadtree *tree, const box *b, const quadtree_view *view, double reach)
{
    const double x = view->ahead_x * tree->spacing, z = view->ahead_z * tree->spacing;
    const box swept = {b->west - (x > 0 ? x : 0), b->east - (x < 0 ? x : 0), b->north - (z > 0 ? z : 0),
                       b->south - (z < 0 ? z : 0)};
    return box_distance_squared(&swept, view) < square(reach);
}

/** Lowest and highest ground of a subtree, relative to the camera. */
typedef struct span {
    double low, high;
} span;

/** Bounds of a node and all below it: its own where they are known, else its parent's. */
static span node_span(const quadtree *tree, const quadtree_view *view, tile_key key, uint32_t slot, span parent)
{
    float low, high;
    tile_pool_bounds(tree->pool, slot, &low, &high);
    if (!isfinite(low))
        return parent;
    const double reach = tree->reach[key.lod];
    return (span){(double)low - reach - view->altitude, (double)high + reach - view->altitude};
}

/** How far beyond the horizon of a sphere under the land, the sea for example, the highest point of a node lies; less than 0: it
 * can be seen over it. */
static double beyond_horizon(const quadtree_view *view, const span *s, double distance)
{
    const double camera = view->altitude - view->occluder, top = s->high + camera;
    if (view->planet_radius <= 0.0 || camera <= 0.0)
        return -INFINITY;
    return distance - sqrt(2.0 * view->planet_radius * camera) - (top > 0.0 ? sqrt(2.0 * view->planet_radius * top) : 0.0);
}

static bool is_in_frustum(const box *b, const quadtree_view *view, const span *s)
{
    const double far_x = fmax(fabs(b->west), fabs(b->east)), far_z = fmax(fabs(b->north), fabs(b->south));
    const double drop = view->planet_radius > 0 ? (far_x * far_x + far_z * far_z) / (2.0 * view->planet_radius) : 0.0;
    for (int n = 0; n < 5; n++) {
        const double *p = view->planes[n];
        const double x = p[0] > 0 ? b->east : b->west, y = p[1] > 0 ? s->high : s->low - drop, z = p[2] > 0 ? b->south : b->north;
        if (p[0] * x + p[1] * y + p[2] * z + p[3] < 0)
            return false;
    }
    return true;
}

static bool is_visible(const box *b, const quadtree_view *view, const span *s, double distance)
{
    return is_in_frustum(b, view, s) && beyond_horizon(view, s, distance) < 0.0;
}

/** Whether every sample of a tile, apron included, lies in the world. */
static bool is_in_world(tile_key key)
{
    const int64_t limit = TER_COORDINATE_MAX >> key.lod;
    const int64_t first_i = key.i * TILE_QUADS - TILE_APRON, first_j = key.j * TILE_QUADS - TILE_APRON;
    return first_i >= -limit && first_j >= -limit && first_i + TILE_SAMPLES - 1 <= limit && first_j + TILE_SAMPLES - 1 <= limit;
}

static tile_key child_of(tile_key key, int n)
{
    return (tile_key){key.lod - 1, 2 * key.i + (n & 1), 2 * key.j + (n >> 1)};
}

/** Request a tile, if its state says that it is not even pending. */
static void request(quadtree *tree, tile_state state, const quadtree_request *wish)
{
    if (state == TILE_ABSENT && tree->n_requests < QUADTREE_REQUESTS_MAX)
        tree->requests[tree->n_requests++] = *wish;
}

/** Keep a tile, and enter it in the page table if it is there. Returns its state, with its slot if it has one. */
static tile_state keep(quadtree *tree, tile_key key, uint32_t *slot)
{
    const tile_state state = tile_pool_use(tree->pool, key, tree->frame, slot);
    const int64_t row = key.j & (QUADTREE_PAGES - 1), column = key.i & (QUADTREE_PAGES - 1);
    if (state == TILE_READY)
        tree->pages[key.lod][row * QUADTREE_PAGES + column] = (int32_t)*slot;
    return state;
}

/** Whether a lod's tiles would never be drawn, because finer ones reach beyond the farthest land: the land begins below it. */
static bool is_above_roots(const quadtree *tree, const quadtree_view *view, int lod)
{
    return lod > 0 && wanted_range(tree, lod - 1) >= view->far_distance;
}

/** How far from the camera a node's children are kept: some way beyond where they are drawn, for they come one level after another.
 */
static double children_reach(const quadtree *tree, const quadtree_view *view, int lod)
{
    return PREFETCH * fmin(wanted_range(tree, lod - 1), view->far_distance);
}

/** Ask for a tile if it is not there. due: metres until its parent is to be split. Returns whether the view does without it. */
static bool miss(quadtree *tree, const quadtree_view *view, tile_key key, tile_state state, const span *parent, double due)
{
    const box b = node_box(tree, view, key);
    const double distance = box_distance(&b, view), wanted = fmax(due, distance - view->far_distance);
    const bool is_ahead = is_in_frustum(&b, view, parent);
    const double beyond = beyond_horizon(view, parent, distance), out_of_view = is_ahead ? fmax(beyond, 0.0) : TURN * distance;
    const bool is_in_sight = is_ahead && beyond < 0.0;
    const double soon = SOON * hypot(view->ahead_x, view->ahead_z) * tree->spacing;
    const double wish_due = is_in_sight ? wanted : fmax(wanted, 0.0) + out_of_view;
    const quadtree_request wish = {key, distance, wish_due, wanted < 0.0 && is_in_sight, wish_due < soon};
    request(tree, state, &wish);
    tree->n_late += wish.is_seen;
    return !wish.is_seen;
}

/** Ask for a tile that would be a root if the land in sight were a little wider; it is due when that is so. */
static void gather_early_root(quadtree *tree, const quadtree_view *view, tile_key key, const span *parent)
{
    uint32_t slot;
    const double range = wanted_range(tree, key.lod - 1);
    if (range < EARLY_ROOTS * view->far_distance)
        miss(tree, view, key, keep(tree, key, &slot), parent, range - view->far_distance);
}

/** Keep, and request, a node and what the view needs below it; cut ranges back to the nearest node that cannot be split. due:
 * metres until its parent is to be split. Returns whether the view has what it wants there. */
static bool gather(quadtree *tree, const quadtree_view *view, tile_key key, span parent, double due, double range[TILE_LODS])
{
    uint32_t slot = 0;
    if (!is_in_world(key))
        return false;
    const bool has_tile = !is_above_roots(tree, view, key.lod);
    const tile_state state = has_tile ? keep(tree, key, &slot) : TILE_READY;
    if (state != TILE_READY)
        return miss(tree, view, key, state, &parent, due);
    if (!has_tile)
        gather_early_root(tree, view, key, &parent);
    if (key.lod == 0)
        return true;
    const box b = node_box(tree, view, key);
    if (!is_soon_within(tree, &b, view, children_reach(tree, view, key.lod)))
        return true;
    const span own = has_tile ? node_span(tree, view, key, slot, parent) : parent;
    const double distance = box_distance(&b, view), split = distance - wanted_range(tree, key.lod - 1);
    bool is_complete = true;
    for (int n = 0; n < 4; n++)
        is_complete &= gather(tree, view, child_of(key, n), own, split, range);
    if (!is_complete && has_tile && distance < range[key.lod - 1])
        range[key.lod - 1] = distance;
    return true;
}

/** A finer range must end where the coarser level has not begun to morph, over the whole diagonal of its tiles. */
static void limit_ranges(const quadtree *tree, double range[TILE_LODS])
{
    for (int lod = tree->top - 1; lod >= 0; lod--) {
        const double coarser = range[lod + 1];
        const double limit = MORPH_START * coarser - DIAGONAL * quadtree_tile_width(tree, lod);
        range[lod] = range[lod] < limit ? range[lod] : limit > 0 ? limit : 0;
    }
}

/** Ranges of parts follow from that of lod 0 by the same rule. */
static void set_part_ranges(quadtree *tree)
{
    tree->shown_parts[0] = tree->top > 0 ? tree->shown[0] : tree->detail * quadtree_tile_width(tree, 0);
    for (int part = 1; part <= tree->n_parts; part++) {
        const double width = quadtree_tile_width(tree, 0) / (double)(1 << part);
        const double limit = MORPH_START * tree->shown_parts[part - 1] - DIAGONAL * width;
        tree->shown_parts[part] = fmax(fmin(tree->detail * width, limit), 0.0);
    }
}

static void grow_ranges(quadtree *tree, const quadtree_view *view, double range[TILE_LODS], double elapsed_s)
{
    for (int lod = 0; lod < tree->top && !is_above_roots(tree, view, lod + 1); lod++) {
        const double grown = fmax(tree->shown[lod], view->height) + wanted_range(tree, lod) * elapsed_s / GROWTH_S;
        range[lod] = range[lod] < grown ? range[lod] : grown;
    }
}

static void draw(quadtree *tree, const quadtree_view *view, tile_key key, uint32_t slot)
{
    const int64_t steps = tile_steps(key.lod);
    if (tree->n_tiles < QUADTREE_TILES_MAX)
        tree->tiles[tree->n_tiles++] = (quadtree_tile){.x = (int32_t)(key.i * steps - view->cell_x),
                                                       .z = (int32_t)(key.j * steps - view->cell_z),
                                                       .lod = (uint8_t)key.lod,
                                                       .slot = slot};
}

/** A part of a tile of lod 0: how many times the tile is halved, and the part's place in it, in widths of such parts. */
typedef struct tile_part {
    int halvings, column, row;
} tile_part;

static tile_part quarter_of(tile_part p, int n)
{
    return (tile_part){p.halvings + 1, 2 * p.column + (n & 1), 2 * p.row + (n >> 1)};
}

/** Draw a part of a tile of lod 0, or, near the camera, its four parts. */
static void draw_part(quadtree *tree, const quadtree_view *view, tile_key key, uint32_t slot, tile_part p, const span *s)
{
    const int64_t steps = TILE_QUADS >> p.halvings, x = key.i * TILE_QUADS + p.column * steps,
                  z = key.j * TILE_QUADS + p.row * steps;
    const box b = box_of(tree, view, x, z, (double)steps);
    const double distance = box_distance(&b, view);
    if (p.halvings > 0 && !is_in_frustum(&b, view, s))
        return;
    if (p.halvings < QUADTREE_PARTS_MAX && p.halvings < tree->n_parts && distance < tree->shown_parts[p.halvings + 1]) {
        for (int n = 0; n < 4; n++)
            draw_part(tree, view, key, slot, quarter_of(p, n), s);
    } else if (tree->n_tiles < QUADTREE_TILES_MAX) {
        tree->tiles[tree->n_tiles++] = (quadtree_tile){.x = (int32_t)(x - view->cell_x),
                                                       .z = (int32_t)(z - view->cell_z),
                                                       .part = (uint8_t)p.halvings,
                                                       .column = (uint8_t)p.column,
                                                       .row = (uint8_t)p.row,
                                                       .slot = slot};
    }
}

static void select_tiles(quadtree *tree, const quadtree_view *view, tile_key key, span parent)
{
    uint32_t slot;
    const box b = node_box(tree, view, key);
    const double distance = box_distance(&b, view);
    const bool has_tile = !is_above_roots(tree, view, key.lod);
    if (distance >= view->far_distance || (has_tile && tile_pool_use(tree->pool, key, tree->frame, &slot) != TILE_READY))
        return;
    const span own = has_tile ? node_span(tree, view, key, slot, parent) : parent;
    if (!is_visible(&b, view, &own, distance))
        return;
    if (!has_tile || (key.lod > 0 && distance < tree->shown[key.lod - 1])) {
        const int nearest = (b.west + b.east < 0) + 2 * (b.north + b.south < 0); /* near tiles first: they hide far ones */
        for (int n = 0; n < 4; n++)
            select_tiles(tree, view, child_of(key, n ^ nearest), own);
        return;
    }
    if (key.lod == 0)
        draw_part(tree, view, key, slot, (tile_part){0}, &own);
    else
        draw(tree, view, key, slot);
}

static int64_t floor_divide(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

/** Call `visit` for every root within sight, ring by ring around the camera. */
static void for_each_root(quadtree *tree, const quadtree_view *view, double *range,
                          void (*visit)(quadtree *, const quadtree_view *, tile_key, double *))
{
    const int64_t steps = tile_steps(tree->top);
    const int64_t reach = (int64_t)ceil(view->far_distance / quadtree_tile_width(tree, tree->top));
    const int64_t i = floor_divide(view->cell_x, steps), j = floor_divide(view->cell_z, steps);
    for (int64_t ring = 0; ring <= reach; ring++)
        for (int64_t row = -ring; row <= ring; row++)
            for (int64_t column = -ring; column <= ring; column += row == -ring || row == ring || ring == 0 ? 1 : 2 * ring)
                visit(tree, view, (tile_key){tree->top, i + column, j + row}, range);
}

static void visit_gather(quadtree *tree, const quadtree_view *view, tile_key key, double *range)
{
    const box b = node_box(tree, view, key);
    const span all = {view->low, view->high};
    if (is_soon_within(tree, &b, view, PREFETCH * view->far_distance))
        gather(tree, view, key, all, -INFINITY, range);
}

static void visit_select(quadtree *tree, const quadtree_view *view, tile_key key, double *range)
{
    (void)range;
    if (is_in_world(key))
        select_tiles(tree, view, key, (span){view->low, view->high});
}

/** What is seen first, of it coarse tiles, for nothing finer can be shown before them, and near ones; then what is due. */
static int compare_requests(const void *a, const void *b)
{
    const quadtree_request *x = a, *y = b;
    if (x->is_seen != y->is_seen)
        return x->is_seen ? -1 : 1;
    if (!x->is_seen && x->due != y->due)
        return x->due < y->due ? -1 : 1;
    if (x->key.lod != y->key.lod)
        return y->key.lod - x->key.lod;
    return (x->distance > y->distance) - (x->distance < y->distance);
}

void quadtree_update(quadtree *tree, const quadtree_view *given, double elapsed_s)
{
    double range[TILE_LODS];
    quadtree_view limited = *given;
    limited.far_distance = fmin(given->far_distance, REACH_MAX * quadtree_tile_width(tree, tree->top));
    limited.far_distance = fmin(limited.far_distance, STEPS_MAX * tree->spacing);
    const quadtree_view *view = &limited;
    tree->frame++;
    tree->n_tiles = tree->n_requests = tree->n_late = 0;
    memset(tree->pages, 0xff, (size_t)(tree->top + 1) * sizeof tree->pages[0]); /* -1 */
    for (int lod = 0; lod < TILE_LODS; lod++)
        range[lod] = wanted_range(tree, lod);
    for_each_root(tree, view, range, visit_gather);
    grow_ranges(tree, view, range, elapsed_s);
    limit_ranges(tree, range);
    for (int lod = 0; lod < TILE_LODS; lod++)
        tree->shown[lod] = range[lod];
    set_part_ranges(tree);
    for_each_root(tree, view, range, visit_select);
    qsort(tree->requests, tree->n_requests, sizeof tree->requests[0], compare_requests);
}
