/* sidecar.h - the files beside a file: JSON with all that is needed to make it again and to read it, and an ENVI header
 * of raw ones. */
#ifndef TERRANE_PROGRAM_EXPORT_SIDECAR_SIDECAR_H
#define TERRANE_PROGRAM_EXPORT_SIDECAR_SIDECAR_H

#include "program/export/formats/export_file.h"
#include "program/export/sidecar/file_facts.h"
#include "program/file/output_file.h"

/** Name of a file's JSON: FILE.json, or with `replaces_ending` NAME.json. */
void sidecar_name(const char *path, bool replaces_ending, char json[1040]);

/** Check that no file of another program stands where a sidecar will be. Errors OUTCOME_FILE; OUTCOME_USAGE the file
 * itself has the name of its sidecar */
outcome sidecar_check(const char *path, bool replaces_ending, const export_file *file);

/** Check that no pipe, device or folder has the name of a sidecar: what stands there is neither waited for nor written
 * into. Errors OUTCOME_FILE */
outcome sidecar_check_kinds(const char *path, bool replaces_ending, const export_file *file);

/** Give a complete file its name together with its sidecars: FILE.json, or with `replaces_ending` NAME.json, and
 * FILE.hdr beside raw FILEs. Either all get their names or none does: see output_files_commit. `data` is committed, or
 * discarded on error. Without JSON in this build there is only the header; what is no regular file has none.
 *
 * Sidecars that an older file of the name had, and this one has not, are removed in the same step.
 *
 *  may_replace  sidecars of other programs may be replaced; those of terrane always are */
outcome sidecar_commit(output_file *data, bool replaces_ending, bool may_replace, const export_file *file,
                       const file_facts *facts);

/** Write the ENVI header or the world file of a complete file again where it is missing or damaged. Errors OUTCOME_FILE
 *
 *  restored  receives its name, an empty one where all is as it should be */
outcome sidecar_restore(const char *path, const export_file *file, bool is_durable, char restored[1040]);

/** Whether this build reads and writes JSON. */
bool sidecar_is_possible(void);

/** Read the JSON of a file: FILE.json or NAME.json, the one that was written last. `file->channel` and `format` point
 * to static storage.
 *
 *  Errors OUTCOME_FILE no sidecar, or not one of terrane's */
outcome sidecar_read(const char *path, export_file *file, file_facts *facts);

#endif
