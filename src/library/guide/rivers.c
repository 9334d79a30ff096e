/* rivers.c - finds directions by steepest descent, and from them the drained areas and the final heights. */
#include "library/guide/rivers.h"

#include <stdlib.h>
#include <string.h>

#include "library/guide/forced.h"
#include "library/guide/heap.h"

/* ---- directions ---- */

static int compare_keys(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/** Slope of the edge from cell k to cell q in direction d, metres per width of a cell. */
static float fall_of(const guide_network *n, size_t k, size_t q, int d)
{
    const ter_guide_cell *cells = guide_cells(n->m);
    float x = cells[q].x, y = cells[q].y;
    if (guide_is_fixed(n, q)) {
        const ter_node *node = guide_plain_node(n->plain, n->m->at.x + (int64_t)(q % (size_t)n->width),
                                                n->m->at.y + (int64_t)(q / (size_t)n->width));
        x = node->x;
        y = node->y;
    }
    const float dx = (float)ter_direction_x(d) + (x - cells[k].x), dy = (float)ter_direction_y(d) + (y - cells[k].y);
    return (n->z[k] - n->z[q]) / ter_length(dx, dy);
}

/** Direction of steepest descent of an active cell among those that cross no edge; if there is none, the direction from
 * which the flood came. */
static int steepest(const guide_network *n, size_t k)
{
    float best = 0.0f;
    int to = TER_SINK;
    for (int d = 0; d < 8; d++) {
        const size_t q = k + (size_t)n->off[d];
        const bool may_drain = guide_is_active(n, q) || (guide_is_fixed(n, q) && !(n->state[q] & GUIDE_RETURNS));
        if (!may_drain || !(n->z[q] < n->z[k]) || guide_crosses(n, k, d))
            continue;
        const float fall = fall_of(n, k, q, d);
        if (fall > best) {
            best = fall;
            to = d;
        }
    }
    return to != TER_SINK ? to : n->parent[k];
}

/** Order the active cells so that each comes before those that drain to it. inflows: scratch of n->count numbers */
static void sort_downstream_first(guide_network *n, unsigned char *inflows)
{
    size_t first = n->n_active, next = n->n_active;
    memset(inflows, 0, n->count);
    for (size_t k = 0; k < n->count; k++)
        if (guide_is_active(n, k) && n->to[k] != TER_SINK)
            inflows[k + (size_t)n->off[n->to[k]]]++;
    for (size_t k = n->count; k-- > 0;)
        if (guide_is_active(n, k) && inflows[k] == 0)
            n->order[--first] = (uint32_t)k;
    while (next > first) {
        const uint32_t k = n->order[--next];
        if (n->to[k] == TER_SINK)
            continue;
        const size_t q = k + (size_t)n->off[n->to[k]];
        if (guide_is_active(n, q) && --inflows[q] == 0)
            n->order[--first] = (uint32_t)q;
    }
}

ter_status guide_direct(guide_network *n)
{
    uint64_t *keys = malloc((n->n_active + 1) * sizeof *keys);
    unsigned char *inflows = malloc(n->count);
    size_t count = 0;
    if (!keys || !inflows) {
        free(keys);
        free(inflows);
        return guide_no_memory(n->m);
    }
    for (size_t k = 0; k < n->count; k++) {
        if (!guide_is_active(n, k))
            continue;
        keys[count++] = guide_heap_key(n->z[k], (uint32_t)k);
        if (guide_is_lake(n, k)) {
            n->to[k] = n->parent[k];
            n->state[k] |= GUIDE_SET;
        }
    }
    qsort(keys, count, sizeof *keys, compare_keys);
    for (size_t i = 0; i < count; i++) {
        const size_t k = (uint32_t)keys[i];
        if (n->state[k] & GUIDE_SET)
            continue;
        n->to[k] = (uint8_t)steepest(n, k);
        n->state[k] |= GUIDE_SET;
    }
    sort_downstream_first(n, inflows);
    free(keys);
    free(inflows);
    return TER_OK;
}

/* ---- areas ---- */

void guide_sum_areas(const guide_network *n, int64_t *area)
{
    const int64_t own = INT64_C(1) << 2 * (TER_NETWORK_LAST - n->m->level);
    for (size_t k = 0; k < n->count; k++)
        area[k] = guide_is_active(n, k) ? own : 0;
    for (size_t k = 0; k < n->count; k++) {
        if (!guide_is_fixed(n, k) || n->to[k] == TER_SINK)
            continue;
        const size_t q = k + (size_t)n->off[n->to[k]];
        if (guide_is_active(n, q))
            area[q] += (int64_t)floorf(guide_plain_node(n->plain, n->m->at.x + (int64_t)(k % (size_t)n->width),
                                                        n->m->at.y + (int64_t)(k / (size_t)n->width))
                                           ->area);
    }
    for (size_t i = n->n_active; i-- > 0;) {
        const size_t k = n->order[i];
        area[k] = guide_area_on_line(n, k, area[k]);
        if (n->to[k] == TER_SINK)
            continue;
        const size_t q = k + (size_t)n->off[n->to[k]];
        if (guide_is_active(n, q))
            area[q] += area[k];
    }
}

/* ---- heights ---- */

#define RAISED_SHARE 0.1f /* share of the way from the lowered to the raised heights */

/** The cell that an active cell drains to; -1: it is a sink. */
static ptrdiff_t below(const guide_network *n, size_t k)
{
    return n->to[k] == TER_SINK ? -1 : (ptrdiff_t)k + n->off[n->to[k]];
}

/** Whether a cell lies on a line along which the land is cut down and never raised. Lines of rivers of coarse pixels
 * are not cut down, because such pixels lie above the bottoms of valleys. */
static bool is_cut(const guide_network *n, size_t k)
{
    return guide_is_on_line(n, k) && (n->m->has_detail || n->line_area[k] >= 0.0f);
}

/** Lower `z` so that it falls along every edge, or only along those of lines that cut the land (is_cut). Edges from and
 * to cells of lakes are left out, so that the sill of a lake keeps its height. */
static void lower_all(guide_network *n, bool only_lines)
{
    for (size_t i = n->n_active; i-- > 0;) {
        const size_t k = n->order[i];
        const ptrdiff_t p = below(n, k);
        if (p < 0 || guide_is_lake(n, k) || guide_is_lake(n, (size_t)p) || (only_lines && !is_cut(n, k)))
            continue;
        const float most = n->z[k] - n->step;
        if (n->z[p] > most)
            n->z[p] = guide_is_fixed(n, (size_t)p) ? ter_max(most, ter_min(n->limit[p], n->z[p])) : most;
    }
}

/** Raise `z` so that it falls along every edge. Cells of a lake have the height of its sill. */
static void raise_all(guide_network *n)
{
    for (size_t i = 0; i < n->n_active; i++) {
        const size_t k = n->order[i];
        const ptrdiff_t p = below(n, k);
        if (guide_is_lake(n, k))
            n->z[k] = n->z[n->sill[k]];
        else if (p >= 0)
            n->z[k] = ter_max(n->z[k], n->z[p] + n->step);
    }
}

/** Set the heights from which raising begins: in the guide those that nodes should have, and in its rim those of
 * `lowered`. Before rivers have cut it down, the rim may be much higher than the guide; it must not raise the land
 * upstream. */
static void begin_raising(guide_network *n, const float *lowered)
{
    const ter_guide_cell *cells = guide_cells(n->m);
    for (size_t k = 0; k < n->count; k++) {
        n->z[k] = n->wish[k];
        if (guide_is_fixed(n, k))
            n->z[k] = ter_min(n->z[k], n->limit[k]);
        else if (guide_is_active(n, k) && cells[k].share < 1.0f)
            n->z[k] = lowered[k];
    }
}

void guide_level(guide_network *n)
{
    memcpy(n->z, n->wish, n->count * sizeof *n->z);
    lower_all(n, false);
    memcpy(n->scratch, n->z, n->count * sizeof *n->z);
    begin_raising(n, n->scratch);
    lower_all(n, true);
    raise_all(n);
    for (size_t k = 0; k < n->count; k++) {
        const float lowered = n->scratch[k];
        const bool is_raised = guide_is_active(n, k) && !is_cut(n, k);
        n->z[k] = is_raised ? ter_min(lowered + RAISED_SHARE * (n->z[k] - lowered), n->limit[k]) : lowered;
    }
    lower_all(n, false);
    raise_all(n);
}
