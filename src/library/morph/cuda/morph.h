/* morph.h - functions of a morph on a CUDA device; `state` begins with a device_state. */
#ifndef TERRANE_MORPH_CUDA_MORPH_H
#define TERRANE_MORPH_CUDA_MORPH_H

#include "library/morph/blend.h"

#ifdef __cplusplus
extern "C" {
#endif

ter_status ter_cuda_copy_tiles(void *state, const ter_copy_work *work, void *stream);
ter_status ter_cuda_blend(void *state, const ter_blend_work *work, void *stream);

#ifdef __cplusplus
}
#endif

#endif
