/* range.h - the range that 16-bit samples are scaled over, measured when none was asked for. */
#ifndef TERRANE_PROGRAM_EXPORT_WRITE_RANGE_H
#define TERRANE_PROGRAM_EXPORT_WRITE_RANGE_H

#include "program/core/events.h"
#include "program/export/job/plan.h"
#include "program/export/write/strips.h"

/** Measure all that a plan makes, borders included, unless what follows from it is known or means nothing.
 *
 *  Errors  OUTCOME_INTERRUPTED; OUTCOME_FAILED
 */
outcome export_range_resolve(export_plan *plan, const strips_source *source, const export_events *events);

#endif
