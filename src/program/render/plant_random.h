/* plant_random.h - random numbers for plants' meshes and pictures, equal on every machine. */
#ifndef TERRANE_PROGRAM_RENDER_PLANT_RANDOM_H
#define TERRANE_PROGRAM_RENDER_PLANT_RANDOM_H
#include <stdint.h>

#include <constants.glsl>

/** The next random number, at least 0 and less than 1. */
static inline float plant_random(uint32_t *state)
{
    *state = PCG_ADVANCE(*state);
    const uint32_t x = PCG_MIX(*state);
    return (float)(PCG_FOLD(x) >> 8) / 16777216.0f;
}

#endif
