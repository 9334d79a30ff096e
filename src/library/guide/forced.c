/* forced.c - makes edges of the network from the chains of cells along the lines of rivers, before any other directions
 * are known. */
#include "library/guide/forced.h"

#include <stdlib.h>

#include "library/fluvial/river_size.h"

#define AREA_LEAST (1.5f * TER_WET_AREA) /* a line has water from its upper end on */
/* Ratio of the mean width of a river in the finished land to twice ter_river_width. Measured: docs/lab/2026-guide.md */
#define WIDTH_DRAWN 0.88f

/** Area, in cells of level 8, that a river of this mean width drains. width: m */
static float area_of_width(float width)
{
    const float side = width * (0.5f / (WIDTH_DRAWN * TER_RIVER_WIDTH));
    return ter_max(side * side, 1.0f);
}

/** Whether a cell can be on a line: it belongs to the guide for the most part, and is land. */
static bool may_be_on_line(const guide_network *n, size_t k)
{
    return guide_is_active(n, k) && guide_cells(n->m)[k].share >= 0.5f && n->z[k] >= n->m->f.sea;
}

/** Last cell, downstream, of the chain of edges to which a cell belongs. It is found by path halving. Source: Tarjan
 * and van Leeuwen 1984 */
static uint32_t end_of(uint32_t *below, uint32_t k)
{
    while (below[k] != k) {
        below[k] = below[below[k]];
        k = below[k];
    }
    return k;
}

/** Force one edge, unless it would cross another edge or close a loop. below: for each cell, a cell further down its
 * chain, or the cell itself */
static void force(guide_network *n, const guide_line_cell *line, uint32_t *below)
{
    const size_t k = line->cell, q = k + (size_t)n->off[line->to];
    if (!guide_is_active(n, q) || guide_crosses(n, k, line->to) || end_of(below, (uint32_t)q) == (uint32_t)k)
        return;
    n->to[k] = line->to;
    n->state[k] |= GUIDE_LINE | GUIDE_SET;
    below[k] = (uint32_t)q;
}

ter_status guide_force_lines(guide_network *n)
{
    const guide_making *m = n->m;
    if (m->n_line_cells == 0)
        return TER_OK;
    uint32_t *below = malloc(n->count * sizeof *below);
    n->line_area = malloc(n->count * sizeof *n->line_area);
    n->line_z = malloc(n->count * sizeof *n->line_z);
    if (!below || !n->line_area || !n->line_z) {
        free(below);
        return guide_no_memory(m);
    }
    for (size_t k = 0; k < n->count; k++) {
        below[k] = (uint32_t)k;
        n->line_area[k] = -1.0f;
        n->line_z[k] = ter_not_a_number();
    }
    for (size_t i = 0; i < m->n_line_cells; i++) {
        const guide_line_cell *line = &m->line_cells[i];
        const size_t k = line->cell;
        if (guide_is_on_line(n, k) || !may_be_on_line(n, k))
            continue;
        guide_cells(m)[k].x = line->x;
        guide_cells(m)[k].y = line->y;
        n->line_area[k] = line->width > 0.0f ? area_of_width(line->width) : line->width;
        n->line_z[k] = line->z;
        if (line->to != TER_SINK)
            force(n, line, below);
    }
    free(below);
    guide_network_wish(n);
    return TER_OK;
}

void guide_store_bends(const guide_network *n, ter_guide_bend *bends)
{
    const guide_making *m = n->m;
    for (size_t k = 0; k < n->count; k++)
        for (int i = 0; i < TER_GUIDE_BEND; i++)
            bends[k].x[i] = bends[k].y[i] = TER_GUIDE_NO_BEND;
    for (size_t i = 0; i < m->n_line_cells; i++) {
        const size_t k = m->line_cells[i].cell;
        if (!isnan(m->line_cells[i].z) && may_be_on_line(n, k) && bends[k].x[0] == TER_GUIDE_NO_BEND)
            bends[k] = m->line_cells[i].bend;
    }
}

void guide_release_cell(guide_network *n, size_t k)
{
    if (!guide_is_on_line(n, k))
        return;
    n->state[k] &= (unsigned char)~(GUIDE_LINE | GUIDE_SET);
    n->to[k] = TER_SINK;
}

int64_t guide_area_on_line(const guide_network *n, size_t k, int64_t area)
{
    const float given = n->line_area ? n->line_area[k] : -1.0f;
    if (given < 0.0f)
        return area;
    if (given > 0.0f)
        return (int64_t)rintf(given);
    return area > (int64_t)AREA_LEAST ? area : (int64_t)AREA_LEAST;
}

void guide_report_lines(const guide_network *n, ter_guide_report *report)
{
    for (size_t k = 0; k < n->count; k++) {
        if (!guide_is_on_line(n, k) || n->line_area[k] < 0.0f)
            continue;
        const double cut = (double)(n->m->sums[k].low - guide_cells(n->m)[k].z);
        report->river_cells++;
        report->river_cut_m = cut > report->river_cut_m ? cut : report->river_cut_m;
    }
}
