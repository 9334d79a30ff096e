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

/** One backend. The public functions have checked the arguments. `state` is the result of create. Functions that a
 * backend lacks are NULL. */
typedef struct ter_backend_table {
    ter_backend kind;
    const char *name;

    /** Number of devices that this backend can use. If it is 0, `reason` says why. */
    int (*device_count)(char *reason, size_t reason_size);
    ter_status (*device_describe)(int device, ter_device *out);

    ter_status (*create)(const ter_generator_options *options, void **state);
    void (*destroy)(void *state);

    /** Number of host threads of a state, and the requested number. NULL for backends on devices. */
    int (*threads)(const void *state, int *wanted);

    /** Fill host memory with layers of tiles. A rectangle is one tile in slot 0. */
    ter_status (*fill_host)(void *state, const ter_world *world, const ter_tile *tiles, size_t count,
                            const ter_tile_layout *layout, const ter_layers *out);
    /** Queue the filling of device memory on a stream. */
    ter_status (*fill_device)(void *state, const ter_world *world, const ter_tile *tiles, size_t count,
                              const ter_tile_layout *layout, const ter_layers *out, void *stream);
    /** As fill_device, quantised to 16 bits. */
    ter_status (*fill_device_u16)(void *state, const ter_world *world, const ter_tile *tiles, size_t count,
                                  const ter_tile_layout *layout, const ter_u16_layers *out, void *stream);
    ter_status (*wait)(void *state, void *stream); /* until the work that is queued on a stream is done */
    void *(*stream)(void *state);                  /* the stream that belongs to the state */
    ter_status (*heights)(void *state, const ter_world *world, int level, const int64_t (*points)[2], size_t count,
                          float *out);
    ter_status (*statistics)(void *state, const ter_world *world, const ter_rect *rect, const ter_histogram *histogram,
                             ter_statistics *out); /* histogram may be NULL */

    ter_status (*fetch_create)(void *state, size_t samples_max, int layers_max, void **fetch);
    /** Make layers of a rectangle, or with a quantiser 16-bit samples of its heights. */
    ter_status (*fetch_start)(void *state, void *fetch, const ter_world *world, const ter_tile *tile,
                              const ter_tile_layout *layout, const ter_layer_list *layers,
                              const ter_quantiser *quantiser);
    ter_status (*fetch_wait)(void *fetch, ter_fetched *out);
    void (*fetch_destroy)(void *fetch);

    /** Pinned host memory; NULL if the backend can use any host memory. */
    ter_status (*host_memory_create)(void *state, size_t bytes, void **memory);
    void (*host_memory_destroy)(void *state, void *memory);

    /** Memory for the results of fill_device, or of fill_host if there is no fill_device. */
    ter_status (*memory_create)(void *state, size_t bytes, void **memory);
    void (*memory_destroy)(void *state, void *memory);
    ter_status (*memory_read)(void *state, const void *memory, size_t bytes, void *out); /* NULL: it is host memory */
    ter_status (*copy_tiles)(void *state, const ter_copy_work *work, void *stream);      /* NULL: it is host memory */
    ter_status (*blend)(void *state, const ter_blend_work *work, void *stream);

    ter_status (*gl_register)(void *state, unsigned int name, void **resource);
    ter_status (*gl_map)(void *resource, void *stream, float **out, size_t *bytes);
    ter_status (*gl_unmap)(void *resource, void *stream);
    void (*gl_unregister)(void *resource);

    ter_status (*probe_create)(void *state, bool is_over_water, void **probe);
    /** Ask for heights of `world`, or if `to` is not NULL, of a blend from `world` to `to`. */
    ter_status (*probe_ask)(void *probe, const ter_world *world, const ter_world *to, const ter_place_blend *blend,
                            const ter_probe_point *points, int count, uint64_t ticket);
    ter_status (*probe_answer)(void *probe, uint64_t *ticket, int *count, float *out_m);
    void (*probe_destroy)(void *probe);
} ter_backend_table;

extern const ter_backend_table ter_backend_cpu;
extern const ter_backend_table ter_backend_cuda;

#ifdef __cplusplus
}
#endif

#endif
