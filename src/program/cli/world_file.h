/* world_file.h - worlds by name: files of parameters, those of the user and those that come with Terrane.
 *
 * A name is looked for in this order: a file of that path, the worlds inside the program, which are those of
 * assets/worlds, then NAME.ini in the folder share/terrane/worlds beside the program's own. So that folder adds worlds,
 * and never changes what a name of Terrane's own means.
 */
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

/** Names of the worlds that come with Terrane, in order of the alphabet, NULL-terminated, with those
 * that the installed folder adds. The list is made at the first call and stays. Not thread-safe. */
const char *const *world_names(void);

#endif
