/* kernels.h - table of the passes of fluvial worlds, which run on one thread. There is one table for each instruction
 * set level. */
#ifndef TERRANE_FLUVIAL_CPU_KERNELS_H
#define TERRANE_FLUVIAL_CPU_KERNELS_H

#include <stdbool.h>

#include "library/core/cancel.h"
#include "library/fluvial/cpu/climate_block.h"
#include "library/fluvial/cpu/fine_block.h"
#include "library/fluvial/overview_plan.h"

/** Run a step at all cells of a window. `cancel` is tested at each row; once it is set, later results are
 * unspecified. */
#define TER_CANCELLABLE_LOOP(step, n, columns, rows)                                                                   \
    do {                                                                                                               \
        const int columns_ = (columns), rows_ = (rows);                                                                \
        for (int y_ = 0; y_ < rows_ && !ter_is_cancelled(cancel); y_++)                                                \
            for (int x_ = 0; x_ < columns_; x_++)                                                                      \
                step(job, n, x_, y_);                                                                                  \
    } while (0)

/** Kernels of overviews, and of the networks of large blocks. */
typedef struct ter_overview_kernels {
    /** Run the passes from ter_plan_overview_points to the places of the samples. Returns the window of cells in which
     * they lie. */
    ter_window (*places)(const ter_fluvial_job *job);
    /** Run the passes from ter_plan_overview_network to the samples.
     *
     *  scratch  scratch_bytes, aligned to a cache line
     *  cancel   tested at each row; the samples are unspecified once it is set
     */
    void (*samples)(const ter_fluvial_job *job, const ter_fluvial_output *out, void *scratch, const ter_cancel *cancel);
    /** The same by the definition: each step for each cell of the windows. */
    void (*defined_samples)(const ter_fluvial_job *job, const ter_fluvial_output *out, const ter_cancel *cancel);
    /** Whether the windows of ter_plan_drainage are small enough for `network`. */
    bool (*fits_network)(const ter_fluvial_job *job);
    /** Run the passes from ter_plan_drainage to the pieces and reaches of the channels on which the grounds of a job
     * depend. Other cells get TER_COURSE_NONE. scratch, cancel: as for `samples` */
    void (*network)(const ter_fluvial_job *job, void *scratch, const ter_cancel *cancel);
    size_t scratch_bytes; /* of `samples` and `network` */
} ter_overview_kernels;

typedef struct ter_fluvial_kernels {
    /** Run the passes from ter_plan_points to the places of all points. Returns the window of cells in which they lie.
     */
    ter_window (*places)(ter_fluvial_job *job, void *scratch);
    /** Run the passes from ter_plan_nodes to the provinces. */
    void (*provinces)(const ter_fluvial_job *job);
    /** Run the passes from the provinces to the nodes of the last level of the job. `cancel` is tested at each row. */
    void (*nodes)(const ter_fluvial_job *job, const ter_cancel *cancel);
    /** Run the passes from ter_plan_network to the pieces and reaches of all channels. `cancel` is tested at each row;
     * the results are unspecified once it is set. */
    void (*network)(const ter_fluvial_job *job, const ter_cancel *cancel);
    /** Run the passes from the network to the broadest octave of gullies, for a job of ter_plan_shared_octave. scratch,
     * cancel: as for `samples` */
    void (*octave)(const ter_fluvial_job *job, void *scratch, const ter_cancel *cancel);
    /** Run the passes from the network to samples.
     *
     *  is_streamed  whether stores of heights bypass the caches; only used if no other layer is requested
     *  scratch      scratch_bytes, aligned to a cache line
     *  cancel       tested between bands; samples that have not been made then are not written
     */
    void (*samples)(const ter_fluvial_job *job, const ter_fluvial_output *out, bool is_streamed, void *scratch,
                    const ter_cancel *cancel);
    const ter_overview_kernels *overviews;
    /** Make samples of levels of detail below TER_OVERVIEW_LOD by the definition: each step for each element, without
     * lists. `cancel` is tested at each row. */
    void (*defined_samples)(const ter_fluvial_job *job, const ter_fluvial_output *out, const ter_cancel *cancel);
    /** Make samples of a level of detail below 0 from points 1 m apart. `cancel` is tested between bands. */
    void (*fine)(const ter_fine_block *block, const ter_fluvial_output *out, void *scratch, const ter_cancel *cancel);
    /** Make the knots of the climate that ter_plan_climate has planned. `cancel` is tested at each row. */
    void (*climate_knots)(const ter_fluvial_job *job, const ter_cancel *cancel);
    /** Make the climate of samples from its knots. `cancel` is tested at each row. */
    void (*climate)(const ter_climate_plan *plan, const ter_climate_block *block, const ter_cancel *cancel);
    size_t scratch_bytes;
} ter_fluvial_kernels;

extern const ter_fluvial_kernels ter_fluvial_kernels_baseline;
extern const ter_fluvial_kernels ter_fluvial_kernels_avx2;
extern const ter_fluvial_kernels ter_fluvial_kernels_avx512;
extern const ter_overview_kernels ter_overview_kernels_baseline;
extern const ter_overview_kernels ter_overview_kernels_avx2;
extern const ter_overview_kernels ter_overview_kernels_avx512;

/** The table for the best level that this machine can run. */
const ter_fluvial_kernels *ter_fluvial_best_kernels(void);

#endif
