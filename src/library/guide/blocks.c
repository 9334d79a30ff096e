/* blocks.c - sums the guide's cells in each block of a coarser level, and finds the greatest river of each block. */
#include "library/guide/blocks.h"

#include <stdlib.h>

/** Sums over the cells of a block. */
typedef struct block_sums {
    int64_t count, height, share, land, over; /* as in guide_sums */
    float top;                                /* m; sum of the tops of cells */
    float lake, level;                        /* number of cells in lakes; sum of their levels, m */
    int32_t cells;                            /* with points */
    int64_t river;                            /* index of the cell with the greatest area, or -1 */
} block_sums;

ter_window guide_block_window(const guide_making *m, int level)
{
    const int shift = m->level - level;
    const ter_window w = m->at;
    return ter_window_between(w.x >> shift, w.y >> shift, (w.x + w.width - 1) >> shift, (w.y + w.height - 1) >> shift);
}

static void add_cell(const guide_making *m, size_t k, block_sums *b)
{
    const guide_sums *s = &m->sums[k];
    const ter_guide_cell *cell = &guide_cells(m)[k];
    if (s->count == 0)
        return;
    b->count += s->count;
    b->height += s->height;
    b->share += s->share;
    b->land += s->land;
    b->over += s->over;
    b->top += s->top;
    b->cells++;
    if (!cell->has_node)
        return;
    if (TER_IS_LAKE(cell->lake)) {
        b->lake += 1.0f;
        b->level += cell->lake;
    }
    if (b->river < 0 || cell->area > guide_cells(m)[b->river].area)
        b->river = (int64_t)k;
}

/** Direction of the block that the river of block (x, y) flows to, or TER_SINK. */
static int direction_of_river(const guide_making *m, int shift, int64_t x, int64_t y, int64_t k)
{
    for (int64_t steps = (int64_t)4 << shift; steps > 0; steps--) {
        const ter_guide_cell *cell = &guide_cells(m)[k];
        if (!cell->has_node || cell->to == TER_SINK)
            return TER_SINK;
        k += ter_direction_y(cell->to) * m->at.width + ter_direction_x(cell->to);
        const int64_t bx = (m->at.x + k % m->at.width) >> shift, by = (m->at.y + k / m->at.width) >> shift;
        for (int d = 0; d < TER_SINK; d++)
            if (bx - x == ter_direction_x(d) && by - y == ter_direction_y(d))
                return d;
    }
    return TER_SINK;
}

/** Set the place, area and direction of a block's river. Levels below 0 have no network, and so no river. */
static void set_river(const guide_making *m, int level, int64_t x, int64_t y, int64_t k, ter_summary *out)
{
    const int shift = m->level - level;
    out->x = out->y = 0.5f;
    out->area = 0.0f;
    out->to = TER_SINK;
    if (level < 0 || k < 0)
        return;
    const ter_guide_cell *cell = &guide_cells(m)[k];
    const float scale = 1.0f / (float)((int64_t)1 << shift);
    out->x = ((float)(m->at.x + k % m->at.width - x * ((int64_t)1 << shift)) + cell->x) * scale;
    out->y = ((float)(m->at.y + k / m->at.width - y * ((int64_t)1 << shift)) + cell->y) * scale;
    out->area = cell->area;
    out->to = direction_of_river(m, shift, x, y, k);
}

/** Number of points of a block that lies wholly in the guide. */
static float full_count(const guide_making *m, int level)
{
    const float side = (float)(m->cell / m->point) * (float)((int64_t)1 << (m->level - level));
    return side * side;
}

static void finish(const guide_making *m, int level, int64_t x, int64_t y, const block_sums *b, ter_guide_block *out)
{
    *out = (ter_guide_block){.share = 0.0f};
    set_river(m, level, x, y, b->river, &out->own);
    if (b->count == 0)
        return;
    const float count = (float)b->count, land = (float)b->land / count, sixteenth = 1.0f / 16.0f;
    float *sum = out->own.sum;
    const float mean = (float)b->height / count * sixteenth;
    sum[TER_SUMMARY_LAND] = (float)b->over / count * sixteenth;
    sum[TER_SUMMARY_SEA] = (mean - m->f.sea) - sum[TER_SUMMARY_LAND];
    sum[TER_SUMMARY_SHARE] = land;
    sum[TER_SUMMARY_LAKE] = b->lake / (float)b->cells;
    sum[TER_SUMMARY_LEVEL] = b->level / (float)b->cells;
    sum[TER_SUMMARY_TOP] = b->top / (float)b->cells;
    sum[TER_SUMMARY_Z] = mean;
    /* The guide's share in a block is scaled by the share of the block that it covers. Counts of points in a cell vary
     * by a few percent. */
    const float cover = ter_min(1.1f * count / full_count(m, level), 1.0f);
    out->share = (float)b->share / count * (1.0f / 1024.0f) * cover;
}

/** Make the blocks of one level. sums: scratch, one per block */
static void make_level(const guide_making *m, int level, block_sums *sums)
{
    const int n = level - TER_GUIDE_COARSEST, shift = m->level - level;
    const ter_window at = m->tables->blocks[n];
    ter_guide_block *out = (ter_guide_block *)((char *)m->tables + m->tables->blocks_at[n]);
    const size_t count = (size_t)at.width * (size_t)at.height;
    for (size_t k = 0; k < count; k++)
        sums[k] = (block_sums){.river = -1};
    for (size_t k = 0; k < guide_cell_count(m); k++) {
        const int64_t x = m->at.x + (int64_t)(k % (size_t)m->at.width),
                      y = m->at.y + (int64_t)(k / (size_t)m->at.width);
        add_cell(m, k, &sums[ter_window_index(at, x >> shift, y >> shift)]);
    }
    for (size_t k = 0; k < count; k++)
        finish(m, level, at.x + (int64_t)(k % (size_t)at.width), at.y + (int64_t)(k / (size_t)at.width), &sums[k],
               &out[k]);
}

ter_status guide_make_blocks(const guide_making *m)
{
    const ter_window finest = guide_block_window(m, m->level - 1);
    block_sums *sums = malloc((size_t)finest.width * (size_t)finest.height * sizeof *sums);
    if (!sums)
        return guide_no_memory(m);
    for (int level = TER_GUIDE_COARSEST; level < m->level; level++)
        make_level(m, level, sums);
    free(sums);
    return TER_OK;
}
