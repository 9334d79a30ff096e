/* steepness.h - measures how steep the exported land is. A short `spacing` makes land steep, because it scales
 * distances and not heights. */
#ifndef TERRANE_PROGRAM_EXPORT_WRITE_STEEPNESS_H
#define TERRANE_PROGRAM_EXPORT_WRITE_STEEPNESS_H

#include "program/export/job/plan.h"
#include "program/export/write/strips.h"

#define EXPORT_TOO_STEEP_DEG 60.0 /* land with a larger mean slope is hardly usable */

/** Measure the mean slope, in degrees, of at most 64 x 64 samples in the middle of the plan's land; 0 if there are
 * fewer than 3 x 3 samples. Errors those of generation */
result export_mean_slope(const export_plan *plan, const strips_source *source, double *degrees);

#endif
