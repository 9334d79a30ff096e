/* json_file.h - a cJSON tree as a file; compiled where this build has cJSON. */
#ifndef TERRANE_FILE_JSON_FILE_H
#define TERRANE_FILE_JSON_FILE_H

#include <cJSON.h>

#include "program/outcome.h"

/** Add a seed with all its digits; as a double it would be rounded. */
void json_add_seed(cJSON *object, uint64_t seed);

/** Write `root`, which is deleted in any case; the file appears when it is complete, an existing one is replaced. */
outcome json_write(cJSON *root, const char *path);

/** The text of a file, for cJSON_Parse; free it. Errors OUTCOME_FILE */
outcome json_read_text(const char *path, char **text);

#endif
