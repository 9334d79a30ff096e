/* preset_names.h - makes the pattern of file names that a preset's tool expects. */
#ifndef TERRANE_PROGRAM_EXPORT_PRESETS_PRESET_NAMES_H
#define TERRANE_PROGRAM_EXPORT_PRESETS_PRESET_NAMES_H

#include "program/export/job/job.h"
#include "program/export/presets/preset.h"

/** Make the pattern of file names from -o: add the fields of the tiles' indices and of the layers if they are missing,
 * and change an ending that the tool does not list.
 *
 *  preset   NULL: use the default fields
 *  pattern  becomes the pattern
 *  changed  becomes a line that says how the ending was changed; empty if it was not
 *  Errors   RESULT_USAGE the name is too long
 */
result preset_name_files(const preset *preset, const export_job *job, const char *path, char pattern[EXPORT_PATH_MAX],
                         char changed[512]);

#endif
