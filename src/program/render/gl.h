/* gl.h - declares OpenGL 4.5 core functions and checks the context. Only files of this folder call these functions.
 *
 * The functions come from GLEW or are linked from the vendor-neutral dispatch library. */
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

/** Load the functions for the current context and check that it has OpenGL 4.5 or newer.
 *  Errors  RESULT_MISSING version too low or functions missing */
result gl_load(void);

/** Write "OpenGL 4.1 (Core Profile) Mesa ..., RENDERER" of the current context, which may be of any version. Needs no
 * gl_load. */
void gl_describe_any(char *text, size_t size);

/** "OpenGL 4.5 (Core Profile) Mesa ..., llvmpipe ..." of the current context. */
const char *gl_describe(void);

/** Whether the current context renders on the CPU. Always false if the environment variable TERRANE_DRAW_AS_GPU is set:
 * tests use it to run the passes of GPUs on the CPU. */
bool gl_is_software(void);

/** Check that the current context still works. Errors RESULT_MISSING the context was lost by a driver reset */
result gl_check_context(void);

/** Set how shaders read a texture. filter: between samples, and between levels if it is GL_LINEAR_MIPMAP_LINEAR; wrap:
 * in all directions */
void gl_texture_sampling(GLuint texture, GLenum filter, GLenum wrap);

/** Start counting the errors of the current context: glGetError and debug messages of type error. */
void gl_count_errors(void);

/** Number of errors since gl_count_errors, including pending errors of glGetError. */
int gl_error_count(void);

/** Check that no error was counted. Errors RESULT_FAILED with the number of errors and the first text */
result gl_check_errors(void);

/** Text of error n; NULL if there are fewer errors. Only the first GL_ERRORS_KEPT texts are kept. */
enum { GL_ERRORS_KEPT = 8 };
const char *gl_error_text(int n);

#endif
