/* survey.h - surveys the land of a search, and selects its most varied parts. */
#ifndef TERRANE_PROGRAM_SCOUT_SURVEY_H
#define TERRANE_PROGRAM_SCOUT_SURVEY_H

#include "program/scout/land.h"

/** A square part of the land, SURVEY_PART_M wide, for a closer search. */
typedef struct survey_part {
    double middle[2]; /* centre, lattice coordinates */
    double score;
    int land; /* index of the coarse land in which it lies */
} survey_part;

static const double SURVEY_PART_M = 16.0e3; /* width of a part */

/** What a survey has found. */
typedef struct survey {
    land *lands; /* coarse lands: one, or one around each part of a wide search */
    int n_lands;
    double near_reach_m; /* how far from the middle of a part the fine land of its search is to go */
    survey_part *parts;  /* best first */
    int n_parts;
} survey;

/** Survey the land of a search. Free the survey in any case, with survey_free.
 *
 *  A land of up to 200 km around is surveyed by points. In a wider one samples that are means of kilometres
 *  select regions, and the best part of each region is found by points.
 *
 *  Errors  RESULT_FAILED; RESULT_INTERRUPTED
 */
result survey_make(const scout_search *search, survey *out);
void survey_free(survey *survey);

#endif
