/* result.h - the result of a command or of a step of it: exit status and one sentence. All rooms of the program return
 * it; only cli prints it. */
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

/** The result of success. */
outcome outcome_done(void);

/** A result with a printf-style sentence. If the sentence is too long, the middles of quoted file names are left out.
 */
__attribute__((format(printf, 2, 3))) outcome outcome_of(outcome_kind kind, const char *format, ...);

/** The result of a library call: on failure its sentence is `what`, a colon and the library's error detail. */
outcome outcome_of_library(ter_status status, const char *what);

/** Meaning of an exit status in a few words. */
const char *outcome_meaning(outcome_kind kind);

/** All kinds, in the order of their exit statuses. */
enum { OUTCOME_KINDS = 6 };
extern const outcome_kind outcome_kinds[OUTCOME_KINDS];

enum { OUTCOME_QUOTE = 320 };

/** Quote a value in '' for a sentence. Control characters become '?'. A value of more than 256 bytes is shortened to
 * its two ends. Returns `quoted`. */
const char *outcome_quote(const char *value, char quoted[OUTCOME_QUOTE]);

/** The result of a failed file operation, from errno: "cannot OPERATION 'PATH': REASON". */
outcome outcome_of_file(const char *operation, const char *path);

#endif
