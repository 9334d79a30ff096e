/* simd.h - which table of row kernels this machine can run. */
#ifndef TER_GENERATE_CPU_SIMD_H
#define TER_GENERATE_CPU_SIMD_H

#include "generate/cpu/row_kernels.h"

/** Table of a level; NULL with the error detail set when this machine or build cannot run it. */
const ter_row_kernels *ter_row_kernels_for(ter_simd simd);

#endif
