/* streaming_store.h - copies with stores that bypass the caches, for output that is larger than the caches.
 *
 * A store to a line that is not in the cache loads the line first. So an array that is larger than the caches is
 * transferred twice. A streaming store writes all 64 bytes of a line to memory:
 *
 *     ordinary    memory --line--> cache, changed there, --line--> memory       2 transfers
 *     streaming   --line--> memory                                              1 transfer
 *
 * Streaming stores write whole, aligned lines. Floats before the first and after the last whole line are copied with
 * ordinary stores:
 *
 *     to          |....head|==line==|==line==|==line==|tail..|
 *                          64       128                          multiples of 64 bytes
 */
#ifndef TERRANE_CORE_CPU_STREAMING_STORE_H
#define TERRANE_CORE_CPU_STREAMING_STORE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/** Copy floats; other threads see them after ter_stream_end. */
static inline void ter_stream_copy(float *to, const float *from, size_t count)
{
#if defined(__x86_64__)
    enum { LINE = 64 / sizeof(float) };
    const size_t before = (size_t)(-(uintptr_t)to & 63) / sizeof(float), head = before < count ? before : count;
    memcpy(to, from, head * sizeof(float));
    size_t n = head;
    for (; n + LINE <= count; n += LINE) {
#if defined(__AVX512F__)
        _mm512_stream_ps(to + n, _mm512_loadu_ps(from + n));
#elif defined(__AVX__)
        _mm256_stream_ps(to + n, _mm256_loadu_ps(from + n));
        _mm256_stream_ps(to + n + 8, _mm256_loadu_ps(from + n + 8));
#else
        for (size_t part = n; part < n + LINE; part += 4)
            _mm_stream_ps(to + part, _mm_loadu_ps(from + part));
#endif
    }
    memcpy(to + n, from + n, (count - n) * sizeof(float));
#else
    memcpy(to, from, count * sizeof(float));
#endif
}

/** Complete this thread's copies. */
static inline void ter_stream_end(void)
{
#if defined(__x86_64__)
    _mm_sfence();
#endif
}

#endif
