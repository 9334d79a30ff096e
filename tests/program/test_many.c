/* test_many.c - the process has no more descriptors and threads, and hardly more memory, after it has created and
 * destroyed a thousand worlds and generators, or a thousand OpenGL contexts without a display.
 *
 *   test_many library|contexts
 */
#include "program_under_test.h"

#include <dirent.h>
#include <malloc.h>

#include "program/core/fill.h"

#ifdef TER_HAVE_FLY
#include "program/render/gl.h"
#include "program/render/headless.h"
#endif

enum { TIMES = 1000, FIRST = 50, SIDE = 33 };
static const size_t BYTES_MORE = 256 << 10; /* allowed growth: a quarter of a kilobyte for each repetition */

/** What the process uses. */
typedef struct usage {
    size_t bytes, resident_bytes;
    int descriptors, threads;
} usage;

static int entries_of(const char *folder)
{
    DIR *d = opendir(folder);
    int count = 0;
    assert_non_null(d);
    while (readdir(d))
        count++;
    closedir(d);
    return count;
}

static usage measure_usage(void)
{
    long pages = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%ld %ld", &pages, &resident), 2);
    fclose(file);
    const struct mallinfo2 heap = mallinfo2();
    return (usage){.bytes = heap.uordblks + heap.hblkhd,
                   .resident_bytes = (size_t)resident * (size_t)sysconf(_SC_PAGESIZE),
                   .descriptors = entries_of("/proc/self/fd"),
                   .threads = entries_of("/proc/self/task")};
}

/** Repeat an action TIMES times. Check that from repetition FIRST on the process gets no more descriptors and threads,
 * that its heap grows by at most `bytes_more`, and that its resident memory grows by at most eight times as much. */
static void repeat(void (*once)(int n), size_t bytes_more)
{
    for (int n = 0; n < FIRST; n++)
        once(n);
    const usage before = measure_usage();
    for (int n = FIRST; n < TIMES; n++)
        once(n);
    const usage after = measure_usage();
    print_message("bytes %zu, then %zu; resident %zu, then %zu; descriptors %d, then %d; threads %d, then %d\n",
                  before.bytes, after.bytes, before.resident_bytes, after.resident_bytes, before.descriptors,
                  after.descriptors, before.threads, after.threads);
    assert_int_equal(after.descriptors, before.descriptors);
    assert_int_equal(after.threads, before.threads);
    assert_true(after.bytes <= before.bytes + bytes_more);
    assert_true(after.resident_bytes <= before.resident_bytes + 8 * bytes_more);
}

static void use_library(int n)
{
    static float heights[SIDE * SIDE];
    const ter_rect rect = {20, 100 * n, -n, SIDE, SIDE};
    ter_params params;
    ter_params_default(&params);
    params.basis = TER_BASIS_SMOOTH;
    params.seed = (uint64_t)n;
    ter_world *world = world_of(&params);
    ter_generator *generator = generator_of((ter_method)(n % TER_METHOD_COUNT), 1 + n % 4, TER_SIMD_AUTO);
    ter_fetch *fetch = NULL;
    const ter_fetch_options options = {TER_SIZED(ter_fetch_options), .samples_max = SIDE * SIDE};
    const ter_fetched *fetched;
    assert_ok(fill_heights(generator, world, &rect, heights, SIDE));
    assert_ok(ter_fetch_create(generator, &options, &fetch));
    assert_ok(ter_fetch_start(fetch, world, &rect, NULL));
    assert_ok(ter_fetch_wait(fetch, &fetched));
    assert_memory_equal(fetched->heights, heights, sizeof heights);
    ter_fetch_destroy(fetch);
    ter_generator_destroy(generator);
    ter_world_destroy(world);
}

static void test_library(void **state)
{
    (void)state;
    repeat(use_library, BYTES_MORE);
}

#ifdef TER_HAVE_FLY

static void use_context(int n)
{
    headless_context *context = NULL;
    (void)n;
    assert_done(headless_create(&context));
    gl_count_errors();
    assert_int_equal(gl_error_count(), 0);
    headless_destroy(context);
}

/** Mesa keeps some memory for the compiler of each context. */
static void test_contexts(void **state)
{
    (void)state;
    repeat(use_context, 16 * BYTES_MORE);
}

#endif

int main(int argc, char **argv)
{
    backend_under_test = TER_BACKEND_CPU;
    const struct CMUnitTest library[] = {cmocka_unit_test(test_library)};
    if (argc > 1 && strcmp(argv[1], "library") == 0)
        return cmocka_run_group_tests(library, NULL, NULL);
#ifdef TER_HAVE_FLY
    headless_context *context = NULL;
    const struct CMUnitTest contexts[] = {cmocka_unit_test(test_contexts)};
    const result res = headless_create(&context);
    headless_destroy(context);
    if (res.kind == RESULT_DONE)
        return cmocka_run_group_tests(contexts, NULL, NULL);
    fprintf(stderr, "skipped: %s\n", res.text);
    return TEST_SKIPPED;
#else
    fprintf(stderr, "skipped: this build has no viewer\n");
    return TEST_SKIPPED;
#endif
}
