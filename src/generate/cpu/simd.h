/* simd.h - which table of inner loops this machine can run. */
#ifndef TER_GENERATE_CPU_SIMD_H
#define TER_GENERATE_CPU_SIMD_H

#include "generate/cpu/kernels.h"

/** Table of a level; NULL with the error detail set when this machine or build cannot run it. */
const ter_cpu_kernels *ter_cpu_kernels_for(ter_simd simd);

#endif
