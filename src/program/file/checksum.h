/* checksum.h - XXH3, 64 bits, of files while they are written: what `xxhsum -H3` prints. Without libxxhash there are
 * none. */
#ifndef TERRANE_PROGRAM_FILE_CHECKSUM_H
#define TERRANE_PROGRAM_FILE_CHECKSUM_H

#include <stdbool.h>
#include <stddef.h>

#include "program/core/result.h"

enum { CHECKSUM_TEXT = 24 }; /* bytes, with the final zero */

typedef struct checksum checksum;

/** Whether this build has libxxhash. */
bool checksum_is_possible(void);

/** Begin; NULL when there is no memory or no libxxhash. */
checksum *checksum_create(void);

/** Begin anew. */
void checksum_reset(checksum *sum);

void checksum_add(checksum *sum, const void *bytes, size_t count);

/** Become what another one is. */
void checksum_copy(checksum *sum, const checksum *other);

/** "xxh3:" and 16 hexadecimal digits, of all that was added so far. */
void checksum_text(const checksum *sum, char text[CHECKSUM_TEXT]);

/** Free; NULL is allowed. */
void checksum_destroy(checksum *sum);

/** Checksum of a file's bytes; empty text without libxxhash.
 *
 *  go_on  called now and then, returns false to interrupt; or NULL */
outcome checksum_of_file(const char *path, bool (*go_on)(void *user), void *user, char text[CHECKSUM_TEXT]);

#endif
