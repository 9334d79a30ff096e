/* plant_random.h - random numbers for plants' meshes and pictures, equal on every machine. */
#ifndef TERRANE_PROGRAM_RENDER_PLANT_RANDOM_H
#define TERRANE_PROGRAM_RENDER_PLANT_RANDOM_H

#include "library/fractal/height.h"

/** A stream of random numbers by Philox4x32-10. Streams of different subjects are independent. Begin with
 * (plant_stream){.subject = ...}. */
typedef struct plant_stream {
    uint32_t subject; /* number of a mesh or picture */
    uint32_t block;   /* number of the next block of four words */
    ter_words words;
    int n_left; /* words of this block that are not used yet */
} plant_stream;

static inline void plant_stream_refill(plant_stream *s)
{
    uint32_t key[TER_PHILOX_ROUNDS][2];
    for (uint32_t n = 0; n < TER_PHILOX_ROUNDS; n++) {
        key[n][0] = UINT32_C(0x706c616e) + n * UINT32_C(0x9E3779B9);
        key[n][1] = UINT32_C(0x74730000) + n * UINT32_C(0xBB67AE85);
    }
    s->words = ter_philox(key, s->block++, s->subject, 0, 0);
    s->n_left = 4;
}

/** The next random number of a stream, at least 0 and less than 1. */
static inline float plant_random(plant_stream *s)
{
    if (s->n_left == 0)
        plant_stream_refill(s);
    return (float)(s->words.w[--s->n_left] >> 8) / 16777216.0f;
}

/** The next random number of a stream, between two limits. */
static inline float plant_between(plant_stream *s, float low, float high)
{
    return low + (high - low) * plant_random(s);
}

#endif
