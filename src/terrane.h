/* terrane.h - endless terrain by midpoint displacement: the public interface of the library `terrane`.
 *
 * A world is a pure function (parameters, level, i, j) -> height; a generator evaluates it over rectangles, batches of tiles and
 * single points, on the CPU or on a CUDA device, always with the same bits. The library never prints, exits, opens windows or
 * writes files, and it keeps no state outside the objects it hands out (but for one thread-local sentence, ter_error_detail).
 *
 * Coordinates: level k has points at integer (i, j), spaced 2^(levels - k) lattice steps; x = i * 2^(levels - k) grows to the
 * east, z = j * 2^(levels - k) to the south, heights are metres and grow upwards. Valid: |x|, |z| <= TER_COORDINATE_MAX.
 *
 * Unless a function says otherwise: pointers must not be NULL, results leave through out-parameters and are untouched or
 * unspecified on error, and different objects may be used from different threads at the same time.
 */
#ifndef TERRANE_H
#define TERRANE_H

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

#define TER_VERSION_MAJOR 0
#define TER_VERSION_MINOR 1
#define TER_VERSION_PATCH 0
#define TER_WORLD_FORMAT  1

#define TER_LEVELS_MAX     24
#define TER_COORDINATE_MAX (INT64_C(1) << 46)

/* Status: one list makes the enum and its texts. */
#define TER_STATUS_LIST(X)                                                                                                         \
    X(TER_OK, "done")                                                                                                              \
    X(TER_EINVAL, "invalid argument")                                                                                              \
    X(TER_ENOMEM, "out of memory")                                                                                                 \
    X(TER_ENOBACKEND, "no such backend or device")                                                                                 \
    X(TER_EDEVICE, "device failure")                                                                                               \
    X(TER_EINTEROP, "OpenGL and CUDA cannot share memory here")

typedef enum ter_status {
#define TER_STATUS_ENUM(name, text) name,
    TER_STATUS_LIST(TER_STATUS_ENUM)
#undef TER_STATUS_ENUM
} ter_status;

/** Text of a status: a few words, static, never NULL. */
TER_API const char *ter_status_text(ter_status status);

/** What exactly went wrong in the last call of this thread that failed: one sentence, never NULL, valid until the next failing
 *  call of the same thread. */
TER_API const char *ter_error_detail(void);

/** Version of the library, "major.minor.patch", static. */
TER_API const char *ter_version(void);

/* ---- worlds ---- */

typedef enum ter_basis { TER_BASIS_MIDPOINT, TER_BASIS_SMOOTH } ter_basis;

/** Parameters of a world, world format 1. Units are metres where a field has one. */
typedef struct ter_params {
    uint64_t seed;     /**< key of the random field */
    int levels;        /**< 1..24; a root cell is 2^levels lattice steps wide */
    double amplitude;  /**< m, > 0; displacement amplitude at level 0 */
    double gain;       /**< 0 < gain < 1; amplitude ratio from one level to the next */
    int broad;         /**< 0..24; leading steps that use broad_gain instead */
    double broad_gain; /**< 0 < broad_gain <= 1 */
    double base;       /**< m; mean altitude */
    ter_basis basis;   /**< how a new point is predicted before it is displaced */
    double valley;     /**< 0..1; how much low ground is smoothed; 0 is a homogeneous fractal */
    double sea;        /**< m; sea level, metadata: heights are not clamped */
    double spacing;    /**< m, > 0; metres per lattice step, metadata */
} ter_params;

/** Fill `params` with the default world. */
TER_API void ter_params_default(ter_params *params);

/** Displacement amplitudes of levels 0..levels, metres: out_m has room for TER_LEVELS_MAX + 1. Any thread. */
TER_API void ter_params_amplitudes(const ter_params *params, double *out_m);

/** A world: immutable, may be shared by any number of threads and generators. */
typedef struct ter_world ter_world;

/** Create a world.
 *
 *  params  copied
 *  out     receives the world; free it with ter_world_destroy after the generators are done with it
 *  Errors  TER_EINVAL a parameter outside its range (ter_error_detail names it); TER_ENOMEM
 */
TER_API ter_status ter_world_create(const ter_params *params, ter_world **out);

/** Free a world; NULL is allowed. */
TER_API void ter_world_destroy(ter_world *world);

/** Parameters a world was made from; valid as long as the world. */
TER_API const ter_params *ter_world_params(const ter_world *world);

/** Height of one point, metres, computed on the calling thread.
 *
 *  level   0..levels
 *  i, j    level lattice coordinates, |i|, |j| << (levels - level) <= TER_COORDINATE_MAX
 *  Errors  TER_EINVAL level or point outside the world
 *  Source  midpoint displacement: Fournier, Fussell, Carpenter 1982; four-point rule: Dyn, Levin, Gregory 1987;
 *          altitude-dependent displacement: Musgrave, Kolb, Mace 1989; random field: Salmon et al. 2011 (Philox4x32-10)
 */
TER_API ter_status ter_world_height(const ter_world *world, int level, int64_t i, int64_t j, float *out_m);

/* ---- generators ---- */

typedef enum ter_backend { TER_BACKEND_AUTO, TER_BACKEND_CPU, TER_BACKEND_CUDA } ter_backend;

/** How a rectangle is computed; all methods return the same bits. */
typedef enum ter_method {
    TER_METHOD_TILED,       /**< a tile's coarse hierarchy once, then the rest in registers: the fastest */
    TER_METHOD_RECURSIVE,   /**< a pass per level over the whole array */
    TER_METHOD_SINGLE_PASS, /**< every thread recomputes the hierarchy of its sample, or of its few, from the root */
    TER_METHOD_COUNT
} ter_method;

/** Name of a method as the command line spells it, or NULL when `method` is out of range. */
TER_API const char *ter_method_name(ter_method method);

/** Name of a backend as the command line spells it. */
TER_API const char *ter_backend_name(ter_backend backend);

typedef enum ter_simd { TER_SIMD_AUTO, TER_SIMD_BASELINE, TER_SIMD_AVX2, TER_SIMD_AVX512, TER_SIMD_COUNT } ter_simd;

/** Name of an instruction set level of the CPU backend ("sse2" or "neon" is the baseline). */
TER_API const char *ter_simd_name(ter_simd simd);

/** Best instruction set level this machine and this build can run. */
TER_API ter_simd ter_simd_best(void);

typedef struct ter_generator_options {
    ter_backend backend; /**< TER_BACKEND_AUTO: CUDA where it can run, else the CPU */
    ter_method method;
    int threads;      /**< CPU threads, 0 = all cores this process may use */
    ter_simd simd;    /**< CPU instruction set level, TER_SIMD_AUTO = the best one here */
    int device;       /**< CUDA device ordinal */
    int is_by_sample; /**< CUDA single-pass: not 0 for one sample a thread, as in the talk, instead of a patch */
} ter_generator_options;

/** A generator: backend, method and scratch memory. One call at a time per generator. */
typedef struct ter_generator ter_generator;

/** Create a generator.
 *
 *  options  NULL for all defaults; copied
 *  out      free it with ter_generator_destroy
 *  Errors   TER_ENOBACKEND the named backend, device or SIMD level cannot run here (the detail says why); TER_EINVAL; TER_ENOMEM
 */
TER_API ter_status ter_generator_create(const ter_generator_options *options, ter_generator **out);

/** Free a generator and its scratch memory; NULL is allowed. Waits for its work on the device. */
TER_API void ter_generator_destroy(ter_generator *generator);

/** Backend a generator runs on: TER_BACKEND_CPU or TER_BACKEND_CUDA. */
TER_API ter_backend ter_generator_backend(const ter_generator *generator);

/** Why the backend was chosen, one sentence for the user ("no CUDA device: ..."); valid as long as the generator. */
TER_API const char *ter_generator_reason(const ter_generator *generator);

/** A rectangle of one level's lattice: points (i + column, j + row), column < width, row < height; row 0 is the north edge. */
typedef struct ter_rect {
    int level;             /**< 0..levels */
    int64_t i, j;          /**< level lattice coordinates of the north-west point */
    int64_t width, height; /**< points, >= 1 */
} ter_rect;

/** Fill host memory with the heights of a rectangle.
 *
 *  out     width * height floats, metres, row-major, out[row * stride + column]
 *  stride  floats from one row to the next, >= width
 *  Errors  TER_EINVAL rectangle empty or outside the world; TER_ENOMEM; TER_EDEVICE
 *  Threads one call at a time per generator
 */
TER_API ter_status ter_generator_fill(ter_generator *generator, const ter_world *world, const ter_rect *rect, float *out,
                                      size_t stride);

/** North-west point of a tile of a batch. */
typedef struct ter_tile {
    int level;    /**< 0..levels */
    int64_t i, j; /**< level lattice coordinates */
} ter_tile;

/** Where the tiles of a batch go: tile n starts at out + slot[n] * slot_stride, rows follow at row_stride. */
typedef struct ter_tile_layout {
    int width, height;     /**< points of every tile, >= 1 */
    size_t row_stride;     /**< floats, >= width */
    size_t slot_stride;    /**< floats, >= (height - 1) * row_stride + width */
    const uint32_t *slots; /**< a slot a tile, or NULL: tile n goes to slot n */
} ter_tile_layout;

/** Fill a batch of tiles, of any mixture of levels, in host memory. Errors and threads as ter_generator_fill. */
TER_API ter_status ter_generator_fill_tiles(ter_generator *generator, const ter_world *world, const ter_tile *tiles, size_t count,
                                            const ter_tile_layout *layout, float *out);

/** Fill device memory of the generator's CUDA device; returns when the work is queued on the stream.
 *
 *  out          device pointer, row-major, out[row * stride + column]; 16-byte alignment and a stride divisible by 4 are fastest
 *  cuda_stream  a cudaStream_t, NULL for the default stream
 *  Errors       TER_ENOBACKEND the generator has no device; TER_EINVAL; TER_ENOMEM; TER_EDEVICE
 */
TER_API ter_status ter_generator_fill_device(ter_generator *generator, const ter_world *world, const ter_rect *rect, float *out,
                                             size_t stride, void *cuda_stream);

/** As ter_generator_fill_tiles into device memory, queued on the caller's stream; `tiles` and `slots` are host memory and copied
 *  before the call returns. */
TER_API ter_status ter_generator_fill_tiles_device(ter_generator *generator, const ter_world *world, const ter_tile *tiles,
                                                   size_t count, const ter_tile_layout *layout, float *out, void *cuda_stream);

/** As ter_generator_fill_tiles_device, but 16-bit samples over a range of heights: 0 is lo, 65535 is hi, what lies outside is
 * clamped.
 *
 *  layout   strides in samples
 *  lo, hi   metres, lo < hi
 *  out      device pointer; 8-byte alignment and strides divisible by 4 are fastest
 *  Errors   also TER_EINVAL for a generator of another method than tiled
 *  Source   x = fma(h, 1 / (hi - lo), -lo / (hi - lo)) clamped to [0, 1], then 65535 x to the nearest, ties to even; in binary32,
 * so at most 0.51 steps and two of the heights' own last places off. ter_quantise_heights gives the same bits.
 */
TER_API ter_status ter_generator_fill_tiles_device_u16(ter_generator *generator, const ter_world *world, const ter_tile *tiles,
                                                       size_t count, const ter_tile_layout *layout, double lo, double hi,
                                                       uint16_t *out, void *cuda_stream);

/** Heights in host memory as 16-bit samples over a range; formula and range as above. Errors TER_EINVAL range. Any thread. */
TER_API ter_status ter_quantise_heights(const float *heights, size_t count, double lo, double hi, uint16_t *out);

/** Heights at single points of one level, in host memory.
 *
 *  points  count pairs i, j (level lattice coordinates)
 *  out     count floats, metres
 */
TER_API ter_status ter_generator_heights(ter_generator *generator, const ter_world *world, int level, const int64_t (*points)[2],
                                         size_t count, float *out);

/** Host memory that a generator's results reach fastest: pinned for CUDA. Free it before the generator.
 *  Errors  TER_ENOMEM */
TER_API ter_status ter_host_memory_create(ter_generator *generator, size_t bytes, void **out);

/** Free such memory; NULL is allowed. */
TER_API void ter_host_memory_destroy(ter_generator *generator, void *memory);

/* ---- fetches: rectangles on their way to host memory ---- */

/** One rectangle at a time is made and, with CUDA, copied to pinned memory in the background; with several fetches of a generator
 *  making, copying and what the caller does with the heights overlap. Calls follow one another: start, wait, start, wait. */
typedef struct ter_fetch ter_fetch;

/** Create a fetch for rectangles of at most `samples_max` points. Fetches end before their generator.
 *
 *  Errors   TER_EINVAL; TER_ENOMEM; TER_EDEVICE
 *  Threads  those of the generator, which its fetches belong to
 */
TER_API ter_status ter_fetch_create(ter_generator *generator, size_t samples_max, ter_fetch **out);

/** Queue a rectangle; a CUDA generator returns at once, others when the heights are there. Errors as ter_generator_fill */
TER_API ter_status ter_fetch_start(ter_fetch *fetch, const ter_world *world, const ter_rect *rect);

/** The same as 16-bit samples over the range lo .. hi, by the formula of ter_quantise_heights. Errors also TER_EINVAL range */
TER_API ter_status ter_fetch_start_u16(ter_fetch *fetch, const ter_world *world, const ter_rect *rect, double lo, double hi);

/** A rectangle that has arrived: width * height values, row-major. */
typedef struct ter_fetched {
    float *heights;     /**< metres; NULL when 16-bit samples were asked for; the caller may change them */
    uint16_t *samples;  /**< or these */
    float min_m, max_m; /**< least and greatest height, before quantisation */
    uint64_t n_clamped; /**< samples whose heights lie outside the range */
} ter_fetched;

/** Wait for the rectangle started last; its values are valid until the next start. */
TER_API ter_status ter_fetch_wait(ter_fetch *fetch, ter_fetched *out);

/** Free a fetch; waits for what it has under way. NULL is allowed. */
TER_API void ter_fetch_destroy(ter_fetch *fetch);

/* ---- statistics ---- */

typedef struct ter_statistics {
    float min_m, max_m;
    double mean_m;
    uint64_t count;
} ter_statistics;

/** Minimum, maximum, mean and, when bins > 0, histogram of a rectangle; nothing but the results leaves the device.
 *
 *  lo, hi     range of the histogram, metres, lo < hi; what lies outside is counted in the first or the last bin
 *  histogram  `bins` counters (at most 4096), overwritten; may be NULL when bins is 0
 *  Errors     as ter_generator_fill
 *  The mean is summed in fixed point (2^-20 of the amplitude), so it too is the same on every backend.
 */
TER_API ter_status ter_generator_statistics(ter_generator *generator, const ter_world *world, const ter_rect *rect, float lo,
                                            float hi, int bins, uint64_t *histogram, ter_statistics *out);

/* ---- morphs: one landscape becomes another ---- */

/** How far the second landscape has come: at lattice point (X, Z) the share is a smooth step of
 *  begun + along_x * (X - x) + along_z * (Z - z), clamped to 0..1. With along_x = along_z = 0 the land changes everywhere at once,
 * else a front stands across the direction (along_x, along_z), 1 / |along| lattice steps wide. */
typedef struct ter_blend {
    int64_t x, z;            /**< lattice coordinates of the origin */
    double along_x, along_z; /**< 1 / lattice steps */
    double begun;
} ter_blend;

/** Share 0..1 of the second landscape at a place, lattice coordinates. */
TER_API double ter_blend_at(const ter_blend *blend, double x, double z);

/** Heights of two landscapes for a number of tile slots, in device memory of a CUDA generator, else in host memory. */
typedef struct ter_morph ter_morph;

/** Create a morph with n_slots tiles of width x height points; it ends before its generator.
 *  Errors  TER_EINVAL; TER_ENOMEM */
TER_API ter_status ter_morph_create(ter_generator *generator, size_t n_slots, int width, int height, ter_morph **out);

/** Fill slots held[0..count - 1] with a landscape, 0 or 1, of tiles of a world. With CUDA queued on the stream. Errors as
 *  ter_generator_fill_tiles; TER_EINVAL no such slot */
TER_API ter_status ter_morph_load(ter_morph *morph, int landscape, const ter_world *world, const ter_tile *tiles,
                                  const uint32_t *held, size_t count, void *cuda_stream);

/** Write the blended heights of loaded slots: exactly the first landscape where the share is 0, the second where it is 1. Points
 * that tiles share get the same bits, whatever their levels.
 *
 *  levels  of the world whose levels `tiles` count
 *  tiles   north-west points of the slots held[0..count - 1]
 *  layout  of out, tiles of the morph's size; device memory of a CUDA generator, queued on the stream, else host memory
 *  Errors  TER_EINVAL no such slot or level, another size, a number that is not finite; TER_ENOMEM; TER_EDEVICE
 */
TER_API ter_status ter_morph_blend(ter_morph *morph, const ter_blend *blend, int levels, const ter_tile *tiles,
                                   const uint32_t *held, size_t count, const ter_tile_layout *layout, float *out,
                                   void *cuda_stream);

/** The same into host memory, packed tile after tile, whatever the generator; waits for it. */
TER_API ter_status ter_morph_blend_host(ter_morph *morph, const ter_blend *blend, int levels, const ter_tile *tiles,
                                        const uint32_t *held, size_t count, float *out);

/** Free a morph; NULL is allowed. */
TER_API void ter_morph_destroy(ter_morph *morph);

/* ---- OpenGL buffers ---- */

/** An OpenGL buffer object that a CUDA generator writes into. All calls on the thread where the GL context is current. */
typedef struct ter_gl_buffer ter_gl_buffer;

/** Register a GL buffer for writing.
 *
 *  name    GL buffer object with allocated storage
 *  Errors  TER_ENOBACKEND the generator has no device; TER_EINTEROP this context and this device cannot share (the detail says
 *          which): fill host memory and upload instead
 */
TER_API ter_status ter_gl_buffer_register(ter_generator *generator, unsigned int name, ter_gl_buffer **out);

/** Map the buffer for CUDA; GL must not use it until ter_gl_buffer_unmap. `out` receives the device pointer, `bytes` its size. */
TER_API ter_status ter_gl_buffer_map(ter_gl_buffer *buffer, void *cuda_stream, float **out, size_t *bytes);

/** Give the buffer back to GL; work queued on the stream before this call is seen by GL commands after it. */
TER_API ter_status ter_gl_buffer_unmap(ter_gl_buffer *buffer, void *cuda_stream);

/** Unregister; NULL is allowed. The GL buffer itself stays. */
TER_API void ter_gl_buffer_unregister(ter_gl_buffer *buffer);

/* ---- probe: heights under a moving camera ---- */

/** Ground heights at a few places, answered later: the device writes them into mapped pinned memory, the caller never waits. */
typedef struct ter_probe ter_probe;

#define TER_PROBE_POINTS_MAX 64

/** One place: the height there of the surface through the points of `level`, bilinear between them, or a mixture of it and the next
 *  coarser level's, as geomorphing shows. */
typedef struct ter_probe_point {
    double x, z;   /**< lattice coordinates, fractional */
    int level;     /**< 0..levels */
    float coarser; /**< share 0..1 of level - 1; 0 at level 0 */
} ter_probe_point;

/** Create a probe of a generator (which must outlive it). */
TER_API ter_status ter_probe_create(ter_generator *generator, ter_probe **out);

/** Ask for up to TER_PROBE_POINTS_MAX places; a question is dropped (TER_OK) while too many are unanswered.
 *  ticket  a number of the caller's own, handed back with the answer */
TER_API ter_status ter_probe_ask(ter_probe *probe, const ter_world *world, const ter_probe_point *points, int count,
                                 uint64_t ticket);

/** The same while a landscape becomes another: `level` counts in world, at each corner the heights of both are blended as
 *  ter_morph_blend does. */
TER_API ter_status ter_probe_ask_blend(ter_probe *probe, const ter_world *world, const ter_world *to, const ter_blend *blend,
                                       const ter_probe_point *points, int count, uint64_t ticket);

/** Newest complete answer: sets *ticket and *count and copies the heights (metres) in the order asked; *count is 0 when there is
 *  none yet. Never waits. */
TER_API ter_status ter_probe_answer(ter_probe *probe, uint64_t *ticket, int *count, float out_m[TER_PROBE_POINTS_MAX]);

/** Free a probe; NULL is allowed. */
TER_API void ter_probe_destroy(ter_probe *probe);

/* ---- devices ---- */

typedef struct ter_device {
    char name[256];
    int compute_major, compute_minor;
    int multiprocessors;
    uint64_t memory_bytes;
    int driver_version, runtime_version; /**< as CUDA counts them: 1000 * major + 10 * minor */
} ter_device;

/** Number of usable CUDA devices; 0 when there are none, with the reason in `reason` (always terminated). */
TER_API int ter_device_count(char *reason, size_t reason_size);

/** Facts about one device. Errors TER_ENOBACKEND no such device */
TER_API ter_status ter_device_describe(int device, ter_device *out);

#ifdef __cplusplus
}
#endif

#endif
