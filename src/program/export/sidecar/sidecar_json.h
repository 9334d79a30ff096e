/* sidecar_json.h - converts a file's description to JSON text and back; compiled if this build has cJSON. */
#ifndef TERRANE_PROGRAM_EXPORT_SIDECAR_SIDECAR_JSON_H
#define TERRANE_PROGRAM_EXPORT_SIDECAR_SIDECAR_JSON_H

#include "program/export/formats/export_file.h"
#include "program/export/sidecar/file_facts.h"

/** Make the JSON text of a file. The caller frees *text with cJSON_free. Errors RESULT_FAILED no memory */
result sidecar_make_json(const char *path, const export_file *file, const file_facts *facts, char **text);

/** Read a JSON file. Values that this program cannot have written are an error, so `file` is always valid. Errors
 * RESULT_FILE; RESULT_USAGE the file is of an earlier world format */
result sidecar_read_json(const char *path, export_file *file, file_facts *facts);

#endif
