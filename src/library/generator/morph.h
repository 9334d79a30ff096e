/* morph.h - what a morph owns. */
#ifndef TERRANE_GENERATOR_MORPH_H
#define TERRANE_GENERATOR_MORPH_H

#include <stdbool.h>

#include "library/generator/generator.h"

struct ter_morph {
    ter_generator *generator;
    size_t n_slots;
    int width, height;
    float *heights[2]; /* of the backend's memory: n_slots tiles each */
    float *water[2];   /* the same; NULL: heights alone */
    bool is_dry[2];    /* the landscape has no water layer */
    float sea[2];      /* of the landscape, m */
    float *blended[2]; /* heights and water; of the backend's memory, if not the host's: n_blended tiles on their way to
                          it */
    size_t n_blended;
};

/** Errors TER_EINVAL a slot that the morph does not have */
ter_status ter_morph_check_slots(const ter_morph *morph, const uint32_t *held, size_t count);

#endif
