/* gpu_timer.h - GPU time of each pass, read a few frames later so that nothing waits. What cannot be measured is left
 * out: without a GPU, or without timer queries, there are no times; an answer that is late or cannot be true is
 * dropped. */
#ifndef TERRANE_PROGRAM_RENDER_GPU_TIMER_H
#define TERRANE_PROGRAM_RENDER_GPU_TIMER_H

#include <stdbool.h>
#include <stdint.h>

#include "program/render/gl.h"

enum { GPU_TIMER_FRAMES = 4, GPU_TIMER_PASSES = 9 };

/** The time of a pass in a frame, on its way. */
typedef struct gpu_timer_query {
    GLuint name;
    bool is_pending;
    double begun_s; /* on the CPU's clock */
} gpu_timer_query;

typedef struct gpu_timer {
    gpu_timer_query queries[GPU_TIMER_FRAMES][GPU_TIMER_PASSES];
    bool can_measure;
    unsigned frame;
    double last_ms[GPU_TIMER_PASSES]; /* newest time of each pass, 0: none yet */
} gpu_timer;

/** Takes the time of a pass. */
typedef void gpu_timer_result(void *user, int pass, double ms);

void gpu_timer_create(gpu_timer *timer);
void gpu_timer_destroy(gpu_timer *timer);

/** Next frame: collects the times of GPU_TIMER_FRAMES frames ago, which the GPU should have finished, and calls
 * `result` for each.
 */
void gpu_timer_next_frame(gpu_timer *timer, gpu_timer_result *result, void *user);

/** Around a pass's commands; passes do not nest. */
void gpu_timer_begin(gpu_timer *timer, int pass);
void gpu_timer_end(gpu_timer *timer);

/** Whether a pass can have taken so long: no longer than the time between its first command and its answer on the CPU's
 * clock. */
bool gpu_timer_is_plausible(uint64_t nanoseconds, double passed_s);

#endif
