/* drained.h - makes the drainage that files follow from. */
#ifndef TERRANE_PROGRAM_EXPORT_WRITE_DRAINED_H
#define TERRANE_PROGRAM_EXPORT_WRITE_DRAINED_H

#include "program/drainage/drained_area.h"
#include "program/export/formats/export_file.h"
#include "program/export/write/strips.h"

/** Make the drainage of a file's rectangle: all its samples, strip by strip, and then the way of the water.
 *
 *  file    export_file_is_drained
 *  events  `path` names the step
 *  out     free it with drained_area_free, also after an error
 *  Errors  RESULT_FAILED no memory; RESULT_INTERRUPTED; those of generation
 */
result drained_make(const export_file *file, const strips_source *source, const work_events *events, drained_area *out);

#endif
