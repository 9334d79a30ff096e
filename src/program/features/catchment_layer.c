/* catchment_layer.c - writes catchments: for each reach the land whose water reaches the rivers there first. A first
 * pass over the samples numbers the catchments and counts their samples; a second one traces outlines along the edges
 * of samples, so that catchments touch without gap or overlap. A catchment is written when the polygons that are
 * complete have all of its samples. */
#include <math.h>
#include <stdlib.h>

#include "program/features/catchment_table.h"
#include "program/features/owner_rows.h"
#include "program/features/region_trace.h"

static const vector_field fields[] = {
    {"id", VECTOR_ID},
    {"downstream", VECTOR_ID},
    {"mouth", VECTOR_ID},
    {"strahler", VECTOR_INTEGER},
    {"area_km2", VECTOR_REAL},
    {"upstream_km2", VECTOR_REAL},
    {"drained_km2", VECTOR_REAL},
    {"cut", VECTOR_TEXT},
};

enum {
    FIELDS = sizeof fields / sizeof fields[0],
    BAND_CELLS = NET_TILE, /* height of a band of samples whose networks are made at once */
    BAND_TILES = 5,        /* rows of tiles in memory: those of a band, around it, and downstream */
    REPORT = 16            /* rows between reports */
};

#define NUMBERED 0.5 /* share of the step at which all samples have numbers */

/** The catchments of a rectangle. */
typedef struct catchment_search {
    feature_run *run;
    catchment_table table;
    sample_spool *numbers; /* of the catchments of samples, in a temporary file */
    int32_t outlet;        /* number of the catchment of the outlet; only what drains through it is written. 0: all */
    int32_t *becomes;      /* with an outlet: for each number, that of the outlet, or 0 */
    int32_t *row;          /* with an outlet: memory for a row */
} catchment_search;

static result out_of_memory(void)
{
    return result_of(RESULT_FAILED, "out of memory");
}

/* ---- numbers ---- */

/** Count the samples of a row. */
static void count_row(catchment_search *s, int64_t row, const int32_t *numbers)
{
    const trace_raster raster = s->run->raster;
    const bool is_edge = row == 0 || row == raster.height - 1;
    for (int n = 0; n < raster.width; n++) {
        catchment *c = &s->table.list[numbers[n]];
        c->samples++;
        c->is_cut |= is_edge || n == 0 || n == raster.width - 1;
    }
}

static result number_row(catchment_search *s, int64_t row, int32_t *numbers)
{
    const feature_run *run = s->run;
    feature_row at;
    result res = feature_read_row(run, row, &at);
    for (int n = 0; n < run->raster.width && res.kind == RESULT_DONE; n++) {
        if ((double)at.height[n] < run->params->sea)
            numbers[n] = CATCHMENT_SEA;
        else
            res = catchment_table_number(&s->table, at.owners[n], &numbers[n]);
    }
    if (res.kind == RESULT_DONE)
        count_row(s, row, numbers);
    return res;
}

/** Make the networks of a band of samples. */
static result load_band(const feature_run *run, int64_t row, int64_t rows)
{
    const double share = NUMBERED * (double)row / run->raster.height;
    const feature_block band = {0, row, run->raster.width, rows};
    ter_river_window cells;
    result res = feature_cells(run, &band, &cells);
    if (res.kind == RESULT_DONE)
        res = river_net_load(run->fine_net, &cells, false, share, share);
    if (res.kind == RESULT_DONE && run->net != run->fine_net)
        res = river_net_load(run->net, &cells, false, share, share);
    return res;
}

/** Number the samples of the next strip. */
static result number_strip(catchment_search *s)
{
    const int64_t height = s->run->raster.height, first = sample_spool_rows(s->numbers);
    const int64_t band = feature_samples_along(s->run, BAND_CELLS);
    int32_t *strip = (int32_t *)(void *)sample_spool_next(s->numbers);
    result res = result_done();
    for (int64_t n = 0; n < sample_spool_strip_rows(s->numbers) && first + n < height; n++) {
        if (n % REPORT == 0)
            res = feature_run_goes_on(s->run, NUMBERED * (double)(first + n) / (double)height);
        const int64_t rest = height - first - n;
        if (res.kind == RESULT_DONE && (first + n) % band == 0)
            res = load_band(s->run, first + n, rest < band ? rest : band);
        if (res.kind == RESULT_DONE)
            res = number_row(s, first + n, strip + n * s->run->raster.width);
        if (res.kind != RESULT_DONE)
            return res;
    }
    return sample_spool_add(s->numbers);
}

/** Number all samples. */
static result number_all(catchment_search *s)
{
    const feature_run *run = s->run;
    const int tiles = BAND_TILES * (run->cells.columns / NET_TILE + 3);
    const sample_spool_options options = {run->beside, NULL, run->raster.width, run->raster.height, false};
    river_net_widen(run->net, tiles);
    river_net_widen(run->fine_net, tiles);
    result res = sample_spool_open(&options, &s->numbers);
    while (res.kind == RESULT_DONE && sample_spool_rows(s->numbers) < run->raster.height)
        res = number_strip(s);
    return res.kind == RESULT_DONE ? catchment_table_add_upstream(&s->table) : res;
}

/* ---- the outlet ---- */

static result give_numbers(void *user, int64_t row, const int32_t **out)
{
    catchment_search *s = user;
    const float *numbers;
    const result res = sample_spool_row(s->numbers, row, &numbers);
    if (res.kind != RESULT_DONE)
        return res;
    *out = (const int32_t *)(const void *)numbers;
    for (int n = 0; n < s->run->raster.width && s->outlet > 0; n++)
        s->row[n] = s->becomes[(*out)[n]];
    *out = s->outlet > 0 ? s->row : *out;
    return res;
}

/** Find the number of the catchment that contains the outlet. Errors RESULT_USAGE no river drains the outlet */
static result find_outlet(catchment_search *s, int32_t *number)
{
    const feature_run *run = s->run;
    const double step = ldexp(1.0, run->job->lod), *at = run->job->outlet;
    const double column = rint((at[0] - run->job->x) / step), row = rint((at[1] - run->job->z) / step);
    const int32_t *numbers;
    const result res = give_numbers(s, (int64_t)row, &numbers);
    if (res.kind != RESULT_DONE)
        return res;
    *number = numbers[(size_t)column];
    if (*number <= CATCHMENT_NO_REACH)
        return result_of(RESULT_USAGE,
                         "--outlet is %.15g,%.15g, whose water meets no river before the sea or the bottom of a basin",
                         at[0], at[1]);
    return res;
}

/** Join all catchments that drain through the end of the outlet's reach, and drop the others. */
static result keep_outlet(catchment_search *s)
{
    const catchment_table *t = &s->table;
    int32_t outlet = 0;
    const result res = find_outlet(s, &outlet);
    if (res.kind != RESULT_DONE)
        return res;
    s->becomes = calloc(t->count, sizeof *s->becomes);
    s->row = malloc((size_t)s->run->raster.width * sizeof *s->row);
    if (!s->becomes || !s->row)
        return out_of_memory();
    for (size_t n = CATCHMENT_NO_REACH + 1; n < t->count; n++) {
        int32_t at = (int32_t)n;
        while (at > 0 && at != outlet)
            at = t->list[at].below;
        s->becomes[n] = at;
    }
    t->list[outlet].samples = t->list[outlet].upstream;
    s->outlet = outlet;
    return res;
}

/* ---- polygons ---- */

static result write_catchment(catchment_search *s, catchment *c)
{
    feature_run *run = s->run;
    const double square = feature_step_m(run) * feature_step_m(run) * 1e-6;
    const vector_value values[FIELDS] = {
        vector_id(c->has_reach, c->id),
        vector_id(c->has_downstream, c->downstream),
        vector_id(c->has_reach, c->mouth),
        {.is_set = c->has_reach, .integer = c->order},
        vector_real((double)c->samples * square),
        vector_real_or_null(c->has_reach && !c->is_upstream_cut, (double)c->upstream * square),
        vector_real_or_null(c->has_reach, c->area_end_m2 * 1e-6),
        vector_text(c->polygons->measure.is_cut ? "edge" : "")};
    const result res = polygon_group_write(c->polygons, run, 0.0, values);
    polygon_group_destroy(c->polygons);
    c->polygons = NULL;
    return res;
}

/** A trace_polygon: add a polygon to its catchment, and write the catchment when it is complete. */
static result add_polygon(void *user, int64_t number, vector_ring *rings, size_t n_rings)
{
    catchment_search *s = user;
    catchment *c = &s->table.list[number];
    if (!c->polygons)
        c->polygons = polygon_group_create();
    const result res = c->polygons ? polygon_group_add(c->polygons, s->run, rings, n_rings) : out_of_memory();
    if (res.kind != RESULT_DONE || c->polygons->measure.area != (double)c->samples)
        return res;
    return write_catchment(s, c);
}

static result go_on(void *user, double share)
{
    const catchment_search *s = user;
    return feature_run_goes_on(s->run, NUMBERED + (1.0 - NUMBERED) * share);
}

result write_catchment_layer(feature_run *run)
{
    catchment_search s = {.run = run};
    const region_source source = {run->raster, give_numbers, go_on, &s};
    result res = vector_file_layer(run->file, feature_names[FEATURE_CATCHMENTS], VECTOR_POLYGONS, fields, FIELDS);
    if (res.kind == RESULT_DONE)
        res = catchment_table_begin(&s.table, run);
    if (res.kind == RESULT_DONE)
        res = number_all(&s);
    if (res.kind == RESULT_DONE && run->job->has_outlet)
        res = keep_outlet(&s);
    if (res.kind == RESULT_DONE)
        res = region_trace(&source, add_polygon, &s);
    sample_spool_close(s.numbers, true);
    catchment_table_free(&s.table);
    free(s.becomes);
    free(s.row);
    return res;
}
