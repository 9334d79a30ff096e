/* plot.h - draws a chart of a benchmark's results: size of the array against samples per second, one line for each
 * generator and world, and a line for the speed of the memory. */
#ifndef TERRANE_PROGRAM_BENCH_PLOT_H
#define TERRANE_PROGRAM_BENCH_PLOT_H

#include "program/bench/bench.h"

/** Write an SVG file with one panel for each backend. Both axes are logarithmic. Only rows with a square array on one
 * device are drawn, and only if they are identical to the reference. An existing file is replaced.
 *
 *  Errors  RESULT_FILE; RESULT_USAGE no row to draw; RESULT_FAILED
 */
result bench_plot(const char *path, const bench_row *rows, size_t count);

#endif
