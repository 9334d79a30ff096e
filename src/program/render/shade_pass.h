/* shade_pass.h - computes the light of every pixel.
 *
 * A GPU runs two programs: first the light of the ground, then everything else. A single program would need more
 * registers than a GPU has: on an H200 it took 13 ms, the two programs together take 1 ms. On the CPU, llvmpipe runs
 * both sides of every branch for every pixel. There the blocks of 8 x 8 pixels are sorted first by their content, and
 * each kind of block has its own, shorter program. */
#ifndef TERRANE_PROGRAM_RENDER_SHADE_PASS_H
#define TERRANE_PROGRAM_RENDER_SHADE_PASS_H

#include "program/render/quality.h"
#include "program/render/shade_kinds.h"
#include "program/render/targets.h"

typedef struct shade_pass shade_pass;

/** Callbacks of the pass. On the CPU the pass can take minutes. */
typedef struct shade_watch {
    int (*is_interrupted)(void);
    void (*report)(const char *text); /* called once with the expected time of a slow frame; NULL: no message */
    double start_s;                   /* when the frame began, by clock_now_s */
} shade_watch;

/** Create the programs for the current context. second: on the CPU, a context in which a thread compiles programs while
 * frames are drawn; NULL: each program is compiled when the first frame needs it. Errors RESULT_FAILED */
result shade_pass_create(const render_quality *quality, const second_context *second, shade_pass **out);
void shade_pass_destroy(shade_pass *pass);

/** Begin a frame whose textures are bound, before its other passes. While those run, a thread can compile programs for
 * these textures. */
void shade_pass_begin(shade_pass *pass, const targets *targets);

/** Compute the targets' light from their depth, for the frame whose uniforms and textures are bound. has_land: false if
 * the view needs tiles and none of them is made yet. Errors RESULT_FAILED a program that no frame before needed does
 * not compile */
result shade_pass_draw(shade_pass *pass, const targets *targets, bool has_land, const shade_watch *watch);

/** Progress of the thread that compiles programs. Errors RESULT_FAILED a program does not compile */
result shade_pass_progress(shade_pass *pass, shade_progress *out);

#endif
