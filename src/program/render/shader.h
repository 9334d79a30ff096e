/* shader.h - makes programs from the embedded files of shaders/ or from a folder, and reloads changed files. */
#ifndef TERRANE_PROGRAM_RENDER_SHADER_H
#define TERRANE_PROGRAM_RENDER_SHADER_H

#include <stdbool.h>

#include "program/render/gl.h"

/** Load shaders from a folder; NULL: use the embedded shaders. The string is not copied and must stay valid. */
void shader_set_folder(const char *folder);

/** Compile and link a program from a vertex and a fragment shader, or from a vertex shader alone (fragment NULL) for
 * drawing depth only. A line `#include "name"` is replaced by that file. The address `program` is remembered until
 * shader_delete, because shader_reload replaces *program.
 *
 *  Errors  RESULT_USAGE a file cannot be read; RESULT_FAILED with the compiler's log
 */
result shader_program(const char *vertex, const char *fragment, GLuint *program);

/** The same for a compute shader. `defines` are lines before its text, or NULL. Names and defines are copied. */
result shader_compute(const char *compute, const char *defines, GLuint *program);

/** A compute shader to load: its file, lines before its text or NULL, and the address of its program. */
typedef struct shader_file {
    const char *name, *defines;
    GLuint *program;
} shader_file;

/** Load compute shaders by shader_compute, in order. Stops at the first failure; the programs made before stay. */
result shader_compute_all(const shader_file *files, size_t count);

/** The same as shader_compute on any thread with a current context. The address `program` is not remembered, so
 * shader_reload does not replace the program. */
result shader_make_compute(const char *compute, const char *defines, GLuint *program);

/** Whether shaders come from a folder. */
bool shader_has_folder(void);

enum { SHADER_PROGRAMS_MAX = 40 };

/** Set a function to call with the number of programs after each new program; NULL: none. `user` is its first argument.
 */
void shader_watch(void (*made)(void *user, int count), void *user);

/** Delete a program and forget its address. *program may be 0. */
void shader_delete(GLuint *program);

/** Rebuild all programs if a file of the shader folder has changed since the last call. A program that fails to build
 * stays unchanged, and `report` receives its log. Does nothing without a folder. Returns whether programs were
 * replaced.
 */
bool shader_reload(void (*report)(const char *text));

#endif
