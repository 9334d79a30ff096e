/* gl.h - OpenGL 4.5 core functions: by GLEW, or linked from the vendor-neutral dispatch library; included by render
 * only. */
#ifndef TERRANE_PROGRAM_RENDER_GL_H
#define TERRANE_PROGRAM_RENDER_GL_H

#ifdef TER_HAVE_GLEW
#include <GL/glew.h>
#else
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#endif

#include <stdbool.h>

#include "program/core/result.h"

/** Load the functions for the context that is current and check that it is OpenGL 4.5 or newer.
 *  Errors  OUTCOME_MISSING version too low or functions missing */
outcome gl_load(void);

/** "OpenGL 4.5 (Core Profile) Mesa ..., llvmpipe ..." of the current context. */
const char *gl_describe(void);

/** Whether the current context draws on the CPU; not where the variable TERRANE_DRAW_AS_GPU is set: tests see what GPUs
 * draw. */
bool gl_is_software(void);

/** Whether the current context still works. Errors OUTCOME_MISSING it was lost: the driver was reset */
outcome gl_check_context(void);

/** Count errors and error-severity debug messages of the current context from now on. */
void gl_watch(void);

/** Errors counted since gl_watch, those that glGetError holds included; prints nothing. */
int gl_error_count(void);

/** Whether nothing was counted. Errors OUTCOME_FAILED how many errors there were, and the first of them */
outcome gl_check_errors(void);

/** Text of error n, of the first GL_ERRORS_KEPT; NULL when there are not so many. */
enum { GL_ERRORS_KEPT = 8 };
const char *gl_error_text(int n);

#endif
