/* catchment_layer.c - writes catchments: for each reach the land whose water reaches the rivers there first. Each
 * sample is asked for the edge that it drains to (ter_river_owners); the outlines run along the edges of samples, so
 * that catchments touch without gap or overlap. */
#include <math.h>
#include <stdlib.h>

#include "library/core/grow.h"
#include "program/core/tasks.h"
#include "program/features/id_table.h"
#include "program/features/polygon_list.h"

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
    TILE_CELLS = 48, /* of the network; about the side of a tile */
    TILE_MOST = 512, /* samples */
    BATCH = 16,      /* tiles that are made at the same time */
    NO_REACH = 1     /* number of land that drains to no reach; sea: 0 */
};

/** A catchment, by its reach. */
typedef struct catchment {
    bool has_reach;
    reach reach;     /* without points */
    double upstream; /* samples2; area of all catchments that drain through the end of the reach */
    bool is_cut;     /* the edge cuts one of these catchments */
} catchment;

/** The catchments of a rectangle. */
typedef struct catchment_search {
    feature_run *run;
    int32_t *numbers; /* of each sample */
    catchment *list;  /* by number */
    size_t count, room;
    id_table edges, reaches; /* number of the catchment of each edge, of each reach */
    reach reach;
} catchment_search;

/* ---- numbers ---- */

static int64_t add_catchment(catchment_search *s, bool has_reach)
{
    catchment *list = ter_grow(s->list, &s->room, s->count + 1, sizeof *list);
    if (!list)
        return -1;
    s->list = list;
    s->list[s->count] = (catchment){.has_reach = has_reach};
    if (has_reach) {
        s->list[s->count].reach = s->reach;
        s->list[s->count].reach.points = NULL;
    }
    return (int64_t)s->count++;
}

/** Find the first edge downstream, beginning with edge `id` itself, that drains at least the least area of the request.
 * Returns false if there is none. */
static bool counted_edge(const feature_run *run, int64_t id, ter_river_edge *out)
{
    const int64_t west = run->cells.column;
    ter_river_edge e;
    bool is_found = river_net_find(run->fine_net, west + (int32_t)((uint32_t)(uint64_t)id - (uint32_t)(uint64_t)west),
                                   id >> 32, &e);
    while (is_found && e.area_m2 < run->request.min_area_m2)
        is_found = river_net_below(run->fine_net, &e, &e);
    return is_found && river_net_find(run->net, e.column, e.row, out);
}

/** The number of the catchment of an edge; -1: see the state of the networks. */
static int64_t number_of_reach(catchment_search *s, int64_t id)
{
    ter_river_edge e;
    if (!counted_edge(s->run, id, &e))
        return NO_REACH;
    const edge_part head = reach_head(s->run->net, (edge_part){e, 0});
    bool is_new;
    id_entry *entry = id_table_find(&s->reaches, reach_id(head), &is_new);
    if (!entry || !is_new)
        return entry ? entry->number : -1;
    if (reach_follow(s->run->net, head, s->run->params->spacing, &s->reach).kind != RESULT_DONE)
        return -1;
    entry->number = add_catchment(s, true);
    return entry->number;
}

static int64_t number_of_edge(catchment_search *s, int64_t id)
{
    bool is_new;
    if (id == TER_EDGE_NONE)
        return NO_REACH;
    id_entry *entry = id_table_find(&s->edges, id, &is_new);
    if (entry && is_new)
        entry->number = number_of_reach(s, id);
    return entry ? entry->number : -1;
}

/* ---- tiles ---- */

/** Tiles that are made at the same time. */
typedef struct owner_batch {
    const feature_run *run;
    ter_river_owners_options options[BATCH];
    int64_t *ids[BATCH];
    ter_status status[BATCH];
    int count;
} owner_batch;

static void make_owners(void *user, int64_t n)
{
    owner_batch *b = user;
    b->status[n] = ter_river_owners(b->run->job->world, &b->options[n], b->ids[n]);
}

/** Give numbers to the samples of a tile. */
static result number_tile(catchment_search *s, const ter_rect *rect, const int64_t *ids)
{
    const feature_run *run = s->run;
    for (int64_t row = 0; row < rect->height; row++)
        for (int64_t column = 0; column < rect->width; column++) {
            const size_t at = (size_t)(rect->j - run->request.rect.j + row) * (size_t)run->raster.width +
                              (size_t)(rect->i - run->request.rect.i + column);
            const bool is_sea = (double)run->height[at] < run->params->sea;
            const int64_t number = is_sea ? 0 : number_of_edge(s, ids[row * rect->width + column]);
            if (number < 0)
                return result_of(RESULT_FAILED, "out of memory");
            s->numbers[at] = (int32_t)number;
        }
    if (river_net_state(run->fine_net)->kind != RESULT_DONE)
        return *river_net_state(run->fine_net);
    return *river_net_state(run->net);
}

static result number_batch(catchment_search *s, owner_batch *b)
{
    result res = result_done();
    tasks_run(b->count, make_owners, b);
    for (int n = 0; n < b->count && res.kind == RESULT_DONE; n++) {
        if (b->status[n] == TER_ECANCELLED)
            res = result_of(RESULT_INTERRUPTED, "interrupted; nothing was written");
        else if (b->status[n] != TER_OK)
            res = result_of(RESULT_FAILED, "catchments: %s", ter_status_text(b->status[n]));
        else
            res = number_tile(s, &b->options[n].rect, b->ids[n]);
    }
    b->count = 0;
    return res;
}

/** Side of a tile, samples. */
static int64_t tile_side(const feature_run *run)
{
    const double side = ldexp(TILE_CELLS * TER_EDGE_CELL, -run->job->lod);
    return side < 1.0 ? 1 : side > TILE_MOST ? TILE_MOST : (int64_t)side;
}

static result number_samples(catchment_search *s, owner_batch *b)
{
    const feature_run *run = s->run;
    const ter_rect all = run->request.rect;
    const int64_t side = tile_side(run);
    const double wet = TER_EDGE_AREA_WET * run->params->spacing * run->params->spacing;
    const double least = run->request.min_area_m2;
    result res = result_done();
    for (int64_t j = 0; j < all.height && res.kind == RESULT_DONE; j += side) {
        res = feature_run_goes_on(run, 0.8 * (double)j / (double)all.height);
        for (int64_t i = 0; i < all.width && res.kind == RESULT_DONE; i += side) {
            b->options[b->count++] = (ter_river_owners_options){
                TER_SIZED(ter_river_owners_options),
                .rect = {all.level, all.i + i, all.j + j, all.width - i < side ? all.width - i : side,
                         all.height - j < side ? all.height - j : side},
                .min_area_m2 = least < wet ? least : 0.0, .is_cancelled = run->job->is_cancelled,
                .user = run->job->cancel_user};
            if (b->count == BATCH)
                res = number_batch(s, b);
        }
    }
    return res.kind == RESULT_DONE ? number_batch(s, b) : res;
}

static result number_all(catchment_search *s)
{
    owner_batch *b = calloc(1, sizeof *b);
    const int64_t side = tile_side(s->run);
    bool has_room = b != NULL;
    for (int n = 0; n < BATCH && has_room; n++)
        has_room = (b->ids[n] = malloc((size_t)(side * side) * sizeof(int64_t))) != NULL;
    if (b)
        b->run = s->run;
    const result res = has_room ? number_samples(s, b) : result_of(RESULT_FAILED, "out of memory");
    for (int n = 0; n < BATCH && b; n++)
        free(b->ids[n]);
    free(b);
    return res;
}

/* ---- upstream ---- */

/** The number of the catchment downstream of catchment n; 0 if there is none in the rectangle; -1: no memory. */
static int64_t number_below(catchment_search *s, size_t n)
{
    bool is_new;
    const catchment *c = &s->list[n];
    if (!c->has_reach || !c->reach.has_downstream)
        return 0;
    const id_entry *entry = id_table_find(&s->reaches, c->reach.downstream, &is_new);
    return entry ? entry->number : -1; /* a new entry has number 0 */
}

/** For each reach, add up the areas of all catchments that drain through its end. Returns false when there is no
 * memory.
 */
static bool add_upstream(catchment_search *s, const polygon_list *polygons)
{
    for (size_t n = NO_REACH + 1; n < s->count; n++) {
        const polygon_group *g = &polygons->groups[n];
        int64_t at = (int64_t)n;
        for (; at > 0; at = number_below(s, (size_t)at)) {
            s->list[at].upstream += g->area;
            s->list[at].is_cut |= g->is_cut;
        }
        if (at < 0)
            return false;
    }
    return true;
}

/** Find the number of the catchment that contains the outlet. Errors RESULT_USAGE no river drains the outlet */
static result find_outlet(const catchment_search *s, int64_t *number)
{
    const feature_run *run = s->run;
    const double step = ldexp(1.0, run->job->lod), *at = run->job->outlet;
    const double column = rint((at[0] - run->job->x) / step), row = rint((at[1] - run->job->z) / step);
    *number = s->numbers[(size_t)row * (size_t)run->raster.width + (size_t)column];
    if (*number <= NO_REACH)
        return result_of(RESULT_USAGE,
                         "--outlet is %.15g,%.15g, whose water meets no river before the sea or the bottom of a basin",
                         at[0], at[1]);
    return result_done();
}

/** Join all catchments that drain through the end of the outlet's reach, and drop the others. */
static result keep_outlet(catchment_search *s)
{
    int64_t outlet = 0;
    result res = find_outlet(s, &outlet);
    if (res.kind != RESULT_DONE)
        return res;
    int32_t *becomes = calloc(s->count, sizeof *becomes);
    bool is_done = becomes != NULL;
    for (size_t n = NO_REACH + 1; n < s->count && is_done; n++) {
        int64_t at = (int64_t)n;
        while (at > 0 && at != outlet)
            at = number_below(s, (size_t)at);
        is_done = at >= 0;
        becomes[n] = at == outlet ? (int32_t)outlet : 0;
    }
    const size_t all = (size_t)s->run->raster.width * (size_t)s->run->raster.height;
    for (size_t n = 0; n < all && is_done; n++)
        s->numbers[n] = becomes[s->numbers[n]];
    free(becomes);
    return is_done ? result_done() : result_of(RESULT_FAILED, "out of memory");
}

/* ---- polygons ---- */

static result write_catchments(catchment_search *s)
{
    feature_run *run = s->run;
    const double square = feature_step_m(run) * feature_step_m(run) * 1e-6;
    polygon_list polygons;
    result res = polygon_list_begin(&polygons, run, s->count);
    if (res.kind == RESULT_DONE)
        res = trace_regions(run->raster, s->numbers, polygon_list_add, &polygons);
    if (res.kind == RESULT_DONE && !add_upstream(s, &polygons))
        res = result_of(RESULT_FAILED, "out of memory");
    for (size_t n = 0; n < s->count && res.kind == RESULT_DONE; n++) {
        const polygon_group *g = &polygons.groups[n];
        const catchment *c = &s->list[n];
        if (g->n_rings == 0 || (run->job->has_outlet && n <= NO_REACH))
            continue;
        const vector_value values[FIELDS] = {vector_id(c->has_reach, c->reach.id),
                                             vector_id(c->has_reach && c->reach.has_downstream, c->reach.downstream),
                                             vector_id(c->has_reach, c->reach.mouth),
                                             {.is_set = c->has_reach, .integer = c->reach.order},
                                             vector_real(g->area * square),
                                             vector_real_or_null(c->has_reach && !c->is_cut, c->upstream * square),
                                             vector_real_or_null(c->has_reach, c->reach.area_end_m2 * 1e-6),
                                             vector_text(g->is_cut ? "edge" : "")};
        run->count++;
        res = polygon_list_write(&polygons, n, 0.0, run->file, values);
    }
    polygon_list_free(&polygons);
    return res;
}

result write_catchment_layer(feature_run *run)
{
    catchment_search s = {.run = run};
    result res = vector_file_layer(run->file, feature_names[FEATURE_CATCHMENTS], VECTOR_POLYGONS, fields, FIELDS);
    s.numbers = calloc((size_t)run->raster.width * (size_t)run->raster.height, sizeof *s.numbers);
    const bool has_room = s.numbers && add_catchment(&s, false) == 0 && add_catchment(&s, false) == NO_REACH;
    if (res.kind == RESULT_DONE)
        res = has_room ? number_all(&s) : result_of(RESULT_FAILED, "out of memory");
    if (res.kind == RESULT_DONE && run->job->has_outlet)
        res = keep_outlet(&s);
    if (res.kind == RESULT_DONE)
        res = write_catchments(&s);
    free(s.numbers);
    free(s.list);
    free(s.reach.points);
    id_table_free(&s.edges);
    id_table_free(&s.reaches);
    return res;
}
