/* preset_names.h - file names as a preset's tool expects them. */
#ifndef TERRANE_PROGRAM_EXPORT_PRESETS_PRESET_NAMES_H
#define TERRANE_PROGRAM_EXPORT_PRESETS_PRESET_NAMES_H

#include "program/export/job/job.h"
#include "program/export/presets/preset.h"

/** Put a preset's pattern of indices and its ending into a file name that has none of its own; preset NULL: the usual
 * pattern. `changed` says in a line what the tool would not have read and is written otherwise, else it is empty.
 * Errors OUTCOME_USAGE too long */
outcome preset_name_files(const preset *preset, const export_job *job, const char *path, char result[EXPORT_PATH_MAX],
                          char changed[512]);

#endif
