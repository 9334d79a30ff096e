/* surface.h - from the ground and its gullies to samples: heights below 16 m, beds and banks of rivers, lakes, the sea,
 * layers. */
#ifndef TERRANE_FLUVIAL_SURFACE_H
#define TERRANE_FLUVIAL_SURFACE_H

#include "library/fluvial/course.h"
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

/** Height at point (x, y) of the last lattice before the fine ones: the ground with all gullies. On the shore of a lake
 * it is not lower than the points around it, which the four-point rule could pass under, and gullies end there. */
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
    float height = to->step < plan->points.step
                       ? ter_halved(plan->points.at, ground + TER_GROUND_FIELD(height), STEP, px, py)
                       : ground[t.index * STEP + TER_GROUND_FIELD(height)];
    if (TER_IS_LAKE(lake))
        height = ter_max(height, ter_between_least(&t, ground + TER_GROUND_FIELD(height), STEP));
    if (job->n_octaves > 0) {
        const ter_octave_plan *o = &job->octave[job->n_octaves - 1];
        height = ter_gullied(height, lake, o->carved[ter_window_index(o->points.at, px, py)].kept);
    }
    job->height[(job->n_fine - 1) & 1][(size_t)y * (size_t)to->at.width + (size_t)x] = height;
}

/** Height at point (x, y) of fine lattice n: the four-point rule, and new points displaced; on a shore less, and not
 * below the points around. */
TER_FN void ter_make_fine(const ter_fluvial_job *job, int n, int x, int y)
{
    enum { STEP = sizeof(ter_ground) / sizeof(float) };
    const ter_lattice *to = &job->fine[n], *from = &job->fine[n + 1];
    const int64_t px = to->at.x + x, py = to->at.y + y;
    const float *coarse = job->height[(n + 1) & 1];
    float *out = job->height[n & 1] + (size_t)y * (size_t)to->at.width + (size_t)x;
    const float *p = coarse + ter_window_index(from->at, px >> 1, py >> 1);
    if (!(px & 1) && !(py & 1)) {
        *out = p[0];
        return;
    }
    const ter_ground_plan *plan = ter_surface_ground(job);
    const ter_between t = ter_lattice_between(&plan->points, px >> 1, py >> 1, from->step);
    const ter_corners corners = {p[0], p[1], p[from->at.width], p[from->at.width + 1]};
    const float halved = ter_halved(from->at, coarse, 1, px, py);
    const float displacement =
        ter_displaced(&job->f, to->step, px, py, &corners, ter_ground_value(plan, &t, TER_GROUND_FIELD(rough)));
    const float lake = ter_between_least(&t, (const float *)plan->ground + TER_GROUND_FIELD(lake), STEP);
    *out = TER_IS_LAKE(lake) ? ter_max(ter_gullied(halved, lake, displacement), ter_least_corner(&corners))
                             : halved + displacement;
}

/** The river or brook in whose bed or beside which a sample lies, if any. */
typedef struct ter_river {
    float bank;                               /* m; the ground is no lower beside a river */
    float key;                                /* m; distance to the nearest bed, negative inside */
    float extent;                             /* m; how far beside its bed it changes the ground */
    float z, fall, lake, square, area, width; /* m; square: m2, of the distance to its middle; area: m2 */
    int is_wet;
} ter_river;

#define TER_NO_RIVER 1e30f /* of key */

TER_FN ter_river ter_no_river(void)
{
    const ter_river r = {TER_NO_LAKE, TER_NO_RIVER, 0.0f, 0.0f, 0.0f, TER_NO_LAKE, 0.0f, 0.0f, 0.0f, 0};
    return r;
}

#define TER_RIVER_ABOVE 2.0f  /* m; a river lies no further above the ground */
#define TER_RIVER_DIKE  8.0f  /* m; and its banks no further above that: enough for the water of a sample 4 m away */
#define TER_RIVER_EXTENT 36.0f /* m; the greatest extent */

#define TER_RIVER_UPSTREAM 4.0f /* units; banks hold water so far upstream: of a sample 4 m east and north */

#define TER_RIVER_BANK  0.02f /* m; a bank is higher than the water by that: more than heights are rounded */
#define TER_RIVER_CREST 8.0f  /* m; greatest width of a bank around the end of a reach */

/** How far beside its bed a river changes the ground, metres. */
TER_FN float ter_river_extent(float width)
{
    return ter_min(12.0f + 6.0f * width, TER_RIVER_EXTENT);
}

/** Whether a reach has a bed somewhere: areas grow downstream. */
TER_FN int ter_has_bed(const ter_reach *r)
{
    return r->area + r->darea > TER_BROOK_AREA;
}

TER_FN float ter_reach_distance(const ter_reach *r, float x, float y, float *share)
{
    return ter_line_distance(r->along_x, r->along_y, r->inverse, x, y, share);
}

/** Add a reach that drains enough to the river at a sample. x, y: units from the reach's start */
TER_FN void ter_meet_river(const ter_reach *p, float x, float y, ter_river *r)
{
    float along;
    const float square = ter_reach_distance(p, x, y, &along), t = ter_min(ter_max(along, 0.0f), 1.0f);
    const float width = ter_fma(t, p->dwidth, p->width), key = TER_UNIT * ter_sqrt(square) - width;
    const float extent = ter_river_extent(width);
    if (key >= extent)
        return;
    const float area = ter_fma(t, p->darea, p->area), rim = ter_river_rim(area);
    const float fall = ter_fma(t, p->dfall, p->fall);
    if (area >= 1.8f * TER_BROOK_AREA) { /* a little above the first water */
        /* The bank is a third of the extent. It rises from the water a little upstream to the rim there, and falls on
         * beyond. It is narrower around the ends of the reach, where the neighbouring reaches have their banks. */
        const float broad = extent * (1.0f / 3.0f), crest = along == t ? broad : ter_min(broad, TER_RIVER_CREST);
        const float upstream = ter_max(along, 0.0f) - TER_RIVER_UPSTREAM * ter_sqrt(p->inverse);
        const float low = 1.0f - ter_min(ter_max(key, 0.0f) / broad, 1.0f);
        const float bank = ter_max(ter_fma(upstream, p->dz, p->z) + rim - fall * low, p->lake) + TER_RIVER_BANK;
        r->bank = ter_max(r->bank, bank - 0.4f * ter_max(key - crest, 0.0f));
    }
    if (key < r->key) {
        r->key = key;
        r->extent = extent;
        r->z = ter_max(ter_fma(t, p->dz, p->z) + rim, p->lake);
        r->lake = p->lake;
        r->square = square * (TER_UNIT * TER_UNIT);
        r->area = area * TER_AREA;
        r->width = width;
        r->fall = fall;
        r->is_wet = ter_is_wet(area);
    }
}

/** Place of a sample in the network's plane. */
TER_FN void ter_sample_place(const ter_fluvial_job *job, int64_t x, int64_t y, int64_t *place_x, int64_t *place_y)
{
    const ter_place_plan *p = &job->places;
    const int step = p->count > 1 ? 2 : TER_SHIFTS;
    const float *shift = p->shift[p->count - 1];
    const ter_between t = ter_lattice_between(&p->at[p->count - 1], x, y, job->points.step);
    const float warp[2] = {ter_between_value(&t, shift, step), ter_between_value(&t, shift + 1, step)};
    *place_x = ter_place_x(x * job->points.step, y * job->points.step, warp);
    *place_y = ter_place_y(x * job->points.step, y * job->points.step, warp);
}

enum { TER_RIVER_CELLS = 3 }; /* a river reaches no sample whose cell is further from its node's */

/** All rivers near a sample, in the order of their nodes. */
TER_FN ter_river ter_rivers_at(const ter_fluvial_job *job, int64_t px, int64_t py)
{
    const float in_x = (float)(int)(px & 0xffff) * (1.0f / 256.0f), in_y = (float)(int)(py & 0xffff) * (1.0f / 256.0f);
    const int first = ter_window_index(job->piece_at, px >> TER_CELL_SHIFT, py >> TER_CELL_SHIFT);
    ter_river r = ter_no_river();
    for (int b = -TER_RIVER_CELLS; b <= TER_RIVER_CELLS; b++)
        for (int a = -TER_RIVER_CELLS; a <= TER_RIVER_CELLS; a++) {
            const int cell = first + b * job->piece_at.width + a;
            for (int i = 0; job->course[cell] == TER_COURSE_BROOK && i < TER_REACHES; i++) {
                const ter_reach *p = &job->reach[(size_t)cell * TER_REACHES + (size_t)i];
                if (ter_has_bed(p))
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

/** Height that the ground beside a river has at most: a slope that steepens, narrower beside a brook. */
TER_FN float ter_river_side(const ter_river *r)
{
    const float away = ter_max(r->key, 0.0f);
    return ter_fma(away, ter_fma(away, 0.03f, 0.2f + 0.5f / (1.0f + r->width)), r->z);
}

/** The lower one of the ground and the side of a river, and round where they meet: but not at the bed, nor where the
 * river's extent ends. */
TER_FN float ter_opened(const ter_river *r, float ground, float side)
{
    const float round = 3.0f * ter_min(ter_max(r->key, 0.0f) * (1.0f / 6.0f), 1.0f) *
                        ter_min((r->extent - r->key) * 4.0f / r->extent, 1.0f);
    const float t = round > 0.0f ? ter_max(1.0f - fabsf(ground - side) / round, 0.0f) : 0.0f;
    return ter_min(ground, side) - 0.25f * round * t * t;
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
    const int is_near = r->key < r->extent;
    if (is_near)
        *height = ter_opened(r, *height, ter_max(ter_river_side(r), lake));
    int is_rim = 0;
    if (r->key < 0.0f) {
        const float bed = r->z - ter_bed_depth(r->width) * (1.0f - r->square / (r->width * r->width));
        *height = ter_min(*height, bed);
        if (r->is_wet)
            level = ter_max(level, is_lake ? r->lake : ter_max(r->z - r->fall, r->lake));
        is_rim = !is_lake && bed >= level; /* the bed's own rim, where no hollow of the ground holds water apart */
    }
    /* Dry land is a bank or a shore; water stays deeper than heights are rounded. */
    if (is_near && (*height >= level - 0.01f || is_rim))
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

/** An area, a length and a slope of a world whose lattice step is 1 m, in metres of this one. They are
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
    if (out->layer[TER_LAYER_LAND])
        out->layer[TER_LAYER_LAND][k] = height < job->f.sea ? 0.0f : 1.0f;
    if (out->layer[TER_LAYER_TOP])
        out->layer[TER_LAYER_TOP][k] = height;
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
    ter_sample_place(job, px, py, &place_x, &place_y);
    const ter_river river = ter_rivers_at(job, place_x, place_y);
    ter_finish_sample(job, out, x, y, &t, place_x, place_y, &river);
}

#endif
