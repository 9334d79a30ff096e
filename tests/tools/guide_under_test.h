/* guide_under_test.h - helps tests of guides: makes their worlds, and counts the edges of the network in a guide and
 * around it. */
#ifndef TER_TESTS_GUIDE_UNDER_TEST_H
#define TER_TESTS_GUIDE_UNDER_TEST_H

#include "fluvial_under_test.h"

#include "library/fluvial/passes.h"
#include "library/world/world.h"

/** A world without continents, with the guide of these options; NULL: without a guide. */
static inline ter_world *world_with(const ter_guide_options *options)
{
    ter_params params;
    ter_guide *guide = NULL;
    ter_params_default(&params);
    params.continents = 0.0;
    if (options) {
        assert_ok(ter_guide_create(options, &guide));
        params.guide = guide;
    }
    ter_world *world = world_of(&params);
    ter_guide_destroy(guide);
    return world;
}

/** Edges of a level's nodes. */
typedef struct edge_counts {
    int edges, across, uphill; /* across: between a cell of the guide and one outside */
} edge_counts;

/** Count the edges of the nodes of a level, in the guide and around it. */
static inline edge_counts count_edges(const ter_world *world, int level)
{
    const ter_guide_tables *tables = world->fluvial.guide;
    const int side = 1 << (level - tables->level);
    const ter_window at = {tables->cells.x * side, tables->cells.y * side, tables->cells.width * side,
                           tables->cells.height * side};
    ter_fluvial_job *job = calloc(1, sizeof *job);
    assert_non_null(job);
    ter_arena size = {NULL, 0}, arena = {NULL, 0};
    job->f = world->fluvial;
    ter_plan_nodes(level, ter_window_grown(at, TER_AREA_MARGIN), job);
    ter_place_provinces(&size, job);
    ter_place_nodes(&size, job);
    char *memory = arena.base = malloc(size.bytes);
    assert_non_null(memory);
    ter_place_provinces(&arena, job);
    ter_place_nodes(&arena, job);
    TER_PASSES_TO_PROVINCES(job, TER_LOOP);
    TER_PASSES_TO_ROOT(job, TER_LOOP);
    TER_PASSES_TO_NODES(job, 1, TER_LOOP);
    const ter_window nodes = job->node_at[level];
    edge_counts c = {0, 0, 0};
    for (int64_t y = at.y; y < at.y + at.height; y++)
        for (int64_t x = at.x; x < at.x + at.width; x++) {
            const ter_node *node = job->node[level & 1] + ter_window_index(nodes, x, y);
            if (node->to == TER_SINK)
                continue;
            const ter_node *below = ter_node_below(node, nodes.width);
            const int64_t bx = x + ter_direction_x(node->to), by = y + ter_direction_y(node->to);
            c.edges++;
            c.across += !ter_guide_cell_at(tables, ter_floor_div(x, side), ter_floor_div(y, side)) !=
                        !ter_guide_cell_at(tables, ter_floor_div(bx, side), ter_floor_div(by, side));
            c.uphill += below->z > node->z && !TER_IS_LAKE(node->lake) && !TER_IS_LAKE(below->lake);
        }
    free(memory);
    free(job);
    return c;
}

#endif
