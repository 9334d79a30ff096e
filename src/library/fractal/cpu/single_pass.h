/* single_pass.h - the method single-pass: each point is computed alone, from level 0 down. */
#ifndef TERRANE_FRACTAL_CPU_SINGLE_PASS_H
#define TERRANE_FRACTAL_CPU_SINGLE_PASS_H

#include "library/fractal/cpu/tile_batch.h"

/** Make the tiles of a batch. Errors TER_ECANCELLED */
ter_status ter_cpu_single_pass(ter_cpu_state *cpu, const ter_cpu_batch *batch);

/** Heights of `count` points (i, j) of a level. Errors TER_ECANCELLED */
ter_status ter_cpu_points(ter_cpu_state *cpu, const ter_field *f, int level, const int64_t (*points)[2], size_t count,
                          float *out);

#endif
