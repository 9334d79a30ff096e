/* recorder.h - records the frames of a flight: as a film, as a folder of pictures, as checksums. */
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

/** Whether a file name, without its folder, is the name of a frame's picture. */
bool recorder_is_frame(const char *name);

/** Make the folder for the frames of a flight. If it exists, check that it has no frames, unless may_replace. *is_made
 * becomes true if the folder did not exist. Errors RESULT_FILE */
result recorder_make_folder(const char *folder, bool may_replace, bool *is_made);

/** Begin to record frames of width x height pixels. *out becomes NULL if nothing is to be recorded. The caller owns
 * request and events and keeps them until recorder_close. Errors RESULT_MISSING no ffmpeg; RESULT_FILE; RESULT_USAGE an
 * odd size; RESULT_FAILED */
result recorder_open(const fly_request *request, const fly_events *events, int width, int height, recorder **out);

/** Record a frame. Errors RESULT_FILE; RESULT_FAILED the frame's size differs from the film's, or out of memory;
 * RESULT_INTERRUPTED */
result recorder_add(recorder *recorder, const recorder_frame *frame);

/** Finish the film, or discard it if `is_good` is false, and free the recorder. NULL is allowed. Errors those of
 * film_close */
result recorder_close(recorder *recorder, bool is_good);

#endif
