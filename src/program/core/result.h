/* result.h - how a command of the program ended: its exit status and one sentence. Every layer above the library
 * returns one; only cli prints it. */
#ifndef TERRANE_PROGRAM_CORE_RESULT_H
#define TERRANE_PROGRAM_CORE_RESULT_H

#include "terrane/terrane.h"

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

/** An outcome with a printf-style sentence. Where it is too long, what it quotes in '', as names of files, loses its
 * middle. */
__attribute__((format(printf, 2, 3))) outcome outcome_of(outcome_kind kind, const char *format, ...);

/** What a failed library call means for the program: the library's detail after `what`. */
outcome outcome_of_library(ter_status status, const char *what);

/** What an exit status means, in a few words. */
const char *outcome_meaning(outcome_kind kind);

/** All kinds, in the order of their exit statuses. */
enum { OUTCOME_KINDS = 6 };
extern const outcome_kind outcome_kinds[OUTCOME_KINDS];

enum { OUTCOME_QUOTE = 320 };

/** A value as a sentence quotes it, in '': control characters become '?', and of a value of more than 256 bytes both
 * ends stay, so that the sentence is not pushed out. Returns `quoted`. */
const char *outcome_quote(const char *value, char quoted[OUTCOME_QUOTE]);

/** errno after a failed file operation. */
outcome outcome_of_file(const char *operation, const char *path);

#endif
