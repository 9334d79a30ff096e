/* steepness.h - how steep land is for its samples' distance, which `spacing` makes as short as anybody wants. */
#ifndef TERRANE_PROGRAM_EXPORT_WRITE_STEEPNESS_H
#define TERRANE_PROGRAM_EXPORT_WRITE_STEEPNESS_H

#include "program/export/job/plan.h"
#include "program/export/write/strips.h"

#define EXPORT_TOO_STEEP_DEG 60.0 /* mean slopes above are walls, not ground */

/** Mean slope, degrees, of a small part in the middle of what a plan makes; 0 where it has fewer than 3 x 3 samples.
 * Errors those of generating */
outcome export_mean_slope(const export_plan *plan, const strips_source *source, double *degrees);

#endif
