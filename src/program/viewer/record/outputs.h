/* outputs.h - checks before a flight whether its files may and can be written. */
#ifndef TERRANE_PROGRAM_VIEWER_RECORD_OUTPUTS_H
#define TERRANE_PROGRAM_VIEWER_RECORD_OUTPUTS_H

#include "program/viewer/request.h"

typedef struct outputs {
    const char *made_folder; /* folder that outputs_prepare has made for frames; NULL if it has made none */
} outputs;

/** Check that a picture can be written under a name. Errors RESULT_USAGE the name does not end in .png (the text names
 * `option`); RESULT_FILE */
result outputs_check_picture(const char *option, const char *path, bool may_replace);

/** Check all names of a request, make the folder for frames, and remove temporary files that killed flights left for
 * these names. Errors RESULT_FILE a file exists already or cannot be written; RESULT_USAGE a picture's name does not
 * end in .png, or figures are requested from a build without cJSON */
result outputs_prepare(const fly_request *request, outputs *out);

/** Remove the folder if outputs_prepare has made it and it is empty. */
void outputs_clear(const outputs *outputs);

/** Find the first free name of the series STEM-1.ENDING, STEM-2.ENDING, ... after *number. *number becomes the number
 * in this name. */
void outputs_next_name(const char *stem, const char *ending, int *number, char *name, size_t size);

#endif
