/* sand_kernels.h - the table of the functions that make sand. A call runs on one thread. There is one table for each
 * instruction set level. */
#ifndef TERRANE_FLUVIAL_CPU_SAND_KERNELS_H
#define TERRANE_FLUVIAL_CPU_SAND_KERNELS_H

#include "library/core/cancel.h"
#include "library/fluvial/surface.h"

typedef struct ter_sand_kernels {
    /** Make the sand of a job at the first lattice of its heights. The ground has been made. `cancel` is tested at each
     * row. */
    void (*make)(const ter_fluvial_job *job, const ter_cancel *cancel);
    /** Lay the sand on the samples of a job, a block or a band of it. The sand of the block has been made. scratch:
     * TER_SAND_SCRATCH bytes */
    void (*lay)(const ter_fluvial_job *job, const ter_fluvial_output *out, void *scratch);
    /** Make the sand of a job and lay it on its samples by the definition. */
    void (*define)(const ter_fluvial_job *job, const ter_fluvial_output *out, const ter_cancel *cancel);
} ter_sand_kernels;

enum { TER_SAND_SCRATCH = 1 << 20 /* bytes */ };

extern const ter_sand_kernels ter_sand_kernels_baseline;
extern const ter_sand_kernels ter_sand_kernels_avx2;
extern const ter_sand_kernels ter_sand_kernels_avx512;

#endif
