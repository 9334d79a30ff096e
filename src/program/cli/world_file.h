/* world_file.h - reads worlds from files: those of the user by path, those that come with Terrane by name. */
#ifndef TERRANE_PROGRAM_CLI_WORLD_FILE_H
#define TERRANE_PROGRAM_CLI_WORLD_FILE_H

#include "program/core/result.h"
#include "program/surface/look.h"

/** Read a world. Parameters that the file does not set keep their values in `params` and `look`.
 *
 *  label   name of the option in errors: "--world"
 *  name    path of a file, or name of a world that comes with Terrane
 *  Errors  OUTCOME_USAGE no such world, an unknown key, or a wrong value; the error names file and line
 */
outcome world_file_read(const char *label, const char *name, ter_params *params, look *look);

/** Names of the worlds that come with Terrane, in alphabetical order, NULL-terminated; an empty list if they are not
 * installed. The first call makes the list, which lives as long as the process. Not thread-safe. */
const char *const *world_names(void);

/** Search this folder first for the worlds that come with Terrane. For programs that are installed elsewhere. The text
 * is not copied and must stay valid. Call it before the other functions. Not thread-safe. */
void world_folder_set(const char *folder);

#endif
