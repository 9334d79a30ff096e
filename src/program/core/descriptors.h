/* descriptors.h - opens standard input, output and error if the process was started without them. */
#ifndef TERRANE_PROGRAM_CORE_DESCRIPTORS_H
#define TERRANE_PROGRAM_CORE_DESCRIPTORS_H

#include <stdbool.h>

/** Open each of the descriptors 0, 1 and 2 that is closed, so that no file opened later gets its number. Reading from a
 * closed standard input and writing to a closed standard output still fail; messages to a closed standard error are
 * lost. Call it before anything opens a file. Returns false on failure. */
bool descriptors_reserve(void);

#endif
