/* test_quadtree.c - the tiles of a view cover the land exactly once. Neighbouring meshes have the same vertices along
 * their common edge, also where tiles are missing. Exactly the invisible tiles are left out. Land that was drawn finely
 * stays fine while the camera turns. The pool evicts the least recently used tile. */
#include "quadtree_under_test.h"

#include <math.h>

/** Lattice steps per side of a tile or a part of one. */
static double steps_of(const quadtree_tile *tile)
{
    return (double)((int64_t)TILE_QUADS << tile->lod) / (double)(1 << tile->part);
}

static const quadtree_tile *tile_over(const quadtree *tree, double x, double z, int *count)
{
    const quadtree_tile *found = NULL;
    *count = 0;
    for (size_t n = 0; n < tree->n_tiles; n++) {
        const double width = steps_of(&tree->tiles[n]);
        const double dx = x - tree->tiles[n].x, dz = z - tree->tiles[n].z;
        if (dx >= 0 && dx < width && dz >= 0 && dz < width) {
            found = &tree->tiles[n];
            (*count)++;
        }
    }
    return found;
}

static void check_cover(const quadtree *tree, const quadtree_view *view, uint64_t *random)
{
    for (int n = 0; n < 2000; n++) {
        const double angle = (double)(test_random(random) % 100000) / 100000.0 * 6.283185;
        const double radius = view->far_distance * 0.9 * pow(2.0, -(double)(test_random(random) % 1500) / 100.0);
        int count;
        tile_over(tree, cos(angle) * radius, sin(angle) * radius, &count);
        assert_int_equal(count, 1);
    }
}

/** A vertex on the edge of a mesh, computed as in terrain_vertices.comp. It moves along the edge from position `fine`
 * to position `coarse`. Positions are in eighths of a lattice step, from the camera's cell. */
typedef struct edge_vertex {
    int64_t fine, coarse;
    double morphing;
} edge_vertex;

enum { NORTH, WEST, SOUTH, EAST, VERTICES_MAX = 65 };

static double morphing_of(const quadtree *tree, int level, double distance, double hidden)
{
    const double start = level < 0 ? quadtree_part_morph_start(tree, -level) : quadtree_morph_start(tree, level);
    const double end = level < 0 ? quadtree_part_morph_end(tree, -level) : quadtree_morph_end(tree, level);
    return fmax(level >= tree->top ? 0.0 : fmin(fmax((distance - start) / (end - start), 0.0), 1.0), hidden);
}

/** Where a vertex lies on an edge. */
typedef struct edge_line {
    int side, at;   /* position along the edge, eighths of a sample from the tile's corner */
    int width;      /* of a quad of the mesh that the edge is drawn with, eighths of a sample */
    int64_t origin; /* of the tile along the edge, eighths of a step from the camera's cell */
    double across;  /* the edge's other coordinate, steps from the camera's cell */
} edge_line;

static double edge_distance(const quadtree_view *view, const edge_line *e, int64_t eighths)
{
    const bool is_along_x = e->side == NORTH || e->side == SOUTH;
    const double along = (double)eighths / 8.0, x = is_along_x ? along : e->across, z = is_along_x ? e->across : along;
    return sqrt(pow(x - view->offset_x, 2.0) + pow(z - view->offset_z, 2.0) + pow(view->height, 2.0));
}

static edge_vertex vertex_at(const quadtree *tree, const quadtree_view *view, const quadtree_tile *t,
                             const edge_line *e, int coarser)
{
    const int64_t eighths = INT64_C(8) << t->lod;
    double hidden = coarser > 0 ? 0.0 : 1.0 - (double)t->detail_share;
    for (int level = t->lod - t->part + coarser, width = e->width;; level++, width *= 2, hidden = 0.0) {
        const int64_t fine = e->at / width * width, coarse = e->at / (2 * width) * (2 * width);
        edge_vertex v = {.fine = e->origin + fine * eighths / 8, .coarse = e->origin + coarse * eighths / 8};
        v.morphing = morphing_of(tree, level, edge_distance(view, e, v.fine), hidden);
        if (v.morphing < 1.0)
            return v;
    }
}

/** List the vertices on an edge of a mesh, in order. Returns their number. */
static int edge_of(const quadtree *tree, const quadtree_view *view, const quadtree_tile *t, int side,
                   edge_vertex out[VERTICES_MAX])
{
    const int quads = TILE_QUADS / tree->mesh_step, coarser = t->coarser[side], eighths = 8 << t->lod;
    /* in eighths of a sample, because parts are finer than samples */
    const int step = tree->mesh_step * 8 >> t->part, width = step << coarser;
    const bool is_along_x = side == NORTH || side == SOUTH;
    const int corner = (is_along_x ? t->column : t->row) * (TILE_QUADS * 8 >> t->part);
    const int64_t origin = (int64_t)(is_along_x ? t->x : t->z) * 8 - (int64_t)corner * eighths / 8;
    const double across = side == NORTH ? t->z : side == WEST ? t->x : (side == SOUTH ? t->z : t->x) + steps_of(t);
    for (int n = 0; n <= quads; n++)
        out[n] = vertex_at(tree, view, t, &(edge_line){side, corner + n * step, width, origin, across}, coarser);
    return quads + 1;
}

static double place_of(const edge_vertex *v)
{
    return (double)v->fine * (1.0 - v->morphing) + (double)v->coarse * v->morphing;
}

static bool has_vertex(const edge_vertex *edge, int count, double place)
{
    for (int n = 0; n < count; n++)
        if (fabs(place_of(&edge[n]) - place) < 1e-6)
            return true;
    return false;
}

/** Check that each vertex of `some` between two positions is also in `all`. */
static void check_vertices(const edge_vertex *some, int n_some, const edge_vertex *all, int n_all, double first,
                           double last)
{
    for (int n = 0; n < n_some; n++) {
        const double place = place_of(&some[n]);
        assert_true(place < first || place > last || has_vertex(all, n_all, place));
    }
}

/** Check that the east and south edges of every tile have the vertices of their neighbours. */
static void check_edges(const quadtree *tree, const quadtree_view *view)
{
    edge_vertex tile_edge[VERTICES_MAX], other_edge[VERTICES_MAX];
    for (size_t n = 0; n < tree->n_tiles; n++) {
        const quadtree_tile *tile = &tree->tiles[n];
        for (int side = SOUTH; side <= EAST; side++) {
            const double width = steps_of(tile), x = side == EAST ? tile->x + width + 0.25 : tile->x + 0.25;
            const double z = side == SOUTH ? tile->z + width + 0.25 : tile->z + 0.25;
            for (double at = 0.0; at < width;) {
                int count;
                const quadtree_tile *other =
                    tile_over(tree, side == EAST ? x : x + at, side == SOUTH ? z : z + at, &count);
                if (!other)
                    break;
                const int n_tile_edge = edge_of(tree, view, tile, side, tile_edge);
                const int n_other_edge = edge_of(tree, view, other, side - 2, other_edge);
                const double tile_first = 8.0 * (side == EAST ? tile->z : tile->x),
                             tile_last = tile_first + 8.0 * width;
                const double first = 8.0 * (side == EAST ? other->z : other->x), last = first + 8.0 * steps_of(other);
                check_vertices(tile_edge, n_tile_edge, other_edge, n_other_edge, fmax(first, tile_first),
                               fmin(last, tile_last));
                check_vertices(other_edge, n_other_edge, tile_edge, n_tile_edge, fmax(first, tile_first),
                               fmin(last, tile_last));
                at += steps_of(other);
            }
        }
    }
}

static void check_views(double detail, double share, int rounds, int mesh_step)
{
    uint64_t random = 11;
    static const double heights[] = {1, 50, 800, 20000, 200000};
    static quadtree tree;
    for (int far_away = 0; far_away < 2; far_away++)
        for (size_t h = 0; h < sizeof heights / sizeof heights[0]; h++) {
            tile_pool *pool = tile_pool_create(3072);
            ter_params params;
            ter_params_default(&params);
            quadtree_init(&tree, pool, &params, detail, mesh_step, 0);
            const int64_t x = far_away ? (INT64_C(1) << 40) + 12345 : -777, z = far_away ? -(INT64_C(1) << 41) : 901;
            const quadtree_view view = view_at(x, z, heights[h]);
            load(&tree, &view, 60, 1.0, &random); /* the land of the first view */
            const quadtree_view moved = view_at(x + (int64_t)(heights[h] * 3) + 500, z - 700, heights[h] * 0.7);
            load(&tree, &moved, rounds, share, &random);
            if (share >= 1.0)
                assert_int_equal(tree.n_late, 0);
            check_cover(&tree, &moved, &random);
            check_edges(&tree, &moved);
            for (int frame = 0; frame < 3; frame++) { /* loaded tiles show more and more of their detail */
                load_some(&tree, &moved, share, 0.1, &random);
                check_cover(&tree, &moved, &random);
                check_edges(&tree, &moved);
            }
            tile_pool_destroy(pool);
        }
}

static void test_complete(void **state)
{
    (void)state;
    for (int mesh_step = 4; mesh_step <= 16; mesh_step *= 2) {
        check_views(5.2, 1.0, 60, mesh_step);
        check_views(QUADTREE_DETAIL_MIN, 1.0, 60, mesh_step);
    }
}

/** If half of the requests have not been loaded, the land is coarser, but has no gaps. */
static void test_late_tiles(void **state)
{
    (void)state;
    for (int mesh_step = 2; mesh_step <= 16; mesh_step *= 2) {
        check_views(5.2, 0.5, 1, mesh_step);
        check_views(QUADTREE_DETAIL_MIN, 0.5, 1, mesh_step);
    }
}

/** Near tiles are drawn in parts, each with a mesh of its own. The parts of a tile cover the same area as the tile, and
 * have the right positions in it. */
static void test_parts(void **state)
{
    (void)state;
    static quadtree tree;
    tile_pool *pool = tile_pool_create(3072);
    const quadtree_view view = view_at(-1000, 2000, 2);
    uint64_t random = 14;
    double area[QUADTREE_PARTS_MAX + 1][QUADTREE_PARTS_MAX + 1] = {{0}};
    for (int n_parts = 1; n_parts <= QUADTREE_PARTS_MAX; n_parts++) {
        begin_tree(&tree, pool, &view, 1 << n_parts);
        check_cover(&tree, &view, &random);
        for (size_t n = 0; n < tree.n_tiles; n++) {
            const quadtree_tile *tile = &tree.tiles[n];
            const double steps = steps_of(tile);
            assert_true(tile->part <=
                        (tile->lod == 0 ? n_parts : 1)); /* a quarter stands for a tile beyond its range */
            assert_true(tile->column < 1 << tile->part && tile->row < 1 << tile->part);
            if (tile->lod == 0) {
                area[n_parts][tile->part] += steps * steps;
                assert_int_equal((tile->x + view.cell_x - tile->column * (int64_t)steps) % TILE_QUADS, 0);
                assert_int_equal((tile->z + view.cell_z - tile->row * (int64_t)steps) % TILE_QUADS, 0);
            }
        }
        double sum = 0.0;
        for (int part = 0; part <= n_parts; part++)
            sum += area[n_parts][part];
        area[0][0] = n_parts == 1 ? sum : area[0][0];
        assert_true(sum == area[0][0]);
        assert_true(area[n_parts][n_parts] > 0.0);
    }
    tile_pool_destroy(pool);
}

static bool has_tile(const quadtree *tree, const quadtree_tile *tile)
{
    for (size_t n = 0; n < tree->n_tiles; n++)
        if (memcmp(&tree->tiles[n], tile, sizeof *tile) == 0)
            return true;
    return false;
}

/** A view with a short far distance requests no tiles of the coarsest levels. A view with a long one does. */
static void test_roots(void **state)
{
    (void)state;
    static quadtree tree;
    tile_pool *pool = tile_pool_create(7000);
    for (int is_high = 0; is_high < 2; is_high++) {
        const quadtree_view view = view_at(1000, 2000, is_high ? 150000 : 300);
        begin_tree(&tree, pool, &view, 8);
        int coarsest = 0;
        for (size_t n = 0; n < tree.n_tiles; n++)
            coarsest = tree.tiles[n].lod > coarsest ? tree.tiles[n].lod : coarsest;
        int coarsest_page = 0;
        for (int lod = 0; lod <= tree.top; lod++)
            for (int n = 0; n < QUADTREE_PAGES * QUADTREE_PAGES; n++)
                coarsest_page = tree.pages[lod][n] >= 0 ? lod : coarsest_page;
        assert_true(coarsest_page <= coarsest + 1);
        assert_true(is_high ? coarsest > 10 : coarsest < 10);
    }
    tile_pool_destroy(pool);
}

/** A view to the east leaves out all tiles behind the camera, and no tile ahead of it. */
static void test_frustum(void **state)
{
    (void)state;
    static quadtree all, east;
    tile_pool *pool = tile_pool_create(3072);
    quadtree_view view = view_at(5000, 5000, 300);
    begin_tree(&all, pool, &view, 4);
    view.planes[0][0] = 1.0; /* east of the camera */
    view.planes[0][3] = 0.0;
    begin_tree(&east, pool, &view, 4);
    assert_true(east.n_tiles < all.n_tiles);
    for (size_t n = 0; n < east.n_tiles; n++)
        assert_true(has_tile(&all, &east.tiles[n]));
    for (size_t n = 0; n < all.n_tiles; n++)
        assert_int_equal(has_tile(&east, &all.tiles[n]), all.tiles[n].x + steps_of(&all.tiles[n]) >= view.offset_x);
    tile_pool_destroy(pool);
}

/** Turn a view to a heading, degrees. The view is 60 degrees wide. */
static void look_along(quadtree_view *view, double heading_deg)
{
    const double degree = 3.14159265358979 / 180.0, left = (heading_deg - 30.0) * degree,
                 right = (heading_deg + 30.0) * degree;
    const double planes[2][4] = {{cos(left), 0.0, sin(left), 0.0}, {-cos(right), 0.0, -sin(right), 0.0}};
    memcpy(view->planes, planes, sizeof planes);
}

/** Find the lods of the drawn tiles at random places between two headings, from near to far. -1: no tile. */
static void survey(const quadtree *tree, const quadtree_view *view, double from_deg, double to_deg, int lods[500])
{
    uint64_t random = 21;
    for (int n = 0; n < 500; n++) {
        int count;
        const double share = (double)(test_random(&random) % 1000) / 999.0;
        const double angle = (from_deg + (to_deg - from_deg) * share) * 3.14159265358979 / 180.0;
        const double radius = view->far_distance * 0.9 * pow(2.0, -(double)(test_random(&random) % 1100) / 100.0);
        const quadtree_tile *t = tile_over(tree, sin(angle) * radius, -cos(angle) * radius, &count);
        assert_true(count <= 1);
        lods[n] = t ? t->lod : -1;
    }
}

/** A camera turns to new land. In no frame does land that it has seen become coarser, even while other tiles are
 * missing. At the end the tiles are the same as for a camera that has looked there from the start. */
static void test_turn(void **state)
{
    (void)state;
    static quadtree tree;
    static const double TURNS[3] = {7.0, 30.0, 50.0};
    for (int n = 0; n < 3; n++) {
        int before[500], now[500], wanted[500];
        uint64_t random = 15;
        tile_pool *pool = tile_pool_create(3072), *other = tile_pool_create(3072);
        quadtree_view view = view_at(5000, -7000, 40);
        look_along(&view, 20.0);
        begin_tree_of_seen(&tree, pool, &view);
        survey(&tree, &view, TURNS[n] - 9.0, 49.0, before);
        look_along(&view, 20.0 + TURNS[n]);
        for (int frame = 0; frame < 60; frame++) {
            load_some(&tree, &view, 0.1, 0.05, &random);
            survey(&tree, &view, TURNS[n] - 9.0, 49.0, now);
            assert_memory_equal(before, now, sizeof now);
            assert_int_equal(frame < 20 ? tree.n_late > 0 : true, true);
        }
        load(&tree, &view, 60, 1.0, &random);
        assert_int_equal(tree.n_late, 0);
        survey(&tree, &view, TURNS[n] - 9.0, TURNS[n] + 49.0, now);
        begin_tree_of_seen(&tree, other, &view);
        survey(&tree, &view, TURNS[n] - 9.0, TURNS[n] + 49.0, wanted);
        assert_memory_equal(wanted, now, sizeof now);
        tile_pool_destroy(pool);
        tile_pool_destroy(other);
    }
}

/** Land below the horizon of an opaque sphere is left out. Land that rises above the horizon is not. */
static void test_horizon(void **state)
{
    (void)state;
    static quadtree tree;
    tile_pool *pool = tile_pool_create(3072);
    quadtree_view view = view_at(5000, 5000, 100);
    view.altitude = 100;
    view.planet_radius = 6.371e6;
    view.occluder = 0;
    view.low = -5100;
    view.high = -100; /* no land rises over the sphere, whose horizon is sqrt(2 * 6371 km * 100 m) = 35.7 km away */
    begin_tree(&tree, pool, &view, 8);
    double farthest = 0.0;
    for (size_t n = 0; n < tree.n_tiles; n++) {
        const quadtree_tile *tile = &tree.tiles[n];
        const double dx = fmax(fmax(tile->x, -(tile->x + steps_of(tile))), 0.0);
        const double dz = fmax(fmax(tile->z, -(tile->z + steps_of(tile))), 0.0);
        farthest = fmax(farthest, sqrt(dx * dx + dz * dz));
    }
    assert_true(farthest < 35.8e3 && farthest > 20e3);
    const size_t n_low = tree.n_tiles;
    view.high = 2900;
    begin_tree(&tree, pool, &view, 8);
    assert_true(tree.n_tiles > n_low);
    tile_pool_destroy(pool);
}

/** At the end of the world no drawn tile and no sample of a requested tile lies beyond the end. */
static void test_end_of_world(void **state)
{
    (void)state;
    static quadtree tree;
    tile_pool *pool = tile_pool_create(3072);
    const quadtree_view view = view_at(TER_COORDINATE_MAX - 1000, -TER_COORDINATE_MAX + 1000, 50);
    ter_params params;
    uint64_t random = 13;
    ter_params_default(&params);
    quadtree_init(&tree, pool, &params, 5.2, 8, 0);
    quadtree_update(&tree, &view, 1e9);
    while (tree.n_requests > 0) {
        for (size_t n = 0; n < tree.n_requests; n++) {
            const tile_key *key = &tree.requests[n].key;
            const int64_t end = TER_COORDINATE_MAX >> key->lod, first_i = key->i * TILE_QUADS,
                          first_j = key->j * TILE_QUADS;
            assert_true(first_i - TILE_APRON >= -end && first_i - TILE_APRON + TILE_SAMPLES - 1 <= end);
            assert_true(first_j - TILE_APRON >= -end && first_j - TILE_APRON + TILE_SAMPLES - 1 <= end);
        }
        load(&tree, &view, 1, 1.0, &random);
    }
    for (size_t n = 0; n < tree.n_tiles; n++) {
        assert_true(view.cell_x + tree.tiles[n].x + (int64_t)steps_of(&tree.tiles[n]) <= TER_COORDINATE_MAX);
        assert_true(view.cell_z + tree.tiles[n].z >= -TER_COORDINATE_MAX);
    }
    tile_pool_destroy(pool);
}

static void test_pool(void **state)
{
    (void)state;
    enum { SLOTS = 8 };
    tile_pool *pool = tile_pool_create(SLOTS);
    uint32_t slot;
    for (int n = 0; n < SLOTS; n++) {
        assert_true(tile_pool_reserve(pool, (tile_key){3, n, -n}, 1, &slot));
        tile_pool_complete(pool, slot);
    }
    assert_int_equal(tile_pool_use(pool, (tile_key){3, 0, 0}, 2, &slot), TILE_READY);
    assert_true(tile_pool_reserve(pool, (tile_key){3, 100, 0}, 2, &slot));
    assert_int_equal(tile_pool_use(pool, (tile_key){3, 100, 0}, 2, &slot), TILE_PENDING);
    /* the least recently used tile was evicted */
    assert_int_equal(tile_pool_use(pool, (tile_key){3, 1, -1}, 2, &slot), TILE_ABSENT);
    assert_int_equal(tile_pool_use(pool, (tile_key){3, 0, 0}, 2, &slot), TILE_READY);
    for (int n = 2; n < SLOTS; n++)
        assert_int_equal(tile_pool_use(pool, (tile_key){3, n, -n}, 2, &slot), TILE_READY);
    assert_false(tile_pool_reserve(pool, (tile_key){3, 200, 0}, 2, &slot)); /* this frame uses all tiles */
    tile_pool_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pool),    cmocka_unit_test(test_complete),     cmocka_unit_test(test_late_tiles),
        cmocka_unit_test(test_roots),   cmocka_unit_test(test_parts),        cmocka_unit_test(test_frustum),
        cmocka_unit_test(test_horizon), cmocka_unit_test(test_end_of_world), cmocka_unit_test(test_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
