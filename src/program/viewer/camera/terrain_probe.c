/* terrain_probe.c - sends queries about points along the camera's course, and reads the answers. */
#include "program/viewer/camera/terrain_probe.h"

#include <math.h>

#include "program/core/fill.h"
#include "program/core/clock.h"
#include "program/core/system.h"
#include "program/render/plant_mesh.h"
#include "program/surface/canopy.h"

enum {
    FUTURE_FRAMES = 8,
    ASK_FRAMES = 3,     /* frames between queries, because a GPU draws nothing while it answers a query */
    FAR_EVERY = 4,      /* only every FAR_EVERY-th query has the far points, too, because scattered points are
                           expensive in fluvial worlds */
    FUTURE_EVERY = 2,   /* every FUTURE_EVERY-th query is followed by one about the future of a morph */
    BUSY_FRAMES_MAX = 2 /* frames that do not wait for a pending query; the next frame waits */
};
/* Far points in fluvial worlds: up to FINE_STEPS lattice steps away they are of lod 0; no point is of a lod above
 * LOD_AHEAD_MAX. */
static const double FINE_STEPS = 64.0, LOD_AHEAD_MAX = 10.0;
static const double TREES_MAX_M = 60.0, TREE_MARGIN_M = 1.5; /* bound of tree heights; least distance from a tree */
static const double SPACING_MAX_M = 64.0; /* longest lattice step of land with trees, as in forest.c */
static const double ANSWER_S = 60.0;      /* longest wait for an answer */
static const long ANSWER_NS = 20000;      /* time between checks for an answer */
static const double NEAR_FRAMES = 8.0,
                    NEAR_S = 0.1; /* time that near points cover: more than the latency of an answer */

/* Points 0 and 1 lie under the camera: point 0 at the finest level, point 1 at the drawn level. The others lie ahead.
 */
double terrain_probe_time(const terrain_probe *probe, int n)
{
    if (n < PROBE_NEAR_POINTS)
        return n < 2 ? 0.0 : probe->near_s * (n - 1) / (PROBE_NEAR_POINTS - 2);
    return probe->near_s + 0.05 * (pow(1.26, n - PROBE_NEAR_POINTS + 1) - 1.0) / 0.26;
}

/** Height of the ground, or sea level where the ground is lower. */
static double surface_m(const landscape *land, float height, double share)
{
    return fmax((double)height, landscape_sea_m(land, share));
}

/** Height of the ground at the camera, or of the water over it. */
static ter_status surface_at(ter_generator *generator, const ter_world *world, const camera *c, float *height)
{
    const ter_rect point = {ter_world_params(world)->levels, c->cell_x, c->cell_z, 1, 1};
    float water = 0.0f;
    if (!ter_world_has_layer(world, TER_LAYER_WATER))
        return ter_world_height(world, point.level, point.i, point.j, height);
    const layer_arrays layers = {.at = {[TER_LAYER_HEIGHT] = height, [TER_LAYER_WATER] = &water}};
    const ter_status status = fill_rect(generator, world, &point, &layers, 1);
    if (status == TER_OK)
        *height = fmaxf(*height, water); /* water is NaN on dry ground; fmaxf ignores it */
    return status;
}

static ter_status create_probe(ter_generator *generator, ter_probe **out)
{
    const ter_probe_options options = {TER_SIZED(ter_probe_options), .is_over_water = 1};
    return ter_probe_create(generator, &options, out);
}

result terrain_probe_create(ter_backend backend, const landscape *land, const camera *c, bool waits_for_answers,
                            terrain_probe *out)
{
    float height = 0.0f;
    *out = (terrain_probe){
        .land = land, .near_s = NEAR_S, .waits_for_answers = waits_for_answers, .min_clearance_m = INFINITY};
    const ter_generator_options options = {TER_SIZED(ter_generator_options), .backend = backend, .threads = 1};
    ter_status status = ter_generator_create(&options, &out->generator);
    if (status == TER_OK)
        status = surface_at(out->generator, land->world, c, &height);
    if (status == TER_OK)
        status = create_probe(out->generator, &out->current);
    if (status == TER_OK)
        status = create_probe(out->generator, &out->future);
    const result res = status == TER_OK ? probe_thread_create(&out->thread) : result_of_library(status, "probe");
    for (int n = 0; n < PROBE_POINTS; n++)
        out->future_m[n] = -INFINITY;
    for (int n = 0; status == TER_OK && n < PROBE_POINTS; n++)
        out->ahead_m[n] = (float)surface_m(land, height, 0.0);
    for (int n = 0; n < PROBE_POINTS; n++)
        out->tops_m[n] = -INFINITY;
    return res;
}

void terrain_probe_destroy(terrain_probe *probe)
{
    probe_thread_destroy(probe->thread);
    probe->thread = NULL;
    ter_probe_destroy(probe->current);
    ter_probe_destroy(probe->future);
    ter_generator_destroy(probe->generator);
    probe->current = probe->future = NULL;
    probe->generator = NULL;
}

static double clamp_coordinate(double x)
{
    const double limit = (double)(TER_COORDINATE_MAX - 2);
    return x > limit ? limit : x < -limit ? -limit : x;
}

void terrain_probe_note_altitude(terrain_probe *probe, const camera *c, uint64_t frame)
{
    probe->altitudes_m[frame % PROBE_HISTORY] = c->altitude_m;
}

/** Level of detail of a point ahead. In fluvial worlds single points are expensive. Far ahead, where less precision is
 * needed, a coarse level lets many points share a block of samples. */
static int lod_ahead(const landscape *l, double distance_steps)
{
    return landscape_drains(l) && distance_steps > FINE_STEPS
               ? (int)fmin(log2(distance_steps / FINE_STEPS), LOD_AHEAD_MAX)
               : 0;
}

/** A query for the first `count` points along the camera's course. */
static probe_query query_of(const terrain_probe *probe, ter_probe *source, const probe_moment *at, int count)
{
    const landscape *l = probe->land;
    const camera *c = at->camera;
    const ter_params *p = ter_world_params(l->world);
    const double speed = sqrt(c->velocity[0] * c->velocity[0] + c->velocity[2] * c->velocity[2]);
    probe_query q = {
        .probe = source, .world = l->world, .next = l->next, .blend = l->blend, .count = count, .ticket = at->frame};
    for (int n = 0; n < count; n++) {
        const double t = terrain_probe_time(probe, n) / p->spacing;
        const int level = p->levels - (n == 1 ? at->lod : n < PROBE_NEAR_POINTS ? 0 : lod_ahead(l, speed * t));
        q.points[n] = (ter_probe_point){clamp_coordinate(camera_x(c) + c->velocity[0] * t),
                                        clamp_coordinate(camera_z(c) + c->velocity[2] * t), level > 0 ? level : 0,
                                        n == 1 && level > 0 ? at->coarser : 0.0f};
    }
    return q;
}

/** Query the present land. */
static void ask(terrain_probe *probe, const probe_moment *at)
{
    const landscape *l = probe->land;
    const uint64_t n = probe->n_queries++;
    const probe_query q = query_of(probe, probe->current, at, n % FAR_EVERY == 0 ? PROBE_POINTS : PROBE_NEAR_POINTS);
    terrain_probe_note_altitude(probe, at->camera, at->frame);
    probe->asked = (probe_ticket){true, at->frame};
    probe->is_future_due = l->next && (probe->n_future == 0 || n % FUTURE_EVERY == 1);
    probe_thread_submit(probe->thread, &q);
}

/** Query the land of a morph at a later time: after the time that the near points cover and the time until the next
 * answer. */
static void ask_future(terrain_probe *probe, const probe_moment *at)
{
    probe_query q =
        query_of(probe, probe->future, at, probe->n_future++ % FAR_EVERY == 0 ? PROBE_POINTS : PROBE_NEAR_POINTS);
    q.blend = landscape_blend_in(probe->land, probe->near_s * (1.0 + FUTURE_EVERY * ASK_FRAMES / NEAR_FRAMES));
    probe->asked_future = (probe_ticket){true, at->frame};
    probe->is_future_due = false;
    probe_thread_submit(probe->thread, &q);
}

/** Send one query, if one is due. */
static void ask_in_turn(terrain_probe *probe, const probe_moment *at)
{
    if (at->frame >= probe->next_frame) {
        probe->next_frame = at->frame + ASK_FRAMES;
        ask(probe, at);
    } else if (probe->is_future_due && probe->land->next) {
        ask_future(probe, at);
    }
}

/** Read the newest answer. With waits_for_answers, wait for the answer of the last query, at most ANSWER_S. */
static result read_answer(const terrain_probe *probe, ter_probe *source, const probe_ticket *asked, uint64_t *ticket,
                          int *count, float *heights)
{
    const double start_s = clock_now_s();
    ter_status status = ter_probe_answer(source, ticket, count, heights);
    while (status == TER_OK && probe->waits_for_answers && asked->is_pending &&
           (*count == 0 || *ticket < asked->frame)) {
        if (clock_now_s() - start_s > ANSWER_S)
            return result_of(RESULT_FAILED, "no height of the ground came within %.0f seconds", ANSWER_S);
        system_rest(ANSWER_NS);
        status = ter_probe_answer(source, ticket, count, heights);
    }
    return result_of_library(status, "probe");
}

/** Read the answers about the future of a morph. After the morph they stay valid for some frames. */
static result read_future(terrain_probe *probe, double share, uint64_t frame)
{
    float heights[TER_PROBE_POINTS_MAX];
    uint64_t ticket = 0;
    int count = 0;
    if (!probe->land->next) {
        for (int n = 0; n < PROBE_POINTS && probe->future_frames == 0; n++)
            probe->future_m[n] = -INFINITY;
        probe->future_frames -= probe->future_frames > 0;
        probe->next_world = NULL;
        probe->n_future = 0;
        return result_done();
    }
    probe->future_frames = FUTURE_FRAMES;
    if (probe->next_world != probe->land->next) {
        probe->next_world = probe->land->next;
        probe->next_world_since = frame;
    }
    const result res = read_answer(probe, probe->future, &probe->asked_future, &ticket, &count, heights);
    for (int n = 0; n < count && ticket >= probe->next_world_since; n++) /* older answers are about an earlier morph */
        probe->future_m[n] = (float)surface_m(probe->land, heights[n], share);
    return res;
}

static result read_answers(terrain_probe *probe, const probe_moment *at)
{
    float heights[TER_PROBE_POINTS_MAX];
    uint64_t ticket;
    int count = 0;
    const double share = landscape_share(probe->land, at->camera);
    result res = read_future(probe, share, at->frame);
    if (res.kind == RESULT_DONE)
        res = read_answer(probe, probe->current, &probe->asked, &ticket, &count, heights);
    for (int n = 0; n < count; n++)
        probe->ahead_m[n] = (float)surface_m(probe->land, heights[n], share);
    if (res.kind != RESULT_DONE || count == 0)
        return res;
    probe->latency_frames = (int)(at->frame - ticket);
    probe->latency_max = probe->latency_frames > probe->latency_max ? probe->latency_frames : probe->latency_max;
    if (at->frame - ticket < PROBE_HISTORY)
        probe->min_clearance_m = fmin(probe->min_clearance_m,
                                      probe->altitudes_m[ticket % PROBE_HISTORY] - terrain_probe_highest(probe, 0.0));
    return result_done();
}

result terrain_probe_wait(terrain_probe *probe)
{
    return probe_thread_wait(probe->thread);
}

result terrain_probe_update(terrain_probe *probe, const probe_moment *at)
{
    probe->near_s = fmax(NEAR_S, NEAR_FRAMES * at->elapsed_s);
    if (probe->waits_for_answers)
        ask_in_turn(probe, at);
    else if (!probe_thread_is_idle(probe->thread) && probe->n_busy_frames++ < BUSY_FRAMES_MAX)
        return result_done();
    probe->n_busy_frames = 0;
    result res = probe_thread_wait(probe->thread);
    if (res.kind == RESULT_DONE)
        res = read_answers(probe, at);
    if (res.kind == RESULT_DONE && !probe->waits_for_answers)
        ask_in_turn(probe, at);
    return res;
}

/** Add a tree to the near points that its crown reaches.
 *
 *  east_m, south_m  position of the trunk from the camera
 *  reach_m          radius of the crown, with a margin
 *  top_m            altitude of the tree's top over the datum
 */
static void count_tree(terrain_probe *probe, const camera *c, double east_m, double south_m, double reach_m,
                       double top_m)
{
    for (int n = 0; n < PROBE_NEAR_POINTS; n++) {
        const double t = terrain_probe_time(probe, n), x = east_m - c->velocity[0] * t,
                     z = south_m - c->velocity[2] * t;
        if (x * x + z * z < reach_m * reach_m)
            probe->tops_m[n] = (float)fmax((double)probe->tops_m[n], top_m);
    }
}

/** Reset the tree tops. Estimate them at the far points where trees could reach the camera's present altitude. */
static void estimate_far_trees(terrain_probe *probe, const camera *c, double spacing_m)
{
    look look;
    const double share = landscape_share(probe->land, c), sea_m = landscape_sea_m(probe->land, share);
    landscape_look(probe->land, share, &look);
    for (int n = 0; n < PROBE_POINTS; n++) {
        const double t = terrain_probe_time(probe, n), low_m = (double)probe->ahead_m[n];
        const canopy_site place = {camera_x(c) * spacing_m + c->velocity[0] * t,
                                   camera_z(c) * spacing_m + c->velocity[2] * t, low_m - sea_m};
        const bool is_far = n >= PROBE_NEAR_POINTS && probe->has_trees && spacing_m <= SPACING_MAX_M &&
                            c->altitude_m < low_m + TREES_MAX_M;
        probe->tops_m[n] = is_far ? (float)(low_m + canopy_height_m(&look, &place)) : -INFINITY;
    }
}

void terrain_probe_add_trees(terrain_probe *probe, const camera *c, const nearby_trees *trees)
{
    const double spacing_m = ter_world_params(probe->land->world)->spacing;
    const double moved_m[2] = {trees->place_m[0] - camera_x(c) * spacing_m,
                               trees->place_m[1] - camera_z(c) * spacing_m};
    const double travel_m = hypot(c->velocity[0], c->velocity[2]) * probe->near_s;
    estimate_far_trees(probe, c, spacing_m);
    for (size_t n = 0; n < trees->count && probe->has_trees; n++) {
        const forest_plant *p = &trees->plants[n];
        const double x = (double)p->foot[0], z = (double)p->foot[2],
                     reach_m = 1.2 * (double)forest_half_width(p) + TREE_MARGIN_M;
        const double east_m = x + moved_m[0], south_m = z + moved_m[1],
                     top_m = trees->altitude_m + (double)(p->foot[1] + p->height);
        if (hypot(east_m, south_m) < reach_m + travel_m)
            count_tree(probe, c, east_m, south_m, reach_m, top_m);
    }
}

double terrain_probe_highest(const terrain_probe *probe, double seconds)
{
    double highest = (double)probe->ahead_m[0];
    for (int n = 1; n < PROBE_POINTS && terrain_probe_time(probe, n) <= seconds; n++)
        highest = fmax(highest, (double)probe->ahead_m[n]);
    return highest;
}

double terrain_probe_highest_in_morph(const terrain_probe *probe, double seconds)
{
    double highest = terrain_probe_highest(probe, seconds);
    for (int n = 0; n < PROBE_POINTS && terrain_probe_time(probe, n) <= seconds; n++)
        highest = fmax(highest, (double)probe->future_m[n]);
    return highest;
}

double terrain_probe_obstacle(const terrain_probe *probe, double seconds)
{
    double highest = terrain_probe_highest_in_morph(probe, seconds);
    for (int n = 0; n < PROBE_POINTS && terrain_probe_time(probe, n) <= seconds; n++)
        highest = fmax(highest, (double)probe->tops_m[n]);
    return highest;
}

double terrain_probe_roughness(const terrain_probe *probe)
{
    double difference = 0.0;
    for (int n = 2; n < PROBE_NEAR_POINTS; n++)
        difference = fmax(difference, fabs((double)probe->ahead_m[n] - (double)probe->ahead_m[n - 1]));
    return 0.5 * difference +
           fmax((double)probe->ahead_m[1] - (double)probe->ahead_m[0], 0.0); /* drawn level over finest level */
}
