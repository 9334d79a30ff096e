/* blend.h - blends heights and water of two landscapes on the CPU. `state` is a ter_cpu_state. */
#ifndef TERRANE_MORPH_CPU_BLEND_H
#define TERRANE_MORPH_CPU_BLEND_H

#include "library/morph/blend.h"

ter_status ter_cpu_blend(void *state, const ter_blend_work *work, void *stream);

#endif
