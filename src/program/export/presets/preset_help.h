/* preset_help.h - what presets take and what to enter in their tools, printed. */
#ifndef TERRANE_PROGRAM_EXPORT_PRESETS_PRESET_HELP_H
#define TERRANE_PROGRAM_EXPORT_PRESETS_PRESET_HELP_H

#include <stdio.h>

#include "program/export/presets/preset.h"
#include "program/export/presets/preset_explain.h"

/** Print the table for --help. */
void presets_print(void);

/** Print what to enter in a preset's tool for the heights and the other layers of a sheet's plan; for --help, for all.
 */
void preset_explain(const preset *preset, FILE *to, const import_sheet *sheet);

/** Print one preset for --help: what it takes, without what to enter. */
void preset_print(const preset *preset);

#endif
