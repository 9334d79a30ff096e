/* heights.cu - makes heights at spacings below 16 m, as ter_make_fine does. A thread makes 4 x 4 points, which share a
 * draw of random words, and a block of threads makes a tile:
 *
 *     64 x 64 points of 4 m     <-  40 x 40 of 8 m  <-  24 x 24 of 16 m, from memory     with rills
 *     128 x 128 points of 1 m   <-  72 x 72 of 2 m  <-  40 x 40 of 4 m, from memory
 *
 * All levels of a launch except the last stay in shared memory. Points outside of the window are computed from its
 * border and never read. A rill adds random bytes of points up to four points away, so the bytes of a level with rills
 * are drawn before its heights are made.
 */
#include "library/fluvial/cuda/heights.cuh"

#include "library/fluvial/cuda/beach.cuh"

using namespace ter_cuda;

namespace
{

constexpr int THREADS = 256;

__host__ __device__ constexpr int floor_quarter(int x)
{
    return x >= 0 ? x / 4 : -((3 - x) / 4);
}

/** Shape of a launch: tiles of SIDE x SIDE points of spacing STEP, m, from points of 2^LEVELS times that spacing. */
template <int LEVELS_, int STEP_, int SIDE_> struct fine_tile {
    static constexpr int LEVELS = LEVELS_, STEP = STEP_, SIDE = SIDE_;

    /** A tile needs blocks first_block(up) .. last_block(up) of the level `up` levels above it, in columns and in rows.
     * Blocks are of four points, and counted from the tile's first point divided by 2^up. */
    static __host__ __device__ constexpr int first_block(int up)
    {
        return up == 0 ? 0 : floor_quarter(2 * first_block(up - 1) - 1);
    }

    static __host__ __device__ constexpr int last_block(int up)
    {
        return up == 0 ? SIDE / 4 - 1 : floor_quarter(2 * last_block(up - 1) + 3);
    }

    static __host__ __device__ constexpr int blocks(int up)
    {
        return last_block(up) - first_block(up) + 1;
    }

    static __host__ __device__ constexpr int points(int up)
    {
        return 4 * blocks(up);
    }

    /** Number of heights of the levels 1 .. up. */
    static __host__ __device__ constexpr int heights(int up)
    {
        return up == 0 ? 0 : heights(up - 1) + points(up) * points(up);
    }

    static __host__ __device__ constexpr bool has_rills(int up)
    {
        return (STEP << up) >= TER_RILL_STEP;
    }

    /** Words of random bytes in a row of a level with rills. There is one more block on each side. */
    static __host__ __device__ constexpr int noise_words(int up)
    {
        return blocks(up) + 2;
    }

    /** Number of words of random bytes of the levels 0 .. up. */
    static __host__ __device__ constexpr int noise(int up)
    {
        return (up > 0 ? noise(up - 1) : 0) + (has_rills(up) ? 4 * noise_words(up) * noise_words(up) : 0);
    }

    /** Points of the ground on each side of the tile that the points above the tile need. */
    static constexpr int GROUND_MARGIN = 2;
    static constexpr int GROUND_SIDE = (SIDE * STEP + TER_GROUND_STEP - 1) / TER_GROUND_STEP + 2 * GROUND_MARGIN + 2;

    static_assert(-4 * first_block(LEVELS - 1) * (STEP << (LEVELS - 1)) <= GROUND_MARGIN * TER_GROUND_STEP &&
                      4 * (last_block(LEVELS - 1) + 1) * (STEP << (LEVELS - 1)) <=
                          SIDE * STEP + GROUND_MARGIN * TER_GROUND_STEP,
                  "the ground reaches as far as the points above the tile");
};

/** Shared memory of a block of threads. */
template <class Tile> struct fine_shared {
    alignas(16) float height[Tile::heights(Tile::LEVELS)];
    alignas(16) unsigned noise[Tile::noise(Tile::LEVELS - 1) > 0 ? Tile::noise(Tile::LEVELS - 1) : 1];
    float rough[Tile::GROUND_SIDE * Tile::GROUND_SIDE], lake[Tile::GROUND_SIDE * Tile::GROUND_SIDE];
};

/** Byte n of a word minus 127.5. The byte becomes the low mantissa bits of the float 2^23 + byte, which is exact. */
__device__ __forceinline__ float noise_of(unsigned word, int n)
{
    return __uint_as_float(__byte_perm(word, 0x4B000000u, 0x7440 | n)) - 8388608.0f - 127.5f;
}

/** The ground at the four cells of twice the spacing in which a block of 4 x 4 points lies. The four cells lie in one
 * cell of the ground's lattice. */
struct block_ground {
    float rough[2][2], lake[2][2]; /* [south][east] */
};

/** The ground of a block. x, y: first coarse point of the block, relative to the first point of the tile's ground */
template <class Tile, int UP>
__device__ __forceinline__ block_ground ground_of(const fine_shared<Tile> &s, bool has_lake, unsigned x, unsigned y)
{
    constexpr unsigned PER = TER_GROUND_STEP / (Tile::STEP << (UP + 1)); /* coarse points per point of the ground */
    constexpr float SCALE = 1.0f / (float)PER;
    const unsigned first = y / PER * Tile::GROUND_SIDE + x / PER;
    const float *r = s.rough + first, *l = s.lake + first;
    block_ground g;
#pragma unroll
    for (int k = 0; k < 2; k++) {
        const float a = (float)(int)(x % PER + k) * SCALE;
        const float north = ter_fma(a, r[1] - r[0], r[0]),
                    south = ter_fma(a, r[Tile::GROUND_SIDE + 1] - r[Tile::GROUND_SIDE], r[Tile::GROUND_SIDE]);
#pragma unroll
        for (int m = 0; m < 2; m++)
            g.rough[m][k] = ter_fma((float)(int)(y % PER + m) * SCALE, south - north, north);
    }
#pragma unroll
    for (int k = 0; k < 4; k++)
        g.lake[k >> 1][k & 1] = TER_NO_LAKE;
    if (has_lake)
#pragma unroll
        for (int k = 0; k < 4; k++) {
            const int right = x % PER + (k & 1) > 0, down = y % PER + (k >> 1) > 0 ? Tile::GROUND_SIDE : 0;
            g.lake[k >> 1][k & 1] = fminf(fminf(l[0], l[right]), fminf(l[down], l[down + right]));
        }
    return g;
}

/** Numbers that the new points of a cell of twice the spacing share. */
struct cell_shape {
    float reach, lake, least;
    ter_tilt tilt;
};

template <int STEP> __device__ __forceinline__ cell_shape shape_of(const ter_corners &c, float rough, float lake)
{
    cell_shape s;
    s.tilt = ter_corners_tilt(&c);
    s.reach = ter_displacement_reach(s.tilt, rough, STEP);
    s.lake = lake;
    s.least = ter_least_corner(&c);
    return s;
}

/** Offsets from a point to the bytes of its rill, on one side; on the other side they are the negative offsets. */
struct rill_line {
    int offset[TER_RILL_REACH];
};

__device__ __forceinline__ rill_line line_of(ter_tilt t, int stride)
{
    const float inverse = 1.0f / (ter_max(fabsf(t.x), fabsf(t.y)) + 1e-12f), ex = t.x * inverse, ey = t.y * inverse;
    rill_line line;
#pragma unroll
    for (int n = 0; n < TER_RILL_REACH; n++)
        line.offset[n] = (int)rintf(ey * (float)(n + 1)) * stride + (int)rintf(ex * (float)(n + 1));
    return line;
}

/** As ter_rill. The sum of bytes is exact in any order. byte: the byte of the point */
__device__ __forceinline__ float rill_at(const unsigned char *byte, const rill_line &line)
{
    int sum = byte[0];
#pragma unroll
    for (int n = 0; n < TER_RILL_REACH; n++)
        sum += byte[line.offset[n]] + byte[-line.offset[n]];
    const float q = ((float)sum - 1147.5f) * (1.0f / 382.5f);
    return q - 0.5f * (q * q - 1.0f / 3.0f);
}

/** Height of a new point. halved: height by the four-point rule; r: displacement as a share of the cell's reach */
template <bool HAS_LAKE> __device__ __forceinline__ float displace(float halved, float r, const cell_shape &s)
{
    const float by = s.reach * r;
    if (HAS_LAKE && TER_IS_LAKE(s.lake))
        return ter_max(ter_gullied(halved, s.lake, by), s.least);
    return halved + by;
}

/** Coarse rows around a block of 4 x 4 points: their points, and those halfway between them. */
struct refined_rows {
    float even[5][3], odd[5][2];
};

/** p: the coarse point that is the block's north-west point; stride: of coarse rows */
__device__ __forceinline__ refined_rows rows_around(const float *p, int stride)
{
    refined_rows rows;
#pragma unroll
    for (int r = 0; r < 5; r++) {
        const float *row = p + (r - 1) * stride;
        const float a = row[-1], b = row[0], c = row[1], d = row[2], e = row[3];
        rows.even[r][0] = b;
        rows.even[r][1] = c;
        rows.even[r][2] = d;
        rows.odd[r][0] = ter_four(a, b, c, d);
        rows.odd[r][1] = ter_four(b, c, d, e);
    }
    return rows;
}

/** Make a block of 4 x 4 points.
 *
 *  p             the coarse point that is the block's north-west point
 *  stride        of coarse rows
 *  word          random bytes of the block's rows
 *  byte          random byte of the north-west point among those of the level; only for a level with rills
 *  noise_stride  bytes of a row of these
 *  g             the ground
 */
template <int STEP, bool HAS_LAKE>
__device__ __forceinline__ void refine_block(const float *p, int stride, const unsigned word[4],
                                             const unsigned char *byte, int noise_stride, const block_ground &g,
                                             float out[4][4])
{
    constexpr bool HAS_RILLS = STEP >= TER_RILL_STEP;
    const float straight = ter_noise_share(STEP) * (1.0f / 127.5f),
                diagonal = ter_noise_share(STEP) * 0.6f * (1.0f / 127.5f), rills = ter_rill_share(STEP);
    const refined_rows rows = rows_around(p, stride);
    const float(&even)[5][3] = rows.even, (&odd)[5][2] = rows.odd;
#pragma unroll
    for (int r = 0; r < 2; r++)
#pragma unroll
        for (int k = 0; k < 2; k++) {
            const ter_corners corners = {even[r + 1][k], even[r + 1][k + 1], even[r + 2][k], even[r + 2][k + 1]};
            const cell_shape s = shape_of<STEP>(corners, g.rough[r][k], g.lake[r][k]);
            float east = noise_of(word[2 * r], 2 * k + 1) * straight;
            float south = noise_of(word[2 * r + 1], 2 * k) * straight;
            float south_east = noise_of(word[2 * r + 1], 2 * k + 1) * diagonal;
            if (HAS_RILLS) {
                const rill_line line = line_of(s.tilt, noise_stride);
                const unsigned char *at = byte + 2 * r * noise_stride + 2 * k;
                east = ter_fma(rills, rill_at(at + 1, line), east);
                south = ter_fma(rills, rill_at(at + noise_stride, line), south);
                south_east = ter_fma(rills, rill_at(at + noise_stride + 1, line), south_east);
            }
            out[2 * r][2 * k] = even[r + 1][k];
            out[2 * r][2 * k + 1] = displace<HAS_LAKE>(odd[r + 1][k], east, s);
            out[2 * r + 1][2 * k] =
                displace<HAS_LAKE>(ter_four(even[r][k], even[r + 1][k], even[r + 2][k], even[r + 3][k]), south, s);
            out[2 * r + 1][2 * k + 1] =
                displace<HAS_LAKE>(ter_four(odd[r][k], odd[r + 1][k], odd[r + 2][k], odd[r + 3][k]), south_east, s);
        }
}

/** Where a launch stores heights. */
struct height_output {
    float *at; /* first sample of the block of the world */
    size_t stride;
    const unsigned char
        *is_wet; /* block_output.is_wet; dry tiles are finished with beaches. NULL: nothing is finished */
    int tiles_x;
    bool is_by_four; /* four points of a row are an aligned float4 */
};

/** Store a block of 4 x 4 points at (x, y) of the lattice. */
__device__ void store_block(const height_output &out, const ter_window &at, int64_t x, int64_t y, float sea,
                            float h[4][4])
{
    const int64_t column = x - at.x, row = y - at.y;
    if (column <= -4 || column >= at.width || row <= -4 || row >= at.height)
        return;
    const bool is_dry =
        out.is_wet && !out.is_wet[(int)((y >> 4) - (at.y >> 4)) * out.tiles_x + (int)((x >> 4) - (at.x >> 4))];
    if (is_dry)
#pragma unroll
        for (int n = 0; n < 16; n++)
            h[n >> 2][n & 3] = fast_beach(h[n >> 2][n & 3], sea);
    const bool is_whole = out.is_by_four && column >= 0 && column + 4 <= at.width;
#pragma unroll
    for (int r = 0; r < 4; r++) {
        if (row + r < 0 || row + r >= at.height)
            continue;
        float *to = out.at + (size_t)(row + r) * out.stride + column;
        if (is_whole)
            *(float4 *)to = make_float4(h[r][0], h[r][1], h[r][2], h[r][3]);
        else
#pragma unroll
            for (int c = 0; c < 4; c++)
                if (column + c >= 0 && column + c < at.width)
                    to[c] = h[r][c];
    }
}

/** Place of a tile. */
struct tile_place {
    int64_t x, y;           /* its first point in the lattice */
    int ground_x, ground_y; /* m; from the first point of its ground to its first point */
};

/** Draw the random bytes of a level, which its rills read. */
template <class Tile, int UP>
__device__ void draw_noise(const ter_fluvial &f, const tile_place &tile, fine_shared<Tile> *s)
{
    constexpr int WORDS = Tile::noise_words(UP), TAG = TER_TAG_FINE;
    unsigned *noise = s->noise + (UP > 0 ? Tile::noise(UP - 1) : 0);
    for (int n = (int)threadIdx.x; n < WORDS * WORDS; n += THREADS) {
        const int x = n % WORDS, y = n / WORDS;
        const ter_words words = ter_tagged_words(f.round_key, TAG + ter_step_shift(Tile::STEP << UP),
                                                 (tile.x >> (UP + 2)) + Tile::first_block(UP) - 1 + x,
                                                 (tile.y >> (UP + 2)) + Tile::first_block(UP) - 1 + y);
#pragma unroll
        for (int r = 0; r < 4; r++)
            noise[(4 * y + r) * WORDS + x] = words.w[r];
    }
}

/** The random words of a block of 4 x 4 points. drawn: those of a level with rills, at the block */
template <class Tile, int UP>
__device__ __forceinline__ ter_words words_of(const ter_fluvial &f, int64_t block_x, int64_t block_y,
                                              const unsigned *drawn)
{
    if constexpr (Tile::has_rills(UP)) {
        ter_words words;
#pragma unroll
        for (int r = 0; r < 4; r++)
            words.w[r] = drawn[r * Tile::noise_words(UP)];
        return words;
    }
    return ter_tagged_words(f.round_key, TER_TAG_FINE + ter_step_shift(Tile::STEP << UP), block_x, block_y);
}

/** Make the level `UP` levels above the samples from the level above it, and then all levels below. */
template <class Tile, int UP, bool HAS_LAKE>
__device__ __forceinline__ void refine_level(const ter_fluvial &f, const ter_window &at, fine_shared<Tile> *s,
                                             const tile_place &tile, const height_output &out)
{
    constexpr int BLOCKS = Tile::blocks(UP), STRIDE = Tile::points(UP + 1), TO_STRIDE = Tile::points(UP);
    constexpr int FIRST = Tile::first_block(UP), FROM = 4 * Tile::first_block(UP + 1), STEP = Tile::STEP << UP;
    constexpr int WORDS = Tile::noise_words(UP);
    float *to = s->height + (UP > 0 ? Tile::heights(UP - 1) : 0);
    const float *from = s->height + Tile::heights(UP);
    const unsigned *noise = s->noise + (UP > 0 ? Tile::noise(UP - 1) : 0);
    for (int n = (int)threadIdx.x; n < BLOCKS * BLOCKS; n += THREADS) {
        const int x = n % BLOCKS + FIRST, y = n / BLOCKS + FIRST;
        const int64_t block_x = (tile.x >> (UP + 2)) + x, block_y = (tile.y >> (UP + 2)) + y;
        const unsigned *drawn = noise + 4 * (y - FIRST + 1) * WORDS + (x - FIRST + 1);
        const ter_words words = words_of<Tile, UP>(f, block_x, block_y, drawn);
        const block_ground ground = ground_of<Tile, UP>(*s, HAS_LAKE, (unsigned)(tile.ground_x / STEP + 4 * x) / 2,
                                                        (unsigned)(tile.ground_y / STEP + 4 * y) / 2);
        float h[4][4];
        refine_block<STEP, HAS_LAKE>(from + (2 * y - FROM) * STRIDE + 2 * x - FROM, STRIDE, words.w,
                                     (const unsigned char *)drawn, 4 * WORDS, ground, h);
        if (UP == 0) {
            store_block(out, at, 4 * block_x, 4 * block_y, f.sea, h);
        } else {
            float *p = to + (4 * (y - FIRST)) * TO_STRIDE + 4 * (x - FIRST);
#pragma unroll
            for (int r = 0; r < 4; r++)
                *(float4 *)(p + r * TO_STRIDE) = make_float4(h[r][0], h[r][1], h[r][2], h[r][3]);
        }
    }
    if constexpr (UP > 0) {
        __syncthreads();
        refine_level<Tile, UP - 1, HAS_LAKE>(f, at, s, tile, out);
    }
}

/** Load the ground around a tile. Returns whether this thread has loaded the shore of a lake. All threads call. */
template <class Tile> __device__ bool load_ground(const ter_fluvial_job *job, tile_place *tile, fine_shared<Tile> *s)
{
    constexpr int SIDE = Tile::GROUND_SIDE;
    const ter_ground_plan *plan = ter_surface_ground(job);
    const ter_window at = plan->points.at;
    const int64_t first_x = ter_floor_div(tile->x * Tile::STEP, TER_GROUND_STEP) - Tile::GROUND_MARGIN,
                  first_y = ter_floor_div(tile->y * Tile::STEP, TER_GROUND_STEP) - Tile::GROUND_MARGIN;
    tile->ground_x = (int)(tile->x * Tile::STEP - first_x * TER_GROUND_STEP);
    tile->ground_y = (int)(tile->y * Tile::STEP - first_y * TER_GROUND_STEP);
    bool has_lake = false;
    for (int n = (int)threadIdx.x; n < SIDE * SIDE; n += THREADS) {
        const int64_t x = min(max(first_x + n % SIDE - at.x, (int64_t)0), (int64_t)at.width - 1),
                      y = min(max(first_y + n / SIDE - at.y, (int64_t)0), (int64_t)at.height - 1);
        const ter_ground *ground = plan->ground + (size_t)y * (size_t)at.width + (size_t)x;
        s->rough[n] = ground->rough;
        s->lake[n] = ground->lake;
        has_lake |= TER_IS_LAKE(ground->lake);
    }
    return has_lake;
}

/** Load the points above a tile, of 2^LEVELS times its spacing. to: the lattice that the launch makes */
template <class Tile>
__device__ __forceinline__ void load_above(const ter_fluvial_job *job, const block_output &o, int to,
                                           const tile_place &tile, fine_shared<Tile> *s)
{
    const ter_window from = job->fine[to + Tile::LEVELS].at;
    const float *base = to + Tile::LEVELS == job->n_fine - 1 ? job->height[(job->n_fine - 1) & 1] : o.formed;
    constexpr int WIDTH = Tile::points(Tile::LEVELS), FIRST = 4 * Tile::first_block(Tile::LEVELS);
    float *top = s->height + Tile::heights(Tile::LEVELS - 1);
    for (int n = (int)threadIdx.x; n < WIDTH * WIDTH; n += THREADS) {
        const int64_t x = (tile.x >> Tile::LEVELS) + FIRST + n % WIDTH - from.x;
        const int64_t y = (tile.y >> Tile::LEVELS) + FIRST + n / WIDTH - from.y;
        const int64_t near_x = min(max(x, (int64_t)0), (int64_t)from.width - 1);
        const int64_t near_y = min(max(y, (int64_t)0), (int64_t)from.height - 1);
        top[n] = base[(size_t)near_y * (size_t)from.width + (size_t)near_x];
    }
}

/** Where a launch stores the heights of a block of the world. to: the lattice that the launch makes */
__device__ __forceinline__ height_output output_at(const ter_fluvial_job *job, const block_output &o, int to)
{
    const ter_window at = job->fine[to].at;
    height_output out = {o.samples.layer[TER_LAYER_HEIGHT], o.samples.stride, o.is_wet, o.tiles_x, false};
    if (to > 0 || !o.is_wet) {
        out.at = to > 0 ? o.formed : o.fine;
        out.stride = (size_t)at.width;
        out.is_wet = nullptr;
    }
    out.is_by_four = ((uintptr_t)out.at / sizeof(float) - (uintptr_t)at.x) % 4 == 0 && out.stride % 4 == 0;
    return out;
}

template <class Tile>
__global__ void __launch_bounds__(THREADS, 4)
    heights_kernel(const ter_fluvial_job *jobs, const block_output *outputs, const __grid_constant__ ter_fluvial f)
{
    __shared__ fine_shared<Tile> s;
    const ter_fluvial_job *job = &jobs[blockIdx.y];
    const int to = first_lattice(job, Tile::STEP);
    const ter_window at = job->fine[to].at;
    const int64_t first_x = ter_floor_div(at.x, Tile::SIDE), first_y = ter_floor_div(at.y, Tile::SIDE);
    const int columns = (int)(ter_floor_div(at.x + at.width - 1, Tile::SIDE) - first_x) + 1;
    const int rows = (int)(ter_floor_div(at.y + at.height - 1, Tile::SIDE) - first_y) + 1;
    if ((int)blockIdx.x >= columns * rows)
        return;
    tile_place tile = {(first_x + (int)blockIdx.x % columns) * Tile::SIDE,
                       (first_y + (int)blockIdx.x / columns) * Tile::SIDE, 0, 0};
    const block_output &o = outputs[blockIdx.y];
    load_above(job, o, to, tile, &s);
    if constexpr (Tile::has_rills(0))
        draw_noise<Tile, 0>(f, tile, &s);
    if constexpr (Tile::has_rills(Tile::LEVELS - 1) && Tile::LEVELS > 1)
        draw_noise<Tile, Tile::LEVELS - 1>(f, tile, &s);
    const bool sees_lake = load_ground(job, &tile, &s);
    const height_output out = output_at(job, o, to);
    if (__syncthreads_or(sees_lake))
        refine_level<Tile, Tile::LEVELS - 1, true>(f, at, &s, tile, out);
    else
        refine_level<Tile, Tile::LEVELS - 1, false>(f, at, &s, tile, out);
}

/** Finish dry tiles: one block of threads for each tile, one thread for each sample. */
__global__ void __launch_bounds__(THREADS) dry_kernel(const ter_fluvial_job *jobs, const block_output *outputs)
{
    const ter_fluvial_job *job = &jobs[blockIdx.y];
    const block_output &o = outputs[blockIdx.y];
    const int tile = (int)blockIdx.x;
    if (tile >= o.tiles_x * o.tiles_y || o.is_wet[tile])
        return;
    const ter_window at = job->points.at;
    const int x = (int)(((at.x >> 4) + tile % o.tiles_x) * SAMPLE_TILE - at.x) + (int)(threadIdx.x & 15);
    const int y = (int)(((at.y >> 4) + tile / o.tiles_x) * SAMPLE_TILE - at.y) + (int)(threadIdx.x >> 4);
    if (x >= 0 && x < at.width && y >= 0 && y < at.height)
        o.samples.layer[TER_LAYER_HEIGHT][(size_t)y * o.samples.stride + (size_t)x] =
            fast_beach(job->height[0][(size_t)y * (size_t)at.width + (size_t)x], job->f.sea);
}

template <class Tile> ter_status run_tiles(const fluvial_jobs &jobs, const block_output *outputs)
{
    if (jobs.count == 0)
        return TER_OK;
    const int most = greatest_of(jobs, [&](int n) {
        const ter_window &at = jobs.host[n].fine[first_lattice(&jobs.host[n], Tile::STEP)].at;
        return (at.width / Tile::SIDE + 2) * (at.height / Tile::SIDE + 2);
    });
    heights_kernel<Tile>
        <<<dim3((unsigned)most, (unsigned)jobs.count), THREADS, 0, jobs.stream>>>(jobs.device, outputs, jobs.host[0].f);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}

} // namespace

ter_status ter_cuda::run_dry_heights(const fluvial_jobs &jobs, const block_output *host_outputs,
                                     const block_output *outputs)
{
    const int most = greatest_of(jobs, [&](int n) { return host_outputs[n].tiles_x * host_outputs[n].tiles_y; });
    dry_kernel<<<dim3((unsigned)most, (unsigned)jobs.count), THREADS, 0, jobs.stream>>>(jobs.device, outputs);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}

ter_status ter_cuda::run_formed_heights(const fluvial_jobs &jobs, const block_output *outputs)
{
    return run_tiles<fine_tile<2, 4, 64>>(jobs, outputs);
}

ter_status ter_cuda::run_fine_heights(const fluvial_jobs &jobs, const block_output *outputs, int lod)
{
    return lod == 0   ? run_tiles<fine_tile<2, 1, 128>>(jobs, outputs)
           : lod == 1 ? run_tiles<fine_tile<1, 2, 128>>(jobs, outputs)
           : lod == 3 ? run_tiles<fine_tile<1, 8, 64>>(jobs, outputs)
                      : TER_OK;
}
