/* cover_kernels.h - the table of the functions that make sand and glaciers. A call runs on one thread. There is one
 * table for each instruction set level. */
#ifndef TERRANE_FLUVIAL_CPU_COVER_KERNELS_H
#define TERRANE_FLUVIAL_CPU_COVER_KERNELS_H

#include "library/core/cancel.h"
#include "library/fluvial/surface.h"

typedef struct ter_cover_kernels {
    /** Make the ice of a job, and its sand at the first lattice of the sand's heights. The ground has been made.
     * `cancel` is tested at each row. */
    void (*make)(const ter_fluvial_job *job, const ter_cancel *cancel);
    /** Lay ice and sand on the samples of a job, a block or a band of it. Those of the block have been made. scratch:
     * TER_COVER_SCRATCH bytes */
    void (*lay)(const ter_fluvial_job *job, const ter_fluvial_output *out, void *scratch);
    /** Make ice and sand of a job and lay them on its samples by the definition. */
    void (*define)(const ter_fluvial_job *job, const ter_fluvial_output *out, const ter_cancel *cancel);
} ter_cover_kernels;

enum { TER_COVER_SCRATCH = 1 << 20 /* bytes */ };

extern const ter_cover_kernels ter_cover_kernels_baseline;
extern const ter_cover_kernels ter_cover_kernels_avx2;
extern const ter_cover_kernels ter_cover_kernels_avx512;

#endif
