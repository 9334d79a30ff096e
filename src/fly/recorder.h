/* recorder.h - what becomes of a flight's frames besides being shown: a film through ffmpeg, a folder of pictures, checksums. */
#ifndef TERRANE_FLY_RECORDER_H
#define TERRANE_FLY_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "render/gl.h"

typedef struct recorder recorder;

typedef struct recorder_request {
    const char *film;       /* file that ffmpeg writes, or NULL */
    const char *folder;     /* frame-000000.png ..., or NULL */
    bool may_replace;       /* a film that exists */
    bool has_checksums;     /* a line a frame on stdout */
    int width, height, fps; /* of a film; frames must have this size */
} recorder_request;

/** Begin; *out is NULL when nothing is asked for.
 *  Errors  OUTCOME_MISSING no ffmpeg; OUTCOME_FILE the film exists already; OUTCOME_USAGE an odd size */
outcome recorder_open(const recorder_request *request, recorder **out);

/** Take a frame. Errors OUTCOME_FILE, OUTCOME_FAILED another size than the film's */
outcome recorder_add(recorder *recorder, GLuint framebuffer, int width, int height, uint64_t frame);

/** Finish the film and say whether ffmpeg was content; `is_good` false gives it up. NULL is allowed. */
outcome recorder_close(recorder *recorder, bool is_good);

#endif
