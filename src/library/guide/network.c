/* network.c - begins the drainage of a guide: which cells take part, and where their nodes lie. */
#include "library/guide/network.h"

#include <stdlib.h>

#include "library/fluvial/node.h"

#define PULL_VALLEY 0.25f /* pull of a node towards its default place, if the lowest point lies inside the cell */
#define PULL_SLOPE  0.75f /* the same if it lies at an edge: on an even slope it is in the same corner everywhere */
#define FALL_LEAST  4e-5f /* least fall along an edge, as a share of the width of a cell in units */
#define LAND_LEAST  1.0f  /* m; nodes of land lie at least this much above the sea, others as much below it */

static bool allocate(guide_network *n)
{
    const size_t count = n->count;
    n->state = calloc(count, sizeof *n->state);
    n->z = calloc(count, sizeof *n->z);
    n->wish = calloc(count, sizeof *n->wish);
    n->correct = calloc(count, sizeof *n->correct);
    n->limit = malloc(count * sizeof *n->limit);
    n->scratch = malloc(count * sizeof *n->scratch);
    n->to = malloc(count * sizeof *n->to);
    n->parent = malloc(count * sizeof *n->parent);
    n->sill = malloc(count * sizeof *n->sill);
    n->order = malloc(count * sizeof *n->order);
    n->plain = guide_plain_create(n->m);
    return n->state && n->z && n->wish && n->correct && n->limit && n->scratch && n->to && n->parent && n->sill &&
           n->order && n->plain;
}

void guide_network_free(guide_network *n)
{
    free(n->state);
    free(n->z);
    free(n->wish);
    free(n->correct);
    free(n->limit);
    free(n->scratch);
    free(n->line_area);
    free(n->line_z);
    free(n->ends);
    free(n->to);
    free(n->parent);
    free(n->sill);
    free(n->order);
    guide_plain_destroy(n->plain);
}

/** Mark active and fixed cells. */
static void mark(guide_network *n)
{
    const ter_guide_cell *cells = guide_cells(n->m);
    for (int y = 2; y < n->height - 2; y++)
        for (int x = 2; x < n->width - 2; x++) {
            const size_t k = (size_t)y * (size_t)n->width + (size_t)x;
            if (n->m->sums[k].count > 0 && cells[k].share > 0.0f)
                n->state[k] = GUIDE_ACTIVE;
        }
    for (int y = 1; y < n->height - 1; y++)
        for (int x = 1; x < n->width - 1; x++) {
            const size_t k = (size_t)y * (size_t)n->width + (size_t)x;
            for (int d = 0; d < 8 && !n->state[k]; d++)
                if (guide_is_active(n, k + (size_t)n->off[d]))
                    n->state[k] = GUIDE_FIXED | GUIDE_SET;
        }
}

/** Make the nodes of the land outside the guide that the guide needs. */
static ter_status prepare_plain(guide_network *n)
{
    const ter_guide_cell *cells = guide_cells(n->m);
    unsigned char *mask = calloc(n->count, 1);
    if (!mask)
        return guide_no_memory(n->m);
    for (size_t k = 0; k < n->count; k++)
        mask[k] = guide_is_fixed(n, k) || (guide_is_active(n, k) && cells[k].share < 1.0f);
    const ter_status status = guide_plain_prepare(n->plain, mask);
    free(mask);
    return status;
}

static const ter_node *plain_at(const guide_network *n, size_t k)
{
    return guide_plain_node(n->plain, n->m->at.x + (int64_t)(k % (size_t)n->width),
                            n->m->at.y + (int64_t)(k / (size_t)n->width));
}

/** Set the place of the node of an active cell. */
static void place_node(const guide_network *n, size_t k, const ter_words *words)
{
    const guide_sums *s = &n->m->sums[k];
    ter_guide_cell *cell = &guide_cells(n->m)[k];
    const float scale = 1.0f / (float)(1 << (24 - n->m->level));
    const float low = TER_NODE_MARGIN, high = 1.0f - TER_NODE_MARGIN;
    const float x = ter_clamp((float)s->x * scale, low, high), y = ter_clamp((float)s->y * scale, low, high);
    const bool is_inside = x > 0.15f && x < 0.85f && y > 0.15f && y < 0.85f;
    const float pull = is_inside ? PULL_VALLEY : PULL_SLOPE;
    cell->x = ter_place_rounded(x + pull * (ter_default_place(ter_fraction(words, 0)) - x));
    cell->y = ter_place_rounded(y + pull * (ter_default_place(ter_fraction(words, 1)) - y));
}

static ter_words words_at(const guide_network *n, size_t k)
{
    return ter_tagged_words(n->m->f.round_key, TER_TAG_NODE + n->m->level, n->m->at.x + (int64_t)(k % (size_t)n->width),
                            n->m->at.y + (int64_t)(k / (size_t)n->width));
}

/** Height that the node of an active cell should have according to the guide alone. */
static float guides_wish(const guide_network *n, size_t k)
{
    const guide_making *m = n->m;
    const ter_guide_cell *cell = &guide_cells(m)[k];
    const ter_words words = words_at(n, k);
    const bool is_thalweg = m->has_detail && n->line_z && !isnan(n->line_z[k]);
    float z = is_thalweg ? n->line_z[k] : cell->height + n->correct[k];
    if (m->jitter > 0.0f)
        z += m->jitter * ter_symmetric(&words, 2) * (1.6f * ter_hillslope_law(m->level) * cell->relief) *
             (float)(65536 >> m->level);
    return cell->height > m->f.sea ? ter_max(z, m->f.sea + LAND_LEAST) : ter_min(z, m->f.sea - LAND_LEAST);
}

/** Height that the node of an active cell should have. */
static float wish_at(const guide_network *n, size_t k)
{
    const float z = guides_wish(n, k), share = guide_cells(n->m)[k].share;
    if (share >= 1.0f)
        return z;
    const ter_node *plain = plain_at(n, k);
    return plain->z + share * (z - plain->z);
}

void guide_network_wish(guide_network *n)
{
    for (size_t k = 0; k < n->count; k++)
        if (guide_is_active(n, k))
            n->z[k] = n->wish[k] = ter_min(wish_at(n, k), n->limit[k]);
}

/** Lowest height of the active cells beside a fixed one. */
static float lowest_beside(const guide_network *n, size_t k)
{
    float low = n->z[k];
    for (int d = 0; d < 8; d++) {
        const size_t q = k + (size_t)n->off[d];
        if (guide_is_active(n, q))
            low = ter_min(low, n->z[q]);
    }
    return low;
}

/** Whether a fixed cell drains into an active one. In the deep sea such a cell may be an outlet nevertheless. */
static bool brings_water(const guide_network *n, size_t k)
{
    return n->to[k] != TER_SINK && guide_is_active(n, k + (size_t)n->off[n->to[k]]);
}

void guide_network_open(guide_network *n)
{
    for (size_t k = 0; k < n->count; k++)
        if (guide_is_active(n, k) && guide_cells(n->m)[k].share < 1.0f)
            n->z[k] = ter_min(n->z[k], ter_min(guides_wish(n, k), n->limit[k]));
    for (size_t k = 0; k < n->count; k++)
        if (guide_is_fixed(n, k) && !(n->state[k] & GUIDE_RETURNS) && !brings_water(n, k))
            n->z[k] = ter_max(lowest_beside(n, k), ter_min(n->limit[k], n->z[k]));
}

/** Take over the nodes of fixed cells. Active cells to which fixed cells drain must lie lower than these. */
static void take_fixed(guide_network *n)
{
    for (size_t k = 0; k < n->count; k++) {
        if (!guide_is_fixed(n, k))
            continue;
        const ter_node *node = plain_at(n, k);
        n->z[k] = n->wish[k] = ter_max(node->z, node->lake);
        n->to[k] = (uint8_t)node->to;
        if (node->to == TER_SINK)
            continue;
        const size_t q = k + (size_t)n->off[node->to];
        if (guide_is_active(n, q))
            n->limit[q] = ter_min(n->limit[q], node->z - n->step);
    }
}

/** Set the places of the nodes of active cells. Where the guide's share is small, nodes keep the places that they have
 * without the guide. */
static void take_active(guide_network *n)
{
    ter_guide_cell *cells = guide_cells(n->m);
    for (size_t k = 0; k < n->count; k++) {
        if (!guide_is_active(n, k))
            continue;
        const ter_words words = words_at(n, k);
        n->n_active++;
        place_node(n, k, &words);
        if (cells[k].share < 0.5f) {
            const ter_node *plain = plain_at(n, k);
            cells[k].x = plain->x;
            cells[k].y = plain->y;
        }
    }
}

ter_status guide_network_begin(guide_making *m, guide_network *n)
{
    *n = (guide_network){.m = m, .width = m->at.width, .height = m->at.height, .count = guide_cell_count(m)};
    n->step = FALL_LEAST * (float)(65536 >> m->level);
    for (int d = 0; d < 8; d++)
        n->off[d] = (ptrdiff_t)ter_direction_y(d) * n->width + ter_direction_x(d);
    if (!allocate(n))
        return guide_no_memory(m);
    for (size_t k = 0; k < n->count; k++) {
        n->to[k] = n->parent[k] = TER_SINK;
        n->sill[k] = -1;
        n->limit[k] = 1e30f;
    }
    mark(n);
    const ter_status status = prepare_plain(n);
    if (status != TER_OK)
        return status;
    take_fixed(n);
    take_active(n);
    guide_network_wish(n);
    return TER_OK;
}
