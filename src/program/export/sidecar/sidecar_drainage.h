/* sidecar_drainage.h - the member "drainage" of a sidecar: the drained rectangle from which the samples follow. */
#ifndef TERRANE_PROGRAM_EXPORT_SIDECAR_SIDECAR_DRAINAGE_H
#define TERRANE_PROGRAM_EXPORT_SIDECAR_SIDECAR_DRAINAGE_H

#include "program/file/json_file.h"

#include "program/export/formats/export_file.h"

/** Add the member, if the file is drained. */
void sidecar_add_drainage(cJSON *root, const export_file *file);

/** Read the member. Layer, place, size and world of the file have been read. Returns false if the member is wrong, or
 * if the layer needs it and it is missing. */
bool sidecar_read_drainage(const cJSON *root, export_file *file);

#endif
