/* region_output.cuh - how samples leave a unit of regions: side by side in shared memory, from there in a box that the device
 * copies by itself, or, at the edges of an array and where there is no tensor map, a row at a time. */
#ifndef TER_GENERATE_CUDA_TILED_REGION_OUTPUT_CUH
#define TER_GENERATE_CUDA_TILED_REGION_OUTPUT_CUH

#include "generate/cuda/tiled/samples.cuh"
#include "generate/cuda/tiled/tensor_copy.cuh"
#include "generate/cuda/tiled/tiled.h"
#include "generate/cuda/warp_cells.cuh"

namespace
{

constexpr int REGION_WIDTH = 16, REGION_HEIGHT = 8; /* points of a lane */
constexpr int UNIT_WIDTH = WARP_COLUMNS * REGION_WIDTH, UNIT_HEIGHT = WARP_ROWS * REGION_HEIGHT;
static_assert(UNIT_WIDTH == TER_UNIT_WIDTH && UNIT_HEIGHT == TER_UNIT_HEIGHT, "what choose.cu is told");

/** Where a launch's samples go. */
template <class SAMPLE> struct region_array {
    SAMPLE *out;
    size_t stride; /* samples */
    int width, height;
    bool is_aligned; /* stores of four samples fit */
    int column, row; /* of the first unit's first point: 0 or negative */
    bool has_map;
    CUtensorMap map; /* of all units that lie inside the array: samples of a line, lines, rows of a region, rows of regions */
    ter_quantiser quantiser;
};

/** Samples of a unit on their way out, by a warp. */
template <class SAMPLE> struct region_output {
    static constexpr int ROW = UNIT_WIDTH * (int)sizeof(SAMPLE), BYTES = UNIT_HEIGHT * ROW;
    static constexpr int LINES = ROW / (int)BOX_LINE; /* of a row of a unit */

    const region_array<SAMPLE> &g;
    char *staging; /* BYTES, on 1024 */
    int unit_i, unit_j;

    __device__ __forceinline__ int column() const
    {
        return g.column + unit_i * UNIT_WIDTH;
    }

    __device__ __forceinline__ int row() const
    {
        return g.row + unit_j * UNIT_HEIGHT;
    }

    __device__ __forceinline__ bool is_inside() const
    {
        return column() >= 0 && row() >= 0 && column() + UNIT_WIDTH <= g.width && row() + UNIT_HEIGHT <= g.height;
    }

    /** Row y of the lane's region, eight samples from column x on. */
    __device__ __forceinline__ void put(unsigned x, unsigned y, float4 west, float4 east) const
    {
        if constexpr (sizeof(SAMPLE) == sizeof(float)) {
            *(float4 *)staged(x, y) = west;
            *(float4 *)staged(x + 4, y) = east;
        } else {
            uint4 samples;
            store_four((uint16_t *)&samples, west, g.quantiser);
            store_four((uint16_t *)&samples + 4, east, g.quantiser);
            *(uint4 *)staged(x, y) = samples;
        }
    }

    /** When all lanes have put their regions: store them. */
    __device__ __forceinline__ void store() const
    {
        if (!can_copy() || !g.has_map || !is_inside()) {
            __syncwarp();
            store_rows();
            return;
        }
        show_to_copies();
        __syncwarp();
        if (threadIdx.x == 0) {
            const int first_i = g.column < 0, first_j = g.row < 0; /* that lies inside the array */
            start_copy(&g.map, staging, 0, (unit_i - first_i) * LINES, 0, (unit_j - first_j) * WARP_ROWS);
            wait_for_copies();
        }
    }

  private:
    /** 16 bytes of the lane's region, from (x, y) on, which are known when this is compiled. */
    __device__ __forceinline__ char *staged(unsigned x, unsigned y) const
    {
        const unsigned region = threadIdx.x / WARP_COLUMNS * (REGION_HEIGHT * ROW) +
                                threadIdx.x % WARP_COLUMNS * (REGION_WIDTH * (unsigned)sizeof(SAMPLE));
        const unsigned byte = y * ROW + x * (unsigned)sizeof(SAMPLE);
        return staging + (place_in_box(region) ^ place_in_box(byte) % BOX_LINE) + byte / BOX_LINE * BOX_LINE;
    }

    /** What lies inside the array, four samples a lane, a row at a time. */
    __device__ __forceinline__ void store_rows() const
    {
        const int lane = (int)threadIdx.x, to_column = column() + 4 * lane;
        const bool is_whole = g.is_aligned && to_column >= 0 && to_column + 4 <= g.width;
#pragma unroll 4
        for (int y = 0; y < UNIT_HEIGHT; y++) {
            if ((unsigned)(row() + y) >= (unsigned)g.height)
                continue;
            SAMPLE *to = g.out + (size_t)(row() + y) * g.stride + to_column;
            const SAMPLE *from = (const SAMPLE *)(staging + place_in_box(y * ROW + 4 * lane * (unsigned)sizeof(SAMPLE)));
            if (is_whole) {
                copy_four(to, from);
                continue;
            }
#pragma unroll
            for (int n = 0; n < 4; n++)
                if ((unsigned)(to_column + n) < (unsigned)g.width)
                    to[n] = from[n];
        }
    }

    static __device__ __forceinline__ void copy_four(float *to, const float *from)
    {
        *(float4 *)to = *(const float4 *)from;
    }

    static __device__ __forceinline__ void copy_four(uint16_t *to, const uint16_t *from)
    {
        *(uint2 *)to = *(const uint2 *)from;
    }
};

} // namespace

#endif
