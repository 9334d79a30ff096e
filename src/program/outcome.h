/* outcome.h - how a command of the program ended: its exit status and one sentence. Every layer above the library returns one;
 * only cli prints it. */
#ifndef TERRANE_PROGRAM_OUTCOME_H
#define TERRANE_PROGRAM_OUTCOME_H

#include "terrane.h"

typedef enum outcome_kind {
    OUTCOME_DONE = 0,
    OUTCOME_FAILED = 1,
    OUTCOME_USAGE = 2,   /* an option or argument is wrong */
    OUTCOME_FILE = 3,    /* a file cannot be read or written */
    OUTCOME_MISSING = 4, /* no such backend, device, display or GL */
    OUTCOME_INTERRUPTED = 130
} outcome_kind;

typedef struct outcome {
    outcome_kind kind;
    char text[768]; /* empty when done */
} outcome;

/** Nothing went wrong. */
outcome outcome_done(void);

/** An outcome with a printf-style sentence. */
__attribute__((format(printf, 2, 3))) outcome outcome_of(outcome_kind kind, const char *format, ...);

/** What a failed library call means for the program: the library's detail after `what`. */
outcome outcome_of_library(ter_status status, const char *what);

/** errno after a failed file operation. */
outcome outcome_of_file(const char *operation, const char *path);

#endif
