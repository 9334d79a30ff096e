/* gpu_timer.h - measures the GPU time of each pass and reads it a few frames later, so the CPU does not wait.
 *
 * There are no times without a GPU or without timer queries. Late and implausible results are dropped. */
#ifndef TERRANE_PROGRAM_RENDER_GPU_TIMER_H
#define TERRANE_PROGRAM_RENDER_GPU_TIMER_H

#include <stdbool.h>
#include <stdint.h>

#include "program/render/gl.h"

enum { GPU_TIMER_FRAMES = 4, GPU_TIMER_PASSES = 9 };

/** The query of a pass in a frame. */
typedef struct gpu_timer_query {
    GLuint name;
    bool is_pending;
    double begun_s; /* when the query began, by clock_now_s */
} gpu_timer_query;

typedef struct gpu_timer {
    gpu_timer_query queries[GPU_TIMER_FRAMES][GPU_TIMER_PASSES];
    bool can_measure;
    unsigned frame;
    double last_ms[GPU_TIMER_PASSES]; /* newest time of each pass, 0: none yet */
} gpu_timer;

/** Receives the time of a pass. */
typedef void gpu_timer_result(void *user, int pass, double ms);

void gpu_timer_create(gpu_timer *timer);
void gpu_timer_destroy(gpu_timer *timer);

/** Begin the next frame: read the times of the frame GPU_TIMER_FRAMES before it, and call `result` for each. */
void gpu_timer_next_frame(gpu_timer *timer, gpu_timer_result *result, void *user);

/** Call these before and after a pass's commands. Passes do not nest. */
void gpu_timer_begin(gpu_timer *timer, int pass);
void gpu_timer_end(gpu_timer *timer);

/** Whether a GPU time is plausible: at most one percent longer than the CPU time from the pass's first command to the
 * read of its result. */
bool gpu_timer_is_plausible(uint64_t nanoseconds, double passed_s);

#endif
