/* export_report.h - what terrane export prints: progress, reports, estimates. */
#ifndef TERRANE_PROGRAM_CLI_EXPORT_REPORT_H
#define TERRANE_PROGRAM_CLI_EXPORT_REPORT_H

#include <stdio.h>

#include "program/export/presets/preset.h"
#include "program/export/presets/preset_explain.h"
#include "program/export/write/export.h"

/** A bar on a terminal, notes on stderr; interrupted by the program's signals. */
extern const export_events export_terminal_events;

/** What was written, on stderr. */
void export_print_report(const export_plan *plan, const export_report *report);

/** What to enter in the tool of a preset. */
void export_explain_preset(FILE *to, const preset *preset, const import_sheet *sheet);

/** Bytes, files, space and time of a plan, on stdout. Errors OUTCOME_FILE there is not enough space */
outcome export_print_estimate(const export_plan *plan, const strips_source *source);

/** --dry-run of a map: what would be drawn, and about how long that takes, seconds. */
void export_print_map_estimate(const export_plan *plan, double seconds);

#endif
