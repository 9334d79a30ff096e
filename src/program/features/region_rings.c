/* region_rings.c - walks along each chain, and cuts off a ring when the walk comes to a corner for the second time. */
#include "program/features/region_rings.h"

#include <stdlib.h>

#include "library/core/grow.h"

void region_rings_drop(region_rings *r)
{
    for (size_t n = 0; n < r->n_rings; n++)
        free(r->rings[n].points);
    r->n_rings = 0;
}

void region_rings_free(region_rings *r)
{
    region_rings_drop(r);
    free(r->rings);
    free(r->steps);
    free(r->walk);
    free(r->pinches);
}

/** Add the steps from walk[first] on as a ring. The outer ring of a region runs clockwise, with rows that grow to the
 * south: its area is positive. */
static bool add_ring(region_rings *r, size_t first, size_t n_walk)
{
    const size_t count = n_walk - first;
    const ring_step *before = &r->steps[r->walk[n_walk - 1]];
    double *points = malloc(3 * (count + 1) * sizeof *points);
    vector_ring *rings = points ? ter_grow(r->rings, &r->rings_room, r->n_rings + 1, sizeof *rings) : NULL;
    int64_t area = 0;
    if (!rings) {
        free(points);
        return false;
    }
    r->rings = rings;
    for (size_t n = 0; n <= count; n++) {
        const ring_step *s = &r->steps[r->walk[n < count ? first + n : first]];
        points[3 * n] = s->x - 0.5;
        points[3 * n + 1] = s->y - 0.5;
        points[3 * n + 2] = 0.0;
        area += n < count ? (int64_t)before->x * s->y - (int64_t)s->x * before->y : 0;
        before = s;
    }
    r->rings[r->n_rings++] = (vector_ring){points, count + 1, area < 0};
    return true;
}

/* ---- corners that are passed twice ---- */

static int by_corner(const void *a, const void *b)
{
    const ring_pinch *u = a, *v = b;
    if (u->y != v->y)
        return u->y < v->y ? -1 : 1;
    if (u->x != v->x)
        return u->x < v->x ? -1 : 1;
    return u->step < v->step ? -1 : u->step > v->step;
}

/** Find the steps that lead to a corner for the second time. */
static void find_returns(region_rings *r)
{
    if (r->n_pinches > 1)
        qsort(r->pinches, r->n_pinches, sizeof *r->pinches, by_corner);
    for (size_t n = 1; n < r->n_pinches; n++) {
        const ring_pinch *a = &r->pinches[n - 1], *b = &r->pinches[n];
        if (a->x == b->x && a->y == b->y)
            r->steps[b->step].earlier = a->step;
    }
}

/** List the steps of a chain. Returns false when there is no memory. */
static bool list_steps(region_rings *r, const region_chains *chains, const region_chain *chain)
{
    int32_t node = chain->first;
    ring_step *steps = ter_grow(r->steps, &r->steps_room, chain->count, sizeof *steps);
    r->steps = steps ? steps : r->steps;
    size_t *walk = ter_grow(r->walk, &r->walk_room, chain->count, sizeof *walk);
    r->walk = walk ? walk : r->walk;
    r->n_pinches = 0;
    if (!steps || !walk)
        return false;
    for (size_t n = 0; n < chain->count; n++) {
        const region_node *at = &chains->nodes[node];
        r->steps[n] = (ring_step){at->x, at->y, SIZE_MAX, 0};
        if (at->is_pinch) {
            ring_pinch *pinches = ter_grow(r->pinches, &r->pinches_room, r->n_pinches + 1, sizeof *pinches);
            if (!pinches)
                return false;
            r->pinches = pinches;
            r->pinches[r->n_pinches++] = (ring_pinch){at->x, at->y, n};
        }
        node = at->next;
    }
    find_returns(r);
    return true;
}

/** Add the rings of a chain. */
static bool add_chain(region_rings *r, const region_chains *chains, const region_chain *chain)
{
    size_t n_walk = 0;
    bool has_room = list_steps(r, chains, chain);
    for (size_t n = 0; n < chain->count && has_room; n++) {
        ring_step *s = &r->steps[n];
        if (s->earlier != SIZE_MAX) {
            const size_t from = r->steps[s->earlier].place;
            has_room = add_ring(r, from, n_walk);
            n_walk = from + 1; /* the earlier step stays on the walk, in place of this one */
        } else {
            s->place = n_walk;
            r->walk[n_walk++] = n;
        }
    }
    return has_room && add_ring(r, 0, n_walk);
}

bool region_rings_make(region_rings *r, region_chains *chains, int32_t chain)
{
    bool has_room = true;
    region_rings_drop(r);
    while (chain != REGION_NONE) {
        const int32_t next = chains->chains[chain].next;
        has_room = has_room && add_chain(r, chains, &chains->chains[chain]);
        region_chains_drop(chains, chain);
        chain = next;
    }
    for (size_t n = 1; n < r->n_rings && has_room; n++)
        if (!r->rings[n].is_hole) {
            const vector_ring outer = r->rings[n];
            r->rings[n] = r->rings[0];
            r->rings[0] = outer;
        }
    return has_room;
}
