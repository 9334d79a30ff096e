/* state.h - what a generator of the CPU backend keeps between calls. */
#ifndef TERRANE_CORE_CPU_STATE_H
#define TERRANE_CORE_CPU_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "library/core/cancel.h"
#include "library/core/layer_arrays.h"
#include "library/core/team.h"

struct ter_fluvial_maker; /* library/fluvial/cpu/block.h */
struct ter_row_kernels;   /* library/fractal/cpu/row_kernels.h */

/** Memory that grows with the calls. */
typedef struct ter_cpu_memory {
    float *at;
    size_t floats;
} ter_cpu_memory;

typedef struct ter_cpu_state {
    const struct ter_row_kernels *kernels;
    ter_method method;
    ter_team *team;
    ter_cancel cancel;
    float *scratch;                    /* TER_DESCENT_FLOATS a thread */
    ter_cpu_memory levels[2];          /* that the method recursive goes back and forth between */
    ter_cpu_memory common;             /* the level that a large array's blocks start from */
    struct ter_fluvial_maker *fluvial; /* one a thread, or NULL before the first fluvial tile */
} ter_cpu_state;

/** Whether no cache holds the tiles of a batch. */
bool ter_cpu_is_large(const ter_tile_layout *layout);

/** Zeroed floats on a cache line, for free(); NULL when there are none. */
float *ter_cpu_allocate(size_t count);

/** Make memory hold `floats` floats; what it held is lost. Errors TER_ENOMEM, with the detail naming `what` */
ter_status ter_cpu_reserve(ter_cpu_memory *memory, size_t floats, const char *what);

/** Do tasks as ter_team_run does; once the generator is cancelled, those that have not begun are left out. Errors
 * TER_ECANCELLED */
ter_status ter_cpu_run(const ter_cpu_state *cpu, int64_t n_tasks, ter_team_work work, void *user);

#endif
