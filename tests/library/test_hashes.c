/* test_hashes.c - the heights and layers of rectangles have the hashes in a file, by every method, on 1 to 64 threads
 * and at each SIMD level of this machine. Builds of this program for another processor or by another compiler read the
 * same file.
 *
 *   test_hashes FILE          compare; exit status 0 if all are equal
 *   test_hashes FILE brief    compare on 3 threads only, and fluvial worlds by two methods only; for builds that differ
 *                             from a tested one only in their compiler
 *   test_hashes FILE make     write the file; any change in it is a change of the world format
 *
 * The program needs only the library, so that a cross compiler can build it. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "short_calls.h"

enum { WIDTH = 101, HEIGHT = 59, FLUVIAL_WIDTH = 37, FLUVIAL_HEIGHT = 23, TEXT = 16384 };

typedef struct hashed_case {
    const char *name;
    uint64_t seed;
    int levels;
    ter_basis basis;
    double valley, sea;
    int broad, level;
    int64_t i, j;
    int n_threads;   /* how many of the numbers of threads are tried; 0: all. Few are tried for fluvial worlds and
                        below level of detail 0, because some methods take a millisecond for a sample. */
    bool has_layers; /* the hash is of all layers; else of heights, 16-bit samples and statistics */
} hashed_case;

static const hashed_case cases[] = {
    {"midpoint", 1, 20, TER_BASIS_MIDPOINT, 0.0, -1e9, 0, 20, 12345, -6789},
    {"midpoint-coarse", 2, 24, TER_BASIS_MIDPOINT, 0.3, 0.0, 5, 9, -301, 77},
    {"midpoint-far", 3, 24, TER_BASIS_MIDPOINT, 0.8, 10.0, 24, 24, INT64_C(70368744000000), INT64_C(-70368744000000)},
    {"smooth", 1, 20, TER_BASIS_SMOOTH, 0.0, -1e9, 0, 20, 12345, -6789},
    {"smooth-coarse", 0, 24, TER_BASIS_SMOOTH, 0.5, 100.0, 3, 4, -5, -9},
    {"smooth-valley", UINT64_MAX, 18, TER_BASIS_SMOOTH, 0.9, 0.0, 18, 17, -100000, 200001},
    {"one-level", 9, 1, TER_BASIS_SMOOTH, 0.0, 0.0, 0, 1, -100, 0},
    {"fluvial", 1, 20, TER_BASIS_FLUVIAL, 0.0, 0.0, 0, 20, 12345, -6789, 2},
    {"fluvial-coarse", 2, 20, TER_BASIS_FLUVIAL, 0.0, 0.0, 0, 15, -301, 77, 2},
    {"fluvial-layers", 1, 20, TER_BASIS_FLUVIAL, 0.0, 0.0, 0, 20, 12345, -6789, 2, true},
    {"fluvial-coarse-layers", 2, 20, TER_BASIS_FLUVIAL, 0.0, 0.0, 0, 15, -301, 77, 2, true},
    {"midpoint-half-step", 1, 20, TER_BASIS_MIDPOINT, 0.0, -1e9, 0, 21, 12345, -6789, 2},
    {"midpoint-finest", 3, 24, TER_BASIS_MIDPOINT, 0.8, 10.0, 24, 28, INT64_C(1125899904000001), -5, 2},
    {"smooth-half-step", 1, 20, TER_BASIS_SMOOTH, 0.0, -1e9, 0, 21, 12345, -6789, 2},
    {"smooth-finest", UINT64_MAX, 24, TER_BASIS_SMOOTH, 0.9, 0.0, 9, 28, -100000, 200001, 2},
    {"fluvial-half-step", 1, 20, TER_BASIS_FLUVIAL, 0.0, 0.0, 0, 21, 12345, -6789, 2},
    {"fluvial-finest", 2, 20, TER_BASIS_FLUVIAL, 0.0, 0.0, 0, 24, 8010911, -14012920, 2},
    {"fluvial-half-step-layers", 1, 20, TER_BASIS_FLUVIAL, 0.0, 0.0, 0, 21, 12345, -6789, 2, true},
    {"fluvial-finest-layers", 2, 20, TER_BASIS_FLUVIAL, 0.0, 0.0, 0, 24, 8010911, -14012920, 2, true},
};

static void must(ter_status status, const char *what)
{
    if (status == TER_OK)
        return;
    fprintf(stderr, "%s: %s\n", what, ter_error_detail());
    exit(1);
}

#define FIRST_HASH UINT64_C(0xcbf29ce484222325)

/** Add the lowest bytes of a word to a hash. Source: FNV-1a, 64 bits, by Fowler, Noll and Vo. */
static uint64_t add_hash(uint64_t hash, uint64_t word, int n_bytes)
{
    for (int n = 0; n < n_bytes; n++)
        hash = (hash ^ (word >> 8 * n & 0xff)) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint64_t add_floats(uint64_t hash, const float *values, int count)
{
    for (int n = 0; n < count; n++) {
        uint32_t bits;
        memcpy(&bits, &values[n], sizeof bits);
        hash = add_hash(hash, bits, 4);
    }
    return hash;
}

static ter_rect rect_of(const hashed_case *c)
{
    const bool is_fluvial = c->basis == TER_BASIS_FLUVIAL;
    return (ter_rect){c->level, c->i, c->j, is_fluvial ? FLUVIAL_WIDTH : WIDTH, is_fluvial ? FLUVIAL_HEIGHT : HEIGHT};
}

/** Hash of the heights, 16-bit samples and statistics of a rectangle. */
static uint64_t hash_of_heights(ter_generator *generator, const ter_world *world, const hashed_case *c)
{
    static float heights[WIDTH * HEIGHT];
    static uint16_t samples[WIDTH * HEIGHT];
    const ter_rect rect = rect_of(c);
    const int count = (int)(rect.width * rect.height);
    uint64_t hash = FIRST_HASH;
    ter_statistics s = {TER_SIZED(ter_statistics)};
    must(fill_rect_heights(generator, world, &rect, heights, (size_t)rect.width), c->name);
    must(ter_quantise_values(heights, (size_t)count, -500.0, 1500.0, samples), c->name);
    must(ter_generator_statistics(generator, world, &rect, NULL, &s), c->name);
    for (int n = 0; n < count; n++)
        hash = add_hash(add_floats(hash, &heights[n], 1), samples[n], 2);
    return add_hash(add_hash(hash, bits_of((double)s.min_m), 8), bits_of((double)s.max_m), 8);
}

/** Hash of the layers of the land in a rectangle, one after the other. */
static uint64_t hash_of_layers(ter_generator *generator, const ter_world *world, const hashed_case *c)
{
    static float values[TER_LAYER_TEMPERATURE][FLUVIAL_WIDTH * FLUVIAL_HEIGHT];
    const ter_rect rect = rect_of(c);
    uint64_t hash = FIRST_HASH;
    float_layers layers = {0};
    for (int layer = 0; layer < TER_LAYER_TEMPERATURE; layer++)
        layers.at[layer] = values[layer];
    must(fill_rect_layers(generator, world, &rect, &layers, (size_t)rect.width), c->name);
    for (int layer = 0; layer < TER_LAYER_TEMPERATURE; layer++)
        hash = add_floats(hash, values[layer], (int)(rect.width * rect.height));
    return hash;
}

/** Check that a case has the same values by all methods, SIMD levels and numbers of threads; if not, end the program.
 * Returns their hash. */
static uint64_t hash_of_case(const hashed_case *c, bool is_brief)
{
    static const int threads[] = {3, 1, 2, 7, 16, 64};
    const int all_threads = c->n_threads > 0 ? c->n_threads : (int)(sizeof threads / sizeof threads[0]);
    const int n_threads = is_brief ? 1 : all_threads;
    ter_params params;
    ter_world *world = NULL;
    uint64_t hash = 0;
    int n_hashes = 0;
    ter_params_default(&params);
    params.seed = c->seed;
    params.levels = c->levels;
    params.basis = c->basis;
    params.valley = c->valley;
    params.sea = c->sea;
    params.broad = c->broad;
    must(ter_world_create(&params, &world), c->name);
    for (int method = 0; method < TER_METHOD_COUNT; method++) {
        if (is_brief && c->basis == TER_BASIS_FLUVIAL && method == TER_METHOD_RECURSIVE)
            continue; /* this method runs the code of single-pass in larger blocks */
        for (int simd = TER_SIMD_BASELINE; simd <= (int)ter_simd_best(); simd++)
            for (int t = 0; t < n_threads; t++) {
                const ter_generator_options options = {TER_SIZED(ter_generator_options), .backend = TER_BACKEND_CPU,
                                                       .method = (ter_method)method, .threads = threads[t],
                                                       .simd = (ter_simd)simd};
                ter_generator *generator = NULL;
                must(ter_generator_create(&options, &generator), c->name);
                const uint64_t found =
                    c->has_layers ? hash_of_layers(generator, world, c) : hash_of_heights(generator, world, c);
                ter_generator_destroy(generator);
                if (n_hashes++ > 0 && found != hash) {
                    fprintf(stderr, "%s: method %s, %s, %d threads: %016" PRIx64 ", expected %016" PRIx64 "\n", c->name,
                            ter_method_name((ter_method)method), ter_simd_name((ter_simd)simd), threads[t], found,
                            hash);
                    exit(1);
                }
                hash = found;
            }
    }
    ter_world_destroy(world);
    return hash;
}

int main(int argc, char **argv)
{
    static char made[TEXT], expected[TEXT];
    size_t used = 0;
    if (argc < 2) {
        fprintf(stderr, "usage: test_hashes FILE [brief|make]\n");
        return 2;
    }
    const bool is_brief = argc > 2 && strcmp(argv[2], "brief") == 0;
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++)
        used += (size_t)snprintf(made + used, TEXT - used, "%s %016" PRIx64 "\n", cases[n].name,
                                 hash_of_case(&cases[n], is_brief));
    const int makes = argc > 2 && strcmp(argv[2], "make") == 0;
    FILE *file = fopen(argv[1], makes ? "w" : "r");
    if (!file) {
        perror(argv[1]);
        return 1;
    }
    const size_t count = makes ? fwrite(made, 1, used, file) : fread(expected, 1, TEXT - 1, file);
    fclose(file);
    if (makes)
        return count != used;
    if (strcmp(made, expected) != 0) {
        fprintf(stderr, "%s has other hashes than those made:\n%s", argv[1], made);
        return 1;
    }
    printf("%zu rectangles, all hashes as in %s\n", sizeof cases / sizeof cases[0], argv[1]);
    return 0;
}
