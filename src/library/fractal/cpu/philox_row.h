/* philox_row.h - makes a row of Philox blocks with the vector instructions that this file is compiled for.
 *
 * A round multiplies two of the four 32-bit counter words to 64 bits each, and xors the upper halves into the other two
 * words. So each word is in the lower half of a 64-bit lane, and a vector register has the same word of several blocks:
 *
 *     lane             0                 1                 2                ...     AVX-512: 8 lanes, AVX2: 4, SSE2: 2
 *     c0          [ any | c0 ]      [ any | c0 ]      [ any | c0 ]                  of blocks ib, ib + 1, ib + 2 ...
 *     p0 = M0 c0  [ hi  | lo ]      [ hi  | lo ]      [ hi  | lo ]                  one widening multiplication
 *     p0 >> 32    [  0  | hi ]      [  0  | hi ]      [  0  | hi ]                  new c2 = hi ^ c3 ^ key, new c3 = p0
 *
 * The widening multiplication reads only the lower halves, so the upper halves need not be cleared. A round has two
 * multiplications, two shifts and two xors of three inputs. No value moves from lane to lane.
 */
#ifndef TERRANE_FRACTAL_CPU_PHILOX_ROW_H
#define TERRANE_FRACTAL_CPU_PHILOX_ROW_H

#include <stddef.h>
#include <string.h>

#include "library/fractal/height.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#if defined(__AVX512F__)

enum { WIDE_LANES = 8 };
typedef __m512i wide;
#define WIDE_MULTIPLY(a, b) _mm512_mul_epu32(a, b)
#define WIDE_UPPER(a)       _mm512_srli_epi64(a, 32)
#define WIDE_XOR3(a, b, c)  _mm512_ternarylogic_epi64(a, b, c, 0x96)
#define WIDE_ALL(x)         _mm512_set1_epi64((long long)(x))
#define WIDE_FROM(x)        _mm512_add_epi64(WIDE_ALL(x), _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0))
#define WIDE_AND(a, b)      _mm512_and_si512(a, b)
#define WIDE_STORE(to, a)   _mm256_storeu_si256((__m256i *)(void *)(to), _mm512_cvtepi64_epi32(a))

#elif defined(__AVX2__)

enum { WIDE_LANES = 4 };
typedef __m256i wide;
#define WIDE_MULTIPLY(a, b) _mm256_mul_epu32(a, b)
#define WIDE_UPPER(a)       _mm256_srli_epi64(a, 32)
#define WIDE_XOR3(a, b, c)  _mm256_xor_si256(_mm256_xor_si256(a, b), c)
#define WIDE_ALL(x)         _mm256_set1_epi64x((long long)(x))
#define WIDE_FROM(x)        _mm256_add_epi64(WIDE_ALL(x), _mm256_set_epi64x(3, 2, 1, 0))
#define WIDE_AND(a, b)      _mm256_and_si256(a, b)
#define WIDE_STORE(to, a)                                                                                              \
    _mm_storeu_si128((__m128i *)(void *)(to),                                                                          \
                     _mm256_castsi256_si128(_mm256_permutevar8x32_epi32(a, _mm256_set_epi32(7, 5, 3, 1, 6, 4, 2, 0))))

#elif defined(__x86_64__)

enum { WIDE_LANES = 2 };
typedef __m128i wide;
#define WIDE_MULTIPLY(a, b) _mm_mul_epu32(a, b)
#define WIDE_UPPER(a)       _mm_srli_epi64(a, 32)
#define WIDE_XOR3(a, b, c)  _mm_xor_si128(_mm_xor_si128(a, b), c)
#define WIDE_ALL(x)         _mm_set1_epi64x((long long)(x))
#define WIDE_FROM(x)        _mm_add_epi64(WIDE_ALL(x), _mm_set_epi64x(1, 0))
#define WIDE_AND(a, b)      _mm_and_si128(a, b)
#define WIDE_STORE(to, a)   _mm_storel_epi64((__m128i *)(void *)(to), _mm_shuffle_epi32(a, 0x08))

#else

enum { WIDE_LANES = 1 };
typedef uint64_t wide;
#define WIDE_MULTIPLY(a, b) ((uint64_t)(uint32_t)(a) * (uint32_t)(b))
#define WIDE_UPPER(a)       ((a) >> 32)
#define WIDE_XOR3(a, b, c)  ((a) ^ (b) ^ (c))
#define WIDE_ALL(x)         ((uint64_t)(x))
#define WIDE_FROM(x)        ((uint64_t)(x))
#define WIDE_AND(a, b)      ((a) & (b))
#define WIDE_STORE(to, a)   memcpy(to, &(uint32_t){(uint32_t)(a)}, sizeof(uint32_t))

#endif

/** Words of the blocks (ib .. ib + count - 1, jb) of level k, or of another tag k of the counter. words[n]
 * receives word n of each block, and up to WIDE_LANES - 1 further values. */
static inline void ter_philox_row(const uint32_t round_key[TER_PHILOX_ROUNDS][2], int k, int64_t ib, int64_t jb,
                                  int count, void *const words[4])
{
    const wide m0 = WIDE_ALL(TER_PHILOX_M0), m1 = WIDE_ALL(TER_PHILOX_M1);
    const wide row_low = WIDE_ALL((uint32_t)jb);
    const wide row_high = WIDE_ALL(((uint32_t)((uint64_t)jb >> 32) & 0xffffu) | (uint32_t)k << 16);
    wide key[TER_PHILOX_ROUNDS][2];
    for (int n = 0; n < TER_PHILOX_ROUNDS; n++) {
        key[n][0] = WIDE_ALL(round_key[n][0]);
        key[n][1] = WIDE_ALL(round_key[n][1]);
    }
    for (int block = 0; block < count; block += WIDE_LANES) {
        wide c0 = WIDE_FROM(ib + block), c1 = WIDE_AND(WIDE_UPPER(c0), WIDE_ALL(0xffff)), c2 = row_low, c3 = row_high;
        TER_UNROLL
        for (int n = 0; n < TER_PHILOX_ROUNDS; n++) {
            const wide p0 = WIDE_MULTIPLY(c0, m0), p1 = WIDE_MULTIPLY(c2, m1);
            c0 = WIDE_XOR3(WIDE_UPPER(p1), c1, key[n][0]);
            c1 = p1;
            c2 = WIDE_XOR3(WIDE_UPPER(p0), c3, key[n][1]);
            c3 = p0;
        }
        const size_t first = (size_t)block * sizeof(uint32_t);
        WIDE_STORE((char *)words[0] + first, c0);
        WIDE_STORE((char *)words[1] + first, c1);
        WIDE_STORE((char *)words[2] + first, c2);
        WIDE_STORE((char *)words[3] + first, c3);
    }
}

#endif
