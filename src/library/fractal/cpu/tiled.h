/* tiled.h - the method tiled: arrays are cut into blocks, and each block is made in the cache of a core. */
#ifndef TERRANE_FRACTAL_CPU_TILED_H
#define TERRANE_FRACTAL_CPU_TILED_H

#include "library/fractal/cpu/tile_batch.h"

/** Make the tiles of a batch. Errors TER_ENOMEM, TER_ECANCELLED */
ter_status ter_cpu_tiled(ter_cpu_state *cpu, const ter_cpu_batch *batch);

#endif
