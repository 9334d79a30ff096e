/* views.h - finds the best views of one part of the land, by panoramas of cameras above its ridges and shoulders. */
#ifndef TERRANE_PROGRAM_SCOUT_VIEWS_H
#define TERRANE_PROGRAM_SCOUT_VIEWS_H

#include "program/scout/land.h"
#include "program/scout/survey.h"

enum { VIEWS_MAX = 4 };

/** What the search of a part needs. */
typedef struct view_search {
    const scout_search *search;
    const land *far;     /* coarse land around the part */
    double near_reach_m; /* how far from the middle of the part its fine land reaches */
    work_pieces *pieces; /* pieces of the fine land of each part */
    double from, to;     /* range of the search's progress for this part, 0..1 */
} view_search;

/** Find the best views of a part. *count receives their number. Errors RESULT_FAILED; RESULT_INTERRUPTED */
result views_find(const view_search *search, const survey_part *part, scout_place best[VIEWS_MAX], int *count);

#endif
