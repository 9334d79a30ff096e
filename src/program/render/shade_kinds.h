/* shade_kinds.h - the programs that shade blocks of pixels where the CPU draws, one for each of the kinds of
 * shade_kinds.glsl.
 *
 * Mesa takes ten seconds and more to compile them all when they first run. A window cannot wait for that: a thread with
 * a context of its own makes them there, first that of land, then the one that shows anything. Until a kind has its
 * program, its blocks are shaded by one that may show more, or, if there is none yet, less: rivers and seas are dry
 * land then.
 */
#ifndef TERRANE_PROGRAM_RENDER_SHADE_KINDS_H
#define TERRANE_PROGRAM_RENDER_SHADE_KINDS_H

#include <stdbool.h>

#include "program/render/gl.h"

enum { BLOCK_KINDS = 7 };

/** A second OpenGL context, which shares its objects with the first: what makes it current on a thread, and no longer.
 */
typedef struct second_context {
    void (*take)(void *user);
    void (*leave)(void *user);
    void *user;
} second_context;

typedef struct shade_kinds shade_kinds;

/** Create the programs of a quality (`defines`: lines before their text), or, with a second context, begin to: it is
 * copied, and has to stay until shade_kinds_destroy. Errors OUTCOME_FAILED one does not compile; no memory, no thread
 */
outcome shade_kinds_create(const char *defines, const second_context *second, shade_kinds **out);

/** Waits for the program that is being compiled; NULL is allowed. */
void shade_kinds_destroy(shade_kinds *kinds);

/** Look at the textures and the image (unit 0) that are bound now: from the first call on, programs are compiled for
 * such. */
void shade_kinds_see_bindings(shade_kinds *kinds);

/** Say how many blocks of each kind a frame has: the next programs are made for them. */
void shade_kinds_want(shade_kinds *kinds, const GLint counts[BLOCK_KINDS]);

/** The programs of a frame for each kind; false while there is none at all. */
bool shade_kinds_programs(shade_kinds *kinds, GLuint out[BLOCK_KINDS]);

/** How many there are of BLOCK_KINDS, whether they show all that the last frame shows, and whether it had any. */
typedef struct shade_progress {
    int n_made;
    bool is_whole, is_begun;
} shade_progress;

/** How far they are. Errors OUTCOME_FAILED one does not compile */
outcome shade_kinds_progress(shade_kinds *kinds, shade_progress *out);

#endif
