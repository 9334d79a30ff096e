/* simd.h - instruction set levels of this machine. For sources of the library. */
#ifndef TERRANE_CORE_SIMD_H
#define TERRANE_CORE_SIMD_H

#include <stdbool.h>

#include "terrane/generator.h"

/** Whether this machine can run code of a level, and this build has such code. */
bool ter_simd_can_run(ter_simd simd);

#endif
