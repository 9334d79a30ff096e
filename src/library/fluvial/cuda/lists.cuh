/* lists.cuh - lists that a block of threads makes in shared memory. Entries keep the order of the threads, and with it
 * the order of the nodes. */
#ifndef TERRANE_FLUVIAL_CUDA_LISTS_CUH
#define TERRANE_FLUVIAL_CUDA_LISTS_CUH

#include "library/fluvial/passes.h"

namespace
{

constexpr int LIST_THREADS = 256;
constexpr int LIST_WARPS = LIST_THREADS / 32;
constexpr unsigned FULL_WARP = 0xffffffffu;

/** Number of entries that each warp appends. */
struct list_counts {
    int warp[LIST_WARPS];
};

/** Append at most one entry for each thread. All threads of the block call.
 *
 *  count    entries of the list, the same in all threads; updated
 *  Returns  index of this thread's entry, or -1 without an entry
 */
__device__ inline int append_in_order(bool has_entry, list_counts *counts, int *count)
{
    const unsigned lanes = __ballot_sync(FULL_WARP, has_entry), lane = threadIdx.x & 31u;
    __syncthreads(); /* the counts before have been read */
    if (lane == 0)
        counts->warp[threadIdx.x >> 5] = __popc(lanes);
    __syncthreads();
    int before = 0, all = 0;
    for (int w = 0; w < LIST_WARPS; w++) {
        before += w < (int)(threadIdx.x >> 5) ? counts->warp[w] : 0;
        all += counts->warp[w];
    }
    const int place = has_entry ? *count + before + __popc(lanes & ((1u << lane) - 1u)) : -1;
    *count += all;
    return place;
}

/** Origin of the places of a block of threads: the corner of a cell near them. Places relative to it are multiples of
 * 1/256 unit below 2^16, and so are their differences to the starts of pieces. Floats hold these numbers exactly. */
struct near_corner {
    int64_t cell_x, cell_y;

    __device__ float x(int64_t place) const
    {
        return (float)(int)(place - cell_x * ((int64_t)1 << TER_CELL_SHIFT)) * (1.0f / 256.0f);
    }

    __device__ float y(int64_t place) const
    {
        return (float)(int)(place - cell_y * ((int64_t)1 << TER_CELL_SHIFT)) * (1.0f / 256.0f);
    }
};

/** A disc around points. above: the points' least TER_PROVINCE_ABOVE */
struct disc {
    float x, y, radius, above;
};

/** A box around points. above: as in disc */
struct box {
    float x0, y0, x1, y1, above;
};

__device__ inline float least_of_warp(float x)
{
    for (int n = 16; n > 0; n /= 2)
        x = fminf(x, __shfl_xor_sync(FULL_WARP, x, n));
    return x;
}

__device__ inline float greatest_of_warp(float x)
{
    for (int n = 16; n > 0; n /= 2)
        x = fmaxf(x, __shfl_xor_sync(FULL_WARP, x, n));
    return x;
}

__device__ inline box box_of_warp(float x, float y, float above)
{
    return {least_of_warp(x), least_of_warp(y), greatest_of_warp(x), greatest_of_warp(y), least_of_warp(above)};
}

__device__ inline box box_of_boxes(const box *boxes)
{
    box b = boxes[0];
    for (int n = 1; n < LIST_WARPS; n++) {
        b.x0 = fminf(b.x0, boxes[n].x0);
        b.y0 = fminf(b.y0, boxes[n].y0);
        b.x1 = fmaxf(b.x1, boxes[n].x1);
        b.y1 = fmaxf(b.y1, boxes[n].y1);
        b.above = fminf(b.above, boxes[n].above);
    }
    return b;
}

/** The disc around a box. */
__device__ inline disc disc_of(const box &b)
{
    return {0.5f * (b.x0 + b.x1), 0.5f * (b.y0 + b.y1), 0.5f * ter_length(b.x1 - b.x0, b.y1 - b.y0) + 0.1f, b.above};
}

/** The smallest disc around the middle of a box that contains the points (x, y) of a warp's lanes. */
__device__ inline disc disc_of_warp(const box &b, float x, float y)
{
    const float middle_x = 0.5f * (b.x0 + b.x1), middle_y = 0.5f * (b.y0 + b.y1);
    return {middle_x, middle_y, greatest_of_warp(ter_length(x - middle_x, y - middle_y)) + 0.1f, b.above};
}

/** The disc around the points (x, y) of all threads. All threads of the block call.
 *
 *  mine          box_of_warp of this warp
 *  boxes, radii  shared memory, one element for each warp
 */
__device__ inline disc disc_of_block(float x, float y, const box &mine, box *boxes, float *radii)
{
    boxes[threadIdx.x >> 5] = mine;
    __syncthreads();
    const box b = box_of_boxes(boxes);
    disc d = disc_of_warp(b, x, y);
    radii[threadIdx.x >> 5] = d.radius;
    __syncthreads();
    for (int n = 0; n < LIST_WARPS; n++)
        d.radius = fmaxf(d.radius, radii[n]);
    return d;
}

/** A rectangle of cells, relative to a near_corner. */
struct cells {
    int x0, y0, width, count;
};

/** Cells of a disc, with a margin, that lie in window `at`. */
__device__ inline cells cells_around(const near_corner &corner, const ter_window &at, const disc &d, int margin)
{
    const int low_x = (int)(at.x - corner.cell_x), low_y = (int)(at.y - corner.cell_y);
    int left = (int)floorf((d.x - d.radius) / TER_CELL) - margin,
        top = (int)floorf((d.y - d.radius) / TER_CELL) - margin;
    int right = (int)floorf((d.x + d.radius) / TER_CELL) + margin,
        bottom = (int)floorf((d.y + d.radius) / TER_CELL) + margin;
    left = left < low_x ? low_x : left;
    top = top < low_y ? low_y : top;
    right = right >= low_x + at.width ? low_x + at.width - 1 : right;
    bottom = bottom >= low_y + at.height ? low_y + at.height - 1 : bottom;
    return {left, top, right - left + 1, (right - left + 1) * (bottom - top + 1)};
}

} // namespace

#endif
