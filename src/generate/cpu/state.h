/* state.h - what a generator of the CPU backend keeps between calls, and one call's work as the methods see it. */
#ifndef TER_GENERATE_CPU_STATE_H
#define TER_GENERATE_CPU_STATE_H

#include "generate/cpu/blocks.h"
#include "generate/cpu/descent.h"
#include "generate/cancel.h"
#include "threads/team.h"

/** Memory that grows with the calls. */
typedef struct ter_cpu_memory {
    float *at;
    size_t floats;
} ter_cpu_memory;

typedef struct ter_cpu_state {
    const ter_row_kernels *kernels;
    ter_method method;
    ter_team *team;
    ter_cancel cancel;
    float *scratch;                    /* TER_DESCENT_FLOATS a thread */
    ter_cpu_memory levels[2];          /* that the method recursive goes back and forth between */
    ter_cpu_memory common;             /* the level that a large array's blocks start from */
    struct ter_fluvial_maker *fluvial; /* one a thread, or NULL before the first fluvial tile */
} ter_cpu_state;

/** A batch of tiles. */
typedef struct ter_cpu_batch {
    const ter_field *f;
    const ter_tile *tiles;
    size_t count;
    const ter_tile_layout *layout;
    float *out;
} ter_cpu_batch;

/** Whether no cache holds the tiles of a batch. */
bool ter_cpu_is_large(const ter_tile_layout *layout);

/** Tile n of a batch. Large arrays are stored past the caches. */
ter_grid ter_cpu_batch_grid(const ter_cpu_batch *batch, size_t n);

/** Block n of a batch whose tiles are all cut alike, and the tile that it lies in. */
ter_grid ter_cpu_batch_block(const ter_cpu_batch *batch, const ter_blocks *blocks, int64_t n, size_t *tile);

/** Zeroed floats on a cache line, for free(); NULL when there are none. */
float *ter_cpu_allocate(size_t count);

/** Make memory hold `floats` floats; what it held is lost. Errors TER_ENOMEM, with the detail naming `what` */
ter_status ter_cpu_reserve(ter_cpu_memory *memory, size_t floats, const char *what);

/** Do tasks as ter_team_run does; once the generator is cancelled, those that have not begun are left out. Errors TER_ECANCELLED */
ter_status ter_cpu_run(const ter_cpu_state *cpu, int64_t n_tasks, ter_team_work work, void *user);

/** Scratch of a thread's descents. */
static inline float *ter_cpu_scratch(const ter_cpu_state *cpu, int thread)
{
    return cpu->scratch + (size_t)thread * TER_DESCENT_FLOATS;
}

#endif
