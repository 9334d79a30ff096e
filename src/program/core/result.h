/* result.h - the result of a command or of a step of it: exit status and one sentence. All parts of the program return
 * results; only program/cli prints them. */
#ifndef TERRANE_PROGRAM_CORE_RESULT_H
#define TERRANE_PROGRAM_CORE_RESULT_H

#include "library/core/printf_format.h"
#include "terrane/terrane.h"

typedef enum result_kind {
    RESULT_DONE = 0,
    RESULT_FAILED = 1,
    RESULT_USAGE = 2,   /* an option or argument is wrong */
    RESULT_FILE = 3,    /* a file cannot be read or written */
    RESULT_MISSING = 4, /* no such backend, device, display or GL */
    RESULT_INTERRUPTED = 130
} result_kind;

typedef struct result {
    result_kind kind;
    char text[768]; /* empty when done */
} result;

/** The result of success. */
result result_done(void);

/** A result with a printf-style sentence. If the sentence is too long, the middles of quoted file names are left out.
 */
TER_PRINTF(2, 3) result result_of(result_kind kind, const char *format, ...);

/** The result of a library call: on failure its sentence is `what`, a colon and the library's error detail; if the call
 * was cancelled, it is "interrupted". */
result result_of_library(ter_status status, const char *what);

/** Meaning of an exit status in a few words. */
const char *result_meaning(result_kind kind);

/** All kinds, in the order of their exit statuses. */
enum { RESULT_KINDS = 6 };
extern const result_kind result_kinds[RESULT_KINDS];

enum { RESULT_QUOTE = 320 };

/** Quote a value in '' for a sentence. Control characters become '?'. A value of more than 256 bytes is shortened to
 * its two ends. Returns `quoted`. */
const char *result_quote(const char *value, char quoted[RESULT_QUOTE]);

/** The result of a failed file operation, from errno: "cannot OPERATION 'PATH': REASON". */
result result_of_file(const char *operation, const char *path);

#endif
