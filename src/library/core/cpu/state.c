/* state.c - allocates the memory of a generator of the CPU backend, and runs its tasks until they are cancelled. */
#include "library/core/cpu/state.h"

#include <string.h>

#include "library/core/status.h"
#include "library/core/system.h"

enum { CACHE_LINE = 64, STREAMED_MIN = 1 << 22 }; /* STREAMED_MIN: samples of an array larger than any cache */

float *ter_cpu_allocate(size_t count)
{
    if (count > SIZE_MAX / 2 / sizeof(float))
        return NULL;
    const size_t bytes = (count * sizeof(float) + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    float *at = ter_aligned_alloc(CACHE_LINE, bytes);
    if (at)
        memset(at, 0, bytes);
    return at;
}

ter_status ter_cpu_reserve(ter_cpu_memory *memory, size_t floats, const char *what)
{
    if (floats <= memory->floats)
        return TER_OK;
    ter_aligned_free(memory->at);
    memory->at = ter_cpu_allocate(floats);
    memory->floats = memory->at ? floats : 0;
    return memory->at ? TER_OK : ter_fail(TER_ENOMEM, "no memory for %s: %zu floats", what, floats);
}

/** Tasks that may be cancelled. */
typedef struct cancellable {
    const ter_cancel *cancel;
    ter_team_work work;
    void *user;
} cancellable;

static void do_task(void *user, int thread, int64_t task)
{
    const cancellable *c = user;
    if (!ter_is_cancelled(c->cancel))
        c->work(c->user, thread, task);
}

ter_status ter_cpu_run(const ter_cpu_state *cpu, int64_t n_tasks, ter_team_work work, void *user)
{
    cancellable tasks = {&cpu->cancel, work, user};
    ter_team_run(cpu->team, n_tasks, do_task, &tasks);
    return ter_check_cancelled(&cpu->cancel);
}

bool ter_cpu_is_large(const ter_tile_layout *layout)
{
    return (int64_t)layout->width * layout->height >= STREAMED_MIN;
}
