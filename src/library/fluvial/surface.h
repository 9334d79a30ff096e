/* surface.h - makes samples from the ground and its gullies: computes heights at spacings below 16 m, cuts beds and
 * banks of rivers, fills lakes and the sea, and stores the layers. */
#ifndef TERRANE_FLUVIAL_SURFACE_H
#define TERRANE_FLUVIAL_SURFACE_H

#include "library/fluvial/course.h"
#include "library/fluvial/gully.h"

/** Layers that the passes of the land make; climate.h makes those that follow. */
enum { TER_LAND_LAYERS = TER_LAYER_TEMPERATURE };

/** Arrays that receive samples. Layers that are not requested are NULL. Rows are `stride` floats apart. */
typedef struct ter_fluvial_output {
    float *layer[TER_LAND_LAYERS];
    size_t stride;
} ter_fluvial_output;

/** The ground plan between whose points samples are interpolated. */
TER_FN const ter_ground_plan *ter_surface_ground(const ter_fluvial_job *job)
{
    return &job->ground[0];
}

/** Height of a point with its gullies. Gullies fade out towards the shore of a lake.
 *
 *  height       m; of the ground
 *  lake         m; level of the lake whose shore is near, or TER_NO_LAKE
 *  faded_sum    m; ter_carved.faded_sum
 */
TER_FN float ter_gullied(float height, float lake, float faded_sum)
{
    return height + (TER_IS_LAKE(lake) ? faded_sum * ter_smooth_step((height - lake) * (1.0f / 8.0f)) : faded_sum);
}

/** Height at point (x, y) of the coarsest of the fine lattices: the ground with all gullies. On the shore of a lake,
 * ter_halved could give too low a height. So the height is at least that of the lowest ground point around the point.
 */
TER_PASS_FN void ter_make_base(const ter_fluvial_job *job, int n, int x, int y)
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
        height = ter_gullied(height, lake, o->carved[ter_window_index(o->points.at, px, py)].faded_sum);
    }
    job->height[(job->n_fine - 1) & 1][(size_t)y * (size_t)to->at.width + (size_t)x] = height;
}

/** Height at point (x, y) of fine lattice n: ter_halved, plus a random displacement at new points. On the
 * shore of a lake the displacement is smaller, and the height is at least that of the lowest coarse point around it. */
TER_PASS_FN void ter_make_fine(const ter_fluvial_job *job, int n, int x, int y)
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

/** The river or brook at or near a sample, if there is one. */
typedef struct ter_river {
    float bank;   /* m; height of its banks: the ground beside it is at least that high */
    float key;    /* m; distance to the nearest bed, negative inside the bed */
    float extent; /* m; distance from the bed within which the river changes the ground */
    float z;      /* m; height of the rim of its bed */
    float fall;   /* m; depth of its water below the rim */
    float lake;   /* m; level of the lake that it flows through, or TER_NO_LAKE */
    float square; /* m2; squared distance to its middle line */
    float area;   /* m2; drained area */
    float width;  /* m; half width of its bed */
    int is_wet;   /* whether its bed holds water */
} ter_river;

#define TER_NO_RIVER 1e30f /* key of a sample without a river */

TER_FN ter_river ter_no_river(void)
{
    const ter_river r = {TER_NO_LAKE, TER_NO_RIVER, 0.0f, 0.0f, 0.0f, TER_NO_LAKE, 0.0f, 0.0f, 0.0f, 0};
    return r;
}

#define TER_RIVER_ABOVE 2.0f /* m; greatest height of a bed's rim above the ground, except in a lake */
/** m; greatest height of a river's banks above its rim, or above the greatest height of a rim if the rim lies lower. It
 * is enough for the water of a sample 4 m away. */
#define TER_RIVER_DIKE   8.0f
#define TER_RIVER_EXTENT 36.0f /* m; greatest distance from its bed at which a river changes the ground */

/** Units. A bank is as high as the river this far upstream, so that it holds the water of a sample 4 m to the east and
 * to the north. */
#define TER_RIVER_UPSTREAM 4.0f

#define TER_RIVER_BANK                                                                                                 \
    0.02f                    /* m; a bank is this much higher than the water: more than the rounding error of heights  \
                              */
#define TER_RIVER_CREST 8.0f /* m; greatest width of a bank: enough for the water of a sample 4 m east and north */

/** Distance from its bed within which a river changes the ground, metres. width: half width of the bed, m */
TER_FN float ter_river_extent(float width)
{
    return ter_min(12.0f + 6.0f * width, TER_RIVER_EXTENT);
}

/** Whether a reach has a bed at some point. Areas grow downstream, so its end decides. */
TER_FN int ter_has_bed(const ter_reach *p)
{
    return p->area + p->darea > TER_BROOK_AREA;
}

/** As ter_line_distance, for the line of a reach. */
TER_FN float ter_reach_distance(const ter_reach *p, float x, float y, float *share)
{
    return ter_line_distance(p->along_x, p->along_y, p->inverse, x, y, share);
}

/** Update the river at a sample by a reach that has a bed. x, y: the sample, units from the start of the reach */
TER_FN void ter_accumulate_river(const ter_reach *p, float x, float y, ter_river *r)
{
    float along;
    const float square = ter_reach_distance(p, x, y, &along), t = ter_min(ter_max(along, 0.0f), 1.0f);
    const float width = ter_fma(t, p->dwidth, p->width), key = TER_UNIT * ter_sqrt(square) - width;
    const float extent = ter_river_extent(width);
    if (key >= extent)
        return;
    const float area = ter_fma(t, p->darea, p->area), rim = ter_river_rim(area);
    const float fall = ter_fma(t, p->dfall, p->fall);
    if (area >= 1.8f * TER_BROOK_AREA) { /* banks begin a little before the water does */
        /* The bank covers a third of the extent, or TER_RIVER_CREST. Across, it rises from the height of the water to
         * that of the rim, both taken a little upstream. */
        const float broad = ter_min(extent * (1.0f / 3.0f), TER_RIVER_CREST);
        const float upstream = ter_max(along, 0.0f) - TER_RIVER_UPSTREAM * ter_sqrt(p->inverse);
        const float low = 1.0f - ter_min(ter_max(key, 0.0f) / broad, 1.0f);
        const float bank = ter_max(ter_fma(upstream, p->dz, p->z) + rim - fall * low, p->lake) + TER_RIVER_BANK;
        r->bank = ter_max(r->bank, bank - 0.6f * ter_max(key - broad, 0.0f));
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

/** A sample of a job. */
typedef struct ter_sample {
    int x, y;                 /* in the window of the job's samples */
    ter_between between;      /* its place between the ground's points */
    int64_t place_x, place_y; /* its place in the network's plane */
} ter_sample;

TER_FN ter_sample ter_sample_at(const ter_fluvial_job *job, int x, int y)
{
    const int64_t px = job->points.at.x + x, py = job->points.at.y + y;
    ter_sample s;
    s.x = x;
    s.y = y;
    s.between = ter_lattice_between(&ter_surface_ground(job)->points, px, py, job->points.step);
    ter_sample_place(job, px, py, &s.place_x, &s.place_y);
    return s;
}

enum { TER_RIVER_CELLS = 3 }; /* a river changes only samples up to this many cells away from its node's cell */

/** The river at a place of the network's plane. Reaches are visited in the order of their nodes. */
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
                    ter_accumulate_river(p, in_x - (float)a * TER_CELL - p->x, in_y - (float)b * TER_CELL - p->y, &r);
            }
        }
    return r;
}

/** Height with beaches: land near the level of the sea is flattened. */
TER_FN float ter_beach(float height, float sea)
{
    const float h = height - sea;
    return h * (0.75f * h * h / (h * h + 36.0f) + 0.25f) + sea;
}

/** Greatest height of the ground beside a river, metres: a slope that becomes steeper with the distance, and is steeper
 * beside a narrow river. */
TER_FN float ter_river_side(const ter_river *r)
{
    const float away = ter_max(r->key, 0.0f);
    return ter_fma(away, ter_fma(away, 0.03f, 0.2f + 0.5f / (1.0f + r->width)), r->z);
}

/** The lower of the ground and the side of a river. The edge where they meet is rounded, except at the bed and at the
 * end of the river's reach. */
TER_FN float ter_opened(const ter_river *r, float ground, float side)
{
    const float round = 3.0f * ter_min(ter_max(r->key, 0.0f) * (1.0f / 6.0f), 1.0f) *
                        ter_min((r->extent - r->key) * 4.0f / r->extent, 1.0f);
    const float t = round > 0.0f ? ter_max(1.0f - fabsf(ground - side) / round, 0.0f) : 0.0f;
    return ter_min(ground, side) - 0.25f * round * t * t;
}

/** Lower a river that lies far above the ground, as on the side of a deeper valley.
 *
 *  ground  m; height of the ground without gullies
 */
TER_FN void ter_lower_river(float ground, ter_river *r)
{
    const float most = ground + TER_RIVER_ABOVE;
    r->z = ter_max(ter_min(r->z, most), r->lake);
    r->bank = ter_min(r->bank, ter_max(most, r->z) + TER_RIVER_DIKE);
}

/** Apply a river to the ground: lower its sides, cut its bed, raise its banks.
 *
 *  lake     m; level of the lake whose shore is near, or TER_NO_LAKE
 *  height   m; height of the ground, updated
 *  Returns  the level of the water before beaches are formed, m; TER_NO_LAKE where there is none
 */
TER_FN float ter_cut_river(const ter_river *r, float lake, float *height)
{
    /* A river that flows into or out of a lake cuts through its shore. In the lake, the lake's level counts. */
    const int is_lake = *height < lake;
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
        is_rim = !is_lake && bed >= level; /* the rim of the bed, above its water */
    }
    /* Dry land near the river is raised to its banks. Water under 1 cm deep counts as dry: it could vanish when heights
     * are rounded. */
    if (is_near && (*height >= level - 0.01f || is_rim))
        *height = ter_max(*height, ter_max(r->bank, lake));
    return level;
}

/** Form the beach at a sample, and add the sea to its water.
 *
 *  level    m; level of its river or lake; TER_NO_LAKE, or below the height, where there is none
 *  height   m; updated
 *  Returns  the level of the water, m; where the height lies below the sea, at least the level of the sea
 */
TER_FN float ter_meet_sea(float sea, float level, float *height)
{
    *height = ter_beach(*height, sea);
    const float above = TER_IS_LAKE(level) ? ter_beach(level, sea) : level;
    return *height < sea ? ter_max(above, sea) : above;
}

/** Height of a sample, and the level of the water over it.
 *
 *  t        place of the sample between the ground's points
 *  river    the river at the sample
 *  height   m; before rivers, lakes and beaches; updated
 *  Returns  the level of the water, m; where there is no water, TER_NO_LAKE or a level below the height
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

/** Convert an area, a length or a slope from a world with lattice steps of 1 m to this world. With a lattice step of 1
 * m the value does not change. */
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

/** Store the layers of a sample. height: m; before rivers, lakes and beaches; river: the river at the sample */
TER_FN void ter_finish_layers(const ter_fluvial_job *job, const ter_fluvial_output *out, const ter_sample *s,
                              float height, const ter_river *river)
{
    const ter_between *t = &s->between;
    enum { STEP = sizeof(ter_ground) / sizeof(float) };
    const float *ground = (const float *)ter_surface_ground(job)->ground;
    const float level = ter_finish_height(job, t, river, &height);
    const size_t k = (size_t)s->y * out->stride + (size_t)s->x;
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
    const ter_province_place province = ter_province_at(job->province_at, job->province, s->place_x, s->place_y);
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
    if (out->layer[TER_LAYER_GLACIER])
        out->layer[TER_LAYER_GLACIER][k] = 0.0f; /* ter_lay_ice adds glaciers */
    if (out->layer[TER_LAYER_SAND])
        out->layer[TER_LAYER_SAND][k] = 0.0f; /* ter_lay_sand adds sand */
}

/** Height of sample (x, y) of the job with the detail of a guide. Near rivers and lakes the detail is 0, so that the
 * course of the water does not change. height: m; before rivers, lakes and beaches */
TER_FN float ter_detailed(const ter_fluvial_job *job, int x, int y, float height)
{
    if (!(job->f.guide_detail & TER_DETAIL_HEIGHTS))
        return height;
    const int64_t step = job->points.step;
    return height + ter_guide_detail(job->f.guide, (job->points.at.x + x) * step, (job->points.at.y + y) * step);
}

/** Make sample (x, y) with its layers. */
TER_PASS_FN void ter_make_sample(const ter_fluvial_job *job, const ter_fluvial_output *out, int x, int y)
{
    const ter_sample s = ter_sample_at(job, x, y);
    const ter_river river = ter_rivers_at(job, s.place_x, s.place_y);
    const float height = job->height[0][(size_t)y * (size_t)job->points.at.width + (size_t)x];
    ter_finish_layers(job, out, &s, ter_detailed(job, x, y, height), &river);
}

#endif
