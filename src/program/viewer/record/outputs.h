/* outputs.h - the files that a flight leaves: whether it may and can write them is found before it begins. */
#ifndef TERRANE_PROGRAM_VIEWER_RECORD_OUTPUTS_H
#define TERRANE_PROGRAM_VIEWER_RECORD_OUTPUTS_H

#include "program/viewer/request.h"

typedef struct outputs {
    const char *made_folder; /* for frames; NULL: it was there */
} outputs;

/** Whether a picture can be written under a name. Errors RESULT_USAGE it is no .png: the sentence names the option;
 * RESULT_FILE
 */
result outputs_check_picture(const char *option, const char *path, bool may_replace);

/** Check all names of a request, make the folder for frames, and remove what killed flights left of files with those
 * names. Errors RESULT_FILE one is there already, or cannot be written; RESULT_USAGE another ending than .png,
 * figures without JSON */
result outputs_prepare(const fly_request *request, outputs *out);

/** Remove the folder when it was made for this flight and nothing has come into it. */
void outputs_clear(const outputs *outputs);

/** The first name of a series that no file has: STEM-1.ENDING, STEM-2.ENDING, ... beyond *number, which moves on. */
void outputs_next_name(const char *stem, const char *ending, int *number, char *name, size_t size);

#endif
