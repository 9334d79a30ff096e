/* shade_kinds.h - owns the programs that shade blocks of pixels on the CPU, one for each kind of block.
 *
 * Mesa needs ten seconds or more to compile all programs when they run for the first time. A headless flight compiles
 * only the programs that its frames need. In a window, a thread with its own context compiles them: first the program
 * for land, then the program that can shade all kinds. Until the program of a kind is ready, its blocks are shaded by
 * the program of a more general kind. If no more general program is ready, another program is used; rivers and seas
 * then look like dry land.
 */
#ifndef TERRANE_PROGRAM_RENDER_SHADE_KINDS_H
#define TERRANE_PROGRAM_RENDER_SHADE_KINDS_H

#include <stdbool.h>

#include "program/render/gl.h"

/** Kinds of blocks of pixels, BLOCKS_SKY ... */
#define BLOCK_KIND(name, number) name = (number),
enum {
#include <block_kinds.glsl>
    BLOCK_KINDS
};
#undef BLOCK_KIND

/** A second OpenGL context that shares objects with the first. */
typedef struct second_context {
    void (*take)(void *user);  /* makes the context current on the calling thread */
    void (*leave)(void *user); /* releases the context */
    void *user;
} second_context;

typedef struct shade_kinds shade_kinds;

/** Create the set of programs for one picture quality. If `second` is given, start the thread that compiles them.
 *
 *  defines  lines before the text of the shaders; they contain the settings of the quality
 *  second   context of the thread; the struct is copied, the context must live until shade_kinds_destroy. NULL: there
 *           is no thread, and shade_kinds_programs compiles each program before the first frame that needs it
 *  Errors   RESULT_FAILED out of memory; no thread
 */
result shade_kinds_create(const char *defines, const second_context *second, shade_kinds **out);

/** Destroy; waits for the program that is being compiled. NULL is allowed. */
void shade_kinds_destroy(shade_kinds *kinds);

/** Read which textures and which image (unit 0) are bound. Mesa's machine code depends on their formats, so the thread
 * finishes its first program only after the first call of this function. */
void shade_kinds_read_bindings(shade_kinds *kinds);

/** Set the number of blocks of each kind in a frame. After the programs for land and for all kinds, the thread compiles
 * the program of the kind with the most blocks next. */
void shade_kinds_set_counts(shade_kinds *kinds, const GLint counts[BLOCK_KINDS]);

/** Get the programs for the kinds of a frame.
 *
 *  counts     number of blocks of each kind in the frame
 *  out        receives the programs; without a thread, those of kinds that the frame does not have may be 0
 *  are_ready  set to false on error, and while the thread has compiled no program
 *  Errors     RESULT_FAILED a program does not compile. Errors of the thread are returned by shade_kinds_progress
 */
result shade_kinds_programs(shade_kinds *kinds, const GLint counts[BLOCK_KINDS], GLuint out[BLOCK_KINDS],
                            bool *are_ready);

/** Progress of the thread. */
typedef struct shade_progress {
    int n_made;           /* programs that are ready, of BLOCK_KINDS */
    bool is_complete;     /* the ready programs can show all content of the last frame */
    bool is_frame_shaded; /* the last frame was shaded */
} shade_progress;

/** Get the progress. Errors RESULT_FAILED a program does not compile */
result shade_kinds_progress(shade_kinds *kinds, shade_progress *out);

#endif
