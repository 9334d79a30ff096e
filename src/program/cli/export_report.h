/* export_report.h - prints progress, results and estimates of terrane export. */
#ifndef TERRANE_PROGRAM_CLI_EXPORT_REPORT_H
#define TERRANE_PROGRAM_CLI_EXPORT_REPORT_H

#include <stdio.h>

#include "program/export/presets/preset.h"
#include "program/export/presets/preset_explain.h"
#include "program/export/write/estimate.h"
#include "program/export/write/export.h"

/** Events of an export: a progress bar on a terminal, notes on stderr, interruption by signals. */
extern const work_events export_terminal_events;

/** Print what was written, on stderr. */
void export_print_report(const export_plan *plan, const export_report *report);

/** Print what to enter in the tool of a preset. */
void export_explain_preset(FILE *to, const preset *preset, const import_sheet *sheet);

/** Print files, bytes, free space and estimated time of a plan, on stdout, and set *estimate. Errors RESULT_FILE the
 * disk has not enough space; the errors of export_estimate_plan */
result export_print_estimate(const export_plan *plan, const strips_source *source, export_estimate *estimate);

/** Print bytes and estimated time of several levels of detail together, on stdout.
 *
 *  finest  the plan of the finest level of detail
 *  Errors  RESULT_FILE the disk has not enough space for all
 */
result export_print_sum(const export_plan *finest, int n_levels, const export_estimate *sum);

/** Print the size of a map and its estimated time in seconds, on stdout. */
void export_print_map_estimate(const export_plan *plan, double seconds);

#endif
