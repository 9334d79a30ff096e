/* warp_tile_output.cuh - stores the samples of units; a unit is the part of the output that one warp makes. Samples
 * are first put side by side in shared memory, at the addresses that place_in_box gives.
 *
 *   boxed_output
 *       A block of threads is one warp and makes one unit. A tensor copy moves the unit from shared memory to the
 *       array, as one box. At the edges of an array, and without a tensor map, the warp stores the unit row by row.
 *   sheared_output
 *       For rows that start at any sample. A block is four warps and makes four units side by side. A warp stores a
 *       row of all four units. Each store is a whole line of memory, so only the two ends of a row touch lines in
 *       part. Units that remain in the east are stored alone, each by its warp; a block makes four of them.
 *
 *     lines of memory   |       |       |       |       |       |
 *     row 0 of a block    =======================================      32 samples per store, beginning at a line
 *     row 1                   =======================================  another row has another shift */
#ifndef TERRANE_FRACTAL_CUDA_TILED_WARP_TILE_OUTPUT_CUH
#define TERRANE_FRACTAL_CUDA_TILED_WARP_TILE_OUTPUT_CUH

#include "library/fractal/cuda/tiled/sample_types.cuh"
#include "library/fractal/cuda/tiled/tensor_copy.cuh"
#include "library/fractal/cuda/tiled/tiled.h"
#include "library/fractal/cuda/warp_cells.cuh"

namespace
{

constexpr int REGION_WIDTH = 16, REGION_HEIGHT = 8; /* points of a lane */
constexpr int UNIT_WIDTH = WARP_COLUMNS * REGION_WIDTH, UNIT_HEIGHT = WARP_ROWS * REGION_HEIGHT;
static_assert(UNIT_WIDTH == TER_UNIT_WIDTH && UNIT_HEIGHT == TER_UNIT_HEIGHT, "choose.cu uses tiled.h's numbers");

/** The array that a launch fills. */
template <class SAMPLE> struct region_array {
    SAMPLE *out;
    size_t stride; /* samples */
    int width, height;
    int columns;     /* columns of samples in whole blocks of units; the units east of them are stored alone */
    bool is_aligned; /* stores of four samples are aligned */
    int column, row; /* of the first unit's first point: 0 or negative */
    bool has_map;
    /** Tensor map of all units that lie inside the array. Its dimensions: samples of a line, lines, rows of a region,
     * rows of regions. */
    CUtensorMap map;
    ter_quantiser quantiser;
};

/** A unit in shared memory. */
template <class SAMPLE> struct staged_unit {
    static constexpr int ROW = UNIT_WIDTH * (int)sizeof(SAMPLE), BYTES = UNIT_HEIGHT * ROW;

    char *at; /* BYTES bytes, aligned to 1024 */

    /** Put eight samples of row y of the lane's region, from column x on. x and y are compile-time constants. */
    __device__ __forceinline__ void put(unsigned lane, unsigned x, unsigned y, float4 west, float4 east,
                                        ter_quantiser q) const
    {
        if constexpr (sizeof(SAMPLE) == sizeof(float)) {
            *(float4 *)staged(lane, x, y) = west;
            *(float4 *)staged(lane, x + 4, y) = east;
        } else {
            uint4 samples;
            store_four((uint16_t *)&samples, west, q);
            store_four((uint16_t *)&samples + 4, east, q);
            *(uint4 *)staged(lane, x, y) = samples;
        }
    }

  private:
    /** Address of 16 bytes of the lane's region, from (x, y) on. */
    __device__ __forceinline__ char *staged(unsigned lane, unsigned x, unsigned y) const
    {
        const unsigned region = lane / WARP_COLUMNS * (REGION_HEIGHT * ROW) +
                                lane % WARP_COLUMNS * (REGION_WIDTH * (unsigned)sizeof(SAMPLE));
        const unsigned byte = y * ROW + x * (unsigned)sizeof(SAMPLE);
        return at + (place_in_box(region) ^ place_in_box(byte) % BOX_LINE) + byte / BOX_LINE * BOX_LINE;
    }
};

/** Stores a unit that a block of one warp has made. */
template <class SAMPLE> struct boxed_output {
    static constexpr int WARPS = 1, ROW = staged_unit<SAMPLE>::ROW, BYTES = staged_unit<SAMPLE>::BYTES;
    static constexpr int LINES = ROW / (int)BOX_LINE; /* of a row of a unit */

    const region_array<SAMPLE> &g;
    char *staging; /* BYTES bytes, aligned to 1024 */
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

    /** Put eight samples of row y of the lane's region, from column x on. */
    __device__ __forceinline__ void put(unsigned x, unsigned y, float4 west, float4 east) const
    {
        staged_unit<SAMPLE>{staging}.put(threadIdx.x, x, y, west, east, g.quantiser);
    }

    /** Store the unit, once all lanes have put their regions. */
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
            const int first_i = g.column < 0, first_j = g.row < 0; /* the first unit inside the array */
            start_copy(&g.map, staging, 0, (unit_i - first_i) * LINES, 0, (unit_j - first_j) * WARP_ROWS);
            wait_for_copies();
        }
    }

  private:
    /** Store the part inside the array row by row, four samples per lane. */
    __device__ __forceinline__ void store_rows() const
    {
        const int lane = (int)threadIdx.x, to_column = column() + 4 * lane;
        const bool is_whole = g.is_aligned && to_column >= 0 && to_column + 4 <= g.width;
#pragma unroll 4
        for (int y = 0; y < UNIT_HEIGHT; y++) {
            if ((unsigned)(row() + y) >= (unsigned)g.height)
                continue;
            SAMPLE *to = g.out + (size_t)(row() + y) * g.stride + to_column;
            const SAMPLE *from =
                (const SAMPLE *)(staging + place_in_box(y * ROW + 4 * lane * (unsigned)sizeof(SAMPLE)));
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

/** Stores four units side by side that the four warps of a block have made. */
template <class SAMPLE> struct sheared_output {
    static constexpr int WARPS = 4, ROW = staged_unit<SAMPLE>::ROW, UNIT_BYTES = staged_unit<SAMPLE>::BYTES;
    static constexpr int BYTES = WARPS * UNIT_BYTES, WIDTH = WARPS * UNIT_WIDTH; /* samples of a row */
    static constexpr int WORD = 4 / (int)sizeof(SAMPLE); /* samples that a lane stores at once */
    static constexpr int LINE = 32 * WORD;               /* samples that a warp stores at once */
    static constexpr int LINES = WIDTH / LINE;           /* of a row, and one more where it is shifted */
    static constexpr int UNIT_LINES = UNIT_WIDTH / LINE;

    const region_array<SAMPLE> &g;
    char *staging; /* BYTES bytes, aligned to 1024 */
    int unit_i, unit_j;

    __device__ __forceinline__ void put(unsigned x, unsigned y, float4 west, float4 east) const
    {
        const unsigned warp = threadIdx.x / 32, lane = threadIdx.x % 32;
        staged_unit<SAMPLE>{staging + warp * UNIT_BYTES}.put(lane, x, y, west, east, g.quantiser);
    }

    /** Store the four units, once all warps have put their regions. The n-th warp's unit lies n units east of the
     * block's first unit. */
    __device__ __forceinline__ void store() const
    {
        const int warp = (int)threadIdx.x / 32, column = g.column + (unit_i - warp) * UNIT_WIDTH,
                  row = g.row + unit_j * UNIT_HEIGHT;
        const int first = max(0, -column),
                  last = min(WIDTH, g.columns - column); /* this block stores samples first to last - 1 of a row */
        __syncthreads();
        SAMPLE *to = g.out + (ptrdiff_t)(row + warp) * (ptrdiff_t)g.stride + column;
        for (int y = warp; y < UNIT_HEIGHT; y += WARPS) {
            if ((unsigned)(row + y) < (unsigned)g.height)
                store_row(to, y, first, last);
            to += WARPS * g.stride;
        }
    }

    /** Store the part of the warp's unit inside the array, for a unit that is stored alone. */
    __device__ __forceinline__ void store_alone() const
    {
        const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
        const int column = g.column + unit_i * UNIT_WIDTH, row = g.row + unit_j * UNIT_HEIGHT;
        const int last = min(UNIT_WIDTH, g.width - column);
        __syncwarp();
        for (int y = max(0, -row); y < min(UNIT_HEIGHT, g.height - row); y++) {
            SAMPLE *to = g.out + (ptrdiff_t)(row + y) * (ptrdiff_t)g.stride + column;
            for (int sample = lane; sample < last; sample += 32)
                to[sample] = *staged(y, warp * UNIT_WIDTH + sample);
        }
    }

  private:
    /** Samples of a row that a lane reads: one in each output line of 32 words. Samples that are UNIT_LINES lines
     * apart have the same place in adjacent units, so the unrolled loop needs few addresses. */
    struct row_samples {
        bool is_before; /* in the line that contains sample 0, the lane's sample lies before sample 0 */
        const char *first[UNIT_LINES];

        /** sample: the lane's sample in the line that contains sample 0 of row y. */
        __device__ __forceinline__ row_samples(const char *staging, int y, int sample) : is_before(sample < 0)
        {
#pragma unroll
            for (int line = 0; line < UNIT_LINES; line++) {
                const int of = sample + line * LINE; /* negative: in the unit before the first */
                first[line] = staging + (of < 0 ? -UNIT_BYTES : 0) +
                              place_in_box((unsigned)y * ROW + (unsigned)of % UNIT_WIDTH * (unsigned)sizeof(SAMPLE));
            }
        }

        __device__ __forceinline__ SAMPLE of_line(int line) const
        {
            return *(const SAMPLE *)(first[line % UNIT_LINES] + line / UNIT_LINES * UNIT_BYTES);
        }
    };

    /** Store samples first to last - 1 of row y. `to` is the address of sample 0. */
    __device__ __forceinline__ void store_row(SAMPLE *to, int y, int first, int last) const
    {
        const int shift = (int)((uintptr_t)to / sizeof(SAMPLE) % LINE); /* of sample 0 in its line of memory */
        const int sample = (int)threadIdx.x % 32 * WORD - shift;        /* the lane's first sample in that line */
        SAMPLE *at = to + sample;
        const row_samples one(staging, y, sample), other(staging, y, sample + WORD - 1);
        if (first > 0 || last < WIDTH) {
#pragma unroll
            for (int line = 0; line <= LINES; line++)
                store_inside(at + line * LINE, one, other, line, sample + line * LINE, first, last);
            return;
        }
        store_begin(at, one, other);
#pragma unroll
        for (int line = 1; line < LINES; line++)
            store_word(at + line * LINE, one.of_line(line), other.of_line(line));
        store_end(at + LINES * LINE, one, other);
    }

    /** Store the line that contains sample 0. */
    static __device__ __forceinline__ void store_begin(SAMPLE *at, const row_samples &one, const row_samples &other)
    {
        if (!one.is_before)
            store_word(at, one.of_line(0), other.of_line(0));
        else if (!other.is_before)
            at[WORD - 1] = other.of_line(0);
    }

    /** Store the line after the full lines of the row. */
    static __device__ __forceinline__ void store_end(SAMPLE *at, const row_samples &one, const row_samples &other)
    {
        if (other.is_before)
            store_word(at, one.of_line(LINES), other.of_line(LINES));
        else if (one.is_before)
            *at = one.of_line(LINES);
    }

    /** Store the samples of a line that lie inside the array; sample: the lane's first one. */
    static __device__ __forceinline__ void store_inside(SAMPLE *at, const row_samples &one, const row_samples &other,
                                                        int line, int sample, int first, int last)
    {
        if (sample >= first && sample + WORD <= last)
            store_word(at, one.of_line(line), other.of_line(line));
        else if (WORD > 1 && sample >= first && sample < last)
            *at = one.of_line(line);
        else if (WORD > 1 && sample + 1 >= first && sample + 1 < last)
            at[WORD - 1] = other.of_line(line);
    }

    /** Store one sample, or two samples in 4 aligned bytes. */
    static __device__ __forceinline__ void store_word(SAMPLE *at, SAMPLE one, SAMPLE other)
    {
        if constexpr (WORD == 1)
            *at = one;
        else
            *(uint32_t *)at = one | (uint32_t)other << 16;
    }

    __device__ __forceinline__ const SAMPLE *staged(int y, int sample) const
    {
        const unsigned unit = (unsigned)sample / UNIT_WIDTH,
                       byte = (unsigned)sample % UNIT_WIDTH * (unsigned)sizeof(SAMPLE);
        return (const SAMPLE *)(staging + unit * UNIT_BYTES + place_in_box((unsigned)y * ROW + byte));
    }
};

} // namespace

#endif
