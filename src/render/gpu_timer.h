/* gpu_timer.h - GPU time of each pass, read a few frames later so that nothing waits. */
#ifndef TERRANE_RENDER_GPU_TIMER_H
#define TERRANE_RENDER_GPU_TIMER_H

#include <stdbool.h>

#include "render/gl.h"

enum { GPU_TIMER_FRAMES = 4, GPU_TIMER_PASSES = 8 };

typedef struct gpu_timer {
    GLuint queries[GPU_TIMER_FRAMES][GPU_TIMER_PASSES];
    bool is_pending[GPU_TIMER_FRAMES][GPU_TIMER_PASSES];
    unsigned frame;
    double last_ms[GPU_TIMER_PASSES]; /* newest result of each pass */
} gpu_timer;

void gpu_timer_create(gpu_timer *timer);
void gpu_timer_destroy(gpu_timer *timer);

/** Next frame: collects results that are there; calls `result` for each (may be NULL). */
void gpu_timer_next_frame(gpu_timer *timer, void (*result)(void *user, int pass, double ms), void *user);

/** Around a pass's commands; passes do not nest. */
void gpu_timer_begin(gpu_timer *timer, int pass);
void gpu_timer_end(gpu_timer *timer);

#endif
