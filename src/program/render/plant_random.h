/* plant_random.h - random numbers for plants' meshes and pictures, equal on every machine. */
#ifndef TERRANE_PROGRAM_RENDER_PLANT_RANDOM_H
#define TERRANE_PROGRAM_RENDER_PLANT_RANDOM_H
#include <stdint.h>

/** The next random number, at least 0 and less than 1. Source: pcg, Jarzynski and Olano 2020; as in noise.glsl */
static inline float plant_random(uint32_t *state)
{
    *state = *state * 747796405U + 2891336453U;
    const uint32_t x = ((*state >> ((*state >> 28) + 4)) ^ *state) * 277803737U;
    return (float)(((x >> 22) ^ x) >> 8) / 16777216.0f;
}

#endif
