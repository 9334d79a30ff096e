/* owners.c - finds the channel to which each point of a rectangle drains: that with the lowest valley side there, as in
 * ground.h. From this channel the water is followed to the first one that is an edge. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "library/core/sized_struct.h"
#include "library/reaches/bed_line.h"
#include "library/reaches/edge_network.h"

enum { STEPS_MOST = 12 }; /* greatest number of steps downstream to the first edge */

/** A call of ter_river_owners. */
typedef struct owner_call {
    float least; /* cells; area of the smallest edge */
    ter_fluvial_job job;
    ter_fluvial_memory memory;
    reach_unwarp places;
    bool has_last;
    int64_t last_x, last_y, last_owner; /* the last channel and its answer: neighbouring points often share a channel */
} owner_call;

/** The side of a channel that is the lowest one at a place so far. */
typedef struct lowest_side {
    float height;
    int64_t x, y; /* cell of the channel's node */
} lowest_side;

/** The lowest side at a place of the network's plane, with the pieces in the order of ter_sum_sides. */
static lowest_side lowest_at(const ter_fluvial_job *job, int64_t px, int64_t py)
{
    const int64_t cell_x = px >> TER_CELL_SHIFT, cell_y = py >> TER_CELL_SHIFT;
    const float in_x = (float)(int)(px & 0xffff) * (1.0f / 256.0f), in_y = (float)(int)(py & 0xffff) * (1.0f / 256.0f);
    const ter_province_place place = ter_province_at(job->province_at, job->province, px, py);
    const float top = ter_province_value(&place, TER_PROVINCE_TOP),
                above = ter_province_value(&place, TER_PROVINCE_ABOVE);
    lowest_side low = {TER_NO_SIDE, cell_x, cell_y};
    for (int b = -TER_GROUND_CELLS; b <= TER_GROUND_CELLS; b++)
        for (int a = -TER_GROUND_CELLS; a <= TER_GROUND_CELLS; a++) {
            const int cell = ter_window_index(job->piece_at, cell_x + a, cell_y + b);
            for (int i = 0; job->course[cell] != TER_COURSE_NONE && i < TER_PIECES; i++) {
                const ter_piece *p = job->piece + (size_t)cell * TER_PIECES + i;
                if (ter_min(p->z, p->z + p->dz) >= low.height)
                    continue; /* a side lies above its channel */
                const ter_side side =
                    ter_side_at(p, in_x - (float)a * TER_CELL - p->x, in_y - (float)b * TER_CELL - p->y, top, above);
                if (side.height < low.height)
                    low = (lowest_side){side.height, cell_x + a, cell_y + b};
            }
        }
    return low;
}

/** The first edge downstream of the channel that leaves the node of cell (x, y); TER_EDGE_NONE without one. */
static int64_t edge_below(const owner_call *c, int64_t x, int64_t y)
{
    for (int n = 0; n < STEPS_MOST && ter_window_contains(c->job.piece_at, (ter_window){x, y, 1, 1}); n++) {
        if (edge_network_has_edge(&c->job, c->least, x, y))
            return bed_line_water(&c->job, x, y) == TER_EDGE_SEA ? TER_EDGE_NONE : edge_network_id(x, y);
        const ter_node *node = edge_network_node(&c->job, x, y);
        if (node->to == TER_SINK)
            break;
        x += ter_direction_x(node->to);
        y += ter_direction_y(node->to);
    }
    return TER_EDGE_NONE;
}

static int64_t owner_at(owner_call *c, reach_spot place)
{
    const lowest_side low = lowest_at(&c->job, (int64_t)place.x, (int64_t)place.y);
    if (!c->has_last || low.x != c->last_x || low.y != c->last_y) {
        c->has_last = true;
        c->last_x = low.x;
        c->last_y = low.y;
        c->last_owner = edge_below(c, low.x, low.y);
    }
    return c->last_owner;
}

static ter_status fill_owners(owner_call *c, const ter_river_owners_options *o, int64_t *out)
{
    const ter_rect *rect = &o->rect;
    const double step = ldexp(1.0, c->job.f.levels - rect->level);
    const ter_cancel cancel = {o->is_cancelled, o->user};
    for (int64_t row = 0; row < rect->height; row++) {
        const ter_status status = ter_check_cancelled(&cancel);
        if (status != TER_OK)
            return status;
        const double z = (double)(rect->j + row) * step;
        for (int64_t column = 0; column < rect->width; column++)
            out[row * rect->width + column] =
                owner_at(c, reach_place_near(&c->places, (double)(rect->i + column) * step, z));
    }
    return TER_OK;
}

static ter_status make_owners(const ter_world *world, const ter_river_owners_options *o, owner_call *c, int64_t *out)
{
    const ter_cancel cancel = {o->is_cancelled, o->user};
    ter_river_window w;
    ter_status status = ter_river_edges_window(world, &o->rect, &w);
    if (status == TER_OK && (w.columns > TER_EDGE_SIDE_MAX || w.rows > TER_EDGE_SIDE_MAX))
        status = ter_fail(TER_EINVAL, "the rectangle has %d x %d cells of the network, expected at most %d x %d",
                          w.columns, w.rows, TER_EDGE_SIDE_MAX, TER_EDGE_SIDE_MAX);
    if (status == TER_OK)
        status = edge_network_least(world, o->min_area_m2, &c->least);
    if (status == TER_OK)
        status = edge_network_make(&world->fluvial, (ter_window){w.column, w.row, w.columns, w.rows}, &cancel, &c->job,
                                   &c->memory);
    return status == TER_OK ? fill_owners(c, o, out) : status;
}

ter_status ter_river_owners(const ter_world *world, const ter_river_owners_options *options, int64_t *out)
{
    TER_REQUIRE(world);
    TER_REQUIRE(options);
    TER_REQUIRE(out);
    ter_river_owners_options read = {.struct_size = sizeof read};
    TER_READ_STRUCT(&read, options, ter_river_owners_options);
    owner_call *c = calloc(1, sizeof *c);
    if (!c)
        return ter_fail(TER_ENOMEM, "no memory for the owners of points");
    c->places.f = &world->fluvial;
    const ter_status status = make_owners(world, &read, c, out);
    reach_unwarp_free(&c->places);
    free(c->memory.at);
    free(c);
    return status;
}
