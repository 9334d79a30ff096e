/* column_strips.cu - launches the kernel for large arrays of basis smooth, and chooses how strips cover an array. */
#include "library/fractal/cuda/tiled/column_strips.cuh"

#include <algorithm>

namespace
{

/** The least number of bands of equal strips that cover `rows`. */
strip_bands equal_bands(int rows, int n_turns)
{
    return {{divide_up(rows, band_height(n_turns)), 0}, {n_turns, n_turns}};
}

/** Choose the bands of an array that is `across` tiles wide. A warp makes a strip in turns of 16 rows. More turns share
 * the coarse levels among more points. The device works on several bands at once. If an array has more bands than
 * that, the last ones are lower, so that multiprocessors are idle for a shorter time at the end. Otherwise strips have
 * as few turns as possible. */
strip_bands choose_bands(const ter_cuda_batch *batch, int across, int n_multiprocessors)
{
    constexpr int TURNS_MIN = 3, TURNS_LAST = TURNS_MAX / 2;
    const int rows = batch->height + 7, bands_at_once = STRIP_RESIDENT * n_multiprocessors / across;
    if (divide_up(rows, band_height(TURNS_MAX)) > bands_at_once) {
        const int n_first = divide_up(rows - (bands_at_once + 1) * band_height(TURNS_LAST), band_height(TURNS_MAX));
        if (n_first <= 0)
            return equal_bands(rows, TURNS_MAX);
        const int n_last = divide_up(rows - n_first * band_height(TURNS_MAX), band_height(TURNS_LAST));
        return {{n_first, n_last}, {TURNS_MAX, TURNS_LAST}};
    }
    int turns = TURNS_MIN;
    while (divide_up(rows, band_height(turns)) > bands_at_once)
        turns++;
    return equal_bands(rows, turns);
}

template <int VALLEY, class SAMPLE, class CURSOR>
ter_status launch_as(const ter_field *f, const ter_cuda_batch *batch, cudaStream_t stream)
{
    int n_multiprocessors = 0;
    const ter_status status = find_attribute(cudaDevAttrMultiProcessorCount, &n_multiprocessors);
    if (status != TER_OK)
        return status;
    const int across = divide_up(batch->width + (int)(batch->tiles[0].i & 3) + (CURSOR::LEAD ? CURSOR::LEAD - 1 : 0),
                                 STRIPS * (STRIP_WIDTH - CURSOR::LEAD));
    const strip_bands bands = choose_bands(batch, across, n_multiprocessors);
    const strip_launch<SAMPLE> s = make_strip_launch<SAMPLE>(*batch, bands);
    const int shared_bytes = std::max(descent_bytes(s.above[0]), descent_bytes(s.above[1]));
    return launch_overlapped(strips_kernel<VALLEY, SAMPLE, CURSOR>,
                             dim3((unsigned)across, (unsigned)(bands.n[0] + bands.n[1])), STRIP_THREADS, shared_bytes,
                             stream, *f, s);
}

/** Whether the first 4 x 4 block that covers a part of the array starts at a multiple of 16 bytes. */
bool has_blocks_on_fours(const ter_cuda_batch &batch)
{
    const ter_cuda_tile &tile = batch.tiles[0];
    const uint64_t first = (uintptr_t)(batch.out + tile.slot * batch.slot_stride) / sizeof(float);
    return (first - (uint64_t)(tile.i & 3) - (uint64_t)(tile.j & 3) * batch.row_stride) % 4 == 0;
}

/** Launch the kernel that is compiled for this distance of rows modulo four. Shifts are fast only if they are
 * compile-time constants. */
template <int VALLEY> ter_status launch_shifted(const ter_field *f, const ter_cuda_batch *batch, cudaStream_t stream)
{
    switch (batch->row_stride % 4) {
    case 0:
        return launch_as<VALLEY, float, shifted_cursor<0>>(f, batch, stream);
    case 1:
        return launch_as<VALLEY, float, shifted_cursor<1>>(f, batch, stream);
    case 2:
        return launch_as<VALLEY, float, shifted_cursor<2>>(f, batch, stream);
    default:
        return launch_as<VALLEY, float, shifted_cursor<3>>(f, batch, stream);
    }
}

template <int VALLEY, class SAMPLE>
ter_status launch(const ter_field *f, const ter_cuda_batch *batch, cudaStream_t stream)
{
    if (ter_batch_is_aligned(*batch) && batch->is_origin_aligned && batch->width % 4 == 0 && batch->height % 4 == 0)
        return launch_as<VALLEY, SAMPLE, whole_cursor<SAMPLE>>(f, batch, stream);
    if (!batch->out_u16 &&
        has_blocks_on_fours(*batch)) /* with 16-bit samples arithmetic is the limit, so faster stores gain nothing */
        return launch_shifted<VALLEY>(f, batch, stream);
    return launch_as<VALLEY, SAMPLE, point_cursor<SAMPLE>>(f, batch, stream);
}

} // namespace

ter_status ter_strips(const ter_field *f, const ter_cuda_batch *batch, cudaStream_t stream)
{
    if (batch->out_u16)
        return (f->is_valley ? launch<1, uint16_t> : launch<0, uint16_t>)(f, batch, stream);
    return (f->is_valley ? launch<1, float> : launch<0, float>)(f, batch, stream);
}
