/* gpu_timer.c - a ring of GL_TIME_ELAPSED queries. */
#include "render/gpu_timer.h"

#include <string.h>

void gpu_timer_create(gpu_timer *timer)
{
    memset(timer, 0, sizeof *timer);
    glCreateQueries(GL_TIME_ELAPSED, GPU_TIMER_FRAMES * GPU_TIMER_PASSES, &timer->queries[0][0]);
}

void gpu_timer_destroy(gpu_timer *timer)
{
    glDeleteQueries(GPU_TIMER_FRAMES * GPU_TIMER_PASSES, &timer->queries[0][0]);
}

void gpu_timer_next_frame(gpu_timer *timer, void (*result)(void *user, int pass, double ms), void *user)
{
    timer->frame = (timer->frame + 1) % GPU_TIMER_FRAMES;
    for (int pass = 0; pass < GPU_TIMER_PASSES; pass++) {
        if (!timer->is_pending[timer->frame][pass])
            continue;
        GLuint64 nanoseconds = 0;
        glGetQueryObjectui64v(timer->queries[timer->frame][pass], GL_QUERY_RESULT, &nanoseconds);
        timer->is_pending[timer->frame][pass] = false;
        timer->last_ms[pass] = (double)nanoseconds * 1e-6;
        if (result)
            result(user, pass, timer->last_ms[pass]);
    }
}

void gpu_timer_begin(gpu_timer *timer, int pass)
{
    glBeginQuery(GL_TIME_ELAPSED, timer->queries[timer->frame][pass]);
    timer->is_pending[timer->frame][pass] = true;
}

void gpu_timer_end(gpu_timer *timer)
{
    (void)timer;
    glEndQuery(GL_TIME_ELAPSED);
}
