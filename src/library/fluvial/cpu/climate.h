/* climate.h - fills arrays with the climate of samples on the CPU. */
#ifndef TERRANE_FLUVIAL_CPU_CLIMATE_H
#define TERRANE_FLUVIAL_CPU_CLIMATE_H

#include "library/core/cpu/state.h"
#include "library/fluvial/province.h"

/** Fill the layers of the climate of tiles, on all threads. ter_cpu_fluvial has made their heights.
 *
 *  heights  layer of heights; the layout is that of the other layers
 *  out      the requested layers; those of the land are not touched
 *  Errors   TER_ENOMEM, TER_ECANCELLED
 */
ter_status ter_cpu_climate(ter_cpu_state *cpu, const ter_fluvial *world, const ter_tile *tiles, size_t count,
                           const ter_tile_layout *layout, const float *heights, const ter_layers *out);

#endif
