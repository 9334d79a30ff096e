/* probe.c - ter_probe: checks the places of a request; the backend computes their heights. */
#include <math.h>
#include <stdlib.h>

#include "library/core/sized_struct.h"
#include "library/generator/checks.h"
#include "library/probe/place.h"

struct ter_probe {
    const ter_backend_table *backend;
    void *state;
};

ter_status ter_probe_create(ter_generator *generator, const ter_probe_options *caller_options, ter_probe **out)
{
    TER_REQUIRE(generator);
    TER_REQUIRE(out);
    ter_probe_options options = {TER_SIZED(ter_probe_options)};
    if (caller_options)
        TER_READ_STRUCT(&options, caller_options, ter_probe_options);
    ter_probe *probe = calloc(1, sizeof *probe);
    if (!probe)
        return ter_fail(TER_ENOMEM, "no memory for a probe");
    probe->backend = generator->backend;
    const ter_status status = probe->backend->probe_create(generator->state, options.is_over_water != 0, &probe->state);
    if (status != TER_OK) {
        free(probe);
        return status;
    }
    *out = probe;
    return TER_OK;
}

/** Check that a place and its level lie in the world. */
static ter_status check_probe_point(const ter_world *world, const ter_probe_point *point)
{
    const double limit = (double)TER_COORDINATE_MAX;
    if (!(point->x >= -limit && point->x <= limit && point->z >= -limit && point->z <= limit))
        return ter_fail(TER_EINVAL,
                        "probe at %g, %g leaves the world, which ends at lattice coordinates -2^46 and 2^46", point->x,
                        point->z);
    return ter_world_check(world, point->level, 0, 0, 1, 1);
}

static ter_status check_probe(const ter_world *world, const ter_probe_point *points, int count)
{
    if (count < 1 || count > TER_PROBE_POINTS_MAX)
        return ter_fail(TER_EINVAL, "%d probe points, expected 1 to %d", count, TER_PROBE_POINTS_MAX);
    for (int n = 0; n < count; n++) {
        const ter_status status = check_probe_point(world, &points[n]);
        if (status != TER_OK)
            return status;
        const float most = points[n].level > 0 ? 1.0f : 0.0f;
        if (!(points[n].coarser >= 0.0f && points[n].coarser <= most))
            return ter_fail(TER_EINVAL, "a share of %g of the level coarser than %d, expected 0 to %g",
                            (double)points[n].coarser, points[n].level, (double)most);
    }
    return TER_OK;
}

ter_status ter_probe_ask(ter_probe *probe, const ter_world *world, const ter_probe_point *points, int count,
                         uint64_t ticket)
{
    TER_REQUIRE(probe);
    TER_REQUIRE(world);
    TER_REQUIRE(points);
    const ter_status status = check_probe(world, points, count);
    const ter_place_blend alone = {.levels = world->params.levels};
    return status == TER_OK ? probe->backend->probe_ask(probe->state, world, NULL, &alone, points, count, ticket)
                            : status;
}

ter_status ter_probe_ask_blend(ter_probe *probe, const ter_blended_world *caller_world, const ter_probe_point *points,
                               int count, uint64_t ticket)
{
    TER_REQUIRE(probe);
    TER_REQUIRE_NAMED(caller_world, "world");
    TER_REQUIRE(points);
    ter_blended_world blended = {TER_SIZED(ter_blended_world)};
    TER_READ_STRUCT(&blended, caller_world, ter_blended_world);
    TER_REQUIRE_NAMED(blended.from, "world->from");
    TER_REQUIRE_NAMED(blended.to, "world->to");
    const ter_world *world = blended.from, *to = blended.to;
    const ter_blend *blend = &blended.blend;
    ter_status status = check_probe(world, points, count);
    if (status == TER_OK)
        status = ter_blend_check(blend);
    const int level_shift = to->params.levels - world->params.levels;
    for (int n = 0; n < count && status == TER_OK; n++)
        status = ter_world_check(to, points[n].level - (points[n].coarser > 0.0f) + level_shift, 0, 0, 1, 1);
    if (status != TER_OK)
        return status;
    const ter_place_blend between = {.x = blend->x,
                                     .z = blend->z,
                                     .along_x = (float)blend->along_x,
                                     .along_z = (float)blend->along_z,
                                     .begun = (float)blend->begun,
                                     .level_shift = level_shift,
                                     .levels = world->params.levels};
    return probe->backend->probe_ask(probe->state, world, to, &between, points, count, ticket);
}

ter_status ter_probe_answer(ter_probe *probe, uint64_t *ticket, int *count, float out_m[TER_PROBE_POINTS_MAX])
{
    TER_REQUIRE(probe);
    TER_REQUIRE(ticket);
    TER_REQUIRE(count);
    TER_REQUIRE(out_m);
    return probe->backend->probe_answer(probe->state, ticket, count, out_m);
}

void ter_probe_destroy(ter_probe *probe)
{
    if (!probe)
        return;
    probe->backend->probe_destroy(probe->state);
    free(probe);
}
