/* shade_pass.h - the light of every pixel.
 *
 * A GPU runs two programs: the light of the ground first, then the rest. One alone of all would need more registers
 * than there are: on an H200 it took 13 ms for the 1 ms of the two. The CPU's renderer runs both sides of every branch
 * for every pixel, so there the picture's blocks of 8 x 8 pixels are sorted first, and those of sky alone, of land
 * without water and the rest have a program each. */
#ifndef TERRANE_PROGRAM_RENDER_SHADE_PASS_H
#define TERRANE_PROGRAM_RENDER_SHADE_PASS_H

#include "program/render/quality.h"
#include "program/render/shade_kinds.h"
#include "program/render/targets.h"

typedef struct shade_pass shade_pass;

/** Who watches the pass where the CPU draws, which can take minutes. */
typedef struct shade_watch {
    int (*is_interrupted)(void);
    void (*say)(const char *text); /* NULL, or takes how long a frame is expected to take, once */
    double start_s;                /* of the frame, by clock_now_s */
} shade_watch;

/** Create for the context that is current. second: where the CPU draws, a context in which programs are compiled while
 * frames are drawn; NULL: they are compiled now. Errors OUTCOME_FAILED */
outcome shade_pass_create(const render_quality *quality, const second_context *second, shade_pass **out);
void shade_pass_destroy(shade_pass *pass);

/** Begin a frame whose textures are bound, while its other passes are drawn. */
void shade_pass_begin(shade_pass *pass, const targets *targets);

/** Draw into the targets' light, from their depth, for the frame whose uniforms and textures are bound. has_land: some
 * of its tiles are there. */
void shade_pass_draw(shade_pass *pass, const targets *targets, bool has_land, const shade_watch *watch);

/** How far the programs are that a second context compiles. Errors OUTCOME_FAILED one does not compile */
outcome shade_pass_progress(shade_pass *pass, shade_progress *out);

#endif
