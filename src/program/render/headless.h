/* headless.h - an OpenGL context without any display or window, by EGL. */
#ifndef TERRANE_PROGRAM_RENDER_HEADLESS_H
#define TERRANE_PROGRAM_RENDER_HEADLESS_H

#include "program/core/result.h"

typedef struct headless_context headless_context;

/** Create a 4.5 core context, make it current on this thread and load its functions: on a GPU where EGL offers one,
 * else on Mesa's software renderer. Errors  OUTCOME_MISSING no EGL, or no device with OpenGL 4.5 (the text lists what
 * was tried) */
outcome headless_create(headless_context **out);

/** Version and renderer. */
const char *headless_describe(const headless_context *context);

/** Destroy; NULL is allowed. */
void headless_destroy(headless_context *context);

#endif
