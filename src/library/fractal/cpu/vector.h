/* vector.h - vectors of floats for AVX2 and AVX-512, and the arithmetic of world format 1 on them. TER_HAS_VECTORS says
 * whether this file is compiled for one of these instruction sets.
 *
 * A pair is two neighbouring points of a row. A vector of FLOATS floats has one value for each of FLOATS pairs. These
 * belong to WIDE_LANES blocks of the random field (philox_row.h): in one row, a block has two pairs and one word. The
 * word is in the same 64-bit lane as the floats of these two pairs, so no byte moves to another lane. A byte becomes a
 * float without a conversion instruction: it is placed in the lowest byte of a float whose lowest bit is worth 1:
 *
 *     64-bit lane of a word       [ any | b3 b2 b1 b0 ]
 *     as two floats               [ 4B 00 00 b2 | 4B 00 00 b0 ] = 2^23 + b2, 2^23 + b0     one shuffle: first points
 *     less 2^23 + 128             b2 - 128, b0 - 128                                       the displacements r
 */
#ifndef TERRANE_FRACTAL_CPU_VECTOR_H
#define TERRANE_FRACTAL_CPU_VECTOR_H

#include <string.h>

#include "library/fractal/cpu/philox_row.h"

#if defined(__AVX512BW__) && defined(__FMA__)

#define TER_HAS_VECTORS 1
enum { FLOATS = 16 };
typedef __m512 floats;
#define FLOATS_ALL(x)        _mm512_set1_ps(x)
#define FLOATS_LOAD(at)      _mm512_loadu_ps(at)
#define FLOATS_STORE(at, x)  _mm512_storeu_ps(at, x)
#define FLOATS_STREAM(at, x) _mm512_stream_ps(at, x)
#define FLOATS_FMA(a, b, c)  _mm512_fmadd_ps(a, b, c)
#define FLOATS_MIN(a, b)     _mm512_min_ps(a, b)
#define FLOATS_MAX(a, b)     _mm512_max_ps(a, b)

/** Two floats for each 64-bit lane of `words`: 2^23 + byte `first`, and 2^23 + byte first + 2. */
static inline floats biased_bytes(wide words, int first)
{
    const __m512i place = _mm512_set1_epi64(first | (int64_t)(first + 2) << 32);
    const __m512i lanes = _mm512_set4_epi32(0x08080808, 0x08080808, 0, 0); /* a shuffle works on 16 bytes: two lanes */
    return _mm512_castsi512_ps(_mm512_mask_shuffle_epi8(_mm512_set1_epi32(0x4B000000), UINT64_C(0x1111111111111111),
                                                        words, _mm512_add_epi8(place, lanes)));
}

/** The lanes of x after its first one, then the first lane of `next`. */
static inline floats floats_east(floats x, floats next)
{
    return _mm512_castsi512_ps(_mm512_alignr_epi32(_mm512_castps_si512(next), _mm512_castps_si512(x), 1));
}

/** first[0], second[0], first[1] ...: the points of the pairs. */
static inline void floats_interleave(floats first, floats second, floats out[2])
{
    const __m512i low = _mm512_set_epi32(23, 7, 22, 6, 21, 5, 20, 4, 19, 3, 18, 2, 17, 1, 16, 0);
    out[0] = _mm512_permutex2var_ps(first, low, second);
    out[1] = _mm512_permutex2var_ps(first, _mm512_add_epi32(low, _mm512_set1_epi32(8)), second);
}

/** Store lanes begin to end - 1. begin and end may lie outside of the vector. */
static inline void floats_store_part(float *to, floats x, int begin, int end)
{
    const int low = begin > 0 ? begin : 0, high = end < FLOATS ? end : FLOATS;
    const __mmask16 lanes = low < high ? (__mmask16)((1u << high) - (1u << low)) : 0;
    _mm512_mask_storeu_ps(to, lanes, x);
}

#elif defined(__AVX2__) && defined(__FMA__) && !defined(__AVX512F__)

#define TER_HAS_VECTORS      1
enum { FLOATS = 8 };
typedef __m256 floats;
#define FLOATS_ALL(x)        _mm256_set1_ps(x)
#define FLOATS_LOAD(at)      _mm256_loadu_ps(at)
#define FLOATS_STORE(at, x)  _mm256_storeu_ps(at, x)
#define FLOATS_STREAM(at, x) _mm256_stream_ps(at, x)
#define FLOATS_FMA(a, b, c)  _mm256_fmadd_ps(a, b, c)
#define FLOATS_MIN(a, b)     _mm256_min_ps(a, b)
#define FLOATS_MAX(a, b)     _mm256_max_ps(a, b)

static inline floats biased_bytes(wide words, int first)
{
    const int unused = (int)0x80808000; /* these result bytes become zero */
    const __m256i place =
        _mm256_setr_epi32(first | unused, (first + 2) | unused, (first + 8) | unused, (first + 10) | unused,
                          first | unused, (first + 2) | unused, (first + 8) | unused, (first + 10) | unused);
    return _mm256_castsi256_ps(_mm256_or_si256(_mm256_shuffle_epi8(words, place), _mm256_set1_epi32(0x4B000000)));
}

static inline floats floats_east(floats x, floats next)
{
    const __m256i middle =
        _mm256_castps_si256(_mm256_permute2f128_ps(x, next, 0x21)); /* upper half of x, lower half of next */
    return _mm256_castsi256_ps(_mm256_alignr_epi8(middle, _mm256_castps_si256(x), 4));
}

static inline void floats_interleave(floats first, floats second, floats out[2])
{
    const floats low = _mm256_unpacklo_ps(first, second), high = _mm256_unpackhi_ps(first, second);
    out[0] = _mm256_permute2f128_ps(low, high, 0x20);
    out[1] = _mm256_permute2f128_ps(low, high, 0x31);
}

static inline void floats_store_part(float *to, floats x, int begin, int end)
{
    float lanes[FLOATS];
    const int low = begin > 0 ? begin : 0, high = end < FLOATS ? end : FLOATS;
    FLOATS_STORE(lanes, x);
    if (low < high)
        memcpy(to + low, lanes + low, (size_t)(high - low) * sizeof(float));
}

#endif

#ifdef TER_HAS_VECTORS

/** Displacement integers r of each pair's first point (first = 0: bytes 0 and 2 of the words) or second point
 * (first = 1: bytes 1 and 3). */
static inline floats vector_r(wide words, int first)
{
    return biased_bytes(words, first) - FLOATS_ALL(8388736.0f); /* 2^23 + 128 */
}

/* These functions do the same operations in the same order as those of library/fractal/height.h. */

static inline floats vector_four(floats a, floats b, floats c, floats d)
{
    return FLOATS_FMA(b + c, FLOATS_ALL(0.5625f), (a + d) * FLOATS_ALL(-0.0625f));
}

static inline floats vector_edge(floats a, floats b)
{
    return FLOATS_ALL(0.5f) * (a + b);
}

static inline floats vector_centre(floats n, floats s, floats w, floats e)
{
    return FLOATS_ALL(0.25f) * ((n + s) + (w + e));
}

static inline floats vector_displace(floats r, float amplitude, floats m, int is_valley, float valley_offset,
                                     float valley_slope)
{
    if (!is_valley)
        return FLOATS_FMA(r, FLOATS_ALL(amplitude), m);
    const floats low = FLOATS_MAX(FLOATS_FMA(m, FLOATS_ALL(valley_slope), FLOATS_ALL(valley_offset)), FLOATS_ALL(0.0f));
    return FLOATS_FMA(r, FLOATS_ALL(amplitude) * FLOATS_MIN(low, FLOATS_ALL(1.0f)), m);
}

#endif

#endif
