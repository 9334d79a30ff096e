/* path_name.h - parts of paths. */
#ifndef TERRANE_PROGRAM_FILE_PATH_NAME_H
#define TERRANE_PROGRAM_FILE_PATH_NAME_H

#include <stddef.h>

/** The part behind the last '/'. */
const char *path_base(const char *path);

/** The last '.' of the base, or the path's end when it has none. */
const char *path_dot(const char *path);

/** The length of the part of a name that JSON and XML can hold: all of it, unless it is not UTF-8 or has control
 * characters. Source: W3C, XML 1.0, 2.2 Characters; RFC 3629 */
size_t path_text_length(const char *name);

#endif
