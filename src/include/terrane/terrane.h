/* terrane/terrane.h - endless terrain by midpoint displacement: the public interface of the library `terrane`.
 *
 * A world is a pure function (parameters, level, i, j) -> height. A generator evaluates it over rectangles, batches of
 * tiles and single points, on the CPU or on a CUDA device, always with the same bits. The library never prints, exits,
 * opens windows or writes files, and it keeps no state outside the objects it hands out, but for one sentence a thread
 * (ter_error_detail).
 *
 *     ter_params -> ter_world -> ter_generator -> heights in host memory, in device memory, in an OpenGL buffer
 *                                      |
 *                                      +-- ter_fetch   rectangles on their way to host memory
 *                                      +-- ter_probe   heights at a few places, answered later
 *                                      +-- ter_morph   one landscape becomes another
 *
 * Coordinates
 *   The lattice is the grid of points of the finest level. A lattice step is the distance of two neighbours: 1 m in the
 * default world, ter_params.spacing metres in general. Level k has points at integers (i, j), 2^(levels - k) lattice
 * steps apart:
 *
 *       x = i * 2^(levels - k)   lattice steps, grows to the east
 *       z = j * 2^(levels - k)   lattice steps, grows to the south
 *
 *   Heights are metres and grow upwards. Coordinates are valid up to TER_COORDINATE_MAX, in either direction.
 *
 * What holds for every function unless its own text says otherwise
 *   Errors    A function that can fail returns a ter_status. Results leave through out-parameters: these are unchanged
 * when a call fails, and the contents of arrays that it fills are then unspecified. ter_error_detail has the reason as
 * a sentence. NULL      A pointer must not be NULL. Functions that return a ter_status answer TER_EINVAL and name the
 * argument; others do not check. Arrays of 0 elements may be NULL. Memory    What a `create` hands out belongs to the
 * caller, who frees it with the matching `destroy`. Arguments are read during the call and not kept, but for objects: a
 * world must live until the calls that it was given to have ended, and a generator longer than the fetches, probes,
 * morphs, GL buffers and host memory made of it. Threads   Any thread may call any function. Objects are not locked:
 * one call at a time for a generator together with all that was made of it. Different generators may be used at the
 * same time. A world never changes and may be shared. fork      Threads do not survive fork: a child process makes
 * generators of its own. Nor does CUDA's driver survive it: a child of a process that has used it has the CPU alone.
 */
#ifndef TERRANE_TERRANE_H
#define TERRANE_TERRANE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TER_API __attribute__((visibility("default")))
#else
#define TER_API
#endif

/* ---- version and limits ---- */

#define TER_VERSION_MAJOR 0
#define TER_VERSION_MINOR 1
#define TER_VERSION_PATCH 0
#define TER_WORLD_FORMAT                                                                                               \
    2 /**< the newest definition of heights that this version computes: of basis fluvial; others are of 1 */

#define TER_LEVELS_MAX           24
#define TER_COORDINATE_MAX       (INT64_C(1) << 46) /**< lattice steps from the origin, in either direction */
#define TER_SPACING_MIN          1e-3 /**< m a lattice step: below it slopes and curvatures would leave 32-bit floats */
#define TER_SPACING_MAX          1e6
#define TER_THREADS_MAX          4096 /**< of a generator */
#define TER_HISTOGRAM_BINS_MAX   4096
#define TER_STATISTICS_COUNT_MAX (UINT64_C(1) << 48) /**< points of one ter_generator_statistics */
#define TER_MORPH_SIDE_MAX       65536               /**< points of a side of a morph's tile */
#define TER_PROBE_POINTS_MAX     64

/** Version of the library, "major.minor.patch". Static, never NULL. */
TER_API const char *ter_version(void);

/* ---- errors ---- */

/* Status: one list makes the enum and its texts. */
#define TER_STATUS_LIST(X)                                                                                             \
    X(TER_OK, "done")                                                                                                  \
    X(TER_EINVAL, "invalid argument")                                                                                  \
    X(TER_ENOMEM, "out of memory")                                                                                     \
    X(TER_ENOBACKEND, "no such backend or device")                                                                     \
    X(TER_EDEVICE, "device failure")                                                                                   \
    X(TER_EINTEROP, "OpenGL and CUDA cannot share memory here")                                                        \
    X(TER_ECANCELLED, "given up as its generator was asked to")

typedef enum ter_status {
#define TER_STATUS_ENUM(name, text) name,
    TER_STATUS_LIST(TER_STATUS_ENUM)
#undef TER_STATUS_ENUM
} ter_status;

/** Text of a status: a few words, static, never NULL, for any value. */
TER_API const char *ter_status_text(ter_status status);

/** What went wrong in the last call of this thread that failed.
 *
 *  Returns  one sentence, never NULL, empty before the first failure; valid until the next failing call of the same
 * thread
 */
TER_API const char *ter_error_detail(void);

/* ---- worlds ---- */

/** How a new point is predicted from the coarser level before it is displaced. */
typedef enum ter_basis {
    TER_BASIS_MIDPOINT, /**< mean of the neighbours. Source: Fournier, Fussell, Carpenter 1982, "Computer rendering of
                           stochastic models" */
    TER_BASIS_SMOOTH,   /**< four-point rule in both directions. Source: Dyn, Levin, Gregory 1987, "A 4-point
                           interpolatory   subdivision scheme for curve design" */
    TER_BASIS_FLUVIAL,  /**< valleys of a drainage network, from cells of 64 km to 256 m, gullies to 8 m, and
                           displacement below.  Source: docs/world-format-2.md */
    TER_BASIS_COUNT
} ter_basis;

/** Name of a basis as the command line spells it; static, NULL when `basis` is out of range. */
TER_API const char *ter_basis_name(ter_basis basis);

/** World format that defines a basis: 1 or 2. */
TER_API int ter_basis_format(ter_basis basis);

/** Parameters of a world. Those of other bases than the world's own are not used: ter_world_params has them as 0, and
 * relief as 1.
 */
typedef struct ter_params {
    uint64_t seed;     /**< key of the random field */
    int levels;        /**< 1..TER_LEVELS_MAX; a cell of level 0 is 2^levels lattice steps wide */
    double amplitude;  /**< midpoint, smooth: m, 1e-30..1e30; greatest displacement at level 0 */
    double gain;       /**< midpoint, smooth: 0 < gain < 1; amplitude ratio from one level to the next */
    int broad;         /**< midpoint, smooth: 0..TER_LEVELS_MAX; leading steps that use broad_gain instead */
    double broad_gain; /**< midpoint, smooth: 0 < broad_gain <= 1 */
    double base;       /**< midpoint, smooth: m, -1e30..1e30; mean altitude */
    ter_basis basis;
    double valley; /**< midpoint, smooth: 0..1; how much low ground is smoothed; 0 is a homogeneous fractal */
    double sea; /**< m, finite; sea level. midpoint, smooth: metadata, heights are not clamped to it. fluvial: 0..2000;
                   above 0 it drowns the lower valleys */
    double spacing; /**< m, TER_SPACING_MIN..TER_SPACING_MAX; metres a lattice step. Heights do not depend on it; areas,
                       distances and slopes of layers do */
    double land;    /**< fluvial: -1..1; less or more land than sea. 0 is the default world's, as for what follows */
    double relief;  /**< fluvial: 0.1..3; factor of the steepness of hillsides. 1 */
    double uplift;  /**< fluvial: -1..1; less or more alpine land */
    double hills;   /**< fluvial: -1..1; plains or hills */
    double plateau; /**< fluvial: -1..1; less or more high plains with canyons */
    double ice;     /**< fluvial: -1..1; less or more land that ice has shaped: lakes, broad valleys */
    double dryness; /**< fluvial: -1..1; less or more dry land */
} ter_params;

/** Fill `params` with the default world, of basis fluvial. With its basis set to another one it is that of World format
 * 1's defaults.
 */
TER_API void ter_params_default(ter_params *params);

/** Greatest displacements of levels 0..levels.
 *
 *  out_m   room for TER_LEVELS_MAX + 1 numbers, metres; entries after `levels` are left as they are
 *  Errors  TER_EINVAL levels outside 1..TER_LEVELS_MAX; nothing is written
 */
TER_API ter_status ter_params_amplitudes(const ter_params *params, double *out_m);

/** A world: immutable; any number of threads and generators may share it. */
typedef struct ter_world ter_world;

/** Create a world.
 *
 *  params  copied
 *  out     receives the world; free it with ter_world_destroy
 *  Errors  TER_EINVAL a parameter outside its range, named by the detail; TER_ENOMEM
 */
TER_API ter_status ter_world_create(const ter_params *params, ter_world **out);

/** Free a world; NULL is allowed. No call that was given the world may be under way. */
TER_API void ter_world_destroy(ter_world *world);

/** Parameters that a world was made from; never NULL, valid as long as the world. */
TER_API const ter_params *ter_world_params(const ter_world *world);

/** Height of one point, computed on the calling thread without a generator.
 *
 *  level   0..levels
 *  i, j    level lattice coordinates, |i| and |j| << (levels - level) at most TER_COORDINATE_MAX
 *  out_m   metres
 *  Errors  TER_EINVAL level or point outside the world
 *  Threads any, any number at once
 *  Source  displacement that depends on altitude: Musgrave, Kolb, Mace 1989, "The synthesis and rendering of eroded
 * fractal terrains"; random field: Salmon, Moraes, Dror, Shaw 2011, "Parallel random numbers: as easy as 1, 2, 3"
 *          (Philox4x32-10); predictions: see ter_basis
 */
TER_API ter_status ter_world_height(const ter_world *world, int level, int64_t i, int64_t j, float *out_m);

/* ---- devices ---- */

/** Facts about a CUDA device. */
typedef struct ter_device {
    char name[256];
    int compute_major, compute_minor;
    int multiprocessors;
    uint64_t memory_bytes;
    int driver_version, runtime_version; /**< as CUDA counts them: 1000 * major + 10 * minor */
} ter_device;

/** Number of usable CUDA devices.
 *
 *  reason   when there are none, receives why, cut to reason_size and terminated; NULL is allowed with a reason_size of
 * 0 Returns  0 or more; 0 too in a build without CUDA
 */
TER_API int ter_device_count(char *reason, size_t reason_size);

/** Facts about one device.
 *
 *  device  0 .. ter_device_count - 1
 *  Errors  TER_ENOBACKEND no such device, or a build without CUDA; TER_EDEVICE
 */
TER_API ter_status ter_device_describe(int device, ter_device *out);

/* ---- layers ---- */

/* Layer: name on the command line and in files, unit ("" for a share of 0..1), what it is. One list makes the enum and
 * its texts. Areas, distances and steepness are those of the world, in metres, whatever its spacing. Flow is of
 * channels, not of points: all of a hillside has the number of the channel that it drains to, not the area that drains
 * through the point itself. */
#define TER_LAYER_LIST(X)                                                                                              \
    X(TER_LAYER_HEIGHT, "height", "m", "altitude of the ground, of the bed under water")                               \
    X(TER_LAYER_WATER, "water", "m",                                                                                   \
      "altitude of the water's surface: rivers, lakes, the sea; not a number where it is dry")                         \
    X(TER_LAYER_FLOW, "flow", "m2",                                                                                    \
      "area that the channel beside the point drains, one number along its side; not flow accumulation")               \
    X(TER_LAYER_SHORE, "shore", "m", "distance to the middle of that channel")                                         \
    X(TER_LAYER_RELIEF, "relief", "m/m", "steepness of the province: hillsides are about half as steep")               \
    X(TER_LAYER_PLAIN, "plain", "", "share of the province that is plain")                                             \
    X(TER_LAYER_PLATEAU, "plateau", "", "share that is plateau")                                                       \
    X(TER_LAYER_ICE, "ice", "", "share of ice in the shaping of the land")                                             \
    X(TER_LAYER_DRYNESS, "dryness", "", "how dry the province is")

/** A layer: one number for each point. Basis fluvial has all of them, the others the height alone. */
typedef enum ter_layer {
#define TER_LAYER_ENUM(name, text, unit, meaning) name,
    TER_LAYER_LIST(TER_LAYER_ENUM)
#undef TER_LAYER_ENUM
        TER_LAYER_COUNT
} ter_layer;

/** Name of a layer as the command line spells it; static, NULL when `layer` is out of range. */
TER_API const char *ter_layer_name(ter_layer layer);

/** Unit of a layer: "m", "m2", "m/m", or "" for a share of 0..1; static, NULL when `layer` is out of range. */
TER_API const char *ter_layer_unit(ter_layer layer);

/** What a layer holds, in a few words; static, NULL when `layer` is out of range. */
TER_API const char *ter_layer_meaning(ter_layer layer);

/** Whether a world has a layer: 1 or 0. */
TER_API int ter_world_has_layer(const ter_world *world, ter_layer layer);

/** Where layers go: an array for each that is wanted, NULL for the others. All have the same layout. */
typedef struct ter_layers {
    float *at[TER_LAYER_COUNT];
} ter_layers;

/* ---- generators ---- */

typedef enum ter_backend { TER_BACKEND_AUTO, TER_BACKEND_CPU, TER_BACKEND_CUDA } ter_backend;

/** How a rectangle is computed. All methods return the same bits. */
typedef enum ter_method {
    TER_METHOD_TILED,       /**< coarse levels once a tile, in caches or shared memory, the last ones in registers: the
                               fastest */
    TER_METHOD_RECURSIVE,   /**< a pass a level over the whole array. Source: Fournier, Fussell, Carpenter 1982 */
    TER_METHOD_SINGLE_PASS, /**< every thread computes the hierarchy of its own samples from the root */
    TER_METHOD_COUNT
} ter_method;

/** Instruction set level of the CPU backend. */
typedef enum ter_simd { TER_SIMD_AUTO, TER_SIMD_BASELINE, TER_SIMD_AVX2, TER_SIMD_AVX512, TER_SIMD_COUNT } ter_simd;

/** Name of a method as the command line spells it; static, NULL when `method` is out of range. */
TER_API const char *ter_method_name(ter_method method);

/** Name of a backend as the command line spells it; static, never NULL. */
TER_API const char *ter_backend_name(ter_backend backend);

/** Name of an instruction set level; the baseline's is that of the machine: "sse2", "neon" or "scalar". Static, NULL
 * when `simd` is out of range. */
TER_API const char *ter_simd_name(ter_simd simd);

/** Best instruction set level that this machine and this build can run; never TER_SIMD_AUTO. */
TER_API ter_simd ter_simd_best(void);

/** How a generator works; all zero is the default. */
typedef struct ter_generator_options {
    ter_backend backend; /**< TER_BACKEND_AUTO: CUDA where it can run, else the CPU */
    ter_method method;
    int threads;      /**< CPU threads, 0..TER_THREADS_MAX; 0: one for each processor this process may use */
    ter_simd simd;    /**< CPU instruction set level; TER_SIMD_AUTO: the best one here */
    int device;       /**< CUDA device, 0 .. ter_device_count - 1 */
    int is_by_sample; /**< CUDA single-pass: not 0 for one sample a thread instead of a patch of samples */
    int (*is_cancelled)(void *user); /**< asked now and then by calls that make heights: not 0 has them end soon with
                                          TER_ECANCELLED, on the CPU in some tenths of a second, on a device before it
                                        begins. Any thread of the generator asks, several at a time; once not 0, the
                                        answer stays so until the call has ended. NULL: never */
    void *cancel_user;               /**< what is_cancelled gets */
} ter_generator_options;

/** A generator: backend, method, threads and scratch memory. */
typedef struct ter_generator ter_generator;

/** Create a generator. One for the CPU starts its threads now; where the system refuses some, it works with those it
 * has, and ter_generator_threads and ter_generator_reason say so.
 *
 *  options  NULL for all defaults; copied
 *  out      receives the generator; free it with ter_generator_destroy
 *  Errors   TER_ENOBACKEND the named backend, device or instruction set level cannot run here; TER_EINVAL an option
 * outside its range; TER_ENOMEM; TER_EDEVICE
 */
TER_API ter_status ter_generator_create(const ter_generator_options *options, ter_generator **out);

/** Free a generator, its threads and its scratch memory; NULL is allowed. Waits for its work on the device. What was
 * made of it must have been freed. */
TER_API void ter_generator_destroy(ter_generator *generator);

/** Backend a generator runs on: TER_BACKEND_CPU or TER_BACKEND_CUDA. */
TER_API ter_backend ter_generator_backend(const ter_generator *generator);

/** CPU threads that a generator works with, the caller's included; 0 for one that runs on a device. */
TER_API int ter_generator_threads(const ter_generator *generator);

/** Why the backend was chosen, and how many threads the system refused, for the user ("no CUDA device: ..."); never
 * NULL, valid as long as the generator. */
TER_API const char *ter_generator_reason(const ter_generator *generator);

/* ---- rectangles and batches of tiles in host memory ---- */

/** A rectangle of one level's lattice: points (i + column, j + row), column < width, row < height; row 0 is the north
 * edge. */
typedef struct ter_rect {
    int level;             /**< 0..levels */
    int64_t i, j;          /**< level lattice coordinates of the north-west point */
    int64_t width, height; /**< points, >= 1; at most 2^31 - 1 where heights are stored */
} ter_rect;

/** Fill host memory with the heights of a rectangle.
 *
 *  out     width * height floats, metres, row-major: out[row * stride + column]; what lies between rows stays as it is
 *  stride  floats from one row to the next, >= width
 *  Errors  TER_EINVAL rectangle empty or outside the world, stride too small; TER_ENOMEM; TER_EDEVICE
 */
TER_API ter_status ter_generator_fill(ter_generator *generator, const ter_world *world, const ter_rect *rect,
                                      float *out, size_t stride);

/** North-west point of a tile of a batch. */
typedef struct ter_tile {
    int level;    /**< 0..levels */
    int64_t i, j; /**< level lattice coordinates */
} ter_tile;

/** Where the tiles of a batch go: tile n starts at out + slot[n] * slot_stride, its rows follow at row_stride. */
typedef struct ter_tile_layout {
    int width, height;     /**< points of every tile, >= 1 */
    size_t row_stride;     /**< samples, >= width */
    size_t slot_stride;    /**< samples, >= (height - 1) * row_stride + width; not read for a single tile in slot 0 */
    const uint32_t *slots; /**< a slot a tile, each at most once; or NULL: tile n goes to slot n */
} ter_tile_layout;

/** Fill host memory with a batch of tiles, of any mixture of levels.
 *
 *  tiles   `count` tiles; 0 is allowed and does nothing
 *  out     floats, metres, placed by `layout`; what lies between rows and tiles stays as it is
 *  Errors  as ter_generator_fill; TER_EINVAL also for a layout whose tiles overlap or lie beyond the address space
 */
TER_API ter_status ter_generator_fill_tiles(ter_generator *generator, const ter_world *world, const ter_tile *tiles,
                                            size_t count, const ter_tile_layout *layout, float *out);

/** Heights at single points of one level, into host memory.
 *
 *  points  `count` pairs i, j, level lattice coordinates; 0 is allowed and does nothing
 *  out     `count` floats, metres
 *  Errors  TER_EINVAL level or a point outside the world; TER_ENOMEM; TER_EDEVICE
 */
TER_API ter_status ter_generator_heights(ter_generator *generator, const ter_world *world, int level,
                                         const int64_t (*points)[2], size_t count, float *out);

/** Fill host memory with several layers of a rectangle at once.
 *
 *  out     for each wanted layer width * height floats, row-major: out->at[layer][row * stride + column]; at least one
 *  stride  floats from one row to the next, >= width
 *  Errors  as ter_generator_fill; TER_EINVAL also for no layer, and for one that the world does not have
 */
TER_API ter_status ter_generator_fill_layers(ter_generator *generator, const ter_world *world, const ter_rect *rect,
                                             const ter_layers *out, size_t stride);

/** Fill host memory with several layers of a batch of tiles at once.
 *
 *  layout  of each layer's array
 *  Errors  as ter_generator_fill_tiles and ter_generator_fill_layers
 */
TER_API ter_status ter_generator_fill_tiles_layers(ter_generator *generator, const ter_world *world,
                                                   const ter_tile *tiles, size_t count, const ter_tile_layout *layout,
                                                   const ter_layers *out);

/** Heights in host memory as 16-bit samples over a range: 0 is lo, 65535 is hi, what lies outside is clamped.
 *
 *  heights  `count` floats, metres
 *  lo, hi   metres, lo < hi, both finite
 *  out      `count` samples; may not overlap the heights
 *  Errors   TER_EINVAL range
 *  Threads  any, any number at once
 *  Source   x = fma(h, 1 / (hi - lo), -lo / (hi - lo)) clamped to [0, 1], then 65535 x to the nearest, ties to even; in
 * binary32, so a sample is at most 0.51 steps and two of the height's own last places off
 */
TER_API ter_status ter_quantise_heights(const float *heights, size_t count, double lo, double hi, uint16_t *out);

/** Host memory that a generator's results reach fastest: pinned for CUDA.
 *
 *  bytes   >= 1
 *  out     receives the memory, not zeroed; free it with ter_host_memory_destroy, before the generator
 *  Errors  TER_EINVAL no bytes; TER_ENOMEM; TER_EDEVICE
 */
TER_API ter_status ter_host_memory_create(ter_generator *generator, size_t bytes, void **out);

/** Free memory of ter_host_memory_create of the same generator; NULL memory is allowed. */
TER_API void ter_host_memory_destroy(ter_generator *generator, void *memory);

/* ---- device memory ---- */

/** Fill device memory of the generator's CUDA device; returns when the work is queued on the stream.
 *
 *  out          device pointer, row-major: out[row * stride + column]; 16-byte alignment and a stride divisible by 4
 * are fastest; it must stay valid until the stream has come past the work stride       floats from one row to the next,
 * >= width cuda_stream  a cudaStream_t of the generator's device, NULL for the default stream Errors TER_ENOBACKEND the
 * generator has no device; else as ter_generator_fill. What fails on the device later is reported by a later call or by
 * CUDA itself
 */
TER_API ter_status ter_generator_fill_device(ter_generator *generator, const ter_world *world, const ter_rect *rect,
                                             float *out, size_t stride, void *cuda_stream);

/** Fill device memory with a batch of tiles; returns when the work is queued on the stream.
 *
 *  tiles   `count` tiles in host memory, copied before the call returns, as are the layout's slots
 *  out     device pointer; alignment, lifetime and stream as for ter_generator_fill_device
 *  Errors  as ter_generator_fill_device and ter_generator_fill_tiles
 */
TER_API ter_status ter_generator_fill_tiles_device(ter_generator *generator, const ter_world *world,
                                                   const ter_tile *tiles, size_t count, const ter_tile_layout *layout,
                                                   float *out, void *cuda_stream);

/** Fill device memory with several layers of a batch of tiles; returns when the work is queued on the stream. The
 * pointers may be those of mapped GL buffers.
 *
 *  layout  of each layer's array
 *  out     device pointers; alignment, lifetime and stream as for ter_generator_fill_device
 *  Errors  as ter_generator_fill_tiles_device and ter_generator_fill_layers; TER_EINVAL also for a world of basis
 * fluvial while the stream records a graph
 */
TER_API ter_status ter_generator_fill_tiles_layers_device(ter_generator *generator, const ter_world *world,
                                                          const ter_tile *tiles, size_t count,
                                                          const ter_tile_layout *layout, const ter_layers *out,
                                                          void *cuda_stream);

/** Wait until the work that is queued on a stream is done; the calling thread sleeps or spins as CUDA chooses.
 *
 *  cuda_stream  a cudaStream_t of the generator's device, NULL for the default stream
 *  Errors       TER_ENOBACKEND the generator has no device; TER_EDEVICE, also for what has failed on the device since
 */
TER_API ter_status ter_generator_wait(ter_generator *generator, void *cuda_stream);

/** The generator's own stream: work on it runs beside that of the default stream, which does not wait for it.
 *
 *  Returns   a cudaStream_t of the generator's device; NULL for a generator without one
 *  Lifetime  that of the generator
 */
TER_API void *ter_generator_stream(const ter_generator *generator);

/** Where 16-bit samples of a batch go in device memory, and which heights they stand for. */
typedef struct ter_quantised_output {
    const ter_tile_layout *layout; /**< strides in samples */
    double lo, hi;                 /**< metres, lo < hi, both finite: samples 0 and 65535 */
    uint16_t *samples;             /**< device pointer; 8-byte alignment and strides divisible by 4 are fastest */
} ter_quantised_output;

/** Fill device memory with a batch of tiles as 16-bit samples, those of ter_quantise_heights; returns when the work is
 * queued.
 *
 *  tiles   `count` tiles in host memory, copied before the call returns, as are the layout's slots
 *  output  read before the call returns
 *  Errors  as ter_generator_fill_tiles_device; TER_EINVAL also for the range, and for a generator of another method
 * than tiled
 */
TER_API ter_status ter_generator_fill_tiles_device_u16(ter_generator *generator, const ter_world *world,
                                                       const ter_tile *tiles, size_t count,
                                                       const ter_quantised_output *output, void *cuda_stream);

/* ---- fetches: rectangles on their way to host memory ---- */

/** One rectangle at a time is made and, with CUDA, copied to pinned memory in the background. With several fetches of a
 * generator, making, copying and what the caller does with the heights overlap. Calls follow one another: start, wait,
 * start, wait. */
typedef struct ter_fetch ter_fetch;

/** Create a fetch.
 *
 *  samples_max  most points of a rectangle, >= 1; memory for all of them is reserved now
 *  out          receives the fetch; free it with ter_fetch_destroy, before the generator
 *  Errors       TER_EINVAL none, or more than memory can be addressed for; TER_ENOMEM; TER_EDEVICE
 */
TER_API ter_status ter_fetch_create(ter_generator *generator, size_t samples_max, ter_fetch **out);

/** Start to make a rectangle; a CUDA generator returns at once, another one when the heights are there.
 *
 *  Errors  as ter_generator_fill; TER_EINVAL also for more than samples_max points
 */
TER_API ter_status ter_fetch_start(ter_fetch *fetch, const ter_world *world, const ter_rect *rect);

/** Start to make a rectangle as 16-bit samples over a range, those of ter_quantise_heights.
 *
 *  lo, hi  metres, lo < hi, both finite
 *  Errors  as ter_fetch_start; TER_EINVAL also for the range
 */
TER_API ter_status ter_fetch_start_u16(ter_fetch *fetch, const ter_world *world, const ter_rect *rect, double lo,
                                       double hi);

/** A rectangle that has arrived: width * height values, row-major without gaps. */
typedef struct ter_fetched {
    float *heights;     /**< metres; NULL when 16-bit samples were asked for; the caller may change them */
    uint16_t *samples;  /**< or these; the caller may change them */
    float min_m, max_m; /**< least and greatest height, before quantisation */
    uint64_t n_clamped; /**< samples whose heights lie outside the range */
} ter_fetched;

/** Wait for the rectangle started last.
 *
 *  out     its values belong to the fetch and are valid until the next start, or the end of the fetch
 *  Errors  TER_EINVAL nothing was started; TER_EDEVICE
 */
TER_API ter_status ter_fetch_wait(ter_fetch *fetch, ter_fetched *out);

/** Free a fetch; waits for what it has under way. NULL is allowed. */
TER_API void ter_fetch_destroy(ter_fetch *fetch);

/* ---- statistics ---- */

/** What is known of a rectangle's heights. */
typedef struct ter_statistics {
    float min_m, max_m;
    double mean_m;
    uint64_t count; /**< points */
} ter_statistics;

/** A histogram to be made: bin n counts heights from lo + n * (hi - lo) / bins on; those outside go to the first or the
 * last bin.
 */
typedef struct ter_histogram {
    float lo, hi;     /**< m, lo < hi, both finite */
    int bins;         /**< 1..TER_HISTOGRAM_BINS_MAX */
    uint64_t *counts; /**< `bins` counters of the caller's, overwritten */
} ter_histogram;

/** Minimum, maximum and mean of a rectangle, and its histogram; nothing but these leaves the device.
 *
 *  rect       at most TER_STATISTICS_COUNT_MAX points
 *  histogram  NULL for none
 *  Errors     as ter_generator_fill; TER_EINVAL also for too many points or bins, or an empty range
 *  Source     the mean is summed exactly in fixed point, so it has the same bits on every backend and for any number of
 * threads
 */
TER_API ter_status ter_generator_statistics(ter_generator *generator, const ter_world *world, const ter_rect *rect,
                                            const ter_histogram *histogram, ter_statistics *out);

/* ---- morphs: one landscape becomes another ---- */

/** How far the second landscape has come: at lattice point (X, Z) the share is a smooth step of
 *      begun + along_x * (X - x) + along_z * (Z - z), clamped to 0..1.
 *  With along_x = along_z = 0 the land changes everywhere at once; else a front stands across the direction (along_x,
 * along_z), 1 / |along| lattice steps wide. */
typedef struct ter_blend {
    int64_t x, z;            /**< lattice coordinates of the origin, |x| and |z| at most TER_COORDINATE_MAX */
    double along_x, along_z; /**< 1 / lattice steps, finite */
    double begun;            /**< finite */
} ter_blend;

/** Share of the second landscape at a place.
 *
 *  x, z     lattice coordinates, may be fractions
 *  Returns  0..1
 *  Threads  any, any number at once
 */
TER_API double ter_blend_at(const ter_blend *blend, double x, double z);

/** Where all points of a rectangle stand in a blend. */
typedef enum ter_blend_phase {
    TER_BLEND_BEFORE, /**< they are exactly the first landscape's */
    TER_BLEND_WITHIN, /**< some may be in between */
    TER_BLEND_AFTER   /**< they are exactly the second's */
} ter_blend_phase;

/** Where all points of a rectangle stand in a blend: what has been written before the front or behind it need not be
 * written again as long as it stays there.
 *
 *  levels, rect  1..TER_LEVELS_MAX, and a rectangle of a level among them
 *  out           receives the phase
 *  Errors        TER_EINVAL levels outside their range, a rectangle or an origin outside the world, a number that is
 * not finite Threads       any, any number at once
 */
TER_API ter_status ter_blend_phase_over(const ter_blend *blend, int levels, const ter_rect *rect, ter_blend_phase *out);

/** Heights of two landscapes for a number of tile slots, in device memory of a CUDA generator, else in host memory. */
typedef struct ter_morph ter_morph;

/** Create a morph.
 *
 *  n_slots        tiles, 1..2^32 - 1; memory for two landscapes of them is reserved now
 *  width, height  points of a tile, 1..TER_MORPH_SIDE_MAX each
 *  out            receives the morph; free it with ter_morph_destroy, before the generator
 *  Errors         TER_EINVAL a size outside its range, or more than memory can be addressed for; TER_ENOMEM;
 * TER_EDEVICE
 */
TER_API ter_status ter_morph_create(ter_generator *generator, size_t n_slots, int width, int height, ter_morph **out);

/** Keep water beside the heights, from the next load on; memory for it is reserved now.
 *
 *  Errors  TER_ENOMEM; TER_EDEVICE
 */
TER_API ter_status ter_morph_add_water(ter_morph *morph);

/** Fill slots of one landscape with tiles of a world; with their water where the morph keeps it and the world has it.
 *
 *  landscape    0 or 1; all its slots that are blended hold tiles of one world
 *  tiles, held  `count` tiles of the morph's size, and the slot that each is for, 0 .. n_slots - 1
 *  cuda_stream  of a CUDA generator, on which the work is queued; else not read
 *  Threads      with a CUDA generator one thread may load slots while another one blends others, of the same two worlds
 *  Errors       as ter_generator_fill_tiles; TER_EINVAL also for a slot or a landscape that does not exist
 */
TER_API ter_status ter_morph_load(ter_morph *morph, int landscape, const ter_world *world, const ter_tile *tiles,
                                  const uint32_t *held, size_t count, void *cuda_stream);

/** The same by another generator, so that both landscapes can be loaded at one time: of one device, each on a stream of
 * its own.
 *
 *  generator  of the morph's backend and device
 *  Errors     as ter_morph_load; TER_EINVAL also for a generator of another backend
 */
TER_API ter_status ter_morph_load_by(ter_morph *morph, ter_generator *generator, int landscape, const ter_world *world,
                                     const ter_tile *tiles, const uint32_t *held, size_t count, void *cuda_stream);

/** Fill slots of one landscape with tiles of a world that have been made already: a copy instead of a second making.
 *
 *  landscape    as for ter_morph_load
 *  layout, in   where the tiles lie, `count` slots of the morph's size: heights, and water where the morph keeps it and
 * the world has it; device memory of a CUDA generator, else host memory held         the slot that each is for, 0 ..
 * n_slots - 1 cuda_stream  as for ter_morph_load Threads      likewise Errors       TER_EINVAL a slot or a landscape
 * that does not exist, another size; TER_EDEVICE
 */
TER_API ter_status ter_morph_take(ter_morph *morph, int landscape, const ter_world *world,
                                  const ter_tile_layout *layout, const ter_layers *in, const uint32_t *held,
                                  size_t count, void *cuda_stream);

/** Tiles of a morph that are to be blended. */
typedef struct ter_morph_tiles {
    int levels;            /**< of the world whose levels `tiles` count, 1..TER_LEVELS_MAX */
    const ter_tile *tiles; /**< north-west points of the slots in `held` */
    const uint32_t *held;  /**< loaded slots */
    size_t count;          /**< of both arrays; 0 does nothing */
} ter_morph_tiles;

/** Write the blended heights of loaded slots: exactly the first landscape where the share is 0, exactly the second
 * where it is 1. Points that tiles share get the same bits, whatever their levels.
 *
 *  layout       of out; width and height are the morph's
 *  out          device memory of a CUDA generator, else host memory; metres
 *  cuda_stream  of a CUDA generator, on which the work is queued; else not read
 *  Errors       TER_EINVAL a slot that does not exist, a tile or an origin outside the world, another size, a number
 * that is not finite; TER_ENOMEM; TER_EDEVICE
 */
TER_API ter_status ter_morph_blend(ter_morph *morph, const ter_blend *blend, const ter_morph_tiles *tiles,
                                   const ter_tile_layout *layout, float *out, void *cuda_stream);

/** Write the blended heights of loaded slots into host memory, whatever the generator; returns when they are there.
 *
 *  out     tile after tile without gaps, width * height floats each, metres
 *  Errors  as ter_morph_blend
 */
TER_API ter_status ter_morph_blend_host(ter_morph *morph, const ter_blend *blend, const ter_morph_tiles *tiles,
                                        float *out);

/** Write blended heights and water of loaded slots. Depths of rivers and lakes are blended over the blended ground, so
 * that the water of one landscape sinks into the ground of the other; the sea, one level, is left out between; at
 * shares of 0 and 1 the layer is exactly that landscape's. A world without the layer is dry.
 *
 *  out     arrays for the height, and for the water or NULL for that; `layout` is that of each
 *  Errors  as ter_morph_blend; TER_EINVAL also for other layers, and for water that the morph does not keep
 */
TER_API ter_status ter_morph_blend_layers(ter_morph *morph, const ter_blend *blend, const ter_morph_tiles *tiles,
                                          const ter_tile_layout *layout, const ter_layers *out, void *cuda_stream);

/** The same into host memory, whatever the generator: tile after tile without gaps. Errors as ter_morph_blend_layers */
TER_API ter_status ter_morph_blend_layers_host(ter_morph *morph, const ter_blend *blend, const ter_morph_tiles *tiles,
                                               const ter_layers *out);

/** Free a morph; NULL is allowed. Its work on a stream must have ended. */
TER_API void ter_morph_destroy(ter_morph *morph);

/* ---- probes: heights under a moving camera ---- */

/** Ground heights at a few places, answered later: the device writes them into mapped pinned memory, the caller never
 * waits. */
typedef struct ter_probe ter_probe;

/** One place: the height there of the surface through the points of `level`, bilinear between them, or a mixture of it
 * and the next coarser level's, as geomorphing shows. */
typedef struct ter_probe_point {
    double x, z;   /**< lattice coordinates, may be fractions; |x| and |z| at most TER_COORDINATE_MAX */
    int level;     /**< 0..levels */
    float coarser; /**< share 0..1 of level - 1; 0 at level 0 */
} ter_probe_point;

/** Create a probe.
 *
 *  out     receives the probe; free it with ter_probe_destroy, before the generator
 *  Errors  TER_ENOMEM; TER_EDEVICE
 */
TER_API ter_status ter_probe_create(ter_generator *generator, ter_probe **out);

/** From now on answers are heights of the surface: of the water where there is water over the ground, else of the
 * ground. */
TER_API ter_status ter_probe_over_water(ter_probe *probe);

/** Ask for the heights at some places. A question is dropped, with TER_OK, while too many are unanswered.
 *
 *  points  `count` places, 1..TER_PROBE_POINTS_MAX
 *  ticket  a number of the caller's own, handed back with the answer
 *  Errors  TER_EINVAL a place outside the world, a share outside 0..1, too many points; TER_EDEVICE
 */
TER_API ter_status ter_probe_ask(ter_probe *probe, const ter_world *world, const ter_probe_point *points, int count,
                                 uint64_t ticket);

/** Ask while a landscape becomes another: at each corner of a cell the heights of both are blended as ter_morph_blend
 * does.
 *
 *  world, to  the first landscape, whose levels `points` count, and the second one
 *  Errors     as ter_probe_ask; TER_EINVAL also for a blend as in ter_morph_blend, and for a level that `to` does not
 * have
 */
TER_API ter_status ter_probe_ask_blend(ter_probe *probe, const ter_world *world, const ter_world *to,
                                       const ter_blend *blend, const ter_probe_point *points, int count,
                                       uint64_t ticket);

/** Newest complete answer. Never waits.
 *
 *  ticket  that of the question
 *  count   places of the question; 0 when there is no answer yet
 *  out_m   room for TER_PROBE_POINTS_MAX heights, metres, in the order asked
 *  Errors  TER_EDEVICE
 */
TER_API ter_status ter_probe_answer(ter_probe *probe, uint64_t *ticket, int *count, float out_m[TER_PROBE_POINTS_MAX]);

/** Free a probe; waits for questions under way. NULL is allowed. */
TER_API void ter_probe_destroy(ter_probe *probe);

/* ---- OpenGL buffers ---- */

/** An OpenGL buffer object that a CUDA generator writes into. All calls on the thread where the GL context is current.
 */
typedef struct ter_gl_buffer ter_gl_buffer;

/** Register a GL buffer for writing.
 *
 *  name    GL buffer object with allocated storage
 *  out     receives the registration; free it with ter_gl_buffer_unregister, before the generator and before the GL
 * buffer Errors  TER_ENOBACKEND the generator has no device; TER_EINTEROP this context and this device cannot share
 * memory, the detail says why: fill host memory and upload instead; TER_ENOMEM
 */
TER_API ter_status ter_gl_buffer_register(ter_generator *generator, unsigned int name, ter_gl_buffer **out);

/** Map the buffer for CUDA; GL must not use it until ter_gl_buffer_unmap.
 *
 *  out, bytes  receive the device pointer and the size
 *  Errors      TER_EDEVICE
 */
TER_API ter_status ter_gl_buffer_map(ter_gl_buffer *buffer, void *cuda_stream, float **out, size_t *bytes);

/** Give the buffer back to GL; work queued on the stream before this call is seen by GL commands after it. Errors
 * TER_EDEVICE */
TER_API ter_status ter_gl_buffer_unmap(ter_gl_buffer *buffer, void *cuda_stream);

/** Unregister; NULL is allowed. The GL buffer itself stays. */
TER_API void ter_gl_buffer_unregister(ter_gl_buffer *buffer);

#ifdef __cplusplus
}
#endif

#endif
