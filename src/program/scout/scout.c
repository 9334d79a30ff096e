/* scout.c - surveys the land, searches its best parts for views, and chooses the best places. */
#include "program/scout/scout.h"

#include <math.h>
#include <stdlib.h>

#include "program/scout/survey.h"
#include "program/scout/views.h"

/* Least distance of chosen places, and the same as a share of the radius of a wide search. */
static const double APART_M = 12.0e3, APART_SHARE = 0.01;
static const double SAME_KIND = 0.35; /* penalty for each chosen place whose view has the same kinds (kinds_of) */

/** State of a search. */
typedef struct search_state {
    const scout_search *search;
    survey survey;
    work_pieces pieces; /* pieces of the fine land of each part */
    scout_place *found; /* best views, up to VIEWS_MAX of each part */
    int n_found;
} search_state;

/* ---- the choice ---- */

/** A bit each for sea, lake, river and snow: 1 if the view shows it. */
static unsigned kinds_of(const scout_place *p)
{
    return (p->sea > 0.01) | (p->lake > 0.005) << 1 | (p->river > 0.001) << 2 | (p->snow > 0.01) << 3;
}

/** Score of a place with penalties for similar places among the chosen ones; negative: too near to a chosen place. */
static double worth_beside(const search_state *s, const scout_place *place, const scout_place *chosen, int count)
{
    const double spacing = ter_world_params(s->search->world)->spacing,
                 apart_m = fmax(APART_M, APART_SHARE * s->search->radius_m);
    double worth = place->score;
    for (int n = 0; n < count; n++) {
        if (hypot((double)(chosen[n].x - place->x), (double)(chosen[n].z - place->z)) * spacing < apart_m)
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

/* ---- the search ---- */

/** Search all parts of the survey for views. */
static result search_parts(search_state *s)
{
    const int n_parts = s->survey.n_parts;
    s->found = calloc((size_t)n_parts * VIEWS_MAX + 1, sizeof *s->found);
    result res = s->found ? result_done() : result_of(RESULT_FAILED, "out of memory");
    for (int n = 0; n < n_parts && res.kind == RESULT_DONE; n++) {
        const survey_part *part = &s->survey.parts[n];
        const view_search of_part = {.search = s->search,
                                     .far = &s->survey.lands[part->land],
                                     .near_reach_m = s->survey.near_reach_m,
                                     .pieces = &s->pieces,
                                     .from = (double)n / n_parts,
                                     .to = (n + 1.0) / n_parts};
        int count;
        res = views_find(&of_part, part, s->found + s->n_found, &count);
        s->n_found += count;
    }
    return res;
}

/** Make the world that is searched if it must differ from the given world; otherwise *own becomes NULL. A fluvial world
 * gets all levels of detail that are possible, so that overviews of wide land exist. Its samples do not depend on the
 * number of levels. The caller destroys *own. */
static result take_world(const scout_search *search, ter_world **own)
{
    ter_params p = *ter_world_params(search->world);
    *own = NULL;
    if (p.basis != TER_BASIS_FLUVIAL || p.levels == TER_LEVELS_MAX)
        return result_done();
    p.levels = TER_LEVELS_MAX;
    return result_of_library(ter_world_create(&p, own), "scout");
}

result scout_find(const scout_search *search, scout_place *places, int *count)
{
    scout_search own = *search;
    ter_world *world;
    *count = 0;
    search->show_progress("survey", 0.0);
    result res = take_world(search, &world);
    if (world)
        own.world = world;
    search_state s = {.search = &own, .pieces = work_pieces_create(LAND_PART)};
    if (res.kind == RESULT_DONE)
        res = survey_make(&own, &s.survey);
    if (res.kind == RESULT_DONE)
        res = search_parts(&s);
    if (res.kind == RESULT_DONE)
        *count = choose(&s, places);
    qsort(places, (size_t)*count, sizeof *places, compare_scores);
    free(s.found);
    survey_free(&s.survey);
    ter_world_destroy(world);
    return res;
}
