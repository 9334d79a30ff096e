/* guide.h - the tables of a guide, which is a user's raster of heights, and how the land reads them.
 *
 * library/guide makes the tables once for a world. They are one piece of memory without pointers: arrays lie at offsets
 * from its start. So a copy of these bytes is valid anywhere, on a device too. The land reads these tables:
 *
 *   cells   of the guide's level: nodes that replace those made by the rule, and fields of the provinces
 *   raise   what is added to the heights of nodes of level 0
 *   tails   nodes outside the guide, below its rivers
 *   blocks  of every level coarser than the guide's: the guide's own means, for overviews
 *   detail  of points of the world: what the guide's own pixels add to heights, where they are finer than the network
 *   climate of points of the world: the guide's temperature and precipitation
 */
#ifndef TERRANE_FLUVIAL_GUIDE_H
#define TERRANE_FLUVIAL_GUIDE_H

#include "library/fluvial/river_size.h"
#include "library/fluvial/workspace.h"

enum {
    TER_GUIDE_COARSEST = -6, /* level of the coarsest blocks: cells half as wide as a step of level of detail 24 */
    TER_GUIDE_BLOCKS = TER_NETWORK_LAST - TER_GUIDE_COARSEST
};

/** A cell of the guide's level. */
typedef struct TER_ALIGNED(16) ter_guide_cell {
    float x, y, z, lake, area, floor;   /* as in ter_node; only where there is a node */
    float relief, share, height, rough; /* ter_guide_fields in the middle of the cell */
    int16_t to;                         /* as in ter_node */
    int16_t has_node;                   /* 0 or 1 */
    uint8_t plateau, dryness, ice;      /* 1/255; ter_guide_fields in the middle of the cell */
    uint8_t keeps_place;                /* 0 or 1: the node is of kind TER_NODE_LINE */
} ter_guide_cell;

/** A node outside the guide. It lies on the way of a river that leaves the guide. */
typedef struct ter_guide_tail {
    int64_t x, y; /* cell of the guide's level */
    float area;   /* cells of level 8; the node drains at least this area; -1: the entry is empty */
    float z;      /* m; the node lies at most this high */
} ter_guide_tail;

/** A cell of a level coarser than the guide's. */
typedef struct TER_ALIGNED(16) ter_guide_block {
    ter_summary own; /* summary of the guide alone; members from the provinces are not set */
    float share;     /* 0..1: share of the guide in the land */
    float unused[3];
} ter_guide_block;

enum { TER_GUIDE_BEND = 8 };

/** The part, within a cell of the guide's level, of a river that the guide's pixels have. Points go downstream, and the
 * last one lies in the next cell. Coordinates are measured from the cell's north-west corner, in 1/64 unit. */
typedef struct ter_guide_bend {
    int16_t x[TER_GUIDE_BEND], y[TER_GUIDE_BEND]; /* all TER_GUIDE_NO_BEND: there is none */
} ter_guide_bend;

#define TER_GUIDE_NO_BEND INT16_MIN

/** The climate at a point. */
typedef struct TER_ALIGNED(16) ter_guide_weather {
    float share;         /* 0..1: share of the guide in the climate */
    float temperature;   /* deg C, mean of a year at the level of the sea */
    float precipitation; /* mm a year at `height` */
    float height;        /* m above the sea: the guide's */
} ter_guide_weather;

/** Points of the world's plane, 2^shift lattice steps apart. A window of width 0 means that there are none. */
typedef struct ter_guide_points {
    ter_window at;
    uint64_t first; /* offset of their array */
    int32_t shift;
    int32_t unused;
} ter_guide_points;

/** The start of the tables. Offsets are bytes from here. */
typedef struct ter_guide_tables {
    uint64_t bytes; /* of everything */
    ter_window cells, raise, blocks[TER_GUIDE_BLOCKS];
    uint64_t cells_at, raise_at, tails_at, blocks_at[TER_GUIDE_BLOCKS];
    uint64_t tails;   /* number of entries, a power of two; 0: none */
    int32_t level;    /* of the cells and of the tails */
    int32_t is_ocean; /* whether an ocean lies around the guide */
    int32_t rasters;  /* sum of TER_GUIDE_HAS of the rasters that the cells or the climate have */
    int32_t has_bends;
    uint64_t bends_at;        /* ter_guide_bend of each cell; only with has_bends */
    ter_guide_points detail;  /* floats, m */
    ter_guide_points climate; /* ter_guide_weather */
} ter_guide_tables;

TER_FN int ter_window_has(ter_window w, int64_t x, int64_t y)
{
    return x >= w.x && y >= w.y && x < w.x + w.width && y < w.y + w.height;
}

TER_FN const ter_guide_cell *ter_guide_cells(const ter_guide_tables *g)
{
    return (const ter_guide_cell *)((const char *)g + g->cells_at);
}

/** Cell (x, y) of the guide's level, if it has a node; else NULL. */
TER_FN const ter_guide_cell *ter_guide_cell_at(const ter_guide_tables *g, int64_t x, int64_t y)
{
    if (!ter_window_has(g->cells, x, y))
        return NULL;
    const ter_guide_cell *cell = ter_guide_cells(g) + ter_window_index(g->cells, x, y);
    return cell->has_node ? cell : NULL;
}

/** Level of a job's guide, if the guide has all nodes of the job there, so that no coarser level is needed; else 0. */
TER_FN int ter_guided_level(const ter_fluvial_job *job)
{
    const int level = job->f.guide ? job->f.guide_level : 0;
    if (level == 0 || level > job->last)
        return 0;
    const ter_window at = job->node_at[level];
    for (int64_t y = at.y; y < at.y + at.height; y++)
        for (int64_t x = at.x; x < at.x + at.width; x++)
            if (!ter_guide_cell_at(job->f.guide, x, y))
                return 0;
    return level;
}

TER_FN ter_node ter_node_of_guide(const ter_guide_cell *cell)
{
    const ter_node node = {cell->x,     cell->y,    cell->z,
                           cell->lake,  cell->area, cell->area,
                           cell->floor, cell->to,   (int16_t)(cell->keeps_place ? TER_NODE_LINE : TER_NODE_OLD)};
    return node;
}

/** Hash of cell (x, y). The search for its tail begins at the entry with this number, modulo the number of entries. */
TER_FN uint64_t ter_guide_hash(int64_t x, int64_t y)
{
    const uint64_t mixed = (uint64_t)x * UINT64_C(0x9E3779B97F4A7C15) ^ (uint64_t)y * UINT64_C(0xC2B2AE3D27D4EB4F);
    return mixed ^ mixed >> 29;
}

/** Tail of cell (x, y) of the guide's level, or NULL. */
TER_FN const ter_guide_tail *ter_guide_tail_at(const ter_guide_tables *g, int64_t x, int64_t y)
{
    const ter_guide_tail *tails = (const ter_guide_tail *)((const char *)g + g->tails_at);
    if (g->tails == 0)
        return NULL;
    for (uint64_t n = ter_guide_hash(x, y);; n++) {
        const ter_guide_tail *tail = tails + (n & (g->tails - 1));
        if (tail->area < 0.0f)
            return NULL;
        if (tail->x == x && tail->y == y)
            return tail;
    }
}

/** What is added to the height of the node of cell (x, y) of level 0, metres. */
TER_FN float ter_guide_raise(const ter_guide_tables *g, int64_t x, int64_t y)
{
    const float *raise = (const float *)(const void *)((const char *)g + g->raise_at);
    return ter_window_has(g->raise, x, y) ? raise[ter_window_index(g->raise, x, y)] : 0.0f;
}

/** Interpolate linearly between the values of four cells. north, south: value of the western cell of each row; a, b:
 * 0..1, from the west and from the north */
TER_FN float ter_guide_between(const float *north, const float *south, float a, float b)
{
    enum { STEP = sizeof(ter_guide_cell) / sizeof(float) };
    const float n = ter_fma(a, north[STEP] - north[0], north[0]), s = ter_fma(a, south[STEP] - south[0], south[0]);
    return ter_fma(b, s - n, n);
}

/** The same for bytes, where 255 means 1. */
TER_FN float ter_guide_between_bytes(const uint8_t *north, const uint8_t *south, float a, float b)
{
    enum { STEP = sizeof(ter_guide_cell) };
    const float n = ter_fma(a, (float)north[STEP] - (float)north[0], (float)north[0]);
    const float s = ter_fma(a, (float)south[STEP] - (float)south[0], (float)south[0]);
    return ter_fma(b, s - n, n) * (1.0f / 255.0f);
}

/** The guide's fields at a place of the network's plane, linear between the middles of cells. */
TER_FN ter_guide_fields ter_guide_fields_at(const ter_guide_tables *g, int64_t x, int64_t y)
{
    const int shift = 24 - g->level;
    const int64_t half = (int64_t)1 << (shift - 1), mask = ((int64_t)1 << shift) - 1;
    const int64_t cx = (x - half) >> shift, cy = (y - half) >> shift;
    ter_guide_fields out = {0.0f, 0.0f, 0.0f, 0.0f, g->is_ocean ? 1.0f : 0.0f, 0.0f, 0.0f, 0.0f, g->rasters};
    if (!ter_window_has(g->cells, cx, cy) || !ter_window_has(g->cells, cx + 1, cy + 1))
        return out;
    const float scale = 1.0f / (float)(1 << shift);
    const float a = (float)(int)((x - half) & mask) * scale, b = (float)(int)((y - half) & mask) * scale;
    const ter_guide_cell *north = ter_guide_cells(g) + ter_window_index(g->cells, cx, cy),
                         *south = north + g->cells.width;
    out.share = ter_guide_between(&north->share, &south->share, a, b);
    out.relief = ter_guide_between(&north->relief, &south->relief, a, b);
    out.height = ter_guide_between(&north->height, &south->height, a, b);
    out.rough = ter_guide_between(&north->rough, &south->rough, a, b);
    if (g->rasters == 0)
        return out;
    out.plateau = ter_guide_between_bytes(&north->plateau, &south->plateau, a, b);
    out.dryness = ter_guide_between_bytes(&north->dryness, &south->dryness, a, b);
    out.ice = ter_guide_between_bytes(&north->ice, &south->ice, a, b);
    return out;
}

/** Weights of four values at distances of 1, for a place between the second and the third value. Source: Catmull and
 * Rom 1974. a: 0..1, distance from the second value */
TER_FN void ter_detail_weights(float a, float w[4])
{
    w[0] = 0.5f * a * (a * (2.0f - a) - 1.0f);
    w[1] = ter_fma(a * a, ter_fma(a, 1.5f, -2.5f), 1.0f);
    w[2] = 0.5f * a * ter_fma(a, ter_fma(a, -3.0f, 4.0f), 1.0f);
    w[3] = 0.5f * a * a * (a - 1.0f);
}

/** Weighted sum of four numbers. */
TER_FN float ter_detail_sum(const float w[4], float a, float b, float c, float d)
{
    return ter_fma(w[3], d, ter_fma(w[2], c, ter_fma(w[1], b, w[0] * a)));
}

/** Whether the guide has detail between the points around point (x, y) of the table. */
TER_FN int ter_detail_has(const ter_guide_points *p, int64_t x, int64_t y)
{
    return x > p->at.x && y > p->at.y && x + 2 < p->at.x + p->at.width && y + 2 < p->at.y + p->at.height;
}

/** Values at the points of the detail, row-major from the north-west corner of g->detail.at. */
TER_FN const float *ter_detail_points(const ter_guide_tables *g)
{
    return (const float *)(const void *)((const char *)g + g->detail.first);
}

/** What a guide's own pixels add to the height at a point, metres. The values of the detail are interpolated along
 * columns first, then along rows.
 *
 *  x, y  lattice steps
 */
TER_FN float ter_guide_detail(const ter_guide_tables *g, int64_t x, int64_t y)
{
    const ter_guide_points *p = &g->detail;
    const int64_t i = x >> p->shift, j = y >> p->shift, mask = ((int64_t)1 << p->shift) - 1;
    const float scale = 1.0f / (float)(1 << p->shift);
    if (!ter_detail_has(p, i, j))
        return 0.0f;
    float wx[4], wy[4], column[4];
    ter_detail_weights((float)(int)(x & mask) * scale, wx);
    ter_detail_weights((float)(int)(y & mask) * scale, wy);
    const float *north = ter_detail_points(g) + ter_window_index(p->at, i - 1, j - 1);
    TER_UNROLL
    for (int n = 0; n < 4; n++) {
        const float *d = north + n;
        column[n] = ter_detail_sum(wy, d[0], d[p->at.width], d[2 * p->at.width], d[3 * p->at.width]);
    }
    return ter_detail_sum(wx, column[0], column[1], column[2], column[3]);
}

/** The way from a place to the nearest point of a river of the guide's pixels. */
typedef struct ter_guide_foot {
    float x, y;   /* units; to the east and to the south */
    float square; /* square of its length, units2 */
} ter_guide_foot;

/** Update the way if the river in one cell is nearer. x, y: the place, units from the corner of that cell */
TER_FN void ter_guide_foot_on(const ter_guide_bend *bend, float x, float y, ter_guide_foot *foot)
{
    if (bend->x[0] == TER_GUIDE_NO_BEND)
        return;
    for (int n = 0; n + 1 < TER_GUIDE_BEND; n++) {
        const float ax = (float)bend->x[n] * (1.0f / 64.0f), ay = (float)bend->y[n] * (1.0f / 64.0f);
        const float vx = (float)bend->x[n + 1] * (1.0f / 64.0f) - ax, vy = (float)bend->y[n + 1] * (1.0f / 64.0f) - ay;
        const float length = vx * vx + vy * vy, along = (x - ax) * vx + (y - ay) * vy;
        const float t = length > 0.0f ? ter_clamp(along / length, 0.0f, 1.0f) : 0.0f;
        const float dx = ax + t * vx - x, dy = ay + t * vy - y, square = dx * dx + dy * dy;
        if (square < foot->square) {
            foot->x = dx;
            foot->y = dy;
            foot->square = square;
        }
    }
}

/** Find the way from a place to the nearest river of the guide's pixels, in the cell of the place and the 8 cells
 * around it. Returns the squared distance, units2; 1e30 if there is no river.
 *
 *  cell_x, cell_y  cell of the last level
 *  x, y            the place, units from the corner of that cell
 *  to              receives the way to the east and to the south, units
 */
TER_FN float ter_guide_to_river(const ter_guide_tables *g, int64_t cell_x, int64_t cell_y, float x, float y,
                                float to[2])
{
    const ter_guide_bend *bends = (const ter_guide_bend *)(const void *)((const char *)g + g->bends_at);
    const int east = (int)floorf(x * (1.0f / TER_CELL)), south = (int)floorf(y * (1.0f / TER_CELL));
    ter_guide_foot foot = {0.0f, 0.0f, 1e30f};
    for (int b = south - 1; b <= south + 1; b++)
        for (int a = east - 1; a <= east + 1; a++)
            if (ter_window_has(g->cells, cell_x + a, cell_y + b))
                ter_guide_foot_on(bends + ter_window_index(g->cells, cell_x + a, cell_y + b), x - (float)a * TER_CELL,
                                  y - (float)b * TER_CELL, &foot);
    to[0] = foot.x;
    to[1] = foot.y;
    return foot.square;
}

/** Mix the guide into the summary of cell (x, y) of a level coarser than the guide's. */
TER_FN void ter_guide_summarise(const ter_fluvial *f, int level, int64_t x, int64_t y, ter_summary *out)
{
    const ter_guide_tables *g = f->guide;
    const int n = level - TER_GUIDE_COARSEST;
    if (level < TER_GUIDE_COARSEST || !ter_window_has(g->blocks[n], x, y))
        return;
    const ter_guide_block *block =
        (const ter_guide_block *)((const char *)g + g->blocks_at[n]) + ter_window_index(g->blocks[n], x, y);
    const ter_summary *own = &block->own;
    const int means[] = {TER_SUMMARY_LAND,  TER_SUMMARY_SEA, TER_SUMMARY_SHARE, TER_SUMMARY_LAKE,
                         TER_SUMMARY_LEVEL, TER_SUMMARY_TOP, TER_SUMMARY_Z};
    for (int k = 0; k < (int)(sizeof means / sizeof means[0]); k++)
        out->sum[means[k]] += block->share * (own->sum[means[k]] - out->sum[means[k]]);
    if (block->share < 0.5f)
        return;
    out->x = own->x;
    out->y = own->y;
    out->area = own->area;
    out->to = own->to;
}

#endif
