/* tile_source_shared.c - the generator writes into buffers that OpenGL draws from. */
#include <math.h>

#include "program/core/clock.h"
#include "program/viewer/tiles/tile_source_state.h"

ter_status tile_source_share_buffers(tile_source *s)
{
    ter_status status = ter_gl_buffer_register(s->generator, tile_store_buffer(s->store), &s->shared);
    if (status == TER_OK && s->has_water)
        status = ter_gl_buffer_register(s->generator, tile_store_water_buffer(s->store), &s->shared_water);
    if (status == TER_OK && s->has_water)
        status = ter_gl_buffer_register(s->generator, tile_store_arrivals_buffer(s->store), &s->arrivals);
    if (status != TER_OK) {
        ter_gl_buffer_unregister(s->shared);
        ter_gl_buffer_unregister(s->shared_water);
        s->shared = s->shared_water = NULL;
    }
    return status;
}

/** Map the store's buffers; water too where one of the worlds has it. */
static ter_status map_shared(tile_source *s, layer_arrays *out)
{
    size_t bytes;
    *out = (layer_arrays){{0}};
    ter_status status = ter_gl_buffer_map(s->shared, NULL, &out->at[TER_LAYER_HEIGHT], &bytes);
    if (status != TER_OK || !s->has_water || !landscape_drains(s->land))
        return status;
    status = ter_gl_buffer_map(s->shared_water, NULL, &out->at[TER_LAYER_WATER], &bytes);
    if (status != TER_OK)
        ter_gl_buffer_unmap(s->shared, NULL);
    return status;
}

/** Give the buffers back after work that went as `status` says. */
static ter_status unmap_shared(tile_source *s, const layer_arrays *mapped, ter_status status)
{
    const ter_status water = mapped->at[TER_LAYER_WATER] ? ter_gl_buffer_unmap(s->shared_water, NULL) : TER_OK;
    const ter_status heights = ter_gl_buffer_unmap(s->shared, NULL);
    return status != TER_OK ? status : heights != TER_OK ? heights : water;
}

outcome tile_source_map_arrivals(tile_source *s)
{
    size_t bytes;
    const ter_status status = ter_gl_buffer_map(s->arrivals, ter_generator_stream(s->generator), &s->mapped, &bytes);
    if (status != TER_OK)
        s->mapped = NULL;
    return outcome_of_library(status, "tiles");
}

ter_status tile_source_fill_arrivals(tile_source *s)
{
    const host_batch *b = &s->batch;
    const tile_layout layout = {TILE_SAMPLES, TILE_SAMPLES, TILE_SAMPLES, TILE_FLOATS, NULL};
    const size_t layer = (size_t)RIVER_ARRIVALS * TILE_FLOATS;
    const layer_arrays out = {.at = {[TER_LAYER_HEIGHT] = s->mapped + ARRIVAL_HEIGHT * layer,
                                     [TER_LAYER_WATER] = s->mapped + ARRIVAL_WATER * layer,
                                     [TER_LAYER_FLOW] = s->mapped + ARRIVAL_FLOW * layer,
                                     [TER_LAYER_SHORE] = s->mapped + ARRIVAL_SHORE * layer}};
    return fill_tiles_device(s->generator, s->land->world, (tile_span){b->tiles, b->count}, &layout, &out,
                             ter_generator_stream(s->generator));
}

outcome tile_source_unmap_arrivals(tile_source *s)
{
    if (!s->mapped)
        return outcome_done();
    s->mapped = NULL;
    return outcome_of_library(ter_gl_buffer_unmap(s->arrivals, ter_generator_stream(s->generator)), "tiles");
}

void tile_source_take_arrivals(tile_source *s)
{
    tile_store_take_arrivals(s->store, s->batch.slots, s->batch.count);
    tile_source_find_rivers(s);
}

/** Let a batch arrive with its rivers, and put it into its slots. */
static outcome make_arrive(tile_source *s)
{
    outcome o = tile_source_map_arrivals(s);
    if (o.kind != OUTCOME_DONE)
        return o;
    o = outcome_of_library(tile_source_fill_arrivals(s), "tiles");
    const outcome unmapped = tile_source_unmap_arrivals(s);
    if (o.kind != OUTCOME_DONE || unmapped.kind != OUTCOME_DONE)
        return o.kind != OUTCOME_DONE ? o : unmapped;
    tile_source_take_arrivals(s);
    return o;
}

/** Fill the slots of a batch, or load it into the morph: heights come with the next blend then. */
static outcome make_shared(tile_source *s)
{
    layer_arrays out;
    const host_batch *b = &s->batch;
    const tile_layout layout = {TILE_SAMPLES, TILE_SAMPLES, TILE_SAMPLES, TILE_FLOATS, b->slots};
    if (s->is_morphing)
        return outcome_of_library(tile_source_load_morph(s, b->tiles, b->slots, b->count), "tiles");
    if (s->has_water && landscape_drains(s->land))
        return make_arrive(s);
    ter_status status = map_shared(s, &out);
    if (status == TER_OK) {
        const layer_arrays heights = {.at = {[TER_LAYER_HEIGHT] = out.at[TER_LAYER_HEIGHT]}};
        status =
            fill_tiles_device(s->generator, s->land->world, (tile_span){b->tiles, b->count}, &layout, &heights, NULL);
        status = unmap_shared(s, &out, status);
    }
    return outcome_of_library(status, "tiles");
}

/** Load the batch's slots with the coming morph's heights. */
static outcome prepare_batch(tile_source *s)
{
    const host_batch *b = &s->batch;
    const ter_status status = tile_source_load_coming(s, b->tiles, b->slots, b->count);
    for (size_t n = 0; n < b->count && status == TER_OK; n++)
        s->prepared[b->slots[n]] = true;
    return outcome_of_library(status, "morph");
}

/** Load what room is left in a frame for with tiles of the coming morph, or find rivers again after one. */
static outcome use_room(tile_source *s, double room, uint64_t frame)
{
    outcome o = outcome_done();
    size_t none = 0;
    if (s->is_morphing || (s->n_turning > 0 && !s->is_patient) || room <= 0.0 || !(s->coming || s->has_bare))
        return o;
    tile_source_take_held(s, s->coming ? BATCH_PREPARED : BATCH_RIVERS, room, frame);
    if (s->batch.count > 0 && s->coming)
        o = prepare_batch(s);
    else if (s->batch.count > 0)
        o = make_arrive(s);
    tile_source_complete_batch(s, &none);
    return o;
}

/** What a frame has time for, in the cost of fine tiles. */
typedef struct frame_budget {
    double share, least, most; /* of what waits, within these */
    double beside;             /* of a dear tile, beside the others */
} frame_budget;

/** As much as keeps up with a flight that is fast, and more where many wait; less before and in a morph, for tiles are
 * made in two worlds then. */
static const frame_budget *budget_of(const tile_source *s)
{
    static const frame_budget ONE_WORLD = {1.0 / 2.0, 80.0, 128.0, 32.0};
    static const frame_budget BEFORE_MORPH = {1.0 / 2.0, 60.0, 72.0, 0.0};
    static const frame_budget IN_MORPH = {1.0 / 4.0, 40.0, 64.0, 12.0};
    return s->coming ? &BEFORE_MORPH : s->is_morphing ? &IN_MORPH : &ONE_WORLD;
}

/** Note whether the frame has waited for the device much longer than those before it; never twice in a row. */
static void note_wait(tile_source *s)
{
    static const double LONG_S = 0.005, KEPT = 0.9;
    const double waited_s = clock_now_s() - s->updated_s, usual_s = s->usual_wait_s;
    s->usual_wait_s = KEPT * usual_s + (1.0 - KEPT) * waited_s;
    s->has_waited = !s->has_waited && waited_s > usual_s + LONG_S;
}

/** What a frame's tiles may cost: nothing where little of it is left, so that tiles that nobody sees yet come in the
 * next one. When a morph begins or ends there is less time for them: then all tiles are copied, or what is left of them
 * is blended and all are measured. */
static double most_of_frame(const tile_source *s, size_t n_requests)
{
    static const double COST_OF_TURN[] = {24.0, 0.0};
    const frame_budget *budget = budget_of(s);
    if (s->is_patient)
        return INFINITY;
    if (s->has_waited)
        return 0.0;
    return s->n_turning > 0 ? COST_OF_TURN[s->n_turning - 1]
                            : fmax(budget->least, fmin(budget->share * (double)n_requests, budget->most));
}

/** A request for a tile that is dear and not seen yet. */
static bool is_dear(const tile_source *s, const quadtree_request *r)
{
    return !r->is_seen && tile_source_is_dear(s, r->key.lod);
}

/** Choose of what is requested: all that is seen, and what costs no more than `most` together, the last one aside. One
 * dear tile is made beside these, whatever comes before it, but not when a morph begins or ends or nothing may be made;
 * others wait while there are cheaper ones. Dear tiles are often wanted all at once, and would wait until they are
 * seen, or keep everything else waiting.
 */
static size_t choose_for_frame(const tile_source *s, const quadtree_request *requests, size_t count, double most,
                               quadtree_request chosen[SHARED_BATCH])
{
    size_t n_chosen = 0, dear = s->n_turning > 0 || most <= 0.0 ? count : 0;
    double cost = 0.0;
    while (dear < count && !is_dear(s, &requests[dear]))
        dear++;
    if (dear < count)
        cost = fmax(tile_source_cost(s, requests[dear].key.lod) - budget_of(s)->beside, 0.0);
    for (size_t n = 0; n < count && n_chosen < SHARED_BATCH; n++) {
        if (n != dear && !requests[n].is_seen && (cost >= most || is_dear(s, &requests[n])))
            continue;
        cost += n == dear ? 0.0 : tile_source_cost(s, requests[n].key.lod);
        chosen[n_chosen++] = requests[n];
    }
    for (size_t n = 0; n < count && n_chosen < SHARED_BATCH && cost < most; n++)
        if (n != dear && is_dear(s, &requests[n])) {
            cost += tile_source_cost(s, requests[n].key.lod);
            chosen[n_chosen++] = requests[n];
        }
    return n_chosen;
}

outcome tile_source_update_shared(tile_source *s, const quadtree_request *requests, size_t count, uint64_t frame,
                                  size_t *n_completed)
{
    static const double MANY = 16.0; /* of a frame's cost: so much takes longer than a frame's drawing leaves */
    static const double ROOM = 32.0; /* of it, for what nobody waits for */
    static const double BOTH =
        140.0; /* while a morph is awaited: new tiles in two worlds, older ones in the coming one */
    static const double OLDER = 8.0; /* for these at least */
    note_wait(s);
    const double most = most_of_frame(s, count);
    quadtree_request chosen[SHARED_BATCH];
    const size_t n_chosen = choose_for_frame(s, requests, count, most, chosen);
    double cost = 0.0;
    tile_source_take_requests(s, chosen, n_chosen, SHARED_BATCH, frame);
    for (size_t n = 0; n < s->batch.count; n++)
        cost += tile_source_cost(s, s->batch.keys[n].lod);
    outcome o = s->batch.count > 0 ? make_shared(s) : outcome_done();
    if (o.kind != OUTCOME_DONE)
        return o;
    if (s->batch.count > 0 && s->coming)
        o = prepare_batch(s);
    tile_source_complete_batch(s, n_completed);
    if (o.kind != OUTCOME_DONE)
        return o;
    cost *= s->coming ? 2.0 : 1.0;
    if (most > 0.0)
        o = use_room(s, s->is_patient ? most : fmin(s->coming ? fmax(BOTH - cost, OLDER) : most - cost, ROOM), frame);
    s->n_turning -= s->n_turning > 0;
    const bool are_many = cost > MANY;
    s->waits = are_many || s->is_morphing;
    if (o.kind == OUTCOME_DONE && are_many) /* else a later frame waits for the tiles of several */
        o = outcome_of_library(tile_source_wait(s), "tiles");
    s->updated_s = clock_now_s();
    return o;
}

ter_status tile_source_take_shown(tile_source *s, size_t count)
{
    layer_arrays shown;
    ter_output outputs[TER_LAYER_COUNT];
    const tile_layout layout = {TILE_SAMPLES, TILE_SAMPLES, TILE_SAMPLES, TILE_FLOATS, s->held};
    const ter_status status = map_shared(s, &shown);
    if (status != TER_OK)
        return status;
    ter_target made = fill_target(outputs, fill_outputs(&shown, outputs), &layout);
    made.memory = TER_MEMORY_DEVICE;
    const ter_morph_source source = {TER_SIZED(ter_morph_source), .world = s->land->world, .held = s->held,
                                     .count = count, .made = &made};
    return unmap_shared(s, &shown, ter_morph_load(s->morph, &source));
}

/** Blend listed tiles from the n-th on into the buffers. */
static ter_status blend_listed(tile_source *s, const ter_blend *blend, size_t n, size_t count, const layer_arrays *out)
{
    const tile_layout layout = {TILE_SAMPLES, TILE_SAMPLES, TILE_SAMPLES, TILE_FLOATS, s->held + n};
    ter_output outputs[TER_LAYER_COUNT];
    ter_target target = fill_target(outputs, fill_outputs(out, outputs), &layout);
    target.memory = TER_MEMORY_DEVICE;
    const ter_morph_tiles tiles = {TER_SIZED(ter_morph_tiles), tile_source_level(s->land->world, 0), s->tiles + n,
                                   s->held + n, count};
    return ter_morph_blend(s->morph, blend, &tiles, &target);
}

ter_status tile_source_blend_shared(tile_source *s, size_t count, size_t n_over)
{
    const ter_blend over = landscape_blend_in(s->land, s->land->seconds);
    layer_arrays out;
    if (count + n_over == 0)
        return TER_OK;
    ter_status status = map_shared(s, &out);
    if (status != TER_OK)
        return status;
    status = blend_listed(s, &s->land->blend, 0, count, &out);
    if (status == TER_OK)
        status = blend_listed(s, &over, count, n_over, &out);
    return unmap_shared(s, &out, status);
}
