/* headless.h - creates an OpenGL context without a display or window, by EGL; on Windows by WGL and a hidden window. */
#ifndef TERRANE_PROGRAM_RENDER_HEADLESS_H
#define TERRANE_PROGRAM_RENDER_HEADLESS_H

#include "program/core/result.h"

typedef struct headless_context headless_context;

/** Create a 4.5 core context, make it current on this thread and load its functions. EGL takes a GPU if there is
 * one, else Mesa's software renderer. Errors RESULT_MISSING no EGL, or no device with OpenGL 4.5; the text lists the
 * devices. RESULT_FAILED out of memory */
result headless_create(headless_context **out);

/** Version and renderer of the context. */
const char *headless_describe(const headless_context *context);

/** Destroy; NULL is allowed. */
void headless_destroy(headless_context *context);

#endif
