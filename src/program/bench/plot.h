/* plot.h - draws a chart of a race's results: size of the array against samples per second, one line for each generator
 * and world, and a line for the speed of the memory. */
#ifndef TERRANE_PROGRAM_BENCH_PLOT_H
#define TERRANE_PROGRAM_BENCH_PLOT_H

#include "program/bench/bench.h"

/** Write an SVG file with one panel for each backend. Both axes are logarithmic. Batches are left out. An existing file
 * is replaced.
 *
 *  Errors  OUTCOME_FILE; OUTCOME_USAGE no row to draw; OUTCOME_FAILED
 */
outcome bench_plot(const char *path, const bench_row *rows, size_t count);

#endif
