/* sidecar_drainage.h - the member "drainage" of a sidecar: the rectangle whose drainage the samples follow from. */
#ifndef TERRANE_PROGRAM_EXPORT_SIDECAR_SIDECAR_DRAINAGE_H
#define TERRANE_PROGRAM_EXPORT_SIDECAR_SIDECAR_DRAINAGE_H

#include "program/file/json_file.h"

#include "program/export/formats/export_file.h"

/** Add the member, if the file is drained. */
void sidecar_add_drainage(cJSON *root, const export_file *file);

/** Read the member, after layer, place, size and world. Returns false if it is wrong, or is missing for a layer that
 * needs it. */
bool sidecar_read_drainage(const cJSON *root, export_file *file);

#endif
