/* terrane/generator.h - generators, and the one function that fills memory with samples. */
#ifndef TERRANE_GENERATOR_H
#define TERRANE_GENERATOR_H

#include "terrane/layers.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TER_THREADS_MAX          4096 /**< greatest number of threads of a generator */
#define TER_HISTOGRAM_BINS_MAX   4096
#define TER_STATISTICS_COUNT_MAX (UINT64_C(1) << 48) /**< greatest number of points */

/* ---- generators ---- */

typedef enum ter_backend { TER_BACKEND_AUTO, TER_BACKEND_CPU, TER_BACKEND_CUDA } ter_backend;

/** How samples are computed. All methods return the same bits. */
typedef enum ter_method {
    /** Coarse levels are made once per block, in caches or shared memory; the last levels in registers. The fastest
     * method. */
    TER_METHOD_TILED,
    /** One pass per level over the whole array. Source: Fournier, Fussell, Carpenter 1982 */
    TER_METHOD_RECURSIVE,
    /** Every thread computes the hierarchy of its own samples from the root. */
    TER_METHOD_SINGLE_PASS,
    TER_METHOD_COUNT
} ter_method;

/** Instruction set level of the CPU backend. */
typedef enum ter_simd { TER_SIMD_AUTO, TER_SIMD_BASELINE, TER_SIMD_AVX2, TER_SIMD_AVX512, TER_SIMD_COUNT } ter_simd;

/** Name of a method as the command line spells it; static, NULL when `method` is out of range. */
TER_API const char *ter_method_name(ter_method method);

/** Name of a backend as the command line spells it; static, never NULL. */
TER_API const char *ter_backend_name(ter_backend backend);

/** Name of an instruction set level. The baseline is named after the machine: "sse2", "neon", "simd128" or "scalar".
 * Static, NULL when `simd` is out of range. */
TER_API const char *ter_simd_name(ter_simd simd);

/** Best instruction set level that this machine and this build can run; never TER_SIMD_AUTO. */
TER_API ter_simd ter_simd_best(void);

/** How a generator works. If all members after struct_size are 0, they are the defaults. */
typedef struct ter_generator_options {
    size_t struct_size;  /**< sizeof(ter_generator_options) */
    ter_backend backend; /**< TER_BACKEND_AUTO: CUDA if a device is usable, else the CPU */
    ter_method method;
    int threads;      /**< CPU threads, 0..TER_THREADS_MAX; 0: one for each processor that this process may use */
    ter_simd simd;    /**< CPU instruction set level; TER_SIMD_AUTO: the best one of this machine */
    int device;       /**< CUDA device, 0 .. ter_device_count - 1 */
    int is_by_sample; /**< CUDA single-pass: not 0: each thread makes one sample instead of a patch of samples */
    /** Called from time to time while samples are made. After it has returned a value other than 0, the fill ends soon
     * with TER_ECANCELLED: on the CPU within some tenths of a second, on a device only before the work begins. All
     * threads of the generator call this function, several at a time. Once it has returned a value other than 0, it
     * must not return 0 until the fill has ended. NULL: never cancelled */
    int (*is_cancelled)(void *user);
    void *cancel_user; /**< argument of is_cancelled */
} ter_generator_options;

/** A generator: backend, method, threads and scratch memory. */
typedef struct ter_generator ter_generator;

/** Create a generator. A CPU generator starts its threads now. If the system refuses some of them, the generator works
 * with fewer; ter_generator_threads and ter_generator_reason report it.
 *
 *  options  NULL for all defaults; copied
 *  out      receives the generator; free it with ter_generator_destroy
 *  Errors   TER_ENOBACKEND the named backend, device or instruction set level cannot run here; TER_EINVAL an option
 *           outside its range; TER_ENOMEM; TER_EDEVICE
 */
TER_API ter_status ter_generator_create(const ter_generator_options *options, ter_generator **out);

/** Free a generator, its threads and its scratch memory; NULL is allowed. Waits for the generator's work on the device.
 * Objects that were made from the generator must have been freed before. */
TER_API void ter_generator_destroy(ter_generator *generator);

/** Backend that a generator runs on: TER_BACKEND_CPU or TER_BACKEND_CUDA. */
TER_API ter_backend ter_generator_backend(const ter_generator *generator);

/** CPU threads that a generator works with, including the caller's; 0 for a CUDA generator. */
TER_API int ter_generator_threads(const ter_generator *generator);

/** Text for the user: why the backend was chosen, and how many threads the system refused ("no CUDA device: ...").
 * Never NULL, valid as long as the generator. */
TER_API const char *ter_generator_reason(const ter_generator *generator);

/* ---- filling ---- */

/** The points to sample: a rectangle, or tiles of one size. */
typedef struct ter_region {
    size_t struct_size; /**< sizeof(ter_region) */
    ter_rect rect;      /**< if tiles is NULL: the rectangle; else its width and height are the size of every tile */
    /** Tiles, whose levels may differ, in host memory; a single point is a tile of 1 x 1. NULL: the rectangle */
    const ter_tile *tiles;
    size_t n_tiles; /**< 0 if tiles is NULL; if tiles is not NULL, 0 makes nothing */
} ter_region;

/** A region of one rectangle. */
static inline ter_region ter_region_of_rect(const ter_rect *rect)
{
    ter_region region = {sizeof(ter_region), *rect, NULL, 0};
    return region;
}

/** A region of tiles of width x height points. */
static inline ter_region ter_region_of_tiles(const ter_tile *tiles, size_t n_tiles, int64_t width, int64_t height)
{
    static const ter_tile none = {0, 0, 0};
    ter_region region = {sizeof(ter_region), {0, 0, 0, width, height}, n_tiles > 0 ? tiles : &none, n_tiles};
    return region;
}

/** Number format of a sample. */
typedef enum ter_sample_type {
    TER_SAMPLE_FLOAT, /**< 32-bit float in the layer's unit */
    TER_SAMPLE_U16 /**< 16-bit unsigned integer over the output's range, by ter_quantise_values; 0 for a value that is
                      not a number */
} ter_sample_type;

/** Where memory lies. */
typedef enum ter_memory {
    TER_MEMORY_HOST,  /**< the call returns when the samples are complete */
    TER_MEMORY_DEVICE /**< of the generator's CUDA device; the call returns when the work is queued on the stream */
} ter_memory;

/** One layer's array. */
typedef struct ter_output {
    ter_layer layer;
    void *samples; /**< float or uint16_t, row-major */
    double lo, hi; /**< 16-bit samples: values that become 0 and 65535, lo < hi, both finite; not read for floats */
} ter_output;

/** Where samples are stored. Tile n of a region begins at sample slots[n] * slot_stride of each output. Each of its
 * rows begins row_stride samples after the previous row. Memory between rows and between tiles is not changed. */
typedef struct ter_target {
    size_t struct_size;        /**< sizeof(ter_target) */
    const ter_output *outputs; /**< at least one; each layer at most once */
    size_t n_outputs;
    ter_sample_type sample_type; /**< of all outputs */
    ter_memory memory;           /**< of all outputs */
    size_t row_stride;           /**< samples, >= the width; 0: the width */
    size_t slot_stride;          /**< samples, >= (height - 1) * row_stride + width; 0: height * row_stride */
    const uint32_t *slots; /**< slot of each tile, in host memory; no slot may occur twice, which is not checked. NULL:
                              tile n has slot n */
    void *cuda_stream;     /**< device memory: a cudaStream_t of the generator's device, NULL for the default stream */
} ter_target;

/** A target of float arrays in host memory without gaps. */
static inline ter_target ter_target_of_outputs(const ter_output *outputs, size_t n_outputs)
{
    ter_target target = {sizeof(ter_target), outputs, n_outputs, TER_SAMPLE_FLOAT, TER_MEMORY_HOST, 0, 0, NULL, NULL};
    return target;
}

/** Fill memory with the samples of a region.
 *
 *  region  read before the call returns
 *  target  read before the call returns. Device pointers must stay valid until the stream has finished the work; they
 *          may belong to mapped GL buffers. In device memory an alignment of 16 bytes and strides divisible by 4 are
 *          fastest
 *  Errors  TER_EINVAL a rectangle or tile that is empty or outside the world, a layer that the world does not have, an
 *          invalid range, a stride that is too small, tiles that exceed the address space; also a world of
 *          basis fluvial while the stream is being captured into a graph. TER_ENOBACKEND device memory with a generator
 *          that has no device; TER_ENOMEM; TER_EDEVICE: a failure on the device after the call has returned is reported
 *          by a later call or by CUDA itself; TER_ECANCELLED
 */
TER_API ter_status ter_fill(ter_generator *generator, const ter_world *world, const ter_region *region,
                            const ter_target *target);

/** Convert values in host memory to 16-bit samples of a range: lo becomes 0, hi becomes 65535, other values are
 * clamped.
 *
 *  values  `count` floats
 *  lo, hi  lo < hi, both finite
 *  out     `count` samples; may not overlap the values
 *  Errors  TER_EINVAL invalid range
 *  Threads any, any number at once
 *  Source  x = fma(h, 1 / (hi - lo), -lo / (hi - lo)) clamped to [0, 1], then 65535 x to the nearest, ties to even; in
 *          binary32. The error of a sample is at most 0.51 steps and two units in the last place of the value
 */
TER_API ter_status ter_quantise_values(const float *values, size_t count, double lo, double hi, uint16_t *out);

/** Allocate host memory into which a generator copies its results fastest. With CUDA this is pinned memory.
 *
 *  bytes   >= 1
 *  out     receives the memory, not zeroed; free it with ter_host_memory_destroy, before the generator
 *  Errors  TER_EINVAL bytes is 0; TER_ENOMEM; TER_EDEVICE
 */
TER_API ter_status ter_host_memory_create(ter_generator *generator, size_t bytes, void **out);

/** Free memory that ter_host_memory_create made for the same generator; NULL memory is allowed. */
TER_API void ter_host_memory_destroy(ter_generator *generator, void *memory);

/* ---- statistics ---- */

/** Statistics of a rectangle's heights. */
typedef struct ter_statistics {
    size_t struct_size; /**< sizeof(ter_statistics), set by the caller */
    float min_m, max_m;
    double mean_m;
    uint64_t count; /**< points */
} ter_statistics;

/** A histogram to fill: bin n counts heights from lo + n * (hi - lo) / bins up to the first height of the next bin.
 * Heights outside the range are counted in the first or the last bin. */
typedef struct ter_histogram {
    size_t struct_size; /**< sizeof(ter_histogram) */
    float lo, hi;       /**< m, lo < hi, both finite */
    int bins;           /**< 1..TER_HISTOGRAM_BINS_MAX */
    uint64_t *counts;   /**< the caller's `bins` counters, overwritten */
} ter_histogram;

/** Minimum, maximum and mean of a rectangle, and its histogram. Only these results are copied from the device.
 *
 *  rect       at most TER_STATISTICS_COUNT_MAX points
 *  histogram  NULL for none
 *  Errors     as ter_fill; TER_EINVAL also for too many points or bins, or an empty range
 *  Source     the mean is summed exactly in fixed point, so that it has the same bits on every backend and for any
 *             number of threads
 */
TER_API ter_status ter_generator_statistics(ter_generator *generator, const ter_world *world, const ter_rect *rect,
                                            const ter_histogram *histogram, ter_statistics *out);

#ifdef __cplusplus
}
#endif

#endif
