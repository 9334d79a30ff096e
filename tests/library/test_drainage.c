/* test_drainage.c - tests that from every point on land the flow path ends in a lake or in the sea. The program takes
 * random points of four worlds: the default world, a mountainous world, a dry world and an icy world. The points lie
 * near the origin and near 2^20, 2^31 and 2^45 m. From each point the program goes to the channel of the valley in
 * which the point lies, and follows the channels to their end. On this path no water may rise, no drained area may
 * shrink, and no lake may be followed by a lake with a higher level.
 *
 *   test_drainage [POINTS]    total number of points, default 1000. From 100000 points on, every world is tested at
 *                             every place. With fewer points, each world is tested at one place.
 *
 * The network is made in windows, as the generators make it. A path that leaves a window continues in another window.
 * Both windows must have the same channel in the cell where the path changes. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "library/fluvial/passes.h"
#include "library/world/world.h"
#include "terrane/terrane.h"

enum { SIDE = 100, WINDOWS_MAX = 4096, STEPS_MAX = 100000, COMPARED_CELLS = 8 };

/** A window of the network. */
typedef struct window {
    ter_fluvial_job job;
    void *memory;
    long *path; /* for each cell of job.piece_at: number of the first path through the cell; 0: no path */
} window;

typedef struct counts {
    long points, steps, windows, in_lakes, in_seas, rises, shrinks, lakes_broken, disagreements, lost;
} counts;

static window *windows[WINDOWS_MAX];
static int n_windows;
static counts found;

static void *memory_of(size_t bytes)
{
    void *memory = calloc(1, bytes);
    if (!memory) {
        fprintf(stderr, "no memory for %zu bytes\n", bytes);
        exit(1);
    }
    return memory;
}

static window *make_window(const ter_fluvial *f, ter_window cells)
{
    window *w = memory_of(sizeof *w);
    ter_fluvial_job *job = &w->job;
    ter_arena count = {NULL, 0};
    job->f = *f;
    ter_plan_drainage(cells, &count, job);
    w->memory = memory_of(count.bytes);
    ter_arena arena = {w->memory, 0};
    ter_plan_drainage(cells, &arena, job);
    TER_PASSES_TO_PROVINCES(job, TER_LOOP);
    TER_PASSES_TO_ROOT(job, TER_LOOP);
    TER_PASSES_TO_NODES(job, 1, TER_LOOP);
    TER_PASSES_TO_CHANNELS(job, TER_LOOP);
    TER_PASS_TO_SLOPES(job, TER_LOOP);
    TER_PASSES_TO_PIECES(job, TER_LOOP);
    w->path = memory_of(ter_window_count(job->piece_at) * sizeof *w->path);
    found.windows++;
    return w;
}

static void free_windows(void)
{
    for (int n = 0; n < n_windows; n++) {
        free(windows[n]->memory);
        free(windows[n]->path);
        free(windows[n]);
    }
    n_windows = 0;
}

static int contains(const window *w, int64_t x, int64_t y, int margin)
{
    const ter_window cell = {x, y, 1, 1};
    return ter_window_contains(w->job.piece_at, ter_window_grown(cell, margin));
}

static const ter_node *node_at(const window *w, int64_t x, int64_t y)
{
    return w->job.node[TER_NETWORK_LAST & 1] + ter_window_index(w->job.node_at[TER_NETWORK_LAST], x, y);
}

/** The window in which a path continues at a cell. This is an earlier window that contains the cell and COMPARED_CELLS
 * cells around it, or else a new window around the cell. */
static window *window_at(const ter_fluvial *f, int64_t x, int64_t y)
{
    for (int n = 0; n < n_windows; n++)
        if (contains(windows[n], x, y, COMPARED_CELLS))
            return windows[n];
    if (n_windows == WINDOWS_MAX) {
        fprintf(stderr, "more than %d windows, expected rivers that end\n", WINDOWS_MAX);
        exit(1);
    }
    const ter_window cells = {x - SIDE / 2, y - SIDE / 2, SIDE, SIDE};
    return windows[n_windows++] = make_window(f, cells);
}

/** Count a disagreement if two windows have different channels in a cell. */
static void compare(const window *a, const window *b, int64_t x, int64_t y)
{
    const ter_piece *p = a->job.piece + (size_t)ter_window_index(a->job.piece_at, x, y) * TER_PIECES;
    const ter_piece *q = b->job.piece + (size_t)ter_window_index(b->job.piece_at, x, y) * TER_PIECES;
    found.disagreements += memcmp(p, q, TER_PIECES * sizeof *p) != 0;
}

/** Whether water flows at an end of a reach. end: 0: the upstream end; 1: the downstream end */
static bool is_wet_at(const ter_reach *p, float end)
{
    return ter_is_wet(ter_fma(end, p->darea, p->area));
}

/** Level of the water at an end of a reach, metres; if the reach is dry there, height of its bottom. */
static float level_at(const ter_reach *p, float end)
{
    const float rim = ter_river_rim(ter_fma(end, p->darea, p->area)), fall = ter_fma(end, p->dfall, p->fall);
    return ter_max(ter_fma(end, p->dz, p->z) + (is_wet_at(p, end) ? rim - fall : 0.0f), p->lake);
}

/** Count a rise if the water, or the bottom where both are dry, rises from end `from` of reach p to end `to` of reach
 * q, which lies downstream. q may be p itself. */
static void check_fall(const ter_reach *p, float from, const ter_reach *q, float to)
{
    if (is_wet_at(p, from) == is_wet_at(q, to))
        found.rises += level_at(q, to) > level_at(p, from) + 1e-3f;
}

/** Check the water along the channel of a node and into the next node's channel. */
static void check_channel(const window *w, int64_t x, int64_t y, const ter_node *node, const ter_node *next)
{
    const size_t cell = (size_t)ter_window_index(w->job.piece_at, x, y);
    const ter_reach *p = w->job.reach + cell * TER_REACHES;
    const int64_t next_x = x + ter_direction_x(node->to), next_y = y + ter_direction_y(node->to);
    found.shrinks += next->area < node->area;
    found.lakes_broken += TER_IS_LAKE(node->lake) && TER_IS_LAKE(next->lake) && next->lake > node->lake;
    if (w->job.course[cell] != TER_COURSE_BROOK)
        return; /* this channel has no bed */
    for (int n = 0; n < TER_REACHES; n++) {
        check_fall(&p[n], 0.0f, &p[n], 1.0f);
        if (n > 0)
            check_fall(&p[n - 1], 1.0f, &p[n], 0.0f);
        found.shrinks += p[n].darea < 0.0f;
    }
    check_fall(&p[TER_REACHES - 1], 1.0f,
               w->job.reach + (size_t)ter_window_index(w->job.piece_at, next_x, next_y) * TER_REACHES, 0.0f);
}

/** Follow the channels from a node to a sink, or to a cell that an earlier path has passed. */
static void follow(const ter_fluvial *f, window *w, int64_t x, int64_t y)
{
    const long path = found.points;
    for (int step = 0; step < STEPS_MAX; step++) {
        if (!contains(w, x, y, 1)) {
            window *next = window_at(f, x, y);
            if (contains(w, x, y, 0))
                compare(w, next, x, y);
            w = next;
        }
        const size_t k = (size_t)ter_window_index(w->job.piece_at, x, y);
        if (w->path[k] != 0) {
            found.lost += w->path[k] == path; /* this path has passed the cell before: a cycle */
            return;
        }
        w->path[k] = path;
        const ter_node *node = node_at(w, x, y);
        if (node->to == TER_SINK) {
            found.in_lakes += TER_IS_LAKE(node->lake);
            found.in_seas += !TER_IS_LAKE(node->lake) && node->z <= 0.0f;
            found.lost += !TER_IS_LAKE(node->lake) && node->z > 0.0f;
            return;
        }
        const int64_t next_x = x + ter_direction_x(node->to), next_y = y + ter_direction_y(node->to);
        const ter_node *next = node_at(w, next_x, next_y);
        check_channel(w, x, y, node, next);
        found.steps++;
        x = next_x;
        y = next_y;
    }
    found.lost++;
}

/** Set *x and *y to the cell of the node in whose valley a place lies. Returns false if the place is under the sea. */
static bool find_valley(const window *w, int64_t px, int64_t py, int64_t *x, int64_t *y)
{
    const int64_t cell_x = px >> TER_CELL_SHIFT, cell_y = py >> TER_CELL_SHIFT;
    const float in_x = (float)(int)(px & 0xffff) * (1.0f / 256.0f), in_y = (float)(int)(py & 0xffff) * (1.0f / 256.0f);
    const ter_province_place place = ter_province_at(w->job.province_at, w->job.province, px, py);
    ter_ground_sum sum;
    ter_ground_begin(&place, &sum);
    for (int b = -TER_GROUND_CELLS; b <= TER_GROUND_CELLS; b++)
        for (int a = -TER_GROUND_CELLS; a <= TER_GROUND_CELLS; a++)
            for (int n = 0; n < TER_PIECES; n++) {
                const size_t cell = (size_t)ter_window_index(w->job.piece_at, cell_x + a, cell_y + b);
                const ter_piece *p = w->job.piece + cell * TER_PIECES + n;
                if (w->job.course[cell] == TER_COURSE_NONE)
                    continue;
                const ter_side side = ter_side_at(p, in_x - (float)a * TER_CELL - p->x,
                                                  in_y - (float)b * TER_CELL - p->y, sum.top, sum.above);
                if (side.height < sum.low) {
                    *x = cell_x + a;
                    *y = cell_y + b;
                }
                ter_ground_lowest(p, &side, &sum);
            }
    return sum.low > w->job.f.sea;
}

/** Follow `count` random land points around a place. */
static void follow_points(const ter_params *params, uint64_t *state, const int64_t centre[2], long count)
{
    ter_world *world = NULL;
    if (ter_world_create(params, &world) != TER_OK) {
        fprintf(stderr, "%s\n", ter_error_detail());
        exit(1);
    }
    const ter_fluvial *f = &world->fluvial;
    const int64_t reach = INT64_C(1) << 19; /* m; windows lie at most this far from the centre in x and in y */
    long on_land = 0;
    for (int place = 0; place < 64 && on_land < count; place++) { /* if a window has too little land, try another one */
        int64_t at[2];
        for (int n = 0; n < 2; n++) {
            *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            at[n] = ((centre[n] + (int64_t)(*state >> 33) % (2 * reach) - reach) * 256) >> TER_CELL_SHIFT;
        }
        window *w = window_at(f, at[0], at[1]);
        const ter_window cells = ter_window_grown(w->job.piece_at, -2 * TER_GROUND_CELLS);
        for (long n = 0; n < count / 2 && on_land < count; n++) {
            int64_t p[2], x = 0, y = 0;
            for (int d = 0; d < 2; d++) {
                *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
                const int64_t side = (int64_t)(d ? cells.height : cells.width) << TER_CELL_SHIFT;
                p[d] = ((d ? cells.y : cells.x) * ((int64_t)1 << TER_CELL_SHIFT)) + (int64_t)(*state >> 24) % side;
            }
            if (!find_valley(w, p[0], p[1], &x, &y))
                continue;
            on_land++;
            found.points++;
            follow(f, w, x, y);
        }
    }
    free_windows();
    ter_world_destroy(world);
}

int main(int argc, char **argv)
{
    static const int64_t centres[][2] = {
        {0, 0}, {1 << 20, -(1 << 20)}, {INT64_C(1) << 31, INT64_C(1) << 31}, {-(INT64_C(1) << 45), INT64_C(1) << 45}};
    const long points = argc > 1 ? atol(argv[1]) : 1000;
    uint64_t state = 1;
    if (points < 16) {
        fprintf(stderr, "%s points, expected at least 16\n", argv[1]);
        return 2;
    }
    for (int n = 0; n < 4; n++) {
        ter_params params;
        ter_params_default(&params);
        params.basis = TER_BASIS_FLUVIAL;
        params.seed = (uint64_t)n + 1;
        params.uplift = n == 1 ? 0.8 : 0.0;
        params.dryness = n == 2 ? 0.8 : 0.0;
        params.ice = n == 3 ? 0.8 : 0.0;
        for (int c = 0; c < 4; c++)
            if (points >= 100000)
                follow_points(&params, &state, centres[c], points / 16);
            else if (c == n)
                follow_points(&params, &state, centres[c], points / 4);
    }
    printf("%ld land points, %ld cells of channels followed in %ld windows; %ld ends in lakes, %ld in the sea\n",
           found.points, found.steps, found.windows, found.in_lakes, found.in_seas);
    const long faults = found.rises + found.shrinks + found.lakes_broken + found.disagreements + found.lost;
    if (faults || found.points < points * 9 / 10 || found.in_lakes == 0 || found.in_seas == 0) {
        fprintf(stderr,
                "water rises %ld times, catchments shrink %ld times, lakes rise %ld times, windows disagree %ld times, "
                "%ld paths are lost; expected 0 each, with ends in lakes and in the sea\n",
                found.rises, found.shrinks, found.lakes_broken, found.disagreements, found.lost);
        return 1;
    }
    return 0;
}
