/* fluvial.h - fills arrays with samples of fluvial worlds on the CPU. */
#ifndef TERRANE_FLUVIAL_CPU_FLUVIAL_H
#define TERRANE_FLUVIAL_CPU_FLUVIAL_H

#include "library/core/cpu/state.h"
#include "library/fluvial/province.h"
#include "library/fractal/cpu/blocks.h"

/** Fill tiles with layers of a fluvial world, on all threads. The method `single-pass` makes small blocks by the
 * definition, and `recursive` large blocks by the definition. `tiled` makes large blocks with vector code, from cached
 * networks, in bands that fit the caches.
 *
 *  out     the requested layers; `layout` places the tiles in each of them
 *  Errors  TER_ENOMEM, TER_ECANCELLED
 */
ter_status ter_cpu_fluvial(ter_cpu_state *cpu, const ter_fluvial *world, const ter_tile *tiles, size_t count,
                           const ter_tile_layout *layout, const ter_layers *out);

/** Fill `out` with the heights of `count` points of one level. Errors TER_ENOMEM, TER_ECANCELLED */
ter_status ter_cpu_fluvial_points(ter_cpu_state *cpu, const ter_fluvial *world, int level, const int64_t (*points)[2],
                                  size_t count, float *out);

/** Cut n_arrays arrays of one level of detail into blocks of the method `tiled`, so small that each thread can hold
 * one. */
ter_blocks ter_cpu_fluvial_blocks(const ter_cpu_state *cpu, int lod, const ter_grid *array, int64_t n_arrays);

/** Make the heights of one of these blocks. Returns false when there is no memory, or before ter_cpu_fluvial_begin. */
bool ter_cpu_fluvial_block(const ter_cpu_state *cpu, int thread, const ter_fluvial *world, int level,
                           const ter_grid *block);

/** Allocate the state of the threads, if that has not been done. Errors TER_ENOMEM */
ter_status ter_cpu_fluvial_begin(ter_cpu_state *cpu);

/** Free the state of the threads and its memory. */
void ter_cpu_fluvial_free(ter_cpu_state *cpu);

#endif
