/* race.c - makes rows from a request's lists, and measures them in groups that share memory. */
#include "program/bench/race.h"

#include <string.h>

#include "program/bench/report.h"
#include "program/bench/targets.h"

/* ---- worlds ---- */

bool race_world_named(const char *name, uint64_t seed, race_world *world)
{
    ter_params params = {TER_SIZED(ter_params), .seed = seed,   .levels = 20,
                         .amplitude = 1400.0,   .gain = 0.48,   .broad = 9,
                         .broad_gain = 0.82,    .base = -150.0, .basis = TER_BASIS_SMOOTH,
                         .valley = 0.7,         .spacing = 1.0};
    const bool is_classic = strcmp(name, "classic") == 0;
    if (is_classic) {
        params.basis = TER_BASIS_MIDPOINT;
        params.valley = 0.0;
        params.broad = 0;
        params.gain = 0.5;
    }
    *world = (race_world){.name = name, .params = params, .has_levels_of_size = is_classic};
    return is_classic || strcmp(name, "smooth") == 0;
}

static int levels_of(int64_t size)
{
    int levels = 1;
    while (levels < TER_LEVELS_MAX && (INT64_C(1) << levels) < size)
        levels++;
    return levels;
}

outcome race_add_world(race *race, const race_world *world, int64_t size, const ter_world **out)
{
    ter_params params = world->params;
    if (race->n_worlds == RACE_ROWS_MAX)
        return outcome_of(OUTCOME_USAGE, "more than %d worlds to measure; name fewer sizes or worlds", RACE_ROWS_MAX);
    if (world->has_levels_of_size && size > 0)
        params.levels = levels_of(size);
    const outcome o = outcome_of_library(ter_world_create(&params, &race->worlds[race->n_worlds]), "world");
    if (o.kind == OUTCOME_DONE)
        *out = race->worlds[race->n_worlds++];
    return o;
}

/* ---- rows ---- */

static outcome add_row(race *race, const bench_row *row)
{
    if (race->count == RACE_ROWS_MAX)
        return outcome_of(OUTCOME_USAGE, "more than %d rows to measure; name fewer sizes or worlds", RACE_ROWS_MAX);
    race->rows[race->count++] = *row;
    return outcome_done();
}

/** Add the rows of one generator for the work and world of `row`: the generator itself, and its variants on CUDA. */
static outcome add_generator(race *race, bench_row row, ter_method method)
{
    const bench_target *target = bench_target_find(row.backend, 1);
    row.method = method;
    if (row.work.is_u16)
        return method == TER_METHOD_TILED ? add_row(race, &row) : outcome_done();
    outcome o = add_row(race, &row);
    /* fluvial worlds cannot be replayed as a graph, because their kernel launches depend on the land */
    const bool is_fluvial = ter_world_params(row.world)->basis == TER_BASIS_FLUVIAL;
    if (o.kind == OUTCOME_DONE && method == TER_METHOD_RECURSIVE && row.size > 0 && !is_fluvial && target &&
        target->can_replay) {
        row.is_replayed = true;
        o = add_row(race, &row);
        row.is_replayed = false;
    }
    if (o.kind == OUTCOME_DONE && method == TER_METHOD_SINGLE_PASS && row.backend == TER_BACKEND_CUDA) {
        row.is_by_sample = true;
        o = add_row(race, &row);
    }
    return o;
}

/** Rows that are measured together: one backend and one work, all generators and all worlds. */
typedef struct group {
    ter_backend backend;
    int64_t size; /* 0: the batch */
    bool is_u16;  /* 16-bit samples instead of floats */
} group;

static outcome add_group(race *race, const race_request *q, const group *g)
{
    outcome o = outcome_done();
    for (int w = 0; w < q->n_worlds && o.kind == OUTCOME_DONE; w++) {
        bench_row row = {.backend = g->backend, .world_name = q->worlds[w].name, .size = g->size};
        o = race_add_world(race, &q->worlds[w], g->size, &row.world);
        if (o.kind != OUTCOME_DONE)
            break;
        const ter_params *params = ter_world_params(row.world);
        row.work = g->size > 0 ? bench_work_array(params->levels, g->size) : bench_work_batch(params->levels);
        row.work.is_u16 = g->is_u16;
        row.work.range[0] = params->base - 2.0 * params->amplitude;
        row.work.range[1] = params->base + 2.0 * params->amplitude;
        for (int m = 0; m < q->n_methods && o.kind == OUTCOME_DONE; m++)
            o = add_generator(race, row, q->methods[m]);
    }
    return o;
}

/** Add rows for arrays that all devices share: one for each row of `tiled` from row `first` on. */
static outcome add_shared_rows(race *race, size_t first, int n_devices)
{
    outcome o = outcome_done();
    const size_t end = race->count;
    for (size_t n = first; n < end && o.kind == OUTCOME_DONE; n++) {
        bench_row row = race->rows[n];
        row.n_devices = n_devices;
        if (row.backend == TER_BACKEND_CUDA && row.method == TER_METHOD_TILED && row.size >= n_devices &&
            !row.work.is_u16)
            o = add_row(race, &row);
    }
    return o;
}

/* ---- measuring ---- */

/** Measure and print the rows from `first` on. */
static outcome measure(race *race, const race_request *q, size_t first, FILE *table)
{
    if (first == race->count)
        return outcome_done();
    const outcome o = bench_measure(race->rows + first, race->count - first, &q->run);
    if (o.kind == OUTCOME_DONE)
        report_rows(table, race->rows + first, race->count - first);
    fflush(table);
    return o;
}

static outcome run_group(race *race, const race_request *q, const group *g, FILE *table)
{
    const size_t first = race->count;
    outcome o = add_group(race, q, g);
    const size_t end = race->count;
    if (o.kind == OUTCOME_DONE)
        o = measure(race, q, first, table);
    if (o.kind == OUTCOME_DONE && q->n_devices > 1)
        o = add_shared_rows(race, first, q->n_devices);
    return o.kind == OUTCOME_DONE ? measure(race, q, end, table) : o;
}

outcome race_run(race *race, const race_request *q, FILE *table)
{
    outcome o = outcome_done();
    for (int k = 0; k < q->n_backends; k++) {
        const bench_target *target = bench_target_find(q->backends[k], 1);
        const int n_kinds = q->is_u16 && target && target->can_quantise ? 2 : 1;
        for (int n = 0; n < q->n_sizes * n_kinds && o.kind == OUTCOME_DONE; n++) {
            const group g = {.backend = q->backends[k], .size = q->sizes[n % q->n_sizes], .is_u16 = n >= q->n_sizes};
            o = run_group(race, q, &g, table);
        }
    }
    return o;
}

outcome race_verdict(const race *race)
{
    for (size_t n = 0; n < race->count; n++)
        if (!race->rows[n].is_identical)
            return outcome_of(OUTCOME_FAILED, "%s %s differs from the reference in world %s at size %lld",
                              ter_backend_name(race->rows[n].backend), bench_row_generator(&race->rows[n]),
                              race->rows[n].world_name, (long long)race->rows[n].size);
    return outcome_done();
}

void race_destroy(race *race)
{
    for (size_t n = 0; n < race->n_worlds; n++)
        ter_world_destroy(race->worlds[n]);
}
