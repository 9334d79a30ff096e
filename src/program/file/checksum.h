/* checksum.h - 64-bit XXH3 checksums of files while they are written; `xxhsum -H3` prints the same. A build without
 * libxxhash has no checksums. */
#ifndef TERRANE_PROGRAM_FILE_CHECKSUM_H
#define TERRANE_PROGRAM_FILE_CHECKSUM_H

#include <stdbool.h>
#include <stddef.h>

#include "program/core/result.h"

enum { CHECKSUM_TEXT = 24 }; /* bytes, with the final zero */

typedef struct checksum checksum;

/** Whether this build has libxxhash. */
bool checksum_is_possible(void);

/** Make a checksum to which no bytes have been added. Returns NULL without memory or without libxxhash. */
checksum *checksum_create(void);

/** Forget all bytes added so far. */
void checksum_reset(checksum *sum);

void checksum_add(checksum *sum, const void *bytes, size_t count);

/** Copy the state of `other` into `sum`. */
void checksum_copy(checksum *sum, const checksum *other);

/** Write "xxh3:" and 16 hexadecimal digits, the checksum of all bytes added so far. */
void checksum_text(const checksum *sum, char text[CHECKSUM_TEXT]);

/** Free the checksum; NULL is allowed. */
void checksum_destroy(checksum *sum);

/** Compute the checksum of a file's bytes; the text is empty without libxxhash.
 *
 *  go_on   called now and then, returns false to interrupt; may be NULL
 *  Errors  RESULT_FILE; RESULT_INTERRUPTED; RESULT_FAILED no memory */
result checksum_of_file(const char *path, bool (*go_on)(void *user), void *user, char text[CHECKSUM_TEXT]);

#endif
