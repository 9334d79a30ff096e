/* morph.h - the structure of a morph. */
#ifndef TERRANE_GENERATOR_MORPH_H
#define TERRANE_GENERATOR_MORPH_H

#include <stdbool.h>

#include "library/generator/generator.h"

struct ter_morph {
    ter_generator *generator;
    size_t n_slots;
    int width, height;
    float *heights[2]; /* in the backend's memory: n_slots tiles each */
    float *water[2];   /* as heights; NULL: the morph has only heights */
    bool is_dry[2];    /* the landscape has no water layer */
    float sea[2];      /* of the landscape, m */
    /** Blended heights and water that are copied to host memory: n_blended tiles in the backend's memory. Not used if
     * the backend's memory is host memory. */
    float *blended[2];
    size_t n_blended;
};

/** Check that a morph has all slots of `held`. Errors TER_EINVAL */
ter_status ter_morph_check_slots(const ter_morph *morph, const uint32_t *held, size_t count);

#endif
