/* backend_under_test.h - the first argument of a test program names the backend under test. If the backend cannot run
 * here, the program ends with exit status 77, which CTest counts as skipped. */
#ifndef TER_TESTS_BACKEND_UNDER_TEST_H
#define TER_TESTS_BACKEND_UNDER_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "terrane/terrane.h"

enum { TEST_SKIPPED = 77 };
static const float untouched = -12345.5f; /* memory around and between rows must not change */

/** Whether the thread sanitizer checks this program. It makes code ten times slower, so only tests of threads run. */
#ifdef __SANITIZE_THREAD__
enum { CHECKS_THREADS_ONLY = 1 };
#else
enum { CHECKS_THREADS_ONLY = 0 };
#endif

static ter_backend backend_under_test;

/** Read the backend from the command line. Exits if the backend cannot run on this machine. */
static inline void backend_from_arguments(int argc, char **argv)
{
    char reason[256];
    if (argc < 2 || (strcmp(argv[1], "cpu") != 0 && strcmp(argv[1], "cuda") != 0)) {
        fprintf(stderr, "usage: %s cpu|cuda\n", argv[0]);
        exit(2);
    }
    backend_under_test = strcmp(argv[1], "cuda") == 0 ? TER_BACKEND_CUDA : TER_BACKEND_CPU;
    if (backend_under_test == TER_BACKEND_CUDA && ter_device_count(reason, sizeof reason) == 0) {
        fprintf(stderr, "skipped: no CUDA device: %s\n", reason);
        exit(TEST_SKIPPED);
    }
}

/** Fail the test with the library's error detail if a call failed. */
#define assert_ok(call)                                                                                                \
    do {                                                                                                               \
        const ter_status assert_ok_status = (call);                                                                    \
        if (assert_ok_status != TER_OK)                                                                                \
            fail_msg("%s: %s: %s", #call, ter_status_text(assert_ok_status), ter_error_detail());                      \
    } while (0)

static inline ter_generator *generator_of(ter_method method, int threads, ter_simd simd)
{
    const ter_generator_options options = {TER_SIZED(ter_generator_options), .backend = backend_under_test,
                                           .method = method, .threads = threads, .simd = simd};
    ter_generator *generator = NULL;
    assert_ok(ter_generator_create(&options, &generator));
    return generator;
}

static inline ter_world *world_of(const ter_params *params)
{
    ter_world *world = NULL;
    assert_ok(ter_world_create(params, &world));
    return world;
}

/** Deterministic random numbers for the tests (xorshift64*). */
static inline uint64_t test_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * UINT64_C(2685821657736338717);
}

/** Random parameters of basis smooth or midpoint, with any number of levels, with and without valley and broad levels.
 */
static inline ter_params random_params(uint64_t *state)
{
    ter_params p;
    ter_params_default(&p);
    p.seed = test_random(state);
    p.levels = 1 + (int)(test_random(state) % TER_LEVELS_MAX);
    p.basis = test_random(state) % 2 ? TER_BASIS_SMOOTH : TER_BASIS_MIDPOINT;
    p.valley = test_random(state) % 2 ? 0.0 : 0.05 + (double)(test_random(state) % 90) / 100.0;
    p.broad = (int)(test_random(state) % 25);
    p.gain = 0.3 + (double)(test_random(state) % 60) / 100.0;
    p.amplitude = 1.0 + (double)(test_random(state) % 3000);
    p.base = (double)(test_random(state) % 1000) - 500.0;
    return p;
}

/** A random coordinate of a level: near the origin, far away, or at the end of the world. The `extent` points that
 * begin there all lie in the world. depth: level of detail */
static inline int64_t random_coordinate(uint64_t *state, int depth, int64_t extent)
{
    const int64_t limit = TER_COORDINATE_MAX >> depth;
    const uint64_t r = test_random(state);
    if (r % 8 == 0)
        return -limit;
    if (r % 8 == 1)
        return limit - extent + 1;
    const int bits = 1 + (int)(test_random(state) % 44);
    int64_t value = (int64_t)(test_random(state) >> (64 - bits)) - ((int64_t)1 << (bits - 1));
    if (value < -limit)
        value = -limit;
    return value > limit - extent + 1 ? limit - extent + 1 : value;
}

static inline uint32_t float_bits(float h)
{
    uint32_t bits;
    memcpy(&bits, &h, sizeof bits);
    return bits;
}

#endif
