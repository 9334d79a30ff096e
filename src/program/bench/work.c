/* work.c - makes the tiles of both kinds of work: one array, and the viewer's batch of small tiles. */
#include "program/bench/work.h"

bench_work bench_work_array(int level, int64_t size)
{
    bench_work work = {.count = 1};
    work.tiles[0].level = level;
    work.layout = (tile_layout){.width = (int)size, .height = (int)size, .row_stride = (size_t)size};
    return work;
}

bench_work bench_work_batch(int levels)
{
    enum { LEVELS = 8, A_LEVEL = BENCH_BATCH_TILES / LEVELS, COLUMNS = 8, QUADS = 64 };
    const int64_t place[2] = {1918048, 2540640}; /* lattice coordinates */
    bench_work work = {.count = BENCH_BATCH_TILES};
    work.layout =
        (tile_layout){.width = BENCH_BATCH_SIDE, .height = BENCH_BATCH_SIDE, .row_stride = BENCH_BATCH_SIDE + 1};
    work.layout.slot_stride = work.layout.row_stride * BENCH_BATCH_SIDE;
    for (int n = 0; n < BENCH_BATCH_TILES; n++) {
        const int depth = n / A_LEVEL < levels ? n / A_LEVEL : levels, m = n % A_LEVEL;
        work.tiles[n].level = levels - depth;
        work.tiles[n].i = ((place[0] >> depth) / QUADS + m % COLUMNS) * QUADS - 1;
        work.tiles[n].j = ((place[1] >> depth) / QUADS + m / COLUMNS) * QUADS - 1;
    }
    return work;
}

size_t bench_work_sample_bytes(const bench_work *work)
{
    return work->is_u16 ? sizeof(uint16_t) : sizeof(float);
}

size_t bench_work_extent(const bench_work *work)
{
    const tile_layout *l = &work->layout;
    return (work->count - 1) * l->slot_stride + (size_t)l->height * l->row_stride;
}

size_t bench_work_bytes(const bench_work *work)
{
    return bench_work_padded(bench_work_extent(work) * bench_work_sample_bytes(work));
}

size_t bench_work_padded(size_t bytes)
{
    enum { FILLED_AT_ONCE = 16 };
    return (bytes + FILLED_AT_ONCE - 1) / FILLED_AT_ONCE * FILLED_AT_ONCE;
}

double bench_work_samples(const bench_work *work)
{
    return (double)work->count * (double)work->layout.width * (double)work->layout.height;
}

ter_status bench_work_fill(const bench_work *work, ter_generator *generator, const ter_world *world, float *out)
{
    const layer_arrays arrays = {.at = {[TER_LAYER_HEIGHT] = out}};
    return fill_tiles(generator, world, (tile_span){work->tiles, work->count}, &work->layout, &arrays);
}
