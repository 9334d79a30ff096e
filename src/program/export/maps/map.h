/* map.h - a shaded, coloured relief map of a rectangle as a PNG picture, with its water and a legend: for reports, not
 * for tools.
 */
#ifndef TERRANE_PROGRAM_EXPORT_MAPS_MAP_H
#define TERRANE_PROGRAM_EXPORT_MAPS_MAP_H

#include "program/export/write/export.h"
#include "program/surface/look.h"

/** Draw and write a map: a pixel a sample, north at the top, and under it a legend.
 *
 *  plan    of one file; formats and orders of samples mean nothing here
 *  Errors  OUTCOME_FILE; OUTCOME_INTERRUPTED; OUTCOME_FAILED
 *  Source  hillshade: Horn 1981, lit from the north-west and, a third as strong, from the west
 */
outcome export_map(const export_plan *plan, const strips_source *source, const look *look, const export_events *events,
                   export_report *report);

/** About how long a map takes, by parts of it that are made and thrown away. Errors as export_map */
outcome export_map_estimate(const export_plan *plan, const strips_source *source, const look *look, double *seconds);

#endif
