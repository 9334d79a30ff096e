/* terrain_probe.c - probing along the way. */
#include "program/viewer/camera/terrain_probe.h"

#include <math.h>
#include <time.h>

#include "program/core/fill.h"
#include "program/core/clock.h"
#include "program/render/plant_mesh.h"
#include "program/surface/canopy.h"

enum {
    LATER_FRAMES = 8,
    ASK_FRAMES = 3,  /* from question to question: a GPU that works on one draws nothing meanwhile */
    FAR_EVERY = 4,   /* questions: one that is about places far ahead, too; in land that drains, one far from the others
                        is dear */
    LATER_EVERY = 2, /* the same for one about what the land will have become */
    UNSETTLED_FRAMES = 2 /* that a frame does without news while a question is still being asked; then it waits */
};
static const double FINE_STEPS = 64.0, LOD_AHEAD_MAX = 10.0; /* of far places in land that drains */
static const double TREES_MAX_M = 60.0, TREE_MARGIN_M = 1.5; /* no tree is as high; how near a flight may pass one */
static const double SPACING_MAX_M = 64.0;                    /* of land with trees: as in forest.c */
static const double ANSWER_S = 60.0;                         /* a patient flight waits at most so long */
static const long ANSWER_NS = 20000;                         /* between two looks for an answer */
static const double NEAR_FRAMES = 8.0,
                    NEAR_S = 0.1; /* an answer is a few frames old: the near points cover as many, and more */

/* Point 0 stands under the camera at the finest level, point 1 there at the level that is drawn, the others ahead. */
double ground_time(const ground *g, int n)
{
    if (n < GROUND_NEAR)
        return n < 2 ? 0.0 : g->near_s * (n - 1) / (GROUND_NEAR - 2);
    return g->near_s + 0.05 * (pow(1.26, n - GROUND_NEAR + 1) - 1.0) / 0.26;
}

static double solid(const landscape *land, float height, double share)
{
    return fmax((double)height, landscape_sea_m(land, share));
}

/** The ground at the camera, or the water over it. */
static ter_status surface_at(ter_generator *generator, const ter_world *world, const camera *c, float *height)
{
    const ter_rect point = {ter_world_params(world)->levels, c->cell_x, c->cell_z, 1, 1};
    float water = 0.0f;
    if (!ter_world_has_layer(world, TER_LAYER_WATER))
        return ter_world_height(world, point.level, point.i, point.j, height);
    const layer_arrays layers = {.at = {[TER_LAYER_HEIGHT] = height, [TER_LAYER_WATER] = &water}};
    const ter_status status = fill_rect(generator, world, &point, &layers, 1);
    if (status == TER_OK)
        *height = fmaxf(*height, water); /* dry: not a number */
    return status;
}

static ter_status create_probe(ter_generator *generator, ter_probe **out)
{
    const ter_probe_options options = {TER_SIZED(ter_probe_options), .is_over_water = 1};
    return ter_probe_create(generator, &options, out);
}

result ground_create(ter_backend backend, const landscape *land, const camera *c, bool is_patient, ground *out)
{
    float height = 0.0f;
    *out = (ground){.land = land, .near_s = NEAR_S, .is_patient = is_patient, .min_clearance_m = INFINITY};
    const ter_generator_options options = {TER_SIZED(ter_generator_options), .backend = backend, .threads = 1};
    ter_status status = ter_generator_create(&options, &out->generator);
    if (status == TER_OK)
        status = surface_at(out->generator, land->world, c, &height);
    if (status == TER_OK)
        status = create_probe(out->generator, &out->probe);
    if (status == TER_OK)
        status = create_probe(out->generator, &out->later);
    const result res = status == TER_OK ? asker_create(&out->asker) : result_of_library(status, "probe");
    for (int n = 0; n < GROUND_AHEAD; n++)
        out->later_m[n] = -INFINITY;
    for (int n = 0; status == TER_OK && n < GROUND_AHEAD; n++)
        out->ahead_m[n] = (float)solid(land, height, 0.0);
    for (int n = 0; n < GROUND_AHEAD; n++)
        out->tops_m[n] = -INFINITY;
    return res;
}

void ground_destroy(ground *g)
{
    asker_destroy(g->asker);
    g->asker = NULL;
    ter_probe_destroy(g->probe);
    ter_probe_destroy(g->later);
    ter_generator_destroy(g->generator);
    g->probe = g->later = NULL;
    g->generator = NULL;
}

static double clamp_coordinate(double x)
{
    const double limit = (double)(TER_COORDINATE_MAX - 2);
    return x > limit ? limit : x < -limit ? -limit : x;
}

void ground_note_altitude(ground *g, const camera *c, uint64_t frame)
{
    g->asked_altitude_m[frame % GROUND_HISTORY] = c->altitude_m;
}

/** Level of detail at which a place ahead is asked for. Land that drains is dear to make point by point: far ahead,
 * where heights may be rough, many questions are about one block of samples. */
static int lod_ahead(const landscape *l, double distance_steps)
{
    return landscape_drains(l) && distance_steps > FINE_STEPS
               ? (int)fmin(log2(distance_steps / FINE_STEPS), LOD_AHEAD_MAX)
               : 0;
}

/** A question about the first `count` points along the way. */
static asker_question question_of(const ground *g, ter_probe *probe, const ground_moment *at, int count)
{
    const landscape *l = g->land;
    const camera *c = at->camera;
    const ter_params *p = ter_world_params(l->world);
    const double speed = sqrt(c->velocity[0] * c->velocity[0] + c->velocity[2] * c->velocity[2]);
    asker_question q = {
        .probe = probe, .world = l->world, .next = l->next, .blend = l->blend, .count = count, .ticket = at->frame};
    for (int n = 0; n < count; n++) {
        const double t = ground_time(g, n) / p->spacing;
        const int level = p->levels - (n == 1 ? at->lod : n < GROUND_NEAR ? 0 : lod_ahead(l, speed * t));
        q.points[n] = (ter_probe_point){clamp_coordinate(camera_x(c) + c->velocity[0] * t),
                                        clamp_coordinate(camera_z(c) + c->velocity[2] * t), level > 0 ? level : 0,
                                        n == 1 && level > 0 ? at->coarser : 0.0f};
    }
    return q;
}

/** Ask what the land is. */
static void ask(ground *g, const ground_moment *at)
{
    const landscape *l = g->land;
    const uint64_t n = g->n_questions++;
    const asker_question q = question_of(g, g->probe, at, n % FAR_EVERY == 0 ? GROUND_AHEAD : GROUND_NEAR);
    ground_note_altitude(g, at->camera, at->frame);
    g->asked = (ground_question){true, at->frame};
    g->is_later_due = l->next && (g->n_later == 0 || n % LATER_EVERY == 1);
    asker_ask(g->asker, &q);
}

/** Ask what the land will have become while the near points count and until the next answer about that. */
static void ask_later(ground *g, const ground_moment *at)
{
    asker_question q = question_of(g, g->later, at, g->n_later++ % FAR_EVERY == 0 ? GROUND_AHEAD : GROUND_NEAR);
    q.blend = landscape_blend_in(g->land, g->near_s * (1.0 + LATER_EVERY * ASK_FRAMES / NEAR_FRAMES));
    g->asked_later = (ground_question){true, at->frame};
    g->is_later_due = false;
    asker_ask(g->asker, &q);
}

/** Ask one question, if there is one. */
static void ask_in_turn(ground *g, const ground_moment *at)
{
    if (at->frame >= g->next_frame) {
        g->next_frame = at->frame + ASK_FRAMES;
        ask(g, at);
    } else if (g->is_later_due && g->land->next) {
        ask_later(g, at);
    }
}

/** Take the newest answer; a patient flight waits for that of the last question, but not for ever. */
static result take_answer(const ground *g, ter_probe *probe, const ground_question *asked, uint64_t *ticket, int *count,
                          float *heights)
{
    const double start_s = clock_now_s();
    ter_status status = ter_probe_answer(probe, ticket, count, heights);
    while (status == TER_OK && g->is_patient && asked->is_asked && (*count == 0 || *ticket < asked->frame)) {
        if (clock_now_s() - start_s > ANSWER_S)
            return result_of(RESULT_FAILED, "no height of the ground came within %.0f seconds", ANSWER_S);
        nanosleep(&(struct timespec){.tv_nsec = ANSWER_NS}, NULL);
        status = ter_probe_answer(probe, ticket, count, heights);
    }
    return result_of_library(status, "probe");
}

/** Take what the land will have become. After a morph that stands for some frames. */
static result look_ahead(ground *g, double share, uint64_t frame)
{
    float heights[TER_PROBE_POINTS_MAX];
    uint64_t ticket = 0;
    int count = 0;
    if (!g->land->next) {
        for (int n = 0; n < GROUND_AHEAD && g->later_frames == 0; n++)
            g->later_m[n] = -INFINITY;
        g->later_frames -= g->later_frames > 0;
        g->becoming = NULL;
        g->n_later = 0;
        return result_done();
    }
    g->later_frames = LATER_FRAMES;
    if (g->becoming != g->land->next) {
        g->becoming = g->land->next;
        g->becoming_since = frame;
    }
    const result res = take_answer(g, g->later, &g->asked_later, &ticket, &count, heights);
    for (int n = 0; n < count && ticket >= g->becoming_since; n++) /* older answers are about an earlier morph */
        g->later_m[n] = (float)solid(g->land, heights[n], share);
    return res;
}

static result take_answers(ground *g, const ground_moment *at)
{
    float heights[TER_PROBE_POINTS_MAX];
    uint64_t ticket;
    int count = 0;
    const double share = landscape_share(g->land, at->camera);
    result res = look_ahead(g, share, at->frame);
    if (res.kind == RESULT_DONE)
        res = take_answer(g, g->probe, &g->asked, &ticket, &count, heights);
    for (int n = 0; n < count; n++)
        g->ahead_m[n] = (float)solid(g->land, heights[n], share);
    if (res.kind != RESULT_DONE || count == 0)
        return res;
    g->latency_frames = (int)(at->frame - ticket);
    g->latency_max = g->latency_frames > g->latency_max ? g->latency_frames : g->latency_max;
    if (at->frame - ticket < GROUND_HISTORY)
        g->min_clearance_m =
            fmin(g->min_clearance_m, g->asked_altitude_m[ticket % GROUND_HISTORY] - ground_highest(g, 0.0));
    return result_done();
}

result ground_settle(ground *g)
{
    return asker_settle(g->asker);
}

result ground_update(ground *g, const ground_moment *at)
{
    g->near_s = fmax(NEAR_S, NEAR_FRAMES * at->elapsed_s);
    if (g->is_patient)
        ask_in_turn(g, at);
    else if (!asker_has_settled(g->asker) && g->n_unsettled++ < UNSETTLED_FRAMES)
        return result_done();
    g->n_unsettled = 0;
    result res = asker_settle(g->asker);
    if (res.kind == RESULT_DONE)
        res = take_answers(g, at);
    if (res.kind == RESULT_DONE && !g->is_patient)
        ask_in_turn(g, at);
    return res;
}

/** Radius of a plant's crown, m: conifers are slim. */
static double crown_m(const forest_plant *p)
{
    return (double)p->height * ((int)p->look <= PLANT_PINE ? 0.27 : 0.45);
}

/** Let a tree count at the near points that its crown reaches: its middle is east and south of the camera, its top over
 * the datum.
 */
static void count_tree(ground *g, const camera *c, double east_m, double south_m, double reach_m, double top_m)
{
    for (int n = 0; n < GROUND_NEAR; n++) {
        const double t = ground_time(g, n), x = east_m - c->velocity[0] * t, z = south_m - c->velocity[2] * t;
        if (x * x + z * z < reach_m * reach_m)
            g->tops_m[n] = (float)fmax((double)g->tops_m[n], top_m);
    }
}

/** Woods far ahead, where the camera would come near their trees. */
static void find_woods(ground *g, const camera *c, double spacing_m)
{
    look look;
    const double share = landscape_share(g->land, c), sea_m = landscape_sea_m(g->land, share);
    landscape_look(g->land, share, &look);
    for (int n = 0; n < GROUND_AHEAD; n++) {
        const double t = ground_time(g, n), low_m = (double)g->ahead_m[n];
        const woods_place place = {camera_x(c) * spacing_m + c->velocity[0] * t,
                                   camera_z(c) * spacing_m + c->velocity[2] * t, low_m - sea_m};
        const bool is_far =
            n >= GROUND_NEAR && g->has_trees && spacing_m <= SPACING_MAX_M && c->altitude_m < low_m + TREES_MAX_M;
        g->tops_m[n] = is_far ? (float)(low_m + woods_canopy_m(&look, &place)) : -INFINITY;
    }
}

void ground_see_trees(ground *g, const camera *c, const forest_stand *stand)
{
    const double spacing_m = ter_world_params(g->land->world)->spacing;
    const double moved_m[2] = {
        (double)(stand->cell[0] - c->cell_x) * spacing_m + stand->offset_m[0] - c->offset_x * spacing_m,
        (double)(stand->cell[1] - c->cell_z) * spacing_m + stand->offset_m[1] - c->offset_z * spacing_m};
    const double way_m = hypot(c->velocity[0], c->velocity[2]) * g->near_s;
    find_woods(g, c, spacing_m);
    for (size_t n = 0; n < stand->count && g->has_trees; n++) {
        const forest_plant *p = &stand->plants[n];
        const double x = (double)p->foot[0], z = (double)p->foot[2], reach_m = crown_m(p) + TREE_MARGIN_M;
        const double east_m = x + moved_m[0], south_m = z + moved_m[1],
                     top_m = stand->altitude_m + (double)(p->foot[1] + p->height);
        if (hypot(east_m, south_m) < reach_m + way_m)
            count_tree(g, c, east_m, south_m, reach_m, top_m);
    }
}

double ground_highest(const ground *g, double seconds)
{
    double highest = (double)g->ahead_m[0];
    for (int n = 1; n < GROUND_AHEAD && ground_time(g, n) <= seconds; n++)
        highest = fmax(highest, (double)g->ahead_m[n]);
    return highest;
}

double ground_highest_soon(const ground *g, double seconds)
{
    double highest = ground_highest(g, seconds);
    for (int n = 0; n < GROUND_AHEAD && ground_time(g, n) <= seconds; n++)
        highest = fmax(highest, (double)g->later_m[n]);
    return highest;
}

double ground_obstacle(const ground *g, double seconds)
{
    double highest = ground_highest_soon(g, seconds);
    for (int n = 0; n < GROUND_AHEAD && ground_time(g, n) <= seconds; n++)
        highest = fmax(highest, (double)g->tops_m[n]);
    return highest;
}

double ground_roughness(const ground *g)
{
    double difference = 0.0;
    for (int n = 2; n < GROUND_NEAR; n++)
        difference = fmax(difference, fabs((double)g->ahead_m[n] - (double)g->ahead_m[n - 1]));
    return 0.5 * difference +
           fmax((double)g->ahead_m[1] - (double)g->ahead_m[0], 0.0); /* the drawn level may lie higher all along */
}
