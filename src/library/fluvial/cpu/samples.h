/* samples.h - makes samples from heights. It does the work of the last steps of surface.h.
 *
 * In this file, a cell is a cell of the places' lattice. Rivers are listed for patches of 256 m, and from that list for
 * each cell.
 *
 *     heights alone            made as dry land, row by row; cells near rivers a second time, in lanes
 *     water, flow or shore     all cells in lanes, one sample in each lane
 *     layers of provinces      by the definition
 *
 * At spacings of 4 m or more a cell has too few samples for lanes, and the definition is used instead.
 */
#ifndef TERRANE_FLUVIAL_CPU_SAMPLES_H
#define TERRANE_FLUVIAL_CPU_SAMPLES_H

#include <string.h>

#include "library/fluvial/cpu/river_list.h"

enum { FLUVIAL_LANES = 16 };

/** A rectangle of samples. */
typedef struct fluvial_samples {
    int x0, y0, x1, y1;
} fluvial_samples;

/** Heights of a row of dry land, with beaches. */
static void dry_row(const float *restrict height, int count, float sea, float *restrict out)
{
    for (int n = 0; n < count; n++)
        out[n] = ter_beach(height[n], sea);
}

/** Make the heights of all samples as if there were no rivers. Cells near rivers are made a second time afterwards. */
static void make_dry_heights(const ter_fluvial_job *job, const ter_fluvial_output *out)
{
    const ter_window at = job->points.at;
    for (int y = 0; y < at.height; y++)
        dry_row(job->height[0] + (size_t)y * (size_t)at.width, at.width, job->f.sea,
                out->layer[TER_LAYER_HEIGHT] + (size_t)y * out->stride);
}

/** Samples of a cell of places, one in each lane. */
typedef struct fluvial_sample_lanes {
    _Alignas(64) float a[FLUVIAL_LANES];                    /* place in the cell of places, 0..1 to the east, */
    float b[FLUVIAL_LANES];                                 /* and to the south */
    float ground_a[FLUVIAL_LANES], ground_b[FLUVIAL_LANES]; /* place in the cell of the ground's lattice */
    float height[FLUVIAL_LANES], lake[FLUVIAL_LANES], ground[FLUVIAL_LANES];
    float x[FLUVIAL_LANES], y[FLUVIAL_LANES];
    /* places before the warp, 2^-8 units from the origin of the list of rivers */
    int turned_x[FLUVIAL_LANES], turned_y[FLUVIAL_LANES];
    /* as in ter_river */
    float bank[FLUVIAL_LANES], key[FLUVIAL_LANES], extent[FLUVIAL_LANES], z[FLUVIAL_LANES], fall[FLUVIAL_LANES],
        river_lake[FLUVIAL_LANES];
    int is_wet[FLUVIAL_LANES];
    float square[FLUVIAL_LANES], area[FLUVIAL_LANES], width[FLUVIAL_LANES];
    float water[FLUVIAL_LANES], flow[FLUVIAL_LANES], shore[FLUVIAL_LANES];
} fluvial_sample_lanes;

/** Numbers at the corners of a cell: the warp at those of the cell of places, the others at those of the ground's cell
 * around it. Corners are north-west, north-east, south-west, south-east. */
typedef struct fluvial_corners {
    float warp_x[4], warp_y[4], lake[4], height[4], area[4], distance[4];
} fluvial_corners;

/** Corners of cell (x, y) of places. right, down: as in fluvial_patch; corners that no sample reads repeat a corner
 * that exists */
static fluvial_corners corners_of(const ter_fluvial_job *job, int64_t x, int64_t y, int right, int down)
{
    const ter_ground_plan *plan = ter_surface_ground(job);
    const int per = plan->points.step / places_of(job)->step;
    fluvial_corners c;
    for (int n = 0; n < 4; n++) {
        const float *warp = place_warp(job, x + (n & right), y + (n >> 1 & down));
        const int k =
            ter_window_index(plan->points.at, ter_floor_div(x, per) + (n & 1), ter_floor_div(y, per) + (n >> 1));
        c.warp_x[n] = warp[0];
        c.warp_y[n] = warp[1];
        c.lake[n] = plan->ground[k].lake;
        c.height[n] = plan->ground[k].height;
        c.area[n] = plan->ground[k].area;
        c.distance[n] = plan->ground[k].distance;
    }
    return c;
}

/** ter_between_value at (a, b) between four corners. */
static inline float corner_value(const float c[4], float a, float b)
{
    const float ne = a > 0.0f ? c[1] : c[0], sw = b > 0.0f ? c[2] : c[0];
    const float se = b > 0.0f ? (a > 0.0f ? c[3] : c[2]) : ne;
    const float north = ter_fma(a, ne - c[0], c[0]), south = ter_fma(a, se - sw, sw);
    return ter_fma(b, south - north, north);
}

static inline ter_river lane_river(const fluvial_sample_lanes *w, int n)
{
    const ter_river r = {w->bank[n],       w->key[n],    w->extent[n], w->z[n],     w->fall[n],
                         w->river_lake[n], w->square[n], w->area[n],   w->width[n], w->is_wet[n]};
    return r;
}

static inline __attribute__((always_inline)) void set_lane_river(fluvial_sample_lanes *restrict w, int n,
                                                                 const ter_river *r)
{
    w->bank[n] = r->bank;
    w->key[n] = r->key;
    w->extent[n] = r->extent;
    w->z[n] = r->z;
    w->fall[n] = r->fall;
    w->river_lake[n] = r->lake;
    w->square[n] = r->square;
    w->area[n] = r->area;
    w->width[n] = r->width;
    w->is_wet[n] = r->is_wet;
}

/** Compute places, lakes and ground heights of all lanes, and clear their rivers. */
static void place_lanes(const fluvial_corners *c, fluvial_sample_lanes *restrict w)
{
    const fluvial_corners q = *c;
    for (int n = 0; n < FLUVIAL_LANES; n++) {
        w->x[n] =
            (float)(w->turned_x[n] + (int)rintf(corner_value(q.warp_x, w->a[n], w->b[n]) * 128.0f)) * (1.0f / 256.0f);
        w->y[n] =
            (float)(w->turned_y[n] + (int)rintf(corner_value(q.warp_y, w->a[n], w->b[n]) * 128.0f)) * (1.0f / 256.0f);
        const float a = w->ground_a[n], b = w->ground_b[n];
        const float north = a > 0.0f ? ter_min(q.lake[0], q.lake[1]) : q.lake[0];
        const float south = a > 0.0f ? ter_min(q.lake[2], q.lake[3]) : q.lake[2];
        w->lake[n] = b > 0.0f ? ter_min(north, south) : north;
        w->ground[n] = corner_value(q.height, a, b);
        const ter_river none = ter_no_river();
        set_lane_river(w, n, &none);
    }
}

/** Whether a river comes so near to a lane that ter_accumulate_river may change that lane. */
static bool is_river_near(const ter_reach *reach, const fluvial_sample_lanes *restrict w)
{
    const ter_reach p = *reach;
    const float extent = river_extent(reach), most = extent * extent;
    int n_near = 0;
    for (int n = 0; n < FLUVIAL_LANES; n++) {
        float along;
        n_near |= ter_reach_distance(&p, w->x[n] - p.x, w->y[n] - p.y, &along) < most;
    }
    return n_near != 0;
}

/** Do the work of ter_accumulate_river for all lanes. */
static void accumulate_lanes(const ter_reach *reach, fluvial_sample_lanes *restrict w)
{
    const ter_reach p = *reach;
    for (int n = 0; n < FLUVIAL_LANES; n++) {
        ter_river r = lane_river(w, n);
        ter_accumulate_river(&p, w->x[n] - p.x, w->y[n] - p.y, &r);
        set_lane_river(w, n, &r);
    }
}

/** Height of a lane with its river and lake, before beaches. Returns the water level, as ter_cut_river does. */
static inline float cut_lane(const fluvial_sample_lanes *w, int n, float *height)
{
    ter_river r = lane_river(w, n);
    *height = w->height[n];
    ter_lower_river(w->ground[n], &r);
    return ter_cut_river(&r, w->lake[n], height);
}

/** Make the heights of all lanes, as ter_make_sample does. */
static void finish_heights(float sea, fluvial_sample_lanes *restrict w)
{
    for (int n = 0; n < FLUVIAL_LANES; n++) {
        float height;
        (void)cut_lane(w, n, &height);
        w->height[n] = ter_beach(height, sea);
    }
}

/** Make heights, water, flow and shore of all lanes, as ter_finish_layers does. */
static void finish_layers(const fluvial_corners *c, const ter_fluvial *f, fluvial_sample_lanes *restrict w)
{
    const fluvial_corners q = *c;
    const ter_fluvial world = *f;
    for (int n = 0; n < FLUVIAL_LANES; n++) {
        const float a = w->ground_a[n], b = w->ground_b[n], area = corner_value(q.area, a, b),
                    distance = corner_value(q.distance, a, b);
        float height;
        const float level = cut_lane(w, n, &height), water = ter_meet_sea(world.sea, level, &height);
        w->height[n] = height;
        w->water[n] = water > height ? water : ter_not_a_number();
        w->flow[n] = ter_world_area(&world, w->key[n] < 0.0f ? w->area[n] : area);
        w->shore[n] = ter_world_length(&world, w->key[n] < 0.0f ? ter_sqrt(w->square[n]) : distance);
    }
}

/** Compute where the lanes lie in a cell of places with 2^shift samples on a side. Lanes are rows of the cell, from
 * `row` on.
 *
 *  x, y            corner of the cell, 2^-8 units from the origin of the list of rivers, before the warp
 *  step            m; spacing of the samples
 *  across          samples on a side of the ground's cell
 *  skip_x, skip_y  samples of the ground's cell west and north of the cell of places
 */
static void begin_sample_lanes(int shift, int row, int x, int y, int step, int across, int skip_x, int skip_y,
                               fluvial_sample_lanes *restrict w)
{
    const float ground_scale = 1.0f / (float)across;
    const float scale = 1.0f / (float)(1 << shift);
    for (int n = 0; n < FLUVIAL_LANES; n++) {
        const int column = n & ((1 << shift) - 1), down = row + (n >> shift);
        w->a[n] = (float)column * scale;
        w->b[n] = (float)down * scale;
        w->ground_a[n] = (float)(skip_x + column) * ground_scale;
        w->ground_b[n] = (float)(skip_y + down) * ground_scale;
        w->turned_x[n] = x + (59 * column - 25 * down) * 2 * step;
        w->turned_y[n] = y + (25 * column + 59 * down) * 2 * step;
        w->height[n] = 0.0f;
    }
}

/** Place the lanes, and apply the rivers that reach at least one of them. Returns whether there are any. */
static bool accumulate_rivers(const fluvial_reaches *rivers, const fluvial_corners *c, fluvial_sample_lanes *w)
{
    bool is_any_near = false;
    place_lanes(c, w);
    for (int n = 0; n < rivers->count; n++)
        if (is_river_near(&rivers->reach[n], w)) {
            is_any_near = true;
            accumulate_lanes(&rivers->reach[n], w);
        }
    return is_any_near;
}

/** Copy at most FLUVIAL_LANES floats. Most rows have exactly as many, which is faster with a constant count. */
static inline void copy_lanes(float *to, const float *from, int count)
{
    if (count == FLUVIAL_LANES)
        memcpy(to, from, FLUVIAL_LANES * sizeof(float));
    else
        memcpy(to, from, (size_t)count * sizeof(float));
}

/** Lanes of a layer that finish_layers makes; NULL for other layers. */
static const float *lanes_of(const fluvial_sample_lanes *w, ter_layer layer)
{
    return layer == TER_LAYER_HEIGHT  ? w->height
           : layer == TER_LAYER_WATER ? w->water
           : layer == TER_LAYER_FLOW  ? w->flow
           : layer == TER_LAYER_SHORE ? w->shore
                                      : NULL;
}

/** Whether what covers the ground sets a layer of all samples, after they have been made. */
static bool is_of_cover(const ter_fluvial *f, int layer)
{
    return layer == TER_LAYER_GLACIER || layer == TER_LAYER_SAND || (layer == TER_LAYER_DRYNESS && f->drought > 0.0f);
}

/** Make the samples of a cell of places in lanes, FLUVIAL_LANES at a time.
 *
 *  r                the samples of the cell
 *  shift            2^shift samples on a side, 16 at most, so that lanes hold one row or several
 *  patch_extent     extent that `rivers` was made for
 *  is_height_alone  no other layer is requested; lanes that no river reaches have been made already
 */
static void make_lanes(const ter_fluvial_job *job, const ter_fluvial_output *out, const fluvial_samples *r, int shift,
                       const fluvial_extent *patch_extent, const fluvial_reaches *rivers, bool is_height_alone)
{
    const ter_window at = job->points.at;
    const int step = job->points.step, side = 1 << shift, rows = FLUVIAL_LANES >> shift;
    const int64_t first_x = at.x + r->x0, first_y = at.y + r->y0;
    const int skip = (int)(first_x & (side - 1)), above = (int)(first_y & (side - 1)), width = r->x1 - r->x0,
              end = above + r->y1 - r->y0;
    const int64_t cell_x = (first_x - skip) * step, cell_y = (first_y - above) * step;
    const int x = (int)(ter_turned_x(cell_x, cell_y) - (patch_extent->low_x & ~(int64_t)0xffff)),
              y = (int)(ter_turned_y(cell_x, cell_y) - (patch_extent->low_y & ~(int64_t)0xffff));
    const fluvial_corners c = corners_of(job, first_x >> shift, first_y >> shift, skip + width > 1, end > 1);
    const int across = ter_surface_ground(job)->points.step / step;
    const int west = (int)((first_x - skip) & (across - 1)), north = (int)((first_y - above) & (across - 1));
    fluvial_sample_lanes w;
    for (int row = 0; row < end; row += rows) {
        const int first = row > above ? row : above, last = row + rows < end ? row + rows : end;
        if (first >= last)
            continue;
        begin_sample_lanes(shift, row, x, y, step, across, west, north, &w);
        for (int k = first; k < last; k++)
            copy_lanes(w.height + (k - row) * side + skip,
                       job->height[0] + (size_t)(r->y0 + k - above) * (size_t)at.width + (size_t)r->x0, width);
        const bool is_any_near = accumulate_rivers(rivers, &c, &w);
        if (is_height_alone && !is_any_near)
            continue;
        if (is_height_alone)
            finish_heights(job->f.sea, &w);
        else
            finish_layers(&c, &job->f, &w);
        for (int layer = 0; layer < TER_LAND_LAYERS; layer++)
            for (int k = first; k < last && out->layer[layer] && !is_of_cover(&job->f, layer); k++)
                copy_lanes(out->layer[layer] + (size_t)(r->y0 + k - above) * out->stride + (size_t)r->x0,
                           lanes_of(&w, (ter_layer)layer) + (k - row) * side + skip, width);
    }
}

/** Make the samples of a cell of places one by one, for any layers. */
static void define_samples(const ter_fluvial_job *job, const ter_fluvial_output *out, const fluvial_samples *r,
                           const fluvial_extent *patch_extent, const fluvial_reaches *rivers)
{
    const int64_t corner_x = patch_extent->low_x & ~(int64_t)0xffff, corner_y = patch_extent->low_y & ~(int64_t)0xffff;
    for (int y = r->y0; y < r->y1; y++)
        for (int x = r->x0; x < r->x1; x++) {
            const ter_sample s = ter_sample_at(job, x, y);
            const float in_x = (float)(s.place_x - corner_x) * (1.0f / 256.0f),
                        in_y = (float)(s.place_y - corner_y) * (1.0f / 256.0f);
            ter_river river = ter_no_river();
            for (int n = 0; n < rivers->count; n++)
                ter_accumulate_river(&rivers->reach[n], in_x - rivers->reach[n].x, in_y - rivers->reach[n].y, &river);
            const float height = job->height[0][(size_t)y * (size_t)job->points.at.width + (size_t)x];
            ter_finish_layers(job, out, &s, height, &river);
        }
}

/** Requested layers: heights alone; some of height, water, flow and shore; or other layers as well. */
typedef enum fluvial_layers { FLUVIAL_HEIGHT, FLUVIAL_WATERS, FLUVIAL_ANY } fluvial_layers;

/** Parameters that all cells of a job share. */
typedef struct fluvial_sampling {
    const ter_fluvial_job *job;
    const ter_fluvial_output *out;
    fluvial_reaches *rivers, *near; /* rivers of a patch, and those of them that reach a cell */
    int shift;                      /* 2^shift samples on a side of a cell of places */
    fluvial_layers layers;
} fluvial_sampling;

/** Make the samples of one cell of places. patch: extent of the patch; m->rivers are those that reach it */
static void make_cell(const fluvial_sampling *m, int64_t cell_x, int64_t cell_y, const fluvial_extent *patch)
{
    const ter_window at = m->job->points.at;
    const int64_t side = (int64_t)1 << m->shift, x0 = cell_x * side - at.x, y0 = cell_y * side - at.y;
    const fluvial_samples r = {(int)(x0 > 0 ? x0 : 0), (int)(y0 > 0 ? y0 : 0),
                               (int)(x0 + side < at.width ? x0 + side : at.width),
                               (int)(y0 + side < at.height ? y0 + side : at.height)};
    const fluvial_patch cell = {cell_x, cell_y, cell_x + 1, cell_y + 1, r.x1 - 1 > x0, r.y1 - 1 > y0};
    const fluvial_extent e = extent_of(m->job, &cell);
    select_rivers(m->rivers, patch, &e, m->near);
    const bool is_known = m->layers == FLUVIAL_HEIGHT && m->near->count == 0;
    if (m->layers == FLUVIAL_ANY || (!is_known && m->shift < 2)) /* a cell would use few lanes */
        define_samples(m->job, m->out, &r, patch, m->near);
    else if (m->layers == FLUVIAL_WATERS || m->near->count > 0) /* a lake alone does not change the ground under it */
        make_lanes(m->job, m->out, &r, m->shift, patch, m->near, m->layers == FLUVIAL_HEIGHT);
}

/** Make the samples of cells x0 .. x1 - 1, y0 .. y1 - 1. If more rivers reach them than a list holds, they are made in
 * quarters. */
static void sample_cells(const fluvial_sampling *m, int64_t x0, int64_t y0, int64_t x1, int64_t y1)
{
    const ter_window at = m->job->points.at;
    const fluvial_patch p = {x0,
                             y0,
                             x1,
                             y1,
                             m->shift > 0 && at.x + at.width - 1 > (x1 - 1) * ((int64_t)1 << m->shift),
                             m->shift > 0 && at.y + at.height - 1 > (y1 - 1) * ((int64_t)1 << m->shift)};
    const fluvial_extent e = extent_of(m->job, &p);
    if (!list_rivers(m->job, &e, m->rivers)) {
        const int64_t x = x0 + (x1 - x0 + 1) / 2, y = y0 + (y1 - y0 + 1) / 2;
        for (int n = 0; n < 4; n++)
            if ((n & 1 ? x < x1 : 1) && (n & 2 ? y < y1 : 1))
                sample_cells(m, n & 1 ? x : x0, n & 2 ? y : y0, n & 1 ? x1 : x, n & 2 ? y1 : y);
        return;
    }
    if (m->layers == FLUVIAL_HEIGHT && m->rivers->count == 0)
        return;
    for (int64_t y = y0; y < y1; y++)
        for (int64_t x = x0; x < x1; x++)
            make_cell(m, x, y, &e);
}

static fluvial_layers layers_of(const ter_fluvial *f, const ter_fluvial_output *out)
{
    fluvial_layers layers = out->layer[TER_LAYER_HEIGHT] ? FLUVIAL_HEIGHT : FLUVIAL_WATERS;
    for (int layer = 0; layer < TER_LAND_LAYERS; layer++)
        if (layer != TER_LAYER_HEIGHT && out->layer[layer] && layers != FLUVIAL_ANY && !is_of_cover(f, layer)) {
            const bool is_of_water = layer == TER_LAYER_WATER || layer == TER_LAYER_FLOW || layer == TER_LAYER_SHORE;
            layers = is_of_water ? FLUVIAL_WATERS : FLUVIAL_ANY;
        }
    return layers;
}

/** Do the work of ter_make_sample for all samples, whose heights have the detail of a guide. rivers, near: scratch */
static void make_samples(const ter_fluvial_job *job, const ter_fluvial_output *out, fluvial_reaches *rivers,
                         fluvial_reaches *near)
{
    const int step = places_of(job)->step;
    const ter_window at = job->points.at;
    fluvial_sampling m = {job, out, rivers, near, 0, layers_of(&job->f, out)};
    while (job->points.step << m.shift < step)
        m.shift++;
    if (m.layers == FLUVIAL_HEIGHT)
        make_dry_heights(job, out);
    const int64_t side = step < 256 ? 256 / step : 1;
    const int64_t end_x = ((at.x + at.width - 1) >> m.shift) + 1, end_y = ((at.y + at.height - 1) >> m.shift) + 1;
    for (int64_t y = at.y >> m.shift; y < end_y; y += side)
        for (int64_t x = at.x >> m.shift; x < end_x; x += side)
            sample_cells(&m, x, y, x + side < end_x ? x + side : end_x, y + side < end_y ? y + side : end_y);
}

#endif
