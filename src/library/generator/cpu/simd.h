/* simd.h - which table of row kernels this machine can run. */
#ifndef TERRANE_GENERATOR_CPU_SIMD_H
#define TERRANE_GENERATOR_CPU_SIMD_H

#include "library/fractal/cpu/row_kernels.h"

/** Table of a level; NULL with the error detail set when this machine or build cannot run it. */
const ter_row_kernels *ter_row_kernels_for(ter_simd simd);

#endif
