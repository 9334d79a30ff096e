/* survey.h - selects the most varied parts of a land. */
#ifndef TERRANE_PROGRAM_SCOUT_SURVEY_H
#define TERRANE_PROGRAM_SCOUT_SURVEY_H

#include "program/scout/land.h"

/** A square part of the land, SURVEY_PART_M wide, for a closer search. */
typedef struct survey_part {
    double middle[2]; /* centre, lattice coordinates */
    double score;
} survey_part;

static const double SURVEY_PART_M = 16.0e3; /* width of a part */

/** List the parts of a coarse land, except in a margin, with the highest scores for relief and water, best first, at
 * most `most`. Returns their number. */
int survey_parts(const land *land, double margin_m, survey_part *parts, int most);

#endif
