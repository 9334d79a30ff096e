/* preset_help.h - prints which files the tools of presets read, and what to enter in their import dialogues. */
#ifndef TERRANE_PROGRAM_EXPORT_PRESETS_PRESET_HELP_H
#define TERRANE_PROGRAM_EXPORT_PRESETS_PRESET_HELP_H

#include <stdio.h>

#include "program/export/presets/preset.h"
#include "program/export/presets/preset_explain.h"

/** Print all presets for --help. */
void presets_print(void);

/** Print what to enter in the import dialogue of a preset's tool: for the layers of the sheet's plan, or for all layers
 * if the sheet has no plan, as in --help. */
void preset_explain(const preset *preset, FILE *to, const import_sheet *sheet);

/** Print the formats and sizes of one preset for --help. */
void preset_print(const preset *preset);

#endif
