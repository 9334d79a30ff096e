/* fine_block.h - a block of samples of a level of detail below 0, as its maker gives it to the kernels. */
#ifndef TERRANE_FLUVIAL_CPU_FINE_BLOCK_H
#define TERRANE_FLUVIAL_CPU_FINE_BLOCK_H

#include "library/fluvial/fine.h"

/** What samples of a level of detail below 0 are made from. */
typedef struct ter_fine_block {
    const ter_fluvial *f;
    const ter_fine_plan *plan;
    const ter_fluvial_output *base; /* layers of the points 1 m apart */
    const ter_fluvial_output *land; /* layers of points TER_MATERIAL_STEP apart */
    ter_microrelief *micro;         /* memory for the microrelief of these points */
} ter_fine_block;

#endif
