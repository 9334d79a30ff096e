/* state.h - the state of a generator of the CPU backend between calls. */
#ifndef TERRANE_CORE_CPU_STATE_H
#define TERRANE_CORE_CPU_STATE_H

#include <stdbool.h>
#include <stddef.h>

#include "library/core/cancel.h"
#include "library/core/layer_arrays.h"
#include "library/core/team.h"

struct ter_fluvial_maker; /* library/fluvial/cpu/block.h */
struct ter_row_kernels;   /* library/fractal/cpu/row_kernels.h */

/** Memory that grows when a call needs more. */
typedef struct ter_cpu_memory {
    float *at;
    size_t floats;
} ter_cpu_memory;

typedef struct ter_cpu_state {
    const struct ter_row_kernels *kernels;
    ter_method method;
    ter_team *team;
    ter_cancel cancel;
    float *scratch;                    /* TER_DESCENT_FLOATS per thread */
    ter_cpu_memory levels[2];          /* for the method recursive, which alternates between them */
    ter_cpu_memory common;             /* common level from which the blocks of a large array start */
    struct ter_fluvial_maker *fluvial; /* one per thread; NULL before the first fluvial tile */
} ter_cpu_state;

/** Whether the tiles of a batch are too large for caches. */
bool ter_cpu_is_large(const ter_tile_layout *layout);

/** Allocate zeroed floats, aligned to a cache line; free them with free(). NULL: out of memory */
float *ter_cpu_allocate(size_t count);

/** Make memory large enough for `floats` floats. Its content is lost. Errors TER_ENOMEM; the sentence names `what` */
ter_status ter_cpu_reserve(ter_cpu_memory *memory, size_t floats, const char *what);

/** Do tasks as ter_team_run does. Once the generator is cancelled, no further task begins. Errors TER_ECANCELLED */
ter_status ter_cpu_run(const ter_cpu_state *cpu, int64_t n_tasks, ter_team_work work, void *user);

#endif
