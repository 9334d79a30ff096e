/* descriptors.h - standard input, output and error as a process may be started with: also closed. */
#ifndef TERRANE_PROGRAM_CORE_DESCRIPTORS_H
#define TERRANE_PROGRAM_CORE_DESCRIPTORS_H

#include <stdbool.h>

/** Open those of the descriptors 0, 1 and 2 that are closed, so that no file that is opened later gets their numbers.
 * Reading from a standard input and writing to a standard output that were closed fail as before; messages for a closed
 * standard error are lost. Call it before anything opens a file. False: not possible. */
bool descriptors_reserve(void);

#endif
