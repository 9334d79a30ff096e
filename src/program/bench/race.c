/* race.c - a benchmark: makes a row of the table for each combination of the backends, sizes, worlds and generators
 * that a request lists, and measures the rows in groups. */
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

/** Parameters of a world for arrays of a size and a level of detail. A world of basis fluvial gets at least as many
 * levels as this level of detail needs: the number of levels does not change its samples. */
static ter_params params_for(const race_world *world, int64_t size, int lod)
{
    ter_params params = world->params;
    if (world->has_levels_of_size && size > 0)
        params.levels = levels_of(size);
    if (params.basis == TER_BASIS_FLUVIAL && params.levels < lod)
        params.levels = lod;
    return params;
}

result race_check_lods(const race_request *q)
{
    for (int w = 0; w < q->n_worlds; w++)
        for (int n = 0; n < q->n_sizes; n++) {
            const int lod = q->lods[1], levels = params_for(&q->worlds[w], q->sizes[n], lod).levels;
            if (q->sizes[n] > 0 && levels < lod)
                return result_of(RESULT_USAGE, "--lod goes to %d, expected at most %d, the levels of world %s%s", lod,
                                 levels, q->worlds[w].name,
                                 q->worlds[w].has_levels_of_size ? ", which has log2 of the size" : "");
        }
    return result_done();
}

result race_add_world(race *race, const race_world *world, int64_t size, int lod, const ter_world **out)
{
    const ter_params params = params_for(world, size, lod);
    if (race->n_worlds == RACE_ROWS_MAX)
        return result_of(RESULT_USAGE, "more than %d worlds to measure; name fewer sizes or worlds", RACE_ROWS_MAX);
    const result res = result_of_library(ter_world_create(&params, &race->worlds[race->n_worlds]), "world");
    if (res.kind == RESULT_DONE)
        *out = race->worlds[race->n_worlds++];
    return res;
}

/* ---- rows ---- */

static result add_row(race *race, const bench_row *row)
{
    if (race->count == RACE_ROWS_MAX)
        return result_of(RESULT_USAGE, "more than %d rows to measure; name fewer sizes or worlds", RACE_ROWS_MAX);
    race->rows[race->count++] = *row;
    return result_done();
}

/** Add the rows of one generator for the work and world of `row`: the generator itself, and its variants on CUDA. */
static result add_generator(race *race, bench_row row, ter_method method)
{
    const bench_target *target = bench_target_find(row.backend, 1);
    row.method = method;
    if (row.work.is_u16)
        return method == TER_METHOD_TILED ? add_row(race, &row) : result_done();
    result res = add_row(race, &row);
    /* fluvial worlds cannot be replayed as a graph, because their kernel launches depend on the land */
    const bool is_fluvial = ter_world_params(row.world)->basis == TER_BASIS_FLUVIAL;
    if (res.kind == RESULT_DONE && method == TER_METHOD_RECURSIVE && row.size > 0 && !is_fluvial && target &&
        target->can_replay) {
        row.is_replayed = true;
        res = add_row(race, &row);
        row.is_replayed = false;
    }
    if (res.kind == RESULT_DONE && method == TER_METHOD_SINGLE_PASS && row.backend == TER_BACKEND_CUDA) {
        row.is_by_sample = true;
        res = add_row(race, &row);
    }
    return res;
}

/** Rows that are measured together: they have the same backend, array size, level of detail and sample type, and differ
 * in generator and world. */
typedef struct group {
    ter_backend backend;
    int64_t size; /* 0: the viewer's batch of small tiles instead of one square array */
    int lod;      /* level of detail of the array */
    bool is_u16;  /* 16-bit samples instead of floats */
} group;

static result add_group(race *race, const race_request *q, const group *g)
{
    result res = result_done();
    for (int w = 0; w < q->n_worlds && res.kind == RESULT_DONE; w++) {
        bench_row row = {.backend = g->backend, .world_name = q->worlds[w].name, .size = g->size, .lod = g->lod};
        res = race_add_world(race, &q->worlds[w], g->size, g->lod, &row.world);
        if (res.kind != RESULT_DONE)
            break;
        const ter_params *params = ter_world_params(row.world);
        row.work = g->size > 0 ? bench_work_array(params->levels - g->lod, g->size) : bench_work_batch(params->levels);
        row.work.is_u16 = g->is_u16;
        row.work.range[0] = params->base - 2.0 * params->amplitude;
        row.work.range[1] = params->base + 2.0 * params->amplitude;
        for (int m = 0; m < q->n_methods && res.kind == RESULT_DONE; m++)
            res = add_generator(race, row, q->methods[m]);
    }
    return res;
}

/** For each CUDA row of method `tiled` with float samples, from row `first` on, add a row in which all devices share
 * the array. Arrays that have fewer rows of samples than there are devices are left out. */
static result add_shared_rows(race *race, size_t first, int n_devices)
{
    result res = result_done();
    const size_t end = race->count;
    for (size_t n = first; n < end && res.kind == RESULT_DONE; n++) {
        bench_row row = race->rows[n];
        row.n_devices = n_devices;
        if (row.backend == TER_BACKEND_CUDA && row.method == TER_METHOD_TILED && row.size >= n_devices &&
            !row.work.is_u16)
            res = add_row(race, &row);
    }
    return res;
}

/* ---- measuring ---- */

/** Measure and print the rows from `first` on. */
static result measure(race *race, const race_request *q, size_t first, FILE *table)
{
    if (first == race->count)
        return result_done();
    const result res = bench_measure(race->rows + first, race->count - first, &q->run);
    if (res.kind == RESULT_DONE)
        report_rows(table, race->rows + first, race->count - first);
    fflush(table);
    return res;
}

static result run_group(race *race, const race_request *q, const group *g, FILE *table)
{
    const size_t first = race->count;
    result res = add_group(race, q, g);
    const size_t end = race->count;
    if (res.kind == RESULT_DONE)
        res = measure(race, q, first, table);
    if (res.kind == RESULT_DONE && q->n_devices > 1)
        res = add_shared_rows(race, first, q->n_devices);
    return res.kind == RESULT_DONE ? measure(race, q, end, table) : res;
}

/** Run the groups of one backend, size and sample type: one for each level of detail. The batch has only one. */
static result run_lods(race *race, const race_request *q, group g, FILE *table)
{
    const int first = g.size > 0 ? q->lods[0] : 0, last = g.size > 0 ? q->lods[1] : 0;
    result res = result_done();
    for (g.lod = first; g.lod <= last && res.kind == RESULT_DONE; g.lod++)
        res = run_group(race, q, &g, table);
    return res;
}

result race_run(race *race, const race_request *q, FILE *table)
{
    result res = result_done();
    for (int k = 0; k < q->n_backends; k++) {
        const bench_target *target = bench_target_find(q->backends[k], 1);
        const int n_kinds = q->is_u16 && target && target->can_quantise ? 2 : 1;
        for (int n = 0; n < q->n_sizes * n_kinds && res.kind == RESULT_DONE; n++) {
            const group g = {.backend = q->backends[k], .size = q->sizes[n % q->n_sizes], .is_u16 = n >= q->n_sizes};
            res = run_lods(race, q, g, table);
        }
    }
    return res;
}

result race_verdict(const race *race)
{
    for (size_t n = 0; n < race->count; n++)
        if (!race->rows[n].is_identical)
            return result_of(RESULT_FAILED, "%s %s differs from the reference in world %s at size %lld, lod %d",
                             ter_backend_name(race->rows[n].backend), bench_row_generator(&race->rows[n]),
                             race->rows[n].world_name, (long long)race->rows[n].size, race->rows[n].lod);
    return result_done();
}

void race_destroy(race *race)
{
    for (size_t n = 0; n < race->n_worlds; n++)
        ter_world_destroy(race->worlds[n]);
}
