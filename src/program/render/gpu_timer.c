/* gpu_timer.c - keeps a ring of GL_TIME_ELAPSED queries and checks their results against the CPU's clock. */
#include "program/render/gpu_timer.h"

#include "program/core/clock.h"

/** Allowed ratio of a GPU time to the CPU time that has passed: the clocks differ a little. */
static const double CLOCK_TOLERANCE = 1.01;

void gpu_timer_create(gpu_timer *timer)
{
    GLint bits = 0;
    glGetQueryiv(GL_TIME_ELAPSED, GL_QUERY_COUNTER_BITS, &bits);
    *timer = (gpu_timer){.can_measure = bits > 0 && !gl_is_software()};
    for (int frame = 0; frame < GPU_TIMER_FRAMES && timer->can_measure; frame++)
        for (int pass = 0; pass < GPU_TIMER_PASSES; pass++)
            glCreateQueries(GL_TIME_ELAPSED, 1, &timer->queries[frame][pass].name);
}

void gpu_timer_destroy(gpu_timer *timer)
{
    for (int frame = 0; frame < GPU_TIMER_FRAMES && timer->can_measure; frame++)
        for (int pass = 0; pass < GPU_TIMER_PASSES; pass++)
            glDeleteQueries(1, &timer->queries[frame][pass].name);
    timer->can_measure = false;
}

bool gpu_timer_is_plausible(uint64_t nanoseconds, double passed_s)
{
    return (double)nanoseconds * 1e-9 <= passed_s * CLOCK_TOLERANCE;
}

/** Read a query's result. False if there is no result or it is implausible. */
static bool read_query(gpu_timer_query *q, double *ms)
{
    GLuint is_available = 0;
    GLuint64 nanoseconds = 0;
    if (!q->is_pending)
        return false;
    q->is_pending = false;
    glGetQueryObjectuiv(q->name, GL_QUERY_RESULT_AVAILABLE, &is_available);
    if (!is_available)
        return false;
    glGetQueryObjectui64v(q->name, GL_QUERY_RESULT, &nanoseconds);
    *ms = (double)nanoseconds * 1e-6;
    return gpu_timer_is_plausible(nanoseconds, clock_now_s() - q->begun_s);
}

void gpu_timer_next_frame(gpu_timer *timer, gpu_timer_result *result, void *user)
{
    timer->frame = (timer->frame + 1) % GPU_TIMER_FRAMES;
    for (int pass = 0; pass < GPU_TIMER_PASSES; pass++) {
        double ms;
        if (!read_query(&timer->queries[timer->frame][pass], &ms))
            continue;
        timer->last_ms[pass] = ms;
        result(user, pass, ms);
    }
}

void gpu_timer_begin(gpu_timer *timer, int pass)
{
    gpu_timer_query *q = &timer->queries[timer->frame][pass];
    if (!timer->can_measure)
        return;
    glBeginQuery(GL_TIME_ELAPSED, q->name);
    q->is_pending = true;
    q->begun_s = clock_now_s();
}

void gpu_timer_end(gpu_timer *timer)
{
    if (timer->can_measure)
        glEndQuery(GL_TIME_ELAPSED);
}
