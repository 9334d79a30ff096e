/* overview.h - makes overviews, the samples of levels of detail from 10 on. A sample stands for a square of about one
 * step around its point.
 *
 * An overview needs the network down to the cells that are half a step wide; above level of detail 18 it needs
 * only the provinces. For each node a summary holds the mean height of its surroundings and their share of land. A
 * sample is a weighted mean of the summaries around its place. docs/world-format-3.md has the formulas, and
 * docs/lab/2026-overviews.md tells how their constants were fitted.
 */
#ifndef TERRANE_FLUVIAL_OVERVIEW_H
#define TERRANE_FLUVIAL_OVERVIEW_H

#include "library/fluvial/surface.h"
#include "library/fluvial/hillside.h"

enum {
    TER_OVERVIEW_LOD = 10,     /* the first level of detail that is an overview */
    TER_OVERVIEW_ROOT_LOD = 18 /* its half step is as wide as the cells of level 0 */
};

/** Level of the network whose cells are half a step wide. */
TER_FN int ter_overview_level(int lod)
{
    return TER_OVERVIEW_ROOT_LOD - lod;
}

/** Number of octaves of the warp that an overview uses: those with a pitch of half a step or more. */
TER_FN int ter_overview_octaves(int lod)
{
    const int count = TER_WARP_SHIFT + 2 - lod;
    return count < 0 ? 0 : count < TER_WARP_OCTAVES ? count : TER_WARP_OCTAVES;
}

/* ---- places ---- */

/** The warp at sample (x, y). */
TER_PASS_FN void ter_shift_overview(const ter_fluvial_job *job, int n, int x, int y)
{
    (void)n;
    const ter_window at = job->points.at;
    const int lod = job->overview.lod;
    float *out = job->overview.shift + ((size_t)y * (size_t)at.width + (size_t)x) * 2, warp[TER_SHIFTS];
    ter_warp_octaves(job, ter_overview_octaves(lod), (at.x + x) * ((int64_t)1 << lod), (at.y + y) * ((int64_t)1 << lod),
                     warp);
    out[0] = warp[0];
    out[1] = warp[1];
}

/** Place of sample (x, y) in the network's plane. ter_shift_overview has made its warp. */
TER_FN void ter_overview_place(const ter_fluvial_job *job, int x, int y, int64_t *place_x, int64_t *place_y)
{
    const ter_window at = job->points.at;
    const int lod = job->overview.lod;
    const int64_t px = (at.x + x) * ((int64_t)1 << lod), py = (at.y + y) * ((int64_t)1 << lod);
    const float *shift = job->overview.shift + ((size_t)y * (size_t)at.width + (size_t)x) * 2;
    *place_x = ter_place_x(px, py, shift);
    *place_y = ter_place_y(px, py, shift);
}

/* ---- summaries of nodes ---- */

/** Mean height of a node's surroundings above the node, metres: hillsides of finer levels rise from it. Fitted to means
 * of exact land for levels 8 to 5, and to means of overviews two levels finer for the other levels.
 *
 *  v        the province at the node
 *  around   m; mean rise of the eight neighbours above the node, where lower neighbours count as 0
 *  floor    half width of the valley's floor, in cells
 *  inflows  number of neighbours that drain to the node
 */
TER_FN float ter_mean_rise(const float *v, int level, float around, float floor, int inflows)
{
    /* Factors by level of: hillsides of level 8, hillsides of the level, floors, inflows, and the neighbours' rise. */
    const float finest[TER_NETWORK_LEVELS] = {0.95f, 1.01f, 1.02f, 1.04f, 1.07f, 0.99f, 0.91f, 0.69f, 0.3f};
    const float own[TER_NETWORK_LEVELS] = {1.22f, 1.14f, 0.88f, 0.7f, 0.46f, 0.32f, 0.124f, -0.073f, 0.0f};
    const float flat[TER_NETWORK_LEVELS] = {2.6f, 2.6f, 2.6f, 2.6f, 2.5f, 1.9f, 1.23f, 0.52f, 0.17f};
    const float inflow[TER_NETWORK_LEVELS] = {0.07f, 0.1f, 0.075f, 0.055f, 0.05f, 0.045f, 0.072f, 0.067f, 0.1f};
    const float high[TER_NETWORK_LEVELS] = {0.25f, 0.15f, 0.065f, 0.12f, 0.16f, 0.37f, 0.33f, 0.13f, 0.0f};
    const int k = level > 0 ? level : 0;
    const float last = v[TER_PROVINCE_SLOPE] * TER_CELL;
    const float side =
        ter_hillslope(v[TER_PROVINCE_RELIEF], v[TER_PROVINCE_CAP], v[TER_PROVINCE_ROUND], k) * (float)(65536 >> k);
    const float rise = last * (finest[k] - flat[k] * ter_min(floor, 1.0f)) +
                       side * (own[k] - inflow[k] * (float)inflows) - high[k] * around;
    return ter_max(rise, 0.0f);
}

/** Fill the sums of a summary. Heights around the node are assumed to be distributed evenly from z to twice the mean
 * rise above z; above the top of a plateau the rise is reduced.
 *
 *  v       the province at the node
 *  z       m; height of the node
 *  lake    m; level of the lake that the node lies in, or TER_NO_LAKE
 *  rise    m; ter_mean_rise
 *  spread  m; by how much heights extend further down and up, where the fields' finer octaves are left out
 *  sum     receives TER_SUMMARY_COUNT numbers
 */
TER_FN void ter_sum_up(const ter_fluvial *f, const float *v, float z, float lake, float rise, float spread, float *sum)
{
    const float above = v[TER_PROVINCE_ABOVE], room = ter_max(v[TER_PROVINCE_TOP] - z, 0.0f);
    const float below_top = room < 2.0f * rise ? room - room * room / (4.0f * rise) : rise;
    const float up = below_top * (1.0f - 0.3f * (1.0f - above)) + above * (rise - below_top);
    const float mean = (z - f->sea) + up;
    const float low = (z - f->sea) - spread, high = (z - f->sea) + 2.0f * up + spread;
    const float wide = ter_max(high - low, 1.0f);
    const float over = ter_clamp(high, 0.0f, wide), under = ter_clamp(-low, 0.0f, wide);
    const int is_lake = TER_IS_LAKE(lake) && lake > z && lake > f->sea;
    sum[TER_SUMMARY_SHARE] = ter_clamp(high / wide, 0.0f, 1.0f);
    sum[TER_SUMMARY_LAND] = low >= 0.0f ? mean : 0.5f * over * over / wide;
    sum[TER_SUMMARY_SEA] = high <= 0.0f ? mean : low >= 0.0f ? 0.0f : -0.5f * under * under / wide;
    sum[TER_SUMMARY_LAKE] = is_lake ? ter_clamp((lake - z) / ter_max(2.0f * up, 1.0f), 0.0f, 1.0f) : 0.0f;
    sum[TER_SUMMARY_LEVEL] = is_lake ? sum[TER_SUMMARY_LAKE] * lake : 0.0f;
    sum[TER_SUMMARY_TOP] = z + 2.0f * up;
    sum[TER_SUMMARY_RELIEF] = v[TER_PROVINCE_RELIEF];
    sum[TER_SUMMARY_PLAIN] = v[TER_PROVINCE_FLAT];
    sum[TER_SUMMARY_PLATEAU] = (1.0f - above) * (1.0f / 0.93f);
    sum[TER_SUMMARY_ICE] = v[TER_PROVINCE_ICE];
    sum[TER_SUMMARY_DRYNESS] = v[TER_PROVINCE_DRYNESS];
    sum[TER_SUMMARY_Z] = z;
}

/** Number of octaves of the provinces' fields that cells of a level below 0 use: those of continents, and those with a
 * pitch of half a cell or more. */
TER_FN int ter_coarse_octaves(int level)
{
    return TER_CONTINENT_OCTAVES + (level + 4 > 0 ? level + 4 : 0);
}

/** Make the summary of cell (x, y) of a level below 0. Its node lies in the middle of the cell, and its height is that
 * of the province. */
TER_PASS_FN void ter_summarise_cell(const ter_fluvial_job *job, int n, int x, int y)
{
    (void)n;
    const ter_overview_plan *o = &job->overview;
    const int64_t half = (int64_t)1 << (23 - o->level);
    const float spread = o->level == -1 ? 175.0f : o->level == -2 ? 297.0f : 487.0f;
    ter_summary *out = o->summary + (size_t)y * (size_t)o->at.width + (size_t)x;
    float v[TER_PROVINCE_COUNT];
    ter_province_made(job, ter_coarse_octaves(o->level), (2 * (o->at.x + x) + 1) * half, (2 * (o->at.y + y) + 1) * half,
                      v);
    out->x = out->y = 0.5f;
    out->area = 0.0f;
    out->to = TER_SINK;
    ter_sum_up(&job->f, v, v[TER_PROVINCE_HEIGHT], TER_NO_LAKE, ter_mean_rise(v, o->level, 0.0f, 0.0f, 0), spread,
               out->sum);
    if (job->f.guide_level > 0)
        ter_guide_summarise(&job->f, o->level, o->at.x + x, o->at.y + y, out);
}

/** Mean height of the surroundings above the node of cell (x, y) of a level of the network, metres.
 *
 *  v  receives the province at the node
 */
TER_FN float ter_node_rise(const ter_fluvial_job *job, int level, int64_t x, int64_t y, float *v)
{
    const ter_window at = job->node_at[level];
    const ter_node *node = job->node[level & 1] + ter_window_index(at, x, y);
    float around = 0.0f;
    int inflows = 0;
    for (int d = 0; d < TER_SINK; d++) {
        const ter_node *other = node + ter_direction_y(d) * at.width + ter_direction_x(d);
        around += ter_max(other->z - node->z, 0.0f);
        inflows += other->to == (d + 4) % 8;
    }
    ter_node_province(job, level, x, y, node, v);
    return ter_mean_rise(v, level, around * 0.125f, node->floor / (float)(65536 >> level), inflows);
}

/** Make the summary of the node of cell (x, y) of the network. */
TER_PASS_FN void ter_summarise_node(const ter_fluvial_job *job, int n, int x, int y)
{
    (void)n;
    const ter_overview_plan *o = &job->overview;
    const ter_window at = job->node_at[o->level];
    const ter_node *node = job->node[o->level & 1] + ter_window_index(at, o->at.x + x, o->at.y + y);
    ter_summary *out = o->summary + (size_t)y * (size_t)o->at.width + (size_t)x;
    float v[TER_PROVINCE_COUNT];
    const float rise = ter_node_rise(job, o->level, o->at.x + x, o->at.y + y, v);
    out->x = node->x;
    out->y = node->y;
    out->area = node->area;
    out->to = node->to;
    ter_sum_up(&job->f, v, node->z, node->lake, rise, 0.0f, out->sum);
    if (o->level < job->f.guide_level)
        ter_guide_summarise(&job->f, o->level, o->at.x + x, o->at.y + y, out);
}

/* ---- samples ---- */

/** Weighted sums over the nodes around a sample, and the river that the sample shows. */
typedef struct ter_overview_sums {
    float weight, sum[TER_SUMMARY_COUNT];
    float x, y, xx, xy, yy, xz, yz; /* moments of the nodes' places and heights */
    float area;                     /* cells of level 8; of the largest river within half a step, -1 without a river */
    float distance;                 /* squared, in cells; to that river */
    float nearest, nearest_area; /* of the nearest channel of any size: squared distance in cells; cells of level 8 */
} ter_overview_sums;

/** Add the summary of a node to the sums. dx, dy: offset from the sample, in cells; z0: m; height from which the
 * heights of the moments are counted */
TER_FN void ter_add_summary(const ter_summary *o, float dx, float dy, float z0, ter_overview_sums *s)
{
    const float e = ter_max(1.0f - 0.25f * (dx * dx + dy * dy), 0.0f), w = e * e;
    const float wx = w * dx, wy = w * dy, z = o->sum[TER_SUMMARY_Z] - z0;
    s->weight += w;
    for (int k = 0; k < TER_SUMMARY_COUNT; k++)
        s->sum[k] = ter_fma(w, o->sum[k], s->sum[k]);
    s->x += wx;
    s->y += wy;
    s->xx = ter_fma(wx, dx, s->xx);
    s->xy = ter_fma(wx, dy, s->xy);
    s->yy = ter_fma(wy, dy, s->yy);
    s->xz = ter_fma(wx, z, s->xz);
    s->yz = ter_fma(wy, z, s->yz);
}

/** Add the channel from node o to node `to`, which o drains to. The channel of a sink is a point. */
TER_FN void ter_add_channel(const ter_fluvial *f, const ter_summary *o, const ter_summary *to, float dx, float dy,
                            ter_overview_sums *s)
{
    const float vx = (float)ter_direction_x(o->to) + (to->x - o->x),
                vy = (float)ter_direction_y(o->to) + (to->y - o->y);
    const float square = vx * vx + vy * vy;
    const float along = square > 0.0f ? ter_clamp(-(dx * vx + dy * vy) / square, 0.0f, 1.0f) : 0.0f;
    const float ax = ter_fma(along, vx, dx), ay = ter_fma(along, vy, dy), distance = ter_fma(ax, ax, ay * ay);
    const float z = ter_fma(along, to->sum[TER_SUMMARY_Z] - o->sum[TER_SUMMARY_Z], o->sum[TER_SUMMARY_Z]);
    if (distance < 1.0f && o->area > s->area && z > f->sea) {
        s->area = o->area;
        s->distance = distance;
    }
    if (distance < s->nearest) {
        s->nearest = distance;
        s->nearest_area = o->area;
    }
}

/** Height at the sample of a plane that is fitted to the nodes, above the mean height of the nodes, metres. It corrects
 * the mean where nodes lie unevenly around the sample. */
TER_FN float ter_overview_tilt(const ter_overview_sums *s, float z0)
{
    const float inv = 1.0f / s->weight, x = s->x * inv, y = s->y * inv, z = s->sum[TER_SUMMARY_Z] * inv - z0;
    const float xx = s->xx * inv - x * x, xy = s->xy * inv - x * y, yy = s->yy * inv - y * y;
    const float xz = s->xz * inv - x * z, yz = s->yz * inv - y * z;
    const float part = 1.0f / (xx * yy - xy * xy);
    return -(((xz * yy - yz * xy) * part) * x + ((yz * xx - xz * xy) * part) * y);
}

/** Compute all layers of a sample from its sums. */
TER_FN void ter_finish_overview(const ter_fluvial_job *job, const ter_overview_sums *s, float z0,
                                float out[TER_LAND_LAYERS])
{
    const float sea = job->f.sea, inv = 1.0f / s->weight, tilt = ter_overview_tilt(s, z0);
    const int level = job->overview.level;
    float mean[TER_SUMMARY_COUNT];
    for (int k = 0; k < TER_SUMMARY_COUNT; k++)
        mean[k] = s->sum[k] * inv;
    const float share = s->sum[TER_SUMMARY_SHARE] / s->weight; /* 1 exactly where all is land */
    const float land = mean[TER_SUMMARY_LAND] + tilt * share, bed = mean[TER_SUMMARY_SEA] + tilt * (1.0f - share);
    float height =
        ter_clamp(4.0f * share - 2.0f, 0.0f, 1.0f) * land + ter_clamp(2.0f - 4.0f * share, 0.0f, 1.0f) * bed + sea;
    float water = ter_not_a_number();
    if (share < 0.5f) { /* half land, half sea is exactly the coast */
        height = ter_min(height, sea - 0.01f);
        water = sea;
    } else if (mean[TER_SUMMARY_LAKE] > 0.5f) {
        water = mean[TER_SUMMARY_LEVEL] / mean[TER_SUMMARY_LAKE];
        height = ter_min(height, water - 1.0f);
    }
    const int has_river = s->area >= 0.0f;
    const float cell = level >= 0 ? (float)(65536 >> level) : 65536.0f * (float)(1 << -level);
    const float distance = ter_sqrt(has_river ? s->distance : s->nearest) * cell * TER_UNIT;
    out[TER_LAYER_HEIGHT] = height;
    out[TER_LAYER_WATER] = water;
    out[TER_LAYER_FLOW] =
        level < 0 ? 0.0f : ter_world_area(&job->f, (has_river ? s->area : s->nearest_area) * TER_AREA);
    out[TER_LAYER_SHORE] = ter_world_length(&job->f, level < 0 ? cell * TER_UNIT : distance);
    out[TER_LAYER_RELIEF] = ter_world_slope(&job->f, mean[TER_SUMMARY_RELIEF]);
    out[TER_LAYER_PLAIN] = mean[TER_SUMMARY_PLAIN];
    out[TER_LAYER_PLATEAU] = mean[TER_SUMMARY_PLATEAU];
    out[TER_LAYER_ICE] = mean[TER_SUMMARY_ICE];
    out[TER_LAYER_DRYNESS] = mean[TER_SUMMARY_DRYNESS];
    out[TER_LAYER_LAND] = share;
    out[TER_LAYER_TOP] = ter_max(mean[TER_SUMMARY_TOP] + tilt, height);
    out[TER_LAYER_GLACIER] = 0.0f; /* ter_lay_mean_ice adds glaciers */
    out[TER_LAYER_SAND] = 0.0f;    /* ter_lay_mean_sand adds sand */
}

/** Compute the layers of sample (x, y) of an overview. wants_channels: whether flow and shore are wanted */
TER_FN void ter_overview_layers(const ter_fluvial_job *job, int wants_channels, int x, int y,
                                float layer[TER_LAND_LAYERS])
{
    const ter_overview_plan *o = &job->overview;
    const int shift = 24 - o->level;
    const int has_channels = o->level >= 0 && wants_channels;
    const int64_t mask = ((int64_t)1 << shift) - 1;
    int64_t px, py;
    ter_overview_place(job, x, y, &px, &py);
    const float scale = 1.0f / (float)((int64_t)1 << shift);
    const float fx = (float)(px & mask) * scale, fy = (float)(py & mask) * scale;
    const ter_summary *middle = o->summary + ter_window_index(o->at, px >> shift, py >> shift);
    const float z0 = middle->sum[TER_SUMMARY_Z];
    ter_overview_sums s = {0};
    s.area = -1.0f;
    s.nearest = 1e30f;
    for (int b = -2; b <= 2; b++)
        for (int a = -2; a <= 2; a++) {
            const ter_summary *node = middle + b * o->at.width + a;
            const float dx = (float)a + (node->x - fx), dy = (float)b + (node->y - fy);
            ter_add_summary(node, dx, dy, z0, &s);
            if (has_channels)
                ter_add_channel(&job->f, node,
                                node + ter_direction_y(node->to) * o->at.width + ter_direction_x(node->to), dx, dy, &s);
        }
    ter_finish_overview(job, &s, z0, layer);
}

#endif
