/* report.h - a race's results as a table and as JSON. */
#ifndef TERRANE_BENCH_REPORT_H
#define TERRANE_BENCH_REPORT_H

#include <stdio.h>

#include "bench/bench.h"

void report_header(FILE *out);

/** Rows that were measured together, and a line for the fill. */
void report_rows(FILE *out, const bench_row *rows, size_t count);

#ifdef TER_HAVE_JSON
#include <cJSON.h>

/** Array of one object a row. */
cJSON *report_json(const bench_row *rows, size_t count);
#endif

#endif
