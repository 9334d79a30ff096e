/* sidecar_crs.h - the member "crs" of a sidecar: where the lattice lies on the Earth. */
#ifndef TERRANE_PROGRAM_EXPORT_SIDECAR_SIDECAR_CRS_H
#define TERRANE_PROGRAM_EXPORT_SIDECAR_SIDECAR_CRS_H

#include "program/file/json_file.h"

#include "program/export/formats/export_file.h"

/** Add the member, if there is a coordinate system. */
void sidecar_add_crs(cJSON *root, const earth_crs *crs);

/** Read the member, which most sidecars do not have. Returns false if it is wrong. */
bool sidecar_read_crs(const cJSON *root, earth_crs *crs);

#endif
