/* plot.h - a race's results as a chart: size of the array against samples a second, a line a generator and world, the
 * fill's speed as the limit. */
#ifndef TERRANE_PROGRAM_BENCH_PLOT_H
#define TERRANE_PROGRAM_BENCH_PLOT_H

#include "program/bench/bench.h"

/** Write an SVG file, a panel a backend; both axes are logarithmic. Batches are left out. An existing file is replaced.
 *
 *  Errors  OUTCOME_FILE; OUTCOME_USAGE no row to draw; OUTCOME_FAILED
 */
outcome bench_plot(const char *path, const bench_row *rows, size_t count);

#endif
