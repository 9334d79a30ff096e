/* recorder.h - what becomes of a flight's frames besides being shown: a film, a folder of pictures, checksums. */
#ifndef TERRANE_PROGRAM_VIEWER_RECORD_RECORDER_H
#define TERRANE_PROGRAM_VIEWER_RECORD_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "program/render/gl.h"
#include "program/viewer/request.h"

typedef struct recorder recorder;

/** The frame that a framebuffer holds. */
typedef struct recorder_frame {
    GLuint framebuffer;
    int width, height;
    uint64_t number;
} recorder_frame;

/** Whether a name without its folder is that of a frame's picture. */
bool recorder_is_frame(const char *name);

/** Make the folder for the frames of a flight, or check that nothing in it would be lost. *is_made: it was not there.
 *  Errors RESULT_FILE */
result recorder_make_folder(const char *folder, bool may_replace, bool *is_made);

/** Begin, with frames of width x height pixels; *out is NULL when nothing is asked for. Request and events stay the
 * caller's. Errors  RESULT_MISSING no ffmpeg; RESULT_FILE; RESULT_USAGE an odd size */
result recorder_open(const fly_request *request, const fly_events *events, int width, int height, recorder **out);

/** Take a frame. Errors RESULT_FILE; RESULT_FAILED another size than the film's; RESULT_INTERRUPTED */
result recorder_add(recorder *recorder, const recorder_frame *frame);

/** Finish the film; `is_good` false gives it up. NULL is allowed. */
result recorder_close(recorder *recorder, bool is_good);

#endif
