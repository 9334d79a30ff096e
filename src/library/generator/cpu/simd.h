/* simd.h - finds the table of row kernels for an instruction set level. */
#ifndef TERRANE_GENERATOR_CPU_SIMD_H
#define TERRANE_GENERATOR_CPU_SIMD_H

#include "library/fractal/cpu/row_kernels.h"

/** Table of a level. Returns NULL, with the error detail set, if this machine or build cannot run it. */
const ter_row_kernels *ter_row_kernels_for(ter_simd simd);

#endif
