/* notes.h - what a command says besides its results, on standard error; --quiet turns it off. Errors are no notes. */
#ifndef TERRANE_PROGRAM_CLI_NOTES_H
#define TERRANE_PROGRAM_CLI_NOTES_H

#include <stdbool.h>

/** Say nothing from now on. */
void notes_silence(void);

/** Whether notes and progress are wanted. */
bool notes_are_wanted(void);

/** A line "terrane: ..." on standard error, printf-style, unless notes are silenced. */
__attribute__((format(printf, 1, 2))) void note(const char *format, ...);

#endif
