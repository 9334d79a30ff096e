/* json_file.h - a cJSON tree as a file; compiled where this build has cJSON.
 *
 * A tree that begins with json_create and is written by json_write is whole and exact, or it is not written: memory
 * that cJSON did not get while the tree grew makes json_write fail, and numbers keep all their digits, which cJSON
 * alone rounds to 15. */
#ifndef TERRANE_PROGRAM_FILE_JSON_FILE_H
#define TERRANE_PROGRAM_FILE_JSON_FILE_H

#include <cJSON.h>

#include "program/core/result.h"

/** Begin a tree: an empty object. One tree is made at a time. Trees that belong to it, and what cJSON adds to them,
 * need no checks.
 */
cJSON *json_create(void);

/** Add an integer with all its digits; as a double it would be rounded. */
void json_add_integer(cJSON *object, const char *name, int64_t value);

/** The same for a seed. */
void json_add_seed(cJSON *object, uint64_t seed);

/** The text of a tree, which is deleted in any case; free it with cJSON_free. Numbers are the shortest that read back
 * as the same double; those that are not finite become null. Errors OUTCOME_FAILED no memory, now or while the tree
 * grew */
outcome json_text(cJSON *root, char **text);

/** Write `root`, which is deleted in any case; the file appears when it is complete, an existing one is replaced. */
outcome json_write(cJSON *root, const char *path);

/** Read a file of at most 1 MiB: its tree, for cJSON_Delete, and its text, which has the digits that doubles lose; free
 * it. Errors OUTCOME_FILE; OUTCOME_FAILED no memory */
outcome json_read(const char *path, cJSON **root, char **text);

#endif
