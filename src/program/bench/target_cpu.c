/* target_cpu.c - the benchmark's target on the CPU: an array in host memory, timed by the monotonic clock. */
#include <stdlib.h>
#include <string.h>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "library/core/system.h"
#include "library/core/team.h"
#include "program/bench/target.h"
#include "program/core/clock.h"

typedef struct cpu_array {
    float *at;
    size_t floats;
    ter_team *team; /* fills the array with as many threads as generators use */
    float value;
} cpu_array;

/** Fill one part of the array, which has one part of equal size for each thread of the team. */
static void fill_part(void *user, int thread, int64_t part)
{
    const cpu_array *array = user;
    const int64_t parts = ter_team_size(array->team), floats = (int64_t)array->floats;
    const float value = array->value;
    float *at = array->at;
    (void)thread;
    for (int64_t n = floats * part / parts; n < floats * (part + 1) / parts; n++)
        at[n] = value;
}

static void fill(cpu_array *array, float value)
{
    enum { FLOATS_MIN = 1 << 16 }; /* fewer are filled faster by one thread */
    array->value = value;
    if (array->floats > FLOATS_MIN) {
        ter_team_run(array->team, ter_team_size(array->team), fill_part, array);
        return;
    }
    for (size_t n = 0; n < array->floats; n++)
        array->at[n] = value;
}

static result cpu_open(const bench_work *work, int threads, int n_devices, void **state)
{
    const size_t bytes = bench_work_bytes(work), huge_page = (size_t)2 << 20;
    cpu_array *array = calloc(1, sizeof *array);
    (void)n_devices;
    if (!array)
        return result_of(RESULT_FAILED, "out of memory");
    const size_t reserved = (bytes + huge_page - 1) / huge_page * huge_page;
    array->at = ter_aligned_alloc(huge_page, reserved);
    if (!array->at) {
        free(array);
        return result_of(RESULT_FAILED, "no memory for an array of %zu bytes", bytes);
    }
#if defined(MADV_HUGEPAGE)
    madvise(array->at, reserved, MADV_HUGEPAGE);
#endif
    array->floats = bytes / sizeof(float);
    const ter_status status = ter_team_create(threads, &array->team);
    if (status != TER_OK) {
        ter_aligned_free(array->at);
        free(array);
        return result_of_library(status, "bench");
    }
    fill(array, 0.0f);
    *state = array;
    return result_done();
}

static void cpu_close(void *state)
{
    cpu_array *array = state;
    ter_team_destroy(array->team);
    ter_aligned_free(array->at);
    free(array);
}

static result cpu_time_fill(void *state, int repeats, double *elapsed_ms)
{
    const double start = clock_now_s();
    for (int n = 0; n < repeats; n++)
        fill(state, (float)n + 0.5f);
    *elapsed_ms = (clock_now_s() - start) * 1e3 / repeats;
    return result_done();
}

static result cpu_time_generator(void *state, ter_generator *generator, const ter_world *world, const bench_work *work,
                                 bool is_replayed, int repeats, double *elapsed_ms)
{
    const cpu_array *array = state;
    (void)is_replayed;
    const double start = clock_now_s();
    for (int n = 0; n < repeats; n++) {
        const ter_status status = bench_work_fill(work, generator, world, array->at);
        if (status != TER_OK)
            return result_of_library(status, "bench");
    }
    *elapsed_ms = (clock_now_s() - start) * 1e3 / repeats;
    return result_done();
}

static result cpu_read(void *state, size_t first, size_t count, void *out)
{
    memcpy(out, (const char *)((const cpu_array *)state)->at + first, count);
    return result_done();
}

const bench_target bench_target_cpu = {
    .backend = TER_BACKEND_CPU,
    .open = cpu_open,
    .close = cpu_close,
    .time_fill = cpu_time_fill,
    .time_generator = cpu_time_generator,
    .read = cpu_read,
};
