/* world_file.h - worlds by name: files of parameters, those of the user and those that come with Terrane. */
#ifndef TERRANE_PROGRAM_CLI_WORLD_FILE_H
#define TERRANE_PROGRAM_CLI_WORLD_FILE_H

#include "program/core/result.h"
#include "program/surface/look.h"

/** Read a world over what `params` and `look` hold. Keys that the file does not have stay as they are.
 *
 *  label  the option that names the world, for sentences: "--world"
 *  name   a file, or the name of a world that comes with Terrane
 *  Errors OUTCOME_USAGE no such world; a line is no key of it, or its value is wrong: the sentence names file and line
 */
outcome world_file_read(const char *label, const char *name, ter_params *params, look *look);

/** Names of the worlds that come with Terrane, in order of the alphabet, NULL-terminated; none where they are not
 * installed. The list is made at the first call and stays. Not thread-safe. */
const char *const *world_names(void);

/** Look for the worlds that come with Terrane in this folder before all others: of programs that are installed
 * elsewhere. The text is kept as it is. Call it before the other functions; not thread-safe. */
void world_folder_set(const char *folder);

#endif
