/* views.c - makes the fine land of a part, scores the views of cameras in it, and keeps the best views. */
#include "program/scout/views.h"

#include <math.h>
#include <stdlib.h>

#include "program/core/tasks.h"
#include "program/scout/outlook.h"

static const double NEAR_STEP_M = 128.0, CAMERA_STEP_M = 1000.0, RELIEF_REACH_M = 8000.0;
static const double HEIGHTS_M[] = {150.0, 350.0, 600.0}; /* heights of cameras over the ground */
enum {
    N_HEIGHTS = sizeof HEIGHTS_M / sizeof HEIGHTS_M[0],
    VIEWS_A_CAMERA = N_HEIGHTS * OUTLOOK_HEADINGS,
    SIDE_MAX = 32 /* cameras per side of a part */
};

/** Whether a point is on a ridge or the shoulder of a valley: at least four of eight points at a distance of one
 * kilometre are more than 20 m lower. */
static bool is_shoulder(const land *l, double x, double z)
{
    const double reach = 1000.0 / l->step_m * l->step;
    const int64_t at = land_index(l, x, z);
    int n_lower = 0;
    for (int n = 0; n < 8; n++) {
        double to[2];
        panorama_direction(n * (PANORAMA_COLUMNS / 8), to);
        const int64_t beside = land_index(l, x + to[0] * reach, z + to[1] * reach);
        n_lower += beside >= 0 && l->surface[beside] < l->surface[at] - 20.0f;
    }
    return n_lower >= 4;
}

/** Insert a view into the best views of its part, at most VIEWS_MAX. Of views that are less than `apart` lattice steps
 * from each other, only the best is kept. */
static void insert_view(scout_place *best, int *count, const scout_place *place, double apart)
{
    int at = *count;
    for (int n = 0; n < *count; n++)
        if (hypot((double)(best[n].x - place->x), (double)(best[n].z - place->z)) < apart)
            at = n;
    if (at < *count && best[at].score >= place->score)
        return;
    if (at == *count && *count == VIEWS_MAX) {
        at = 0;
        for (int n = 1; n < VIEWS_MAX; n++)
            at = best[n].score < best[at].score ? n : at;
        if (best[at].score >= place->score)
            return;
    }
    *count += at == *count;
    best[at] = *place;
}

/** Difference between the highest and the lowest surface within RELIEF_REACH_M of a point. */
static double relief_around(const land *l, double x, double z)
{
    const int reach = (int)(RELIEF_REACH_M / l->step_m);
    double low = 1e30, high = -1e30;
    for (int j = -reach; j <= reach; j++)
        for (int i = -reach; i <= reach; i++) {
            const int64_t at = land_index(l, x + i * l->step, z + j * l->step);
            low = at < 0 ? low : fmin(low, (double)l->surface[at]);
            high = at < 0 ? high : fmax(high, (double)l->surface[at]);
        }
    return high - low;
}

/** The cameras of a part and all their views. */
typedef struct cameras {
    const scout_search *search;
    const land *near, *far;
    int count;
    double at[SIDE_MAX * SIDE_MAX][2]; /* lattice coordinates */
    scout_place views[SIDE_MAX * SIDE_MAX][VIEWS_A_CAMERA];
} cameras;

/** Measure the views in all directions from all heights over a camera's place. */
static void measure_views(void *user, int64_t n)
{
    cameras *c = user;
    const double *at = c->at[n];
    panorama around;
    const int64_t index = land_index(c->near, at[0], at[1]);
    for (int h = 0; h < N_HEIGHTS && !c->search->is_interrupted(); h++) {
        const double altitude_m = floor((double)c->near->surface[index] + HEIGHTS_M[h] + 0.5);
        const panorama_camera camera = {at[0], at[1], altitude_m};
        panorama_make(c->near, c->far, &camera, &around);
        for (int heading = 0; heading < OUTLOOK_HEADINGS; heading++) {
            scout_place *view = &c->views[n][h * OUTLOOK_HEADINGS + heading];
            *view = (scout_place){.x = (int64_t)at[0], .z = (int64_t)at[1], .altitude_m = altitude_m};
            outlook_measure(&around, heading, c->search->sun, view);
        }
    }
}

/** Place cameras about a kilometre apart on the ridges and shoulders of a part. */
static void place_cameras(cameras *c, const survey_part *part)
{
    const land *near = c->near;
    const double step = fmax(floor(CAMERA_STEP_M / near->step_m), 1.0) * near->step;
    const int wanted = (int)(0.5 * SURVEY_PART_M / near->step_m / (step / near->step)),
              reach = wanted < SIDE_MAX / 2 ? wanted : SIDE_MAX / 2;
    for (int j = -reach; j < reach; j++)
        for (int i = -reach; i < reach; i++) {
            const double x = part->middle[0] + i * step, z = part->middle[1] + j * step;
            if (land_index(near, x, z) < 0 || !is_shoulder(near, x, z))
                continue;
            c->at[c->count][0] = floor(x);
            c->at[c->count++][1] = floor(z);
        }
}

/** Measure all views and keep the best ones. The result does not depend on the order in which threads measure them. */
static result find_best(cameras *c, const survey_part *part, scout_place best[VIEWS_MAX], int *count)
{
    place_cameras(c, part);
    tasks_run(c->count, measure_views, c);
    if (c->search->is_interrupted())
        return result_of(RESULT_INTERRUPTED, "interrupted");
    for (int n = 0; n < c->count; n++)
        for (int k = 0; k < VIEWS_A_CAMERA; k++)
            insert_view(best, count, &c->views[n][k], 1500.0 / c->near->step_m * c->near->step);
    for (int n = 0; n < *count; n++)
        best[n].relief_m = relief_around(c->near, (double)best[n].x, (double)best[n].z);
    return result_done();
}

result views_find(const view_search *s, const survey_part *part, scout_place best[VIEWS_MAX], int *count)
{
    land near = {0};
    const land_request wanted = {.at = {part->middle[0], part->middle[1]},
                                 .reach_m = s->near_reach_m,
                                 .step_m = NEAR_STEP_M,
                                 .look = s->search->look,
                                 .pieces = s->pieces,
                                 .label = "scout",
                                 .from = s->from,
                                 .to = s->to};
    *count = 0;
    result res = land_make(s->search, &wanted, &near);
    if (res.kind != RESULT_DONE)
        return res;
    cameras *c = calloc(1, sizeof *c);
    if (c) {
        c->search = s->search;
        c->near = &near;
        c->far = s->far;
    }
    res = c ? find_best(c, part, best, count) : result_of(RESULT_FAILED, "out of memory");
    free(c);
    land_free(&near);
    return res;
}
