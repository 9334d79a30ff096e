/* outlets.c - follows water from the border of a guide through the land outside, to the sea or to a sink. */
#include "library/guide/outlets.h"

#include <stdlib.h>

enum { WAY_MAX = 4096 }; /* nodes */

#define RETURNS 1e30f
#define DEEP    (-60.0f) /* m; at nodes below this, a way has reached the sea */

/** A way of water through the land outside the guide. */
typedef struct way {
    int64_t (*cell)[2];
    int count;
} way;

static bool is_inside(const guide_network *n, int64_t x, int64_t y)
{
    return ter_window_has(n->m->at, x, y) && guide_is_active(n, (size_t)ter_window_index(n->m->at, x, y));
}

static ter_status failure(const guide_network *n)
{
    const ter_status status = ter_check_cancelled(&n->m->cancel);
    return status == TER_OK ? guide_no_memory(n->m) : status;
}

/** Follow the water from a cell until its end or a known cell. least: receives the lowest height to which a river may
 * cut the last cell; RETURNS if the water comes back into the guide */
static ter_status follow(guide_network *n, const guide_cell_map *known, int64_t x, int64_t y, way *w, float *least)
{
    *least = -1e9f;
    for (w->count = 0; w->count < WAY_MAX;) {
        const ter_guide_tail *slot = guide_cell_map_find(known, x, y);
        if (is_inside(n, x, y)) {
            *least = RETURNS;
            return TER_OK;
        }
        if (slot) {
            *least = slot->z;
            return TER_OK;
        }
        w->cell[w->count][0] = x;
        w->cell[w->count++][1] = y;
        const ter_node *node = guide_plain_node(n->plain, x, y);
        if (!node)
            return failure(n);
        if (node->to == TER_SINK) {
            *least = ter_max(node->z, node->lake);
            return TER_OK;
        }
        if (node->z < n->m->f.sea + DEEP)
            return TER_OK;
        x += ter_direction_x(node->to);
        y += ter_direction_y(node->to);
    }
    return TER_OK;
}

/** Store the limits of all cells of a way, from its end to its start. */
static ter_status store_limits(guide_network *n, const way *w, float least, guide_cell_map *known)
{
    for (int k = w->count - 1; k >= 0; k--) {
        const ter_node *node = guide_plain_node(n->plain, w->cell[k][0], w->cell[k][1]);
        if (!node)
            return failure(n);
        if (least < RETURNS)
            least = ter_max(least, node->lake) + n->step;
        ter_guide_tail *slot = guide_cell_map_add(known, w->cell[k][0], w->cell[k][1]);
        if (!slot)
            return failure(n);
        slot->z = least;
    }
    return TER_OK;
}

ter_status guide_find_outlets(guide_network *n)
{
    guide_cell_map known = {NULL, 0, 0};
    way w = {malloc(WAY_MAX * sizeof *w.cell), 0};
    ter_status status = w.cell ? TER_OK : guide_no_memory(n->m);
    for (size_t k = 0; k < n->count && status == TER_OK; k++) {
        if (!guide_is_fixed(n, k))
            continue;
        float least;
        const int64_t x = n->m->at.x + (int64_t)(k % (size_t)n->width),
                      y = n->m->at.y + (int64_t)(k / (size_t)n->width);
        status = follow(n, &known, x, y, &w, &least);
        if (status == TER_OK)
            status = store_limits(n, &w, least, &known);
        const ter_guide_tail *slot = guide_cell_map_find(&known, x, y);
        if (status != TER_OK || !slot)
            continue;
        n->limit[k] = slot->z;
        if (slot->z >= RETURNS)
            n->state[k] |= GUIDE_RETURNS;
    }
    guide_cell_map_free(&known);
    free(w.cell);
    return status;
}

/** Follow one river from the outlet cell (x, y). z: its height there; area: cells of level 8 */
static ter_status add_tail(const guide_network *n, int64_t x, int64_t y, float z, float area, guide_cell_map *tails)
{
    for (int k = 0; k < WAY_MAX && !is_inside(n, x, y); k++) {
        const ter_node *node = guide_plain_node(n->plain, x, y);
        ter_guide_tail *tail = node ? guide_cell_map_add(tails, x, y) : NULL;
        if (!tail)
            return failure(n);
        tail->area += area;
        tail->z = ter_min(tail->z, k > 0 ? ter_min(node->z, z) : z);
        if (node->to == TER_SINK || (node->z < n->m->f.sea + DEEP && !(tail->z < node->z)))
            break;
        z = tail->z;
        if (TER_IS_LAKE(node->lake)) {
            tail->z = node->z;
            z = ter_max(z, node->lake);
        }
        z -= n->step;
        x += ter_direction_x(node->to);
        y += ter_direction_y(node->to);
    }
    return TER_OK;
}

ter_status guide_find_tails(const guide_network *n, const int64_t *area, guide_cell_map *tails)
{
    ter_status status = TER_OK;
    for (size_t k = 0; k < n->count && status == TER_OK; k++) {
        if (!guide_is_active(n, k) || n->to[k] == TER_SINK)
            continue;
        const size_t q = k + (size_t)n->off[n->to[k]];
        if (guide_is_fixed(n, q))
            status = add_tail(n, n->m->at.x + (int64_t)(q % (size_t)n->width),
                              n->m->at.y + (int64_t)(q / (size_t)n->width), n->z[q], (float)area[k], tails);
    }
    return status;
}
