/* world_file.h - reads worlds: files of the user by path, worlds that come with Terrane by name.
 *
 * A world is searched in this order: a file of that path; a world inside the program, which has the files of
 * assets/worlds; NAME.ini in the folder ../share/terrane/worlds, relative to the program's folder. The folder can add
 * worlds, but it cannot replace a world inside the program. */
#ifndef TERRANE_PROGRAM_CLI_WORLD_FILE_H
#define TERRANE_PROGRAM_CLI_WORLD_FILE_H

#include "program/guide/guide_request.h"
#include "program/surface/look.h"

/** Read a world. Parameters that the file does not set keep their values in `params`, `guide` and `look`. A relative
 * name of a guide's file counts from the folder of the world file.
 *
 *  label   name of the option in errors: "--world"
 *  name    path of a file, or name of a world that comes with Terrane
 *  Errors  RESULT_USAGE no such world, a file that cannot be read, an unknown key, or a wrong value; the error names
 *          file and line
 */
result world_file_read(const char *label, const char *name, ter_params *params, guide_request *guide, look *look);

/** Read a world as world_file_read does, and open its guide, if it has one. Errors as world_file_read and guide_open */
result world_file_open(const char *label, const char *name, ter_params *params, look *look);

/** Names of the worlds inside the program and in the installed folder, in alphabetical order, NULL-terminated. The
 * first call makes the list, which lives as long as the process. Not thread-safe. */
const char *const *world_names(void);

#endif
