/* sidecar.h - the sidecars of an exported file: a JSON file with everything that is needed to read the file and to make
 * it again, and for some formats an ENVI header or a georeference file (place_file.h).
 *
 * The JSON file of a.r16 is a.r16.json or, for presets that want it, a.json. Below, these names are FILE.json and
 * NAME.json. */
#ifndef TERRANE_PROGRAM_EXPORT_SIDECAR_SIDECAR_H
#define TERRANE_PROGRAM_EXPORT_SIDECAR_SIDECAR_H

#include "program/export/formats/export_file.h"
#include "program/export/sidecar/file_facts.h"
#include "program/file/output_file.h"

/** Make the name of a file's JSON: FILE.json, or with `replaces_ending` NAME.json. */
void sidecar_name(const char *path, bool replaces_ending, char json[1040]);

/** Check that no file of another program has the name of a sidecar of the file `path`. Errors RESULT_FILE; RESULT_USAGE
 * `path` itself is the name of its sidecar; RESULT_FAILED no memory */
result sidecar_check(const char *path, bool replaces_ending, const export_file *file);

/** Check that no pipe, device or folder has the name of a sidecar. Nothing is opened. Errors RESULT_FILE */
result sidecar_check_kinds(const char *path, bool replaces_ending, const export_file *file);

/** Write the sidecars of a complete file, and give the file and its sidecars their names together; see
 * output_files_commit. On error, all of these files are discarded. Sidecars of an older file with this name are
 * replaced or removed.
 *
 * A build without JSON writes no JSON file. Devices and pipes have no sidecars.
 *
 *  data             the complete file, which is committed or discarded
 *  replaces_ending  the JSON is NAME.json instead of FILE.json
 *  may_replace      sidecars of other programs may be replaced; sidecars of terrane always may
 *  Errors           RESULT_FILE; RESULT_FAILED no memory
 */
result sidecar_commit(output_file *data, bool replaces_ending, bool may_replace, const export_file *file,
                      const file_facts *facts);

/** Write the place files (place_file.h) of a complete file again, if they are missing or damaged. Errors RESULT_FILE
 *
 *  restored  becomes the name of the file that was written last; empty if nothing was written */
result sidecar_restore(const char *path, const export_file *file, bool is_durable, char restored[1040]);

/** Whether this build reads and writes JSON. */
bool sidecar_is_possible(void);

/** Read the JSON of a file: FILE.json or NAME.json, whichever was written last. file->channel and file->format point to
 * static storage.
 *
 *  Errors  RESULT_FILE there is no sidecar, or terrane did not write it; RESULT_USAGE it is of an earlier world format,
 *          or this build has no JSON; RESULT_FAILED no memory */
result sidecar_read(const char *path, export_file *file, file_facts *facts);

#endif
