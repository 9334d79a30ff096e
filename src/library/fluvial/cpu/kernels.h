/* kernels.h - the passes of the fluvial form on one thread, compiled once for each instruction set level. */
#ifndef TERRANE_FLUVIAL_CPU_KERNELS_H
#define TERRANE_FLUVIAL_CPU_KERNELS_H

#include <stdbool.h>

#include "library/core/cancel.h"
#include "library/fluvial/overview_plan.h"

typedef struct ter_fluvial_kernels {
    /** From ter_plan_points to the places of all points; the cells in which they lie. */
    ter_window (*places)(ter_fluvial_job *job, void *scratch);
    /** From ter_plan_network to the pieces of all channels. `cancel` is asked from row to row; what is there then is of
     * no use. */
    void (*network)(const ter_fluvial_job *job, const ter_cancel *cancel);
    /** From the network to the broadest octave of gullies, of a job of ter_plan_shared_octave; scratch and cancel as
     * below. */
    void (*octave)(const ter_fluvial_job *job, void *scratch, const ter_cancel *cancel);
    /** From the network to samples.
     *
     *  is_streamed  whether heights go past the caches, where they alone are wanted
     *  scratch      scratch_bytes, on a cache line
     *  cancel       asked between bands; what is not made then stays as it is
     */
    void (*samples)(const ter_fluvial_job *job, const ter_fluvial_output *out, bool is_streamed, void *scratch,
                    const ter_cancel *cancel);
    /** From ter_plan_overview_points to the cells in which the samples of an overview lie. */
    ter_window (*overview_places)(const ter_fluvial_job *job);
    /** From ter_plan_overview_network to the samples; `cancel` is asked from row to row. */
    void (*overview)(const ter_fluvial_job *job, const ter_fluvial_output *out, const ter_cancel *cancel);
    /** Samples below TER_OVERVIEW_LOD by the definition: each step for each element, nothing listed. `cancel` is asked
     * likewise. */
    void (*defined_samples)(const ter_fluvial_job *job, const ter_fluvial_output *out, const ter_cancel *cancel);
    size_t scratch_bytes;
} ter_fluvial_kernels;

extern const ter_fluvial_kernels ter_fluvial_kernels_baseline;
extern const ter_fluvial_kernels ter_fluvial_kernels_avx2;
extern const ter_fluvial_kernels ter_fluvial_kernels_avx512;

#endif
