/* sidecar_json.h - a file's description as the text of its JSON, and back; compiled where this build has cJSON. */
#ifndef TERRANE_PROGRAM_EXPORT_SIDECAR_SIDECAR_JSON_H
#define TERRANE_PROGRAM_EXPORT_SIDECAR_SIDECAR_JSON_H

#include "program/export/formats/export_file.h"
#include "program/export/sidecar/file_facts.h"

/** The JSON of a file of that path; free it with cJSON_free. Errors OUTCOME_FAILED no memory */
outcome sidecar_make_json(const char *path, const export_file *file, const file_facts *facts, char **text);

/** Read the JSON under a path: whatever it holds, `file` describes one that this program could have made. Errors
 * OUTCOME_FILE */
outcome sidecar_read_json(const char *path, export_file *file, file_facts *facts);

#endif
