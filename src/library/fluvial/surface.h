/* surface.h - from the ground and its gullies to samples: heights below 8 m, beds and banks of rivers, lakes, the sea,
 * layers. */
#ifndef TERRANE_FLUVIAL_SURFACE_H
#define TERRANE_FLUVIAL_SURFACE_H

#include "library/fluvial/gully.h"

/** Where samples go; a layer that is not wanted is NULL. Rows are `stride` floats apart. */
typedef struct ter_fluvial_output {
    float *layer[TER_LAYER_COUNT];
    size_t stride;
} ter_fluvial_output;

/** The ground's lattice that samples lie between. */
TER_FN const ter_ground_plan *ter_surface_ground(const ter_fluvial_job *job)
{
    return &job->ground[0];
}

/** Height of a point with what is left of its gullies, which end on the shore of a lake.
 *
 *  height  m; of the ground
 *  lake    m; level of the lake whose shore is near, or TER_NO_LAKE
 */
TER_FN float ter_gullied(float height, float lake, float kept)
{
    return height + (TER_IS_LAKE(lake) ? kept * ter_smooth_step((height - lake) * (1.0f / 8.0f)) : kept);
}

/** Height at point (x, y) of the last lattice before the fine ones: the ground with all its gullies. On the shore of a
 * lake it is not lower than the points around it, which the four-point rule could pass under, and gullies end there. */
TER_FN void ter_make_base(const ter_fluvial_job *job, int n, int x, int y)
{
    (void)n;
    enum { STEP = sizeof(ter_ground) / sizeof(float) };
    const ter_lattice *to = &job->fine[job->n_fine - 1];
    const ter_ground_plan *plan = ter_surface_ground(job);
    const int64_t px = to->at.x + x, py = to->at.y + y;
    const float *ground = (const float *)plan->ground;
    const ter_between t = ter_lattice_between(&plan->points, px, py, to->step);
    const float lake = ter_between_least(&t, ground + TER_GROUND_FIELD(lake), STEP);
    float height = ground[t.index * STEP + TER_GROUND_FIELD(height)];
    if (plan->points.step != to->step)
        height = ter_halved(plan->points.at, ground + TER_GROUND_FIELD(height), STEP, px, py);
    if (TER_IS_LAKE(lake))
        height = ter_max(height, ter_between_least(&t, ground + TER_GROUND_FIELD(height), STEP));
    if (job->n_octaves > 0) {
        const ter_octave_plan *o = &job->octave[job->n_octaves - 1];
        height = ter_gullied(height, lake, o->carved[ter_window_index(o->points.at, px, py)].kept);
    }
    job->height[(job->n_fine - 1) & 1][(size_t)y * (size_t)to->at.width + (size_t)x] = height;
}

/** Height at point (x, y) of fine lattice n: the four-point rule, displaced at random, but never beyond the nearest
 * coarser points, so that no point is lower than all of them. */
TER_FN void ter_make_fine(const ter_fluvial_job *job, int n, int x, int y)
{
    const ter_lattice *to = &job->fine[n], *from = &job->fine[n + 1];
    const int64_t px = to->at.x + x, py = to->at.y + y;
    const float *coarse = job->height[(n + 1) & 1];
    float *out = job->height[n & 1] + (size_t)y * (size_t)to->at.width + (size_t)x;
    const float *p = coarse + ter_window_index(from->at, px >> 1, py >> 1);
    const int right = (int)(px & 1), down = (py & 1) ? from->at.width : 0;
    if (right == 0 && down == 0) {
        *out = p[0];
        return;
    }
    const float low = ter_min(ter_min(p[0], p[right]), ter_min(p[down], p[down + right]));
    const float high = ter_max(ter_max(p[0], p[right]), ter_max(p[down], p[down + right]));
    const int octave = to->step == 4 ? 0 : to->step == 2 ? 1 : 2;
    const ter_words words = ter_tagged_words(job->f.round_key, TER_TAG_FINE + octave, px >> 2, py >> 2);
    const float r = ter_displacement(ter_words_row(&words, py), px);
    *out = ter_clamp(ter_fma(r, (high - low) * (0.12f / 256.0f), ter_halved(from->at, coarse, 1, px, py)), low, high);
}

/** The river in whose bed a sample lies, if any. */
typedef struct ter_river {
    float bank; /* m; the ground is no lower beside a river */
    float key;  /* m; distance to the nearest bed, negative inside */
    float z, lake, square, area, width;
} ter_river;

TER_FN ter_river ter_no_river(void)
{
    const ter_river r = {TER_NO_LAKE, 1e30f, 0.0f, TER_NO_LAKE, 0.0f, 0.0f, 0.0f};
    return r;
}

#define TER_RIVER_ABOVE 2.0f /* m; a river lies no further above the ground */
#define TER_RIVER_DIKE  8.0f /* m; and its banks no further above that: enough for the water of a sample 4 m away */

enum { TER_RIVER_BANK = 12, TER_RIVER_FOOT = 24 }; /* m: how wide a bank is, and how far it falls on */

/** Let a piece that drains enough have its say. x, y: metres from its start */
TER_FN void ter_meet_river(const ter_piece *p, float x, float y, ter_river *r)
{
    float along;
    const float square = ter_piece_distance(p, x, y, &along), t = ter_min(ter_max(along, 0.0f), 1.0f);
    const float area = ter_fma(t, p->darea, p->area), width = ter_river_width(area), key = ter_sqrt(square) - width;
    if (key >= (float)(TER_RIVER_BANK + TER_RIVER_FOOT))
        return;
    /* Banks rise from the water a little upstream to the channel there, and fall on beyond the piece's end. */
    const float upstream = ter_max(along, 0.0f) - (float)TER_RIVER_BANK * ter_sqrt(p->inverse);
    const float low = 1.0f - ter_min(ter_max(key, 0.0f) * (1.0f / (float)TER_RIVER_BANK), 1.0f);
    const float bank = ter_max(ter_fma(upstream, p->dz, p->z) - ter_water_fall(width) * low, p->lake);
    r->bank = ter_max(r->bank, bank - 0.4f * ter_max(key - (float)TER_RIVER_BANK, 0.0f));
    if (key < r->key) {
        r->key = key;
        r->z = ter_max(ter_fma(t, p->dz, p->z), p->lake);
        r->lake = p->lake;
        r->square = square;
        r->area = area;
        r->width = width;
    }
}

/** Place of a sample in the network's plane. */
TER_FN void ter_sample_place(const ter_fluvial_job *job, int64_t x, int64_t y, const ter_between *t, int64_t *place_x,
                             int64_t *place_y)
{
    const float *warp = ter_surface_ground(job)->warp;
    const int64_t px = x * job->points.step, py = y * job->points.step;
    *place_x = ter_turned_x(px, py) + (int64_t)rintf(ter_between_value(t, warp, 2) * 256.0f);
    *place_y = ter_turned_y(px, py) + (int64_t)rintf(ter_between_value(t, warp + 1, 2) * 256.0f);
}

enum { TER_RIVER_CELLS = 3 }; /* a river reaches no sample whose cell is further from its node's */

/** Whether a river is near cell (x + TER_RIVER_CELLS, y + TER_RIVER_CELLS). */
TER_FN void ter_find_rivers(const ter_fluvial_job *job, int n, int x, int y)
{
    (void)n;
    const int width = job->piece_at.width;
    int is_near = 0;
    for (int b = 0; b <= 2 * TER_RIVER_CELLS; b++)
        for (int a = 0; a <= 2 * TER_RIVER_CELLS; a++)
            is_near |= job->has_river[(y + b) * width + x + a];
    job->near_river[(y + TER_RIVER_CELLS) * width + x + TER_RIVER_CELLS] = (unsigned char)is_near;
}

/** All rivers near a sample, in the order of their nodes. */
TER_FN ter_river ter_rivers_at(const ter_fluvial_job *job, int64_t px, int64_t py)
{
    const float in_x = (float)(int)(px & 0xffff) * (1.0f / 256.0f), in_y = (float)(int)(py & 0xffff) * (1.0f / 256.0f);
    const int first = ter_window_index(job->piece_at, px >> TER_CELL_SHIFT, py >> TER_CELL_SHIFT);
    ter_river r = ter_no_river();
    if (!job->near_river[first])
        return r;
    for (int b = -TER_RIVER_CELLS; b <= TER_RIVER_CELLS; b++)
        for (int a = -TER_RIVER_CELLS; a <= TER_RIVER_CELLS; a++) {
            const int cell = first + b * job->piece_at.width + a;
            for (int i = 0; job->has_river[cell] && i < TER_PIECES; i++) {
                const ter_piece *p = &job->piece[(size_t)cell * TER_PIECES + (size_t)i];
                if (p->area > TER_RIVER_AREA)
                    ter_meet_river(p, in_x - (float)a * TER_CELL - p->x, in_y - (float)b * TER_CELL - p->y, &r);
            }
        }
    return r;
}

/** Land near the level of the sea is flatter than elsewhere: a beach. */
TER_FN float ter_beach(float height, float sea)
{
    const float h = height - sea;
    return h * (0.75f * h * h / (h * h + 36.0f) + 0.25f) + sea;
}

/** Height that the ground beside a river has at most: a strip of gravel that becomes a slope, narrower beside a brook.
 */
TER_FN float ter_river_side(const ter_river *r)
{
    const float away = ter_max(r->key, 0.0f);
    return ter_fma(away, ter_fma(away, 0.03f, 0.12f + 0.4f / (1.0f + r->width)), r->z);
}

/** Let a river come down to the ground where that lies far below, on the side of a lower channel.
 *
 *  ground  m; without gullies
 */
TER_FN void ter_lower_river(float ground, ter_river *r)
{
    const float most = ground + TER_RIVER_ABOVE;
    r->z = ter_max(ter_min(r->z, most), r->lake);
    r->bank = ter_min(r->bank, ter_max(most, r->z) + TER_RIVER_DIKE);
}

/** Cut the bed of a river into the ground and open its sides, hold its banks, and give the level of the water before
 * beaches are formed.
 *
 *  height  m; replaced
 */
TER_FN float ter_cut_river(const ter_river *r, float lake, float *height)
{
    const int is_lake =
        *height < lake; /* a river cuts the shore of a lake: it flows in or out; in the lake it has its level */
    float level = is_lake ? lake : TER_NO_LAKE;
    const int is_near = r->key < (float)(TER_RIVER_BANK + TER_RIVER_FOOT);
    if (is_near)
        *height = ter_min(*height, ter_max(ter_river_side(r), lake));
    if (r->key < 0.0f) {
        *height = ter_min(*height, r->z - ter_bed_depth(r->width) * (1.0f - r->square / (r->width * r->width)));
        level = ter_max(level, is_lake ? r->lake : ter_max(r->z - ter_water_fall(r->width), r->lake));
    }
    if (is_near &&
        *height >= level - 0.01f) /* dry land is a bank or a shore; water stays deeper than heights are rounded */
        *height = ter_max(*height, ter_max(r->bank, lake));
    return level;
}

/** A sample's beach, and the water over it.
 *
 *  level    of its river or lake, m; TER_NO_LAKE or below the height where there is none
 *  height   m; with beaches when this returns
 *  Returns  the level, with the sea where the height lies below it
 */
TER_FN float ter_meet_sea(float sea, float level, float *height)
{
    *height = ter_beach(*height, sea);
    const float above = TER_IS_LAKE(level) ? ter_beach(level, sea) : level;
    return *height < sea ? ter_max(above, sea) : above;
}

/** Height of a sample, and the level of the water over it.
 *
 *  height  m; before rivers, lakes and beaches; replaced
 *  t       its place between the ground's points
 *  Returns TER_NO_LAKE or a level below the height where there is no water
 */
TER_FN float ter_finish_height(const ter_fluvial_job *job, const ter_between *t, const ter_river *river, float *height)
{
    enum { STEP = sizeof(ter_ground) / sizeof(float) };
    const float *ground = (const float *)ter_surface_ground(job)->ground;
    const float lake = ter_between_least(t, ground + TER_GROUND_FIELD(lake), STEP);
    ter_river r = *river;
    ter_lower_river(ter_between_value(t, ground + TER_GROUND_FIELD(height), STEP), &r);
    return ter_meet_sea(job->f.sea, ter_cut_river(&r, lake, height), height);
}

/** An area, a length and a slope of the network, whose metre is a lattice step, in metres of the world. They are
 * exactly the same where a step is 1 m. */
TER_FN float ter_world_area(const ter_fluvial *f, float area)
{
    return area * (f->spacing * f->spacing);
}

TER_FN float ter_world_length(const ter_fluvial *f, float length)
{
    return length * f->spacing;
}

TER_FN float ter_world_slope(const ter_fluvial *f, float slope)
{
    return slope / f->spacing;
}

/** Layers of sample (x, y) from the rivers near it.
 *
 *  height            m; before rivers, lakes and beaches
 *  t                 its place between the ground's points
 *  place_x, place_y  its place in the network's plane
 */
TER_FN void ter_finish_layers(const ter_fluvial_job *job, const ter_fluvial_output *out, int x, int y, float height,
                              const ter_between *t, int64_t place_x, int64_t place_y, const ter_river *river)
{
    enum { STEP = sizeof(ter_ground) / sizeof(float) };
    const float *ground = (const float *)ter_surface_ground(job)->ground;
    const float level = ter_finish_height(job, t, river, &height);
    const size_t k = (size_t)y * out->stride + (size_t)x;
    if (out->layer[TER_LAYER_HEIGHT])
        out->layer[TER_LAYER_HEIGHT][k] = height;
    if (out->layer[TER_LAYER_WATER])
        out->layer[TER_LAYER_WATER][k] = level > height ? level : ter_not_a_number();
    if (out->layer[TER_LAYER_FLOW])
        out->layer[TER_LAYER_FLOW][k] = ter_world_area(
            &job->f, river->key < 0.0f ? river->area : ter_between_value(t, ground + TER_GROUND_FIELD(area), STEP));
    if (out->layer[TER_LAYER_SHORE])
        out->layer[TER_LAYER_SHORE][k] = ter_world_length(
            &job->f, river->key < 0.0f ? ter_sqrt(river->square)
                                       : ter_between_value(t, ground + TER_GROUND_FIELD(distance), STEP));
    const ter_province_place province = ter_province_at(job->province_at, job->province, place_x, place_y);
    if (out->layer[TER_LAYER_RELIEF])
        out->layer[TER_LAYER_RELIEF][k] = ter_world_slope(&job->f, ter_province_value(&province, TER_PROVINCE_RELIEF));
    if (out->layer[TER_LAYER_PLAIN])
        out->layer[TER_LAYER_PLAIN][k] = ter_province_value(&province, TER_PROVINCE_FLAT);
    if (out->layer[TER_LAYER_PLATEAU])
        out->layer[TER_LAYER_PLATEAU][k] = (1.0f - ter_province_value(&province, TER_PROVINCE_ABOVE)) * (1.0f / 0.93f);
    if (out->layer[TER_LAYER_ICE])
        out->layer[TER_LAYER_ICE][k] = ter_province_value(&province, TER_PROVINCE_ICE);
    if (out->layer[TER_LAYER_DRYNESS])
        out->layer[TER_LAYER_DRYNESS][k] = ter_province_value(&province, TER_PROVINCE_DRYNESS);
}

/** The same, from the heights of the points that are wanted. */
TER_FN void ter_finish_sample(const ter_fluvial_job *job, const ter_fluvial_output *out, int x, int y,
                              const ter_between *t, int64_t place_x, int64_t place_y, const ter_river *river)
{
    const float height = job->height[0][(size_t)y * (size_t)job->points.at.width + (size_t)x];
    ter_finish_layers(job, out, x, y, height, t, place_x, place_y, river);
}

/** Sample (x, y) and its layers. */
TER_FN void ter_make_sample(const ter_fluvial_job *job, const ter_fluvial_output *out, int x, int y)
{
    const int64_t px = job->points.at.x + x, py = job->points.at.y + y;
    const ter_between t = ter_lattice_between(&ter_surface_ground(job)->points, px, py, job->points.step);
    int64_t place_x, place_y;
    ter_sample_place(job, px, py, &t, &place_x, &place_y);
    const ter_river river = ter_rivers_at(job, place_x, place_y);
    ter_finish_sample(job, out, x, y, &t, place_x, place_y, &river);
}

#endif
