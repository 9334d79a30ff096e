/* entries.h - functions of the CUDA backend's table that are in separate files; `state` is a cuda_state. */
#ifndef TERRANE_GENERATOR_CUDA_ENTRIES_H
#define TERRANE_GENERATOR_CUDA_ENTRIES_H

#include "library/core/layer_arrays.h"
#include "library/world/world.h"
#include "terrane/fetch.h"

#ifdef __cplusplus
extern "C" {
#endif

ter_status ter_cuda_statistics(void *state, const ter_world *world, const ter_rect *rect,
                               const ter_histogram *histogram, ter_statistics *out);
ter_status ter_cuda_heights_at(void *state, const ter_world *world, int level, const int64_t (*points)[2], size_t count,
                               float *out);
ter_status ter_cuda_fetch_create(void *state, size_t samples_max, int layers_max, void **fetch);
ter_status ter_cuda_fetch_start(void *state, void *fetch, const ter_world *world, const ter_tile *tile,
                                const ter_tile_layout *layout, const ter_layer_list *layers,
                                const ter_quantiser *quantiser);
ter_status ter_cuda_fetch_wait(void *fetch, ter_fetched *out);
void ter_cuda_fetch_destroy(void *fetch);
ter_status ter_cuda_host_memory_create(void *state, size_t bytes, void **memory);
void ter_cuda_host_memory_destroy(void *state, void *memory);
ter_status ter_cuda_memory_create(void *state, size_t bytes, void **memory);
void ter_cuda_memory_destroy(void *state, void *memory);
ter_status ter_cuda_memory_read(void *state, const void *memory, size_t bytes, void *out);
ter_status ter_cuda_gl_register(void *state, unsigned int name, void **resource);
ter_status ter_cuda_gl_map(void *resource, void *stream, float **out, size_t *bytes);
ter_status ter_cuda_gl_unmap(void *resource, void *stream);
void ter_cuda_gl_unregister(void *resource);

#ifdef __cplusplus
}
#endif

#endif
