/* fluvial.h - samples of fluvial worlds on the CPU. */
#ifndef TERRANE_FLUVIAL_CPU_FLUVIAL_H
#define TERRANE_FLUVIAL_CPU_FLUVIAL_H

#include "library/core/cpu/state.h"
#include "library/fluvial/province.h"
#include "library/fractal/cpu/blocks.h"

/** Fill tiles with layers of a fluvial world, on all threads. The method single-pass makes small blocks by the
 * definition, each from the root; recursive large ones, a pass a level; tiled blocks that fit the caches.
 *
 *  out     the layers that are wanted; the layout places the tiles in each of them
 *  Errors  TER_ENOMEM
 */
ter_status ter_cpu_fluvial(ter_cpu_state *cpu, const ter_fluvial *world, const ter_tile *tiles, size_t count,
                           const ter_tile_layout *layout, const ter_layers *out);

/** Heights of points of one level. Errors TER_ENOMEM */
ter_status ter_cpu_fluvial_points(ter_cpu_state *cpu, const ter_fluvial *world, int level, const int64_t (*points)[2],
                                  size_t count, float *out);

/** Blocks of the method tiled for n_arrays arrays of a level of a fluvial world, small enough that each thread may hold
 * one. */
ter_blocks ter_cpu_fluvial_blocks(const ter_cpu_state *cpu, int step, const ter_grid *array, int64_t n_arrays);

/** Heights of one of them, by the method tiled. False when there is no memory, or no ter_cpu_fluvial_begin before. */
bool ter_cpu_fluvial_block(const ter_cpu_state *cpu, int thread, const ter_fluvial *world, int level,
                           const ter_grid *block);

/** Have memory for what threads keep. Errors TER_ENOMEM */
ter_status ter_cpu_fluvial_begin(ter_cpu_state *cpu);

/** Memory of the threads for fluvial blocks; it grows with them. */
void ter_cpu_fluvial_free(ter_cpu_state *cpu);

#endif
