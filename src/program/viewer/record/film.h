/* film.h - writes a film of a flight through a pipe to ffmpeg. The file has a random temporary name until it is
 * complete. */
#ifndef TERRANE_PROGRAM_VIEWER_RECORD_FILM_H
#define TERRANE_PROGRAM_VIEWER_RECORD_FILM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "program/core/result.h"

typedef struct film film;

typedef struct film_request {
    const char *file;
    int width, height, fps;
    bool may_replace; /* an existing file may be replaced */
    int (*is_interrupted)(void);
} film_request;

/** Start ffmpeg. The caller owns the request's texts and keeps them until film_close. Errors RESULT_MISSING ffmpeg
 * cannot be started; RESULT_USAGE an odd size; RESULT_FILE; RESULT_FAILED no pipe or memory
 */
result film_open(const film_request *request, film **out);

/** Add a frame of width * height * 3 bytes. Errors RESULT_FILE ffmpeg has ended or no longer reads;
 * RESULT_INTERRUPTED
 */
result film_add(film *film, const uint8_t *pixels);

/** Wait until ffmpeg has ended and give the film its name, or discard it if is_good is false. NULL is allowed. Errors
 * RESULT_FILE, RESULT_INTERRUPTED */
result film_close(film *film, bool is_good);

#endif
