/* system_windows_paths.h - what the files for Windows share: paths in UTF-16, errors as errno, descriptors. */
#ifndef TERRANE_PROGRAM_CORE_SYSTEM_WINDOWS_PATHS_H
#define TERRANE_PROGRAM_CORE_SYSTEM_WINDOWS_PATHS_H

#include <windows.h>

#include <stdbool.h>
#include <stddef.h>

enum { WIDE_PATH = 4096 }; /* UTF-16 units of the longest path, with the zero at its end */

/** Convert a path to UTF-16, with '\\' between names. A path that is too long for most functions of Windows becomes an
 * absolute one with the prefix \\?\, which lifts the limit. Returns false and sets errno if the path is too long or not
 * UTF-8. */
bool windows_path(const char *path, wchar_t wide[WIDE_PATH]);

/** Convert UTF-16 to UTF-8. Returns false and sets errno if the text does not fit. */
bool windows_text(const wchar_t *wide, char *text, size_t size);

/** Set errno from an error of Windows. Returns false. */
bool windows_failure(DWORD error);

/** Set errno from GetLastError unless a call has succeeded. Returns whether it has. */
bool windows_done(BOOL result);

/** Make a descriptor for an open file. Closes the file and returns -1 if that fails, or if the file is not valid. */
int windows_descriptor(HANDLE file);

/** The open file of a descriptor. */
HANDLE windows_handle(int descriptor);

#endif
