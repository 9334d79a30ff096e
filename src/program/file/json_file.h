/* json_file.h - reads and writes JSON files as cJSON trees; compiled if this build has cJSON.
 *
 * json_write fails if an allocation failed while the tree was made, so that no incomplete tree is written. Numbers keep
 * all their digits; cJSON's own printing may round them to 15. */
#ifndef TERRANE_PROGRAM_FILE_JSON_FILE_H
#define TERRANE_PROGRAM_FILE_JSON_FILE_H

#include <cJSON.h>

#include "program/core/result.h"

/** Begin a tree, which is an empty object. Only one tree can be made at a time. Allocations of cJSON need no checks
 * until json_text or json_write. */
cJSON *json_create(void);

/** Add an integer with all its digits. A double would round it. */
void json_add_integer(cJSON *object, const char *name, int64_t value);

/** Add the member "seed" with all its digits. */
void json_add_seed(cJSON *object, uint64_t seed);

/** A number of an object; `otherwise` if there is none. */
double json_number(const cJSON *object, const char *name, double otherwise);

/** Print a tree, and delete the tree in any case. The caller frees *text with cJSON_free. Numbers are the shortest that
 * read back as the same double; infinity and NaN become null. Errors RESULT_FAILED no memory, here or while the tree
 * was made */
result json_text(cJSON *root, char **text);

/** Write a tree to a file, and delete the tree in any case. The file gets its name when it is complete and replaces an
 * existing file. */
result json_write(cJSON *root, const char *path);

/** Read a file of at most 1 MiB. The caller deletes *root with cJSON_Delete and frees *text, which has digits that a
 * double in the tree loses. Errors RESULT_FILE; RESULT_FAILED no memory */
result json_read(const char *path, cJSON **root, char **text);

#endif
