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
    land *lands; /* coarse lands: a single one, or in a wide search one around each selected region */
    int n_lands;
    double near_reach_m; /* how far from the middle of a part the fine land for its search must reach */
    survey_part *parts;  /* best first */
    int n_parts;
} survey;

/** Survey the land of a search. Free the survey with survey_free, also after an error.
 *
 *  If the radius of the search is at most 200 km, the land is surveyed by points about 512 m apart. A wider search
 * first selects regions by an overview, whose samples are means over kilometres. Then points about a kilometre apart
 * around each region find the region's best part.
 *
 *  Errors  RESULT_FAILED; RESULT_INTERRUPTED
 */
result survey_make(const scout_search *search, survey *out);
void survey_free(survey *survey);

#endif
