/* backend.h - the table of functions that a backend provides. backends.c lists the tables. */
#ifndef TERRANE_GENERATOR_BACKEND_H
#define TERRANE_GENERATOR_BACKEND_H

#include <stdbool.h>

#include "library/core/layer_arrays.h"
#include "library/morph/blend.h"
#include "library/probe/place.h"
#include "library/world/world.h"
#include "terrane/terrane.h"

#ifdef __cplusplus
extern "C" {
#endif

/** One backend. The public functions of the library check the arguments before they call these functions. `state` is
 * the state that `create` has set. A function that a backend does not have is NULL. */
typedef struct ter_backend_table {
    ter_backend kind;
    const char *name;

    /** Returns the number of devices that this backend can use. If the number is 0, `reason` is set to a text that says
     * why. */
    int (*device_count)(char *reason, size_t reason_size);
    /** Set *out to the properties of a device. NULL: the backend has no devices to describe. */
    ter_status (*device_describe)(int device, ter_device *out);

    /** Set *state to a new state, which `destroy` frees. */
    ter_status (*create)(const ter_generator_options *options, void **state);
    void (*destroy)(void *state);

    /** Returns the number of host threads of a state, and sets *wanted to the number that was requested. NULL: the
     * backend computes on a device. */
    int (*threads)(const void *state, int *wanted);

    /** Fill host memory with layers of tiles; the memory is complete on return. A rectangle is passed as one tile in
     * slot 0. */
    ter_status (*fill_host)(void *state, const ter_world *world, const ter_tile *tiles, size_t count,
                            const ter_tile_layout *layout, const ter_layers *out);
    /** Queue the filling of device memory on a stream, and return before it is done. NULL: the backend has no device
     * memory. */
    ter_status (*fill_device)(void *state, const ter_world *world, const ter_tile *tiles, size_t count,
                              const ter_tile_layout *layout, const ter_layers *out, void *stream);
    /** The same as fill_device, but the samples are quantised to 16 bits. */
    ter_status (*fill_device_u16)(void *state, const ter_world *world, const ter_tile *tiles, size_t count,
                                  const ter_tile_layout *layout, const ter_u16_layers *out, void *stream);
    /** Wait until all work that is queued on a stream is done. NULL: the backend has no streams. */
    ter_status (*wait)(void *state, void *stream);
    /** Returns the stream that belongs to the state. NULL: the backend has no streams. */
    void *(*stream)(void *state);
    /** Set out[n] to the height, in metres, at lattice point (points[n][0], points[n][1]) of a level, 0 <= n < count.
     */
    ter_status (*heights)(void *state, const ter_world *world, int level, const int64_t (*points)[2], size_t count,
                          float *out);
    /** Set *out to statistics of the heights of a rectangle. histogram: NULL: no histogram is made. */
    ter_status (*statistics)(void *state, const ter_world *world, const ter_rect *rect, const ter_histogram *histogram,
                             ter_statistics *out);

    /** Set *fetch to a new fetch for at most samples_max samples of at most layers_max layers; fetch_destroy frees it.
     * NULL: the backend has none of the fetch functions, and fetch.c calls fill_host instead. */
    ter_status (*fetch_create)(void *state, size_t samples_max, int layers_max, void **fetch);
    /** Start to make the layers of a rectangle. quantiser: NULL: floats; otherwise 16-bit samples of the heights are
     * made with this quantiser. */
    ter_status (*fetch_start)(void *state, void *fetch, const ter_world *world, const ter_tile *tile,
                              const ter_tile_layout *layout, const ter_layer_list *layers,
                              const ter_quantiser *quantiser);
    /** Wait until the rectangle is made, and set *out. Its arrays belong to the fetch. */
    ter_status (*fetch_wait)(void *fetch, ter_fetched *out);
    void (*fetch_destroy)(void *fetch);

    /** Set *memory to new pinned host memory. NULL: the backend does not need pinned memory. */
    ter_status (*host_memory_create)(void *state, size_t bytes, void **memory);
    void (*host_memory_destroy)(void *state, void *memory);

    /** Set *memory to new memory for the results of fill_device, or of fill_host if fill_device is NULL. */
    ter_status (*memory_create)(void *state, size_t bytes, void **memory);
    void (*memory_destroy)(void *state, void *memory);
    /** Copy from this memory to host memory at `out`. NULL: this memory is host memory. */
    ter_status (*memory_read)(void *state, const void *memory, size_t bytes, void *out);
    /** Copy tiles into a morph. NULL: memory of memory_create is host memory, and morph.c copies the tiles. */
    ter_status (*copy_tiles)(void *state, const ter_copy_work *work, void *stream);
    /** Blend two landscapes tile by tile. */
    ter_status (*blend)(void *state, const ter_blend_work *work, void *stream);

    /** Set *resource to a new registration of the OpenGL buffer `name`; gl_unregister frees it. NULL: the backend has
     * none of the gl functions. */
    ter_status (*gl_register)(void *state, unsigned int name, void **resource);
    /** Set *out to the device memory of the buffer, and *bytes to its size. The memory is valid until gl_unmap. */
    ter_status (*gl_map)(void *resource, void *stream, float **out, size_t *bytes);
    ter_status (*gl_unmap)(void *resource, void *stream);
    void (*gl_unregister)(void *resource);

    /** Set *probe to a new probe, which probe_destroy frees. is_over_water: heights under water are replaced by the
     * level of the water. */
    ter_status (*probe_create)(void *state, bool is_over_water, void **probe);
    /** Ask for the heights at `count` points, without waiting for them on a device. to: NULL: heights of `world`;
     * otherwise heights of a blend from `world` to `to`. `ticket` names the question in probe_answer. If too many
     * questions wait for answers, the question is dropped. */
    ter_status (*probe_ask)(void *probe, const ter_world *world, const ter_world *to, const ter_place_blend *blend,
                            const ter_probe_point *points, int count, uint64_t ticket);
    /** Take the latest answer that is ready: set *ticket to its ticket, *count to its number of heights, and out_m to
     * its heights in metres. */
    ter_status (*probe_answer)(void *probe, uint64_t *ticket, int *count, float *out_m);
    void (*probe_destroy)(void *probe);
} ter_backend_table;

extern const ter_backend_table ter_backend_cpu;
extern const ter_backend_table ter_backend_cuda;

#ifdef __cplusplus
}
#endif

#endif
