/* survey.c - makes coarse lands (land.h), and scores squares of these lands by relief and water. */
#include "program/scout/survey.h"

#include <math.h>
#include <stdlib.h>

static const double AROUND = 1.5; /* half side of the square that is scored for a part, in widths of the part */
/* Relief above which the score grows no more: of a part, and of a region. */
static const double RELIEF_ENOUGH_M = 1800.0, REGION_RELIEF_ENOUGH_M = 5000.0;
/* Distance of the surveyed points, width of the margin that views at the edge of the search need, and reach of the fine
 * land around the middle of a part. */
static const double STEP_M = 512.0, MARGIN_M = 24.0e3, NEAR_M = 26.0e3;
/* A search with a radius above WIDE_M is wide: its land is first divided into about REGIONS_A_SIDE x REGIONS_A_SIDE
 * regions, each at least about REGION_MIN_M wide. A region is one sample of an overview. */
static const double WIDE_M = 200.0e3, REGION_MIN_M = 2048.0;
enum { REGIONS_A_SIDE = 384 };
/* The same three lengths as above, for the land around a region that was selected. */
static const double REGION_STEP_M = 1024.0, REGION_MARGIN_M = 40.0e3, REGION_NEAR_M = 17.0e3;
/* Least distance of selected regions: a share of the radius of the search, so that they are spread over all of the
 * land, but at least APART_MIN_M. */
static const double APART_SHARE = 0.05, APART_MIN_M = 24.0e3;

/* ---- scores ---- */

static double worth_of_share(double share, double enough)
{
    return sqrt(fmin(share / enough, 1.0));
}

/** Score of a square of points. half: points from its centre to each side */
static double worth_of(const land *l, int column, int row, int half)
{
    const int64_t side = l->side;
    double n[LAND_KINDS] = {0}, low = 1e30, high = -1e30, sea = 0.0, count = 0.0;
    for (int64_t j = row - half; j <= row + half; j++)
        for (int64_t i = column - half; i <= column + half; i++)
            if (i >= 0 && j >= 0 && i < side && j < side) {
                const int64_t at = j * side + i;
                low = fmin(low, (double)l->surface[at]);
                high = fmax(high, (double)(l->top ? l->top[at] : l->surface[at]));
                n[l->kinds[at]] += 1.0;
                sea += l->share ? 1.0 - (double)l->share[at] : l->kinds[at] == LAND_SEA;
                count += 1.0;
            }
    const double enough_m = l->step_m < REGION_MIN_M ? RELIEF_ENOUGH_M : REGION_RELIEF_ENOUGH_M;
    const double land_share = 1.0 - sea / count;
    return 2.0 * fmin((high - low) / enough_m, 1.0) + 1.5 * worth_of_share(sea / count, 0.2) +
           worth_of_share(n[LAND_LAKE] / count, 0.02) + 0.8 * worth_of_share(n[LAND_RIVER] / count, 0.01) +
           0.5 * worth_of_share(n[LAND_SNOW] / count, 0.05) + fmin(land_share / 0.5, 1.0);
}

/** Insert a part into the list of the best parts, best first. Returns the new length of the list. */
static int insert(survey_part *parts, int count, int most, const survey_part *part)
{
    int at = count < most ? count++ : most;
    while (at > 0 && parts[at - 1].score < part->score) {
        if (at < most)
            parts[at] = parts[at - 1];
        at--;
    }
    if (at < most)
        parts[at] = *part;
    return count;
}

/** Add the parts of a coarse land, except those in a margin, to the list of the best parts. Returns the new length of
 * the list. */
static int add_parts(const survey *s, int n_land, double margin_m, survey_part *parts, int count, int most)
{
    const land *l = &s->lands[n_land];
    const int width = (int)fmax(SURVEY_PART_M / l->step_m, 1.0), half = (int)(AROUND * width);
    const int from = (int)(margin_m / l->step_m), to = l->side - from;
    for (int row = from + width / 2; row < to; row += width)
        for (int column = from + width / 2; column < to; column += width) {
            const survey_part part = {.middle = {(double)(l->i + column) * l->step, (double)(l->j + row) * l->step},
                                      .score = worth_of(l, column, row, half),
                                      .land = n_land};
            count = insert(parts, count, most, &part);
        }
    return count;
}

/* ---- regions of a wide land ---- */

/** Take the best region that is left, and mark all regions near it as taken, by a score below 0. Returns false if no
 * region is left. */
static bool take_region(const land *l, double *scores, double apart_m, double middle[2])
{
    const int64_t side = l->side, reach = (int64_t)(apart_m / l->step_m);
    int64_t best = 0;
    for (int64_t n = 1; n < side * side; n++)
        best = scores[n] > scores[best] ? n : best;
    if (scores[best] < 0.0)
        return false;
    const int64_t row = best / side, column = best % side;
    for (int64_t j = row - reach; j <= row + reach; j++)
        for (int64_t i = column - reach; i <= column + reach; i++)
            if (i >= 0 && j >= 0 && i < side && j < side)
                scores[j * side + i] = -1.0;
    middle[0] = (double)(l->i + column) * l->step;
    middle[1] = (double)(l->j + row) * l->step;
    return true;
}

/** Select the most varied regions of a wide land. Returns how many regions, at most `most`; below 0: no memory. */
static int select_regions(const land *l, double apart_m, double (*middles)[2], int most)
{
    const int half = (int)fmax(AROUND * SURVEY_PART_M / l->step_m, 1.0);
    double *scores = malloc(((size_t)l->side * (size_t)l->side + 1) * sizeof *scores);
    int count = 0;
    if (!scores)
        return -1;
    for (int row = 0; row < l->side; row++)
        for (int column = 0; column < l->side; column++)
            scores[(int64_t)row * l->side + column] = worth_of(l, column, row, half);
    while (count < most && take_region(l, scores, apart_m, middles[count]))
        count++;
    free(scores);
    return count;
}

/** Make a coarse land around each region, and list the best part of each. */
static result survey_regions(const scout_search *search, double region_m, double (*middles)[2], int count, survey *s)
{
    work_pieces pieces = work_pieces_create(LAND_PART);
    result res = result_done();
    for (int n = 0; n < count && res.kind == RESULT_DONE; n++) {
        const land_request around = {.at = {middles[n][0], middles[n][1]},
                                     .reach_m = fmax(0.5 * region_m, SURVEY_PART_M) + REGION_MARGIN_M,
                                     .step_m = REGION_STEP_M,
                                     .pieces = &pieces,
                                     .label = "survey",
                                     .from = 0.5 + 0.5 * n / count,
                                     .to = 0.5 + 0.5 * (n + 1) / count};
        survey_part best;
        res = land_make(search, &around, &s->lands[n]);
        if (res.kind != RESULT_DONE)
            return res;
        s->n_lands++;
        if (add_parts(s, n, REGION_MARGIN_M, &best, 0, 1) > 0)
            s->n_parts = insert(s->parts, s->n_parts, search->count + 8, &best);
    }
    return res;
}

static result survey_wide(const scout_search *search, survey *s)
{
    const int most = 3 * search->count + 8;
    work_pieces pieces = work_pieces_create(LAND_PART);
    const land_request whole = {.at = {(double)search->at[0], (double)search->at[1]},
                                .reach_m = search->radius_m,
                                .step_m = fmax(2.0 * search->radius_m / REGIONS_A_SIDE, REGION_MIN_M),
                                .has_overview = true,
                                .pieces = &pieces,
                                .label = "survey",
                                .to = 0.5};
    land wide = {0};
    double(*middles)[2] = malloc((size_t)most * sizeof *middles);
    s->lands = calloc((size_t)most, sizeof *s->lands);
    result res = middles && s->lands ? land_make(search, &whole, &wide) : result_of(RESULT_FAILED, "out of memory");
    const int count = res.kind == RESULT_DONE
                          ? select_regions(&wide, fmax(APART_SHARE * search->radius_m, APART_MIN_M), middles, most)
                          : 0;
    if (count < 0)
        res = result_of(RESULT_FAILED, "out of memory");
    if (res.kind == RESULT_DONE)
        res = survey_regions(search, wide.step_m, middles, count, s);
    land_free(&wide);
    free(middles);
    return res;
}

/* ---- all ---- */

static result survey_points(const scout_search *search, survey *s)
{
    work_pieces pieces = work_pieces_create(LAND_PART);
    const land_request around = {.at = {(double)search->at[0], (double)search->at[1]},
                                 .reach_m = search->radius_m + MARGIN_M,
                                 .step_m = STEP_M,
                                 .pieces = &pieces,
                                 .label = "survey",
                                 .to = 1.0};
    s->lands = calloc(1, sizeof *s->lands);
    const result res = s->lands ? land_make(search, &around, &s->lands[0]) : result_of(RESULT_FAILED, "out of memory");
    if (res.kind == RESULT_DONE) {
        s->n_lands = 1;
        s->n_parts = add_parts(s, 0, MARGIN_M, s->parts, 0, 2 * search->count + 8);
    }
    return res;
}

result survey_make(const scout_search *search, survey *out)
{
    const bool is_wide = search->radius_m > WIDE_M;
    *out = (survey){.near_reach_m = is_wide ? REGION_NEAR_M : NEAR_M,
                    .parts = calloc(2 * (size_t)search->count + 8, sizeof *out->parts)};
    if (!out->parts)
        return result_of(RESULT_FAILED, "out of memory");
    return is_wide ? survey_wide(search, out) : survey_points(search, out);
}

void survey_free(survey *s)
{
    for (int n = 0; n < s->n_lands; n++)
        land_free(&s->lands[n]);
    free(s->lands);
    free(s->parts);
    *s = (survey){0};
}
