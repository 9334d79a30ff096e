/* recursive.h - the method recursive: makes an array level by level, each level as a whole. */
#ifndef TERRANE_FRACTAL_CPU_RECURSIVE_H
#define TERRANE_FRACTAL_CPU_RECURSIVE_H

#include "library/fractal/cpu/tile_batch.h"

/** Make a rectangle of a level. Errors TER_ENOMEM, TER_ECANCELLED */
ter_status ter_cpu_recursive(ter_cpu_state *cpu, const ter_field *f, int level, const ter_grid *out);

/** Make the tiles of a batch, one after the other. Errors TER_ENOMEM, TER_ECANCELLED */
ter_status ter_cpu_recursive_batch(ter_cpu_state *cpu, const ter_cpu_batch *batch);

#endif
