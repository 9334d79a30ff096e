/* map.h - draws a shaded, coloured relief map of a rectangle as a PNG picture, with water and a legend. It is for
 * people to look at, not for tools to read. */
#ifndef TERRANE_PROGRAM_EXPORT_MAPS_MAP_H
#define TERRANE_PROGRAM_EXPORT_MAPS_MAP_H

#include "program/export/write/export.h"
#include "program/surface/look.h"

/** Draw and write a map: one pixel for each sample, north at the top, and a legend below.
 *
 *  plan    a plan of one file of format map
 *  Errors  RESULT_FILE; RESULT_INTERRUPTED; RESULT_FAILED
 *  Source  hillshade: Horn 1981, lit from the north-west and, a third as strong, from the west
 */
result export_map(const export_plan *plan, const strips_source *source, const look *look, const work_events *events,
                  export_report *report);

/** Estimate the time of a map, in seconds, by drawing parts of it. Errors those of export_map */
result export_map_estimate(const export_plan *plan, const strips_source *source, const look *look, double *seconds);

#endif
