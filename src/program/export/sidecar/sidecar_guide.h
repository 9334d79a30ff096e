/* sidecar_guide.h - the guide of a world in a JSON sidecar; compiled if this build has cJSON. */
#ifndef TERRANE_PROGRAM_EXPORT_SIDECAR_SIDECAR_GUIDE_H
#define TERRANE_PROGRAM_EXPORT_SIDECAR_SIDECAR_GUIDE_H

#include <cJSON.h>

#include "program/core/result.h"

/** Add the guide of a world: its file, checksums of its heights and of its tables, and its numbers. Without a guide,
 * nothing is added. */
void sidecar_add_guide(cJSON *world, const ter_params *params);

/** Open the guide that a sidecar names, and set it in the parameters. The file is looked for at its path, and then
 * beside the sidecar.
 *
 *  path    the sidecar
 *  root    its content
 *  Errors  RESULT_FILE there is no such file, or the heights, rasters or rivers of the guide have changed
 */
result sidecar_open_guide(const char *path, const cJSON *root, ter_params *params);

#endif
