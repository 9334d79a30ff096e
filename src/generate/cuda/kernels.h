/* kernels.h - launchers of the CUDA kernels and what they share. CUDA sources only. */
#ifndef TER_GENERATE_CUDA_KERNELS_H
#define TER_GENERATE_CUDA_KERNELS_H

#include <cuda_runtime.h>

#include "generate/place.h"
#include "generate/statistics.h"
#include "world/quantise.h"
#include "world/world.h"

/** Return from the enclosing function with TER_EDEVICE when a CUDA call fails. */
#define TER_CUDA(call)                                                                                                             \
    do {                                                                                                                           \
        const cudaError_t ter_error_ = (call);                                                                                     \
        if (ter_error_ != cudaSuccess)                                                                                             \
            return ter_cuda_fail(ter_error_, #call);                                                                               \
    } while (0)

/** Record what failed; TER_ENOMEM when the device is out of memory, else TER_EDEVICE. */
ter_status ter_cuda_fail(cudaError_t error, const char *call);

/** A tile of a batch on the device. */
typedef struct ter_cuda_tile {
    int64_t i, j;
    int32_t level;
    uint32_t slot;
} ter_cuda_tile;

enum { TER_CUDA_BATCH_MAX = 128 }; /* tiles of a launch: with all else they fit the 4 KiB of a kernel's parameters */

/** A batch as the kernels see it. */
typedef struct ter_cuda_batch {
    ter_cuda_tile tiles[TER_CUDA_BATCH_MAX];
    int count;
    int width, height;              /* points of every tile */
    bool is_origin_aligned;         /* every tile starts at multiples of 4 */
    int level_min;                  /* least level of a tile */
    size_t row_stride, slot_stride; /* samples */
    float *out;                     /* heights, metres; or else */
    uint16_t *out_u16;              /* quantised samples, by `tiled` alone */
    ter_quantiser quantiser;
} ter_cuda_batch;

#ifdef __CUDACC__
/** Let the next kernel of the stream start as soon as it finds room, if it was launched to overlap. */
static __device__ __forceinline__ void let_next_kernel_start()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaTriggerProgrammaticLaunchCompletion();
#endif
}

/** Wait until the kernel before this one in the stream is complete, with all that it stored. */
static __device__ __forceinline__ void wait_for_previous_kernel()
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    cudaGridDependencySynchronize();
#endif
}

/** Whether stores of four samples fit: every row of every tile starts on a multiple of their size. */
static inline __host__ __device__ bool ter_batch_is_aligned(const ter_cuda_batch &batch)
{
    const bool is_out_aligned = batch.out_u16 ? ((uintptr_t)batch.out_u16 & 7) == 0 : ((uintptr_t)batch.out & 15) == 0;
    return is_out_aligned && batch.row_stride % 4 == 0 && batch.slot_stride % 4 == 0;
}
#endif

/** A point of a coarse level that the blocks of a launch share, and the launch it was made by. */
typedef struct ter_cuda_common_point {
    float height;
    unsigned launch;
} ter_cuda_common_point;

/** Device memory in which a launch of ter_regions keeps such a level. A launch may begin while the one before it in the stream is
 *  still running: those two need different memory. */
typedef struct ter_cuda_common {
    ter_cuda_common_point *at; /* on 8 bytes */
    unsigned launch;           /* number of this one: not 0, which memory must be at first, and not that of another with the same */
} ter_cuda_common;

/** A tile's coarse hierarchy once in shared memory, the finest level in registers; one launch. Heights, or quantised samples. */
ter_status ter_tiled(const ter_field *f, const ter_cuda_batch *batch, cudaStream_t stream);

/** Whether a batch is for ter_regions, not for ter_tiled: one large array of basis midpoint. */
bool ter_is_for_regions(const ter_field *f, const ter_cuda_batch *batch);

/** Points of the coarse level that ter_regions shares among its blocks; 0 when that would be in vain. */
ter_status ter_regions_common(const ter_cuda_batch *batch, size_t *points);

/** Like ter_tiled; blocks share a coarse level in `common`, or make it each for themselves when that is NULL: the same samples. */
ter_status ter_regions(const ter_field *f, const ter_cuda_batch *batch, const ter_cuda_common *common, cudaStream_t stream);

/** Every patch of samples, or with is_by_sample every sample, from the root in its own thread's registers; one launch. */
ter_status ter_single_pass(const ter_field *f, const ter_cuda_batch *batch, bool is_by_sample, cudaStream_t stream);

/** One launch a level over one tile; scratch: two arrays of ter_recursive_scratch floats. */
ter_status ter_recursive(const ter_field *f, const ter_cuda_tile *tile, const ter_cuda_batch *batch, float *const scratch[2],
                         cudaStream_t stream);

/** Floats of each of the two scratch arrays of ter_recursive. */
size_t ter_recursive_scratch(const ter_field *f, const ter_cuda_tile *tile, int width, int height);

/** Heights of count points of a level; points and out in device memory. */
ter_status ter_points(const ter_field *f, int level, const int64_t (*points)[2], size_t count, float *out, cudaStream_t stream);

/** What ter_reduce accumulates in device memory. */
typedef struct ter_cuda_sums {
    int min_ordered, max_ordered; /* floats as ter_ordered() integers */
    unsigned long long sum;       /* fixed point, two's complement */
} ter_cuda_sums;

/** Add width * height heights to the sums and, when bins > 0, to the histogram; all in device memory. */
ter_status ter_reduce(const float *heights, size_t count, ter_sum_unit unit, float lo, float bin_scale, int bins,
                      ter_cuda_sums *sums, unsigned long long *histogram, cudaStream_t stream);

/** Quantise heights in device memory; adds to the sums their extremes and, as the sum, how many were clamped. */
ter_status ter_quantise_array(const float *heights, size_t count, const ter_quantiser *quantiser, uint16_t *out,
                              ter_cuda_sums *sums, cudaStream_t stream);

#ifdef __cplusplus
extern "C" {
#endif

/* Probe, fetch, morph and interop entries of the backend table; `state` begins with the device ordinal. */
ter_status ter_cuda_probe_create(void *state, void **probe);
ter_status ter_cuda_probe_ask(void *probe, const ter_world *world, const ter_world *to, const ter_place_blend *blend,
                              const ter_probe_point *points, int count, uint64_t ticket);
ter_status ter_cuda_probe_answer(void *probe, uint64_t *ticket, int *count, float *out_m);
void ter_cuda_probe_destroy(void *probe);
ter_status ter_cuda_fetch_create(void *state, size_t samples_max, void **fetch);
ter_status ter_cuda_fetch_start(void *state, void *fetch, const ter_world *world, const ter_tile *tile,
                                const ter_tile_layout *layout, const ter_quantiser *quantiser);
ter_status ter_cuda_fetch_wait(void *fetch, ter_fetched *out);
void ter_cuda_fetch_destroy(void *fetch);
ter_status ter_cuda_host_memory_create(void *state, size_t bytes, void **memory);
void ter_cuda_host_memory_destroy(void *state, void *memory);
ter_status ter_cuda_memory_create(void *state, size_t bytes, void **memory);
void ter_cuda_memory_destroy(void *state, void *memory);
ter_status ter_cuda_memory_read(void *state, const void *memory, size_t bytes, void *out);
ter_status ter_cuda_blend(void *state, const ter_blend_work *work, void *stream);
ter_status ter_cuda_gl_register(void *state, unsigned int name, void **resource);
ter_status ter_cuda_gl_map(void *resource, void *stream, float **out, size_t *bytes);
ter_status ter_cuda_gl_unmap(void *resource, void *stream);
void ter_cuda_gl_unregister(void *resource);

#ifdef __cplusplus
}
#endif

#endif
