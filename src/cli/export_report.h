/* export_report.h - what terrane export prints: progress, reports, estimates. */
#ifndef TERRANE_CLI_EXPORT_REPORT_H
#define TERRANE_CLI_EXPORT_REPORT_H

#include <stdio.h>

#include "export/export.h"

/** Progress on a terminal, notes on stderr; interrupted by the program's signals. */
extern const export_events export_terminal_events;

/** What was written, on stderr. */
void export_print_report(const export_job *job, const export_report *report);

/** What to enter in the tool of a job's preset, with the range that was used. */
void export_explain_preset(FILE *to, const export_job *job, const double range[2]);

/** Bytes, files, space and time of a job, on stdout. Errors OUTCOME_FILE there is not enough space */
outcome export_print_estimate(const export_job *job, const ter_world *world, ter_generator *const *generators, int n_generators);

#endif
