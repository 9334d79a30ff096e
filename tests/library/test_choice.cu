/* test_choice.cu - the choice of CUDA kernels: the table has the documented rows, and batches around its thresholds get
 * the right kernels. The test needs no device. */
#include <stdint.h>
#include <stdio.h>

#include "library/fractal/cuda/choose.h"
#include "library/world/world.h"
#include "terrane/terrane.h"

static int n_failed;

static const char *name_of(ter_cuda_kernel kernel)
{
    static const char *const names[] = {"recursive",       "samples", "warps",  "regions",
                                        "sheared regions", "strips",  "patches"};
    return names[kernel];
}

/** Check that the rows have the order that library/fractal/cuda/README.md documents. */
static void check_order()
{
    static const ter_cuda_kernel expected[] = {
        TER_KERNEL_RECURSIVE, TER_KERNEL_REGIONS, TER_KERNEL_REGIONS_SHEARED, TER_KERNEL_REGIONS,
        TER_KERNEL_WARPS,     TER_KERNEL_SAMPLES, TER_KERNEL_REGIONS,         TER_KERNEL_REGIONS_SHEARED,
        TER_KERNEL_REGIONS,   TER_KERNEL_STRIPS,  TER_KERNEL_PATCHES};
    const int n_expected = (int)(sizeof expected / sizeof expected[0]);
    int count = 0;
    const ter_cuda_choice *choices = ter_cuda_choices(&count);
    if (count != n_expected) {
        fprintf(stderr, "%d rows, expected %d\n", count, n_expected);
        n_failed++;
        return;
    }
    for (int n = 0; n < count; n++)
        if (choices[n].kernel != expected[n]) {
            fprintf(stderr, "row %d is for %s, expected %s\n", n, name_of(choices[n].kernel), name_of(expected[n]));
            n_failed++;
        }
}

/** A batch, and the kernel that must make it. */
struct expectation {
    ter_method method;
    ter_basis basis;
    int level, width, height;
    int count;         /* tiles */
    int64_t i;         /* of the first tile */
    size_t stride;     /* samples */
    uintptr_t address; /* of the output */
    bool is_u16;
    ter_cuda_kernel kernel;
};

static void check(const expectation &e)
{
    ter_params params;
    ter_world *world = nullptr;
    ter_params_default(&params);
    params.basis = e.basis;
    params.valley = 0.0;
    if (ter_world_create(&params, &world) != TER_OK) {
        n_failed++;
        return;
    }
    ter_cuda_batch batch = {};
    batch.tiles[0].i = e.i;
    batch.tiles[0].level = batch.level_min = e.level;
    batch.count = e.count;
    batch.width = e.width;
    batch.height = e.height;
    batch.row_stride = e.stride;
    batch.out = e.is_u16 ? nullptr : (float *)e.address;
    batch.out_u16 = e.is_u16 ? (uint16_t *)e.address : nullptr;
    const ter_cuda_kernel found = ter_cuda_choose(e.method, false, &world->field, &batch);
    if (found != e.kernel) {
        fprintf(stderr,
                "%s, basis %d, level %d, %d tiles of %d x %d at i %lld, stride %zu, address %zx: %s, expected %s\n",
                ter_method_name(e.method), (int)e.basis, e.level, e.count, e.width, e.height, (long long)e.i, e.stride,
                (size_t)e.address, name_of(found), name_of(e.kernel));
        n_failed++;
    }
    if (ter_cuda_choose(TER_METHOD_SINGLE_PASS, true, &world->field, &batch) != TER_KERNEL_SAMPLES) {
        fprintf(stderr, "with is_by_sample, a thread does not make one sample\n");
        n_failed++;
    }
    ter_world_destroy(world);
}

int main()
{
    const ter_method recursive = TER_METHOD_RECURSIVE, single = TER_METHOD_SINGLE_PASS, tiled = TER_METHOD_TILED;
    const ter_basis midpoint = TER_BASIS_MIDPOINT, smooth = TER_BASIS_SMOOTH;
    const uintptr_t at = 1 << 20;
    const expectation expectations[] = {
        {recursive, midpoint, 20, 4096, 4096, 1, 0, 4096, at, false, TER_KERNEL_RECURSIVE},
        {single, midpoint, 20, 4096, 4096, 1, 0, 4096, at, false, TER_KERNEL_REGIONS},
        {single, midpoint, 20, 4097, 4097, 1, 0, 4097, at, false, TER_KERNEL_REGIONS_SHEARED},
        {single, midpoint, 20, 512, 512, 1, 0, 512, at, false, TER_KERNEL_WARPS},
        {single, midpoint, 6, 4096, 4096, 1, 0, 4096, at, false, TER_KERNEL_WARPS},
        {single, midpoint, 5, 4096, 4096, 1, 0, 4096, at, false, TER_KERNEL_SAMPLES},
        {single, smooth, 20, 4096, 4096, 1, 0, 4096, at, false, TER_KERNEL_WARPS},
        {tiled, midpoint, 20, 4096, 4096, 1, 0, 4096, at, false, TER_KERNEL_REGIONS},
        {tiled, midpoint, 20, 4096, 4096, 2, 0, 4096, at, false, TER_KERNEL_PATCHES},
        {tiled, midpoint, 20, 4096, 4096, 1, 8, 4096, at, false, TER_KERNEL_REGIONS},
        {tiled, midpoint, 20, 4096, 4096, 1, 4, 4096, at, false, TER_KERNEL_REGIONS_SHEARED},
        {tiled, midpoint, 20, 4096, 4096, 1, 0, 4096, at + 4, false, TER_KERNEL_REGIONS_SHEARED},
        {tiled, midpoint, 20, 4096, 4096, 1, 0, 4100, at, false, TER_KERNEL_REGIONS_SHEARED},
        {tiled, midpoint, 20, 4096, 4096, 1, 0, 4104, at, false, TER_KERNEL_REGIONS},
        {tiled, midpoint, 20, 4096, 4096, 1, 0, 4104, at, true, TER_KERNEL_REGIONS_SHEARED},
        {tiled, midpoint, 20, 4096, 4096, 1, 0, 4112, at, true, TER_KERNEL_REGIONS},
        {tiled, midpoint, 20, 1025, 1025, 1, 0, 1025, at, false, TER_KERNEL_REGIONS},
        {tiled, midpoint, 20, 1000, 1000, 1, 0, 1000, at, false, TER_KERNEL_PATCHES},
        {tiled, midpoint, 6, 4096, 4096, 1, 0, 4096, at, false, TER_KERNEL_PATCHES},
        {tiled, smooth, 20, 1536, 1536, 1, 0, 1536, at, false, TER_KERNEL_STRIPS},
        {tiled, smooth, 20, 1535, 1536, 1, 0, 1536, at, false, TER_KERNEL_PATCHES},
        {tiled, smooth, 1, 4096, 4096, 1, 0, 4096, at, false, TER_KERNEL_PATCHES},
    };
    check_order();
    for (const expectation &e : expectations)
        check(e);
    printf(n_failed ? "%d failed\n" : "all found\n", n_failed);
    return n_failed ? 1 : 0;
}
