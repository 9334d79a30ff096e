/* climate_block.h - samples whose climate is made together. */
#ifndef TERRANE_FLUVIAL_CPU_CLIMATE_BLOCK_H
#define TERRANE_FLUVIAL_CPU_CLIMATE_BLOCK_H

#include "library/fluvial/climate_plan.h"

/** Samples, their heights, and the arrays that receive their climate. All arrays have the same stride. */
typedef struct ter_climate_block {
    const ter_fluvial *f;
    int lod;
    ter_window at;
    size_t stride;
    const float *height;            /* may be one of the arrays of `out` */
    float *out[TER_CLIMATE_LAYERS]; /* NULL: not requested */
} ter_climate_block;

#endif
