/* survey.h - which parts of a land are the most varied. */
#ifndef TERRANE_PROGRAM_SCOUT_SURVEY_H
#define TERRANE_PROGRAM_SCOUT_SURVEY_H

#include "program/scout/land.h"

/** A part of the land that is looked at closely. */
typedef struct survey_part {
    double middle[2]; /* lattice coordinates */
    double score;
} survey_part;

static const double SURVEY_PART_M = 16.0e3; /* width of a part */

/** List the parts of a coarse land, all but a margin, by their relief and their water, best first: at most `most`.
 * Returns how many. */
int survey_parts(const land *land, double margin_m, survey_part *parts, int most);

#endif
