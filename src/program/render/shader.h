/* shader.h - programs from the files in shaders/: embedded ones, or those of a folder given for work on them. */
#ifndef TERRANE_PROGRAM_RENDER_SHADER_H
#define TERRANE_PROGRAM_RENDER_SHADER_H

#include <stdbool.h>

#include "program/render/gl.h"

/** Folder to load shaders from from now on; NULL for the embedded ones. The text is kept, not copied. */
void shader_set_folder(const char *folder);

/** Compile and link a program from a vertex and a fragment shader, or from a vertex shader alone when only depth is
 *  drawn (fragment NULL). A line `#include "name"` is replaced by that file. *program stays known: shader_reload
 * replaces it; free it with shader_delete. Errors  OUTCOME_USAGE a file cannot be read; OUTCOME_FAILED with the
 * compiler's log */
outcome shader_program(const char *vertex, const char *fragment, GLuint *program);

/** The same from a compute shader; `defines` are lines before its text, or NULL. Names and defines are copied. */
outcome shader_compute(const char *compute, const char *defines, GLuint *program);

/** The same on any thread that has a context. The program does not become known: shader_reload leaves it as it is. */
outcome shader_make_compute(const char *compute, const char *defines, GLuint *program);

/** Whether shaders come from a folder. */
bool shader_has_folder(void);

enum { SHADER_PROGRAMS_MAX = 40 };

/** Call a function with the number of programs whenever one more has been made; NULL: no longer. */
void shader_watch(void (*made)(int count));

/** Delete a program; 0 is allowed. */
void shader_delete(GLuint *program);

/** When a file of the shader folder has changed since the last call, make all programs again. One that fails stays as
 * it was, and `say` takes its log. Nothing without a folder. True when programs were replaced. */
bool shader_reload(void (*say)(const char *text));

#endif
