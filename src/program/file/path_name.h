/* path_name.h - parts of paths. */
#ifndef TERRANE_PROGRAM_FILE_PATH_NAME_H
#define TERRANE_PROGRAM_FILE_PATH_NAME_H

#include <stddef.h>

/** The part of a path after its folder: after the last separator. */
const char *path_base(const char *path);

/** The last '.' after the folder; the end of the path if there is none. */
const char *path_dot(const char *path);

/** Number of bytes before the first character of a name that JSON or XML cannot hold: a control character or invalid
 * UTF-8. Without such a character, the length of the name. Source: W3C, XML 1.0, 2.2 Characters; RFC 3629 */
size_t path_text_length(const char *name);

#endif
