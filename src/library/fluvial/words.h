/* words.h - the random words of fluvial worlds. The counter is that of World format 1, with a tag in place of the
 * level. */
#ifndef TERRANE_FLUVIAL_WORDS_H
#define TERRANE_FLUVIAL_WORDS_H

#include "library/fractal/height.h"

/** Tags of the random words. World format 1 uses 0 to 28. A comment with "+" gives what is added to the tag, and then
 * the lattice whose indices are the counter. */
enum {
    TER_TAG_NODE = 256,      /* + level; counter: the node's cell */
    TER_TAG_EDGE = 272,      /* + level; counter: the coarse cell in which the edge begins */
    TER_TAG_FLOOR = 287,     /* counter: the node's cell of the last level */
    TER_TAG_WARP = 288,      /* + octave; counter: the knot, in the world's plane */
    TER_TAG_MEANDER = 300,   /* + octave; counter: the knot, in the network's plane */
    TER_TAG_FIELD = 304,     /* + octave after those of continents; counter: the knot, in the network's plane */
    TER_TAG_CONTINENT = 315, /* - octave of continents; counter: the knot, in the network's plane */
    TER_TAG_CELL = 316,      /* + octave of gullies; counter: 4 x 4 cells */
    TER_TAG_FINE = 320,      /* + 0 to 4 at spacings of 1 to 16 m; counter: 4 x 4 points */
    TER_TAG_PLACE = 325,     /* + 0, 1 east and south at 16 m, + 2, 3 at 8 m; counter: 4 x 4 points */
    TER_TAG_BED = 329,       /* counter: the node's cell of the last level */
    TER_TAG_MICRO = 330,     /* + 0 to 3 at lods -1 to -4; counter: 4 x 4 points */
    TER_TAG_PATCH = 334,     /* counter: 4 x 4 points at 8 m */
    TER_TAG_CLIMATE = 335,   /* + octave; counter: the knot, in the world's plane scaled by the width of zones */
    TER_TAG_SAND = 338,      /* + octave; counter: the knot, in the world's plane */
    TER_TAG_DUNE = 342,      /* + set of rows; counter: the knot along the crest, and the row */
    TER_TAG_RIPPLE = 346     /* counter: 4 x 4 points at 1 m */
};

TER_FN ter_words ter_tagged_words(const uint32_t key[TER_PHILOX_ROUNDS][2], int tag, int64_t i, int64_t j)
{
    const uint32_t i_high = (uint32_t)((uint64_t)i >> 32) & 0xffffu;
    const uint32_t j_high = (uint32_t)((uint64_t)j >> 32) & 0xffffu;
    return ter_philox(key, (uint32_t)i, i_high, (uint32_t)j, j_high | (uint32_t)tag << 16);
}

/** The random byte of point (x, y). The words of a tag have a byte for each of 4 x 4 points. */
TER_FN int ter_tagged_byte(const uint32_t key[TER_PHILOX_ROUNDS][2], int tag, int64_t x, int64_t y)
{
    const ter_words words = ter_tagged_words(key, tag, x >> 2, y >> 2);
    return (int)(ter_words_row(&words, y) >> 8 * (int)(x & 3) & 0xffu);
}

/** Field n of the eight 16-bit fields of four words, as a number 0 <= f < 1. Field 0 is the low half of word 0. */
TER_FN float ter_fraction(const ter_words *words, int n)
{
    return (float)(words->w[n >> 1] >> (n & 1) * 16 & 0xffffu) * (1.0f / 65536.0f);
}

/** Field n as a number -1 <= f < 1. */
TER_FN float ter_symmetric(const ter_words *words, int n)
{
    return 2.0f * ter_fraction(words, n) - 1.0f;
}

#endif
