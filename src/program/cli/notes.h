/* notes.h - notes of commands on standard error, which --quiet turns off. Results and errors are not notes. */
#ifndef TERRANE_PROGRAM_CLI_NOTES_H
#define TERRANE_PROGRAM_CLI_NOTES_H

#include <stdbool.h>

#include "library/core/printf_format.h"

/** Print no notes from now on. */
void notes_silence(void);

/** Whether notes and progress are wanted. */
bool notes_are_wanted(void);

/** Print a line "terrane: ..." on standard error, printf-style, unless notes are silenced. */
TER_PRINTF(1, 2) void note(const char *format, ...);

#endif
