/* report.h - prints the results of a benchmark as a table and as JSON. */
#ifndef TERRANE_PROGRAM_BENCH_REPORT_H
#define TERRANE_PROGRAM_BENCH_REPORT_H

#include <stdio.h>

#include "program/bench/bench.h"
#include "program/bench/pipeline.h"

void report_header(FILE *out);

/** Print rows that were measured together, and a line for the fill. */
void report_rows(FILE *out, const bench_row *rows, size_t count);

void report_pipeline(FILE *out, const bench_pipeline *p, const char *world_name);

#ifdef TER_HAVE_JSON
#include <cJSON.h>

/** Make a JSON array with one object for each row. */
cJSON *report_json(const bench_row *rows, size_t count);

cJSON *report_pipeline_json(const bench_pipeline *p, const char *world_name);
#endif

#endif
