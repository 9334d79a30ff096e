/* scout.c - surveys the land, scores views of cameras and chooses the best places. */
#include "program/scout/scout.h"

#include <math.h>
#include <stdlib.h>

#include "program/scout/outlook.h"
#include "program/scout/survey.h"

static const double SURVEY_STEP_M = 512.0, SURVEY_MARGIN_M = 24.0e3;
static const double NEAR_STEP_M = 128.0, NEAR_REACH_M = 26.0e3, CAMERA_STEP_M = 1000.0, RELIEF_REACH_M = 8000.0;
static const double HEIGHTS_M[] = {150.0, 350.0, 600.0}; /* of cameras over the ground */
static const double APART_M = 12.0e3;                    /* least distance of chosen places */
static const double SAME_KIND = 0.35; /* penalty of a place for each chosen place with the same kinds_of() */
enum { N_HEIGHTS = sizeof HEIGHTS_M / sizeof HEIGHTS_M[0], PARTS_MAX = 2 * SCOUT_COUNT_MAX + 16, BEST_MAX = 4 };

/** State of a search. */
typedef struct search_state {
    const scout_search *search;
    land far;           /* coarse land of the survey */
    work_pieces pieces; /* of the fine land of each part */
    scout_place *found; /* best views, up to BEST_MAX of each part */
    int n_found;
} search_state;

/* ---- one part of the land ---- */

/** Whether at least half of the points one kilometre around are lower by 20 m: a ridge or a valley's shoulder. */
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

/** Insert a view into the best views of its part: at most BEST_MAX views, and only one view within a distance `apart`
 * (lattice steps). */
static void insert_view(scout_place *best, int *count, const scout_place *place, double apart)
{
    int at = *count;
    for (int n = 0; n < *count; n++)
        if (hypot((double)(best[n].x - place->x), (double)(best[n].z - place->z)) < apart)
            at = n;
    if (at < *count && best[at].score >= place->score)
        return;
    if (at == *count && *count == BEST_MAX) {
        at = 0;
        for (int n = 1; n < BEST_MAX; n++)
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

/** Score the views in all directions from all camera heights over a point. */
static void score_views(const search_state *s, const land *near, const double at[2], scout_place *best, int *count)
{
    panorama around;
    const int64_t index = land_index(near, at[0], at[1]);
    for (int n = 0; n < N_HEIGHTS; n++) {
        const double altitude_m = floor((double)near->surface[index] + HEIGHTS_M[n] + 0.5);
        const panorama_camera camera = {at[0], at[1], altitude_m};
        panorama_make(near, &s->far, &camera, &around);
        for (int heading = 0; heading < OUTLOOK_HEADINGS; heading++) {
            scout_place place = {.x = (int64_t)at[0], .z = (int64_t)at[1], .altitude_m = altitude_m};
            outlook_measure(&around, heading, s->search->sun, &place);
            insert_view(best, count, &place, 1500.0 / near->step_m * near->step);
        }
    }
}

/** Find the best views of a part. from, to: range of the search's progress for this part, 0..1 */
static result search_part(search_state *s, const survey_part *part, double from, double to)
{
    land near = {0};
    scout_place *best = s->found + s->n_found;
    int count = 0;
    const land_request wanted = {.at = {part->middle[0], part->middle[1]},
                                 .reach_m = NEAR_REACH_M,
                                 .step_m = NEAR_STEP_M,
                                 .look = s->search->look,
                                 .pieces = &s->pieces,
                                 .label = "scout",
                                 .from = from,
                                 .to = to};
    const result res = land_make(s->search, &wanted, &near);
    if (res.kind != RESULT_DONE)
        return res;
    const double step = fmax(floor(CAMERA_STEP_M / near.step_m), 1.0) * near.step;
    const int reach = (int)(0.5 * SURVEY_PART_M / near.step_m / (step / near.step));
    for (int j = -reach; j < reach; j++)
        for (int i = -reach; i < reach && !s->search->is_interrupted(); i++) {
            const double x = part->middle[0] + i * step, z = part->middle[1] + j * step;
            if (land_index(&near, x, z) >= 0 && is_shoulder(&near, x, z))
                score_views(s, &near, (const double[2]){floor(x), floor(z)}, best, &count);
        }
    for (int n = 0; n < count; n++)
        best[n].relief_m = relief_around(&near, (double)best[n].x, (double)best[n].z);
    s->n_found += count;
    land_free(&near);
    return s->search->is_interrupted() ? result_of(RESULT_INTERRUPTED, "interrupted") : result_done();
}

/* ---- the choice ---- */

/** A bit each for sea, lake, river and snow: 1 if the view shows it. */
static unsigned kinds_of(const scout_place *p)
{
    return (p->sea > 0.01) | (p->lake > 0.005) << 1 | (p->river > 0.001) << 2 | (p->snow > 0.01) << 3;
}

/** Score of a place with penalties for similar places among the chosen ones; negative: too near to a chosen place. */
static double worth_beside(const search_state *s, const scout_place *place, const scout_place *chosen, int count)
{
    const double spacing = ter_world_params(s->search->world)->spacing;
    double worth = place->score;
    for (int n = 0; n < count; n++) {
        if (hypot((double)(chosen[n].x - place->x), (double)(chosen[n].z - place->z)) * spacing < APART_M)
            return -1.0;
        worth -= SAME_KIND * (kinds_of(place) == kinds_of(&chosen[n]));
    }
    return fmax(worth, 0.0);
}

/** Choose places one by one, each with the highest remaining worth. Returns the number of places. */
static int choose(const search_state *s, scout_place *chosen)
{
    int count = 0;
    while (count < s->search->count) {
        int best = -1;
        double most = -1.0;
        for (int n = 0; n < s->n_found; n++) {
            const double worth = worth_beside(s, &s->found[n], chosen, count);
            if (worth > most) {
                most = worth;
                best = n;
            }
        }
        if (best < 0)
            break;
        chosen[count++] = s->found[best];
    }
    return count;
}

static int compare_scores(const void *a, const void *b)
{
    const double x = ((const scout_place *)a)->score, y = ((const scout_place *)b)->score;
    return (x < y) - (x > y);
}

result scout_find(const scout_search *search, scout_place *places, int *count)
{
    survey_part parts[PARTS_MAX];
    search_state s = {.search = search, .pieces = work_pieces_create(LAND_PART)};
    work_pieces of_survey = work_pieces_create(LAND_PART);
    const land_request around = {.at = {(double)search->at[0], (double)search->at[1]},
                                 .reach_m = search->radius_m + SURVEY_MARGIN_M,
                                 .step_m = SURVEY_STEP_M,
                                 .pieces = &of_survey,
                                 .label = "survey",
                                 .to = 1.0};
    const int wanted = 2 * search->count + 8;
    *count = 0;
    search->show_progress("survey", 0.0);
    result res = land_make(search, &around, &s.far);
    if (res.kind != RESULT_DONE)
        return res;
    const int n_parts = survey_parts(&s.far, SURVEY_MARGIN_M, parts, wanted);
    s.found = calloc((size_t)n_parts * BEST_MAX, sizeof *s.found);
    res = s.found ? result_done() : result_of(RESULT_FAILED, "out of memory");
    for (int n = 0; n < n_parts && res.kind == RESULT_DONE; n++)
        res = search_part(&s, &parts[n], (double)n / n_parts, (n + 1.0) / n_parts);
    if (res.kind == RESULT_DONE)
        *count = choose(&s, places);
    qsort(places, (size_t)*count, sizeof *places, compare_scores);
    free(s.found);
    land_free(&s.far);
    return res;
}
