/* drained.h - makes the drainage from which files follow. */
#ifndef TERRANE_PROGRAM_EXPORT_WRITE_DRAINED_H
#define TERRANE_PROGRAM_EXPORT_WRITE_DRAINED_H

#include "program/drainage/drained_area.h"
#include "program/export/formats/export_file.h"
#include "program/export/write/strips.h"

/** Make the drainage of the rectangle of a file: first all samples, strip by strip, then the flow of water.
 *
 *  file    export_file_is_drained is true for it
 *  events  the progress is reported as that of "drainage"
 *  out     free it with drained_area_free, also after an error
 *  Errors  RESULT_FAILED no memory; RESULT_INTERRUPTED; those of generation
 */
result drained_make(const export_file *file, const strips_source *source, const work_events *events, drained_area *out);

#endif
