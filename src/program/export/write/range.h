/* range.h - measures the range of heights for 16-bit samples without --range, and for the bottom of solid meshes. */
#ifndef TERRANE_PROGRAM_EXPORT_WRITE_RANGE_H
#define TERRANE_PROGRAM_EXPORT_WRITE_RANGE_H

#include "program/core/events.h"
#include "program/export/job/plan.h"
#include "program/export/write/strips.h"

/** If a plan needs the range of its heights, measure the whole request with its border, and set the range in the plan.
 *
 *  Errors  RESULT_INTERRUPTED; RESULT_FAILED
 */
result export_range_resolve(export_plan *plan, const strips_source *source, const work_events *events);

#endif
