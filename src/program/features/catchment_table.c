/* catchment_table.c - finds the reach of an owner: it follows the water to the first edge that counts, and that edge to
 * the head of its reach. */
#include "program/features/catchment_table.h"

#include <stdlib.h>

#include "library/core/grow.h"
#include "program/features/owner_rows.h"

enum { MEMO_BITS = 16 };

static result out_of_memory(void)
{
    return result_of(RESULT_FAILED, "out of memory");
}

/** Add a catchment without a reach. Returns NULL when there is no memory. */
static catchment *add(catchment_table *t)
{
    catchment *list = t->count < INT32_MAX ? ter_grow(t->list, &t->room, t->count + 1, sizeof *list) : NULL;
    if (!list)
        return NULL;
    t->list = list;
    t->list[t->count] = (catchment){0};
    return &t->list[t->count++];
}

result catchment_table_begin(catchment_table *t, const feature_run *run)
{
    t->run = run;
    t->memo = malloc(((size_t)1 << MEMO_BITS) * sizeof *t->memo);
    if (!t->memo || !add(t) || !add(t))
        return out_of_memory();
    for (size_t n = 0; n < (size_t)1 << MEMO_BITS; n++)
        t->memo[n] = (catchment_memo){OWNER_NONE, CATCHMENT_NO_REACH};
    return result_done();
}

void catchment_table_free(catchment_table *t)
{
    for (size_t n = 0; n < t->count; n++)
        polygon_group_destroy(t->list[n].polygons);
    free(t->list);
    free(t->memo);
    id_table_free(&t->reaches);
}

/* ---- reaches ---- */

/** Find the first edge downstream, beginning with the owner itself, that drains at least the least area of the request.
 * Returns false if there is none. */
static bool counted_edge(const feature_run *run, int32_t owner, ter_river_edge *out)
{
    int64_t cell[2];
    ter_river_edge e;
    owner_cell(run, owner, cell);
    bool is_found = river_net_find(run->fine_net, cell[0], cell[1], &e);
    while (is_found && e.area_m2 < run->request.min_area_m2)
        is_found = river_net_below(run->fine_net, &e, &e);
    return is_found && river_net_find(run->net, e.column, e.row, out);
}

/** Why a network could not go on; RESULT_DONE: nothing has failed. */
static result state_of_networks(const feature_run *run)
{
    const result *fine = river_net_state(run->fine_net);
    return fine->kind == RESULT_DONE ? *river_net_state(run->net) : *fine;
}

/** Add the catchment of the reach with a head. */
static result add_reach(catchment_table *t, edge_part head, int64_t *number)
{
    reach r = {0};
    const result res = reach_follow_edges(t->run->net, head, &r);
    if (res.kind != RESULT_DONE)
        return res;
    catchment *c = add(t);
    if (!c)
        return out_of_memory();
    *c = (catchment){.has_reach = true,
                     .has_downstream = r.has_downstream,
                     .order = r.order,
                     .id = r.id,
                     .downstream = r.downstream,
                     .mouth = r.mouth,
                     .area_end_m2 = r.area_end_m2};
    *number = (int64_t)t->count - 1;
    return res;
}

static result number_of_reach(catchment_table *t, int32_t owner, int32_t *number)
{
    ter_river_edge e;
    bool is_new;
    *number = CATCHMENT_NO_REACH;
    if (!counted_edge(t->run, owner, &e))
        return state_of_networks(t->run);
    const edge_part head = reach_head(t->run->net, (edge_part){e, 0});
    result res = state_of_networks(t->run);
    if (res.kind != RESULT_DONE)
        return res;
    id_entry *entry = id_table_find(&t->reaches, reach_id(head), &is_new);
    res = !entry ? out_of_memory() : is_new ? add_reach(t, head, &entry->number) : res;
    if (res.kind == RESULT_DONE)
        *number = (int32_t)entry->number;
    return res;
}

result catchment_table_number(catchment_table *t, int32_t owner, int32_t *number)
{
    catchment_memo *m = &t->memo[(uint32_t)owner * UINT32_C(0x9e3779b1) >> (32 - MEMO_BITS)];
    result res = result_done();
    if (owner == OWNER_NONE) {
        *number = CATCHMENT_NO_REACH;
        return res;
    }
    if (m->owner != owner) {
        m->owner = OWNER_NONE;
        res = number_of_reach(t, owner, &m->number);
        m->owner = res.kind == RESULT_DONE ? owner : OWNER_NONE;
    }
    *number = m->number;
    return res;
}

/* ---- upstream ---- */

/** Find the catchment downstream of each one. Returns false when there is no memory. */
static bool find_below(catchment_table *t)
{
    for (size_t n = CATCHMENT_NO_REACH + 1; n < t->count; n++) {
        catchment *c = &t->list[n];
        const id_entry *entry = c->has_downstream ? id_table_find(&t->reaches, c->downstream, NULL) : NULL;
        if (c->has_downstream && !entry)
            return false;
        c->below = entry ? (int32_t)entry->number : 0; /* a new entry has number 0 */
        t->list[c->below].inflows++;
        c->upstream = c->samples;
        c->is_upstream_cut = c->is_cut;
    }
    return true;
}

/** Add a catchment to the one downstream, and so on, as long as nothing else is missing there. */
static void hand_down(catchment_table *t, size_t first)
{
    for (catchment *c = &t->list[first]; c->below > 0 && c->inflows == 0;) {
        catchment *below = &t->list[c->below];
        below->upstream += c->upstream;
        below->is_upstream_cut |= c->is_upstream_cut;
        below->inflows--;
        c->inflows = -1; /* it was handed down */
        c = below;
    }
}

result catchment_table_add_upstream(catchment_table *t)
{
    if (!find_below(t))
        return out_of_memory();
    for (size_t n = CATCHMENT_NO_REACH + 1; n < t->count; n++)
        hand_down(t, n);
    return result_done();
}
