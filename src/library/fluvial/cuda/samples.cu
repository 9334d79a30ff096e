/* samples.cu - applies rivers, lakes and beaches to heights, tile by tile: 16 x 16 samples share a list of the rivers
 * near them.
 *
 * Most tiles are dry: no river is near any of their places. Where heights alone are requested at fine levels of detail,
 * wet tiles are found before the heights are made. Dry tiles are finished together with their heights; wet tiles are
 * listed and finished afterwards.
 */
#include "library/fluvial/cuda/samples.cuh"

#include "library/fluvial/cuda/cell_bounds.cuh"
#include "library/fluvial/cuda/lists.cuh"

using namespace ter_cuda;

namespace
{

constexpr int RIVERS_MAX = 256; /* greatest number of reaches in a list */
constexpr int LISTED_STEP = 16; /* m; at larger spacings samples share no list of rivers */

/** The reaches of rivers that can change the samples of a tile, or of 16 x 16 tiles; in shared memory. */
struct river_list {
    int index[RIVERS_MAX];
    float x[RIVERS_MAX], y[RIVERS_MAX]; /* start of the reach, units from the corner */
    float reach[RIVERS_MAX];            /* units; distance from its line within which it can change a sample */
    list_counts counts;
    box boxes[LIST_WARPS];
};

/** Greatest distance from the line of a reach at which it can change a sample, units. */
__device__ float reach_of(const ter_reach *p)
{
    const float width = ter_max(p->width, p->width + p->dwidth);
    return (width + ter_river_extent(width)) * (1.0f / TER_UNIT) + 1.0f;
}

/** List the reaches of rivers that can change a sample in a disc. Returns their number; more than RIVERS_MAX means that
 * the list is incomplete. All threads call. */
__device__ int list_rivers(const ter_fluvial_job *job, const near_corner &corner, const disc &d, river_list *list)
{
    const cells c = cells_around(corner, job->piece_at, d, TER_RIVER_CELLS);
    int count = 0;
    for (int base = 0; base < c.count * TER_REACHES && count <= RIVERS_MAX; base += LIST_THREADS) {
        const int n = base + (int)threadIdx.x, cell = n / TER_REACHES, x = c.x0 + cell % c.width,
                  y = c.y0 + cell / c.width;
        const int at = ter_window_index(job->piece_at, corner.cell_x + x, corner.cell_y + y);
        float px = 0.0f, py = 0.0f, reach = 0.0f;
        bool is_near = n < c.count * TER_REACHES && job->course[at] == TER_COURSE_BROOK;
        const ter_reach *p = job->reach + (size_t)at * TER_REACHES + n % TER_REACHES;
        if (is_near && ter_has_bed(p)) {
            float along;
            px = p->x + (float)x * TER_CELL;
            py = p->y + (float)y * TER_CELL;
            reach = reach_of(p);
            is_near = ter_reach_distance(p, d.x - px, d.y - py, &along) < (reach + d.radius) * (reach + d.radius);
        } else {
            is_near = false;
        }
        const int place = append_in_order(is_near, &list->counts, &count);
        if (place >= 0 && place < RIVERS_MAX) {
            list->index[place] = at * TER_REACHES + n % TER_REACHES;
            list->x[place] = px;
            list->y[place] = py;
            list->reach[place] = reach;
        }
    }
    __syncthreads();
    return count;
}

/** Margin of a tile's box, in units of 2 m. The four-point rule interpolates places between coarser ones and may put
 * them outside of the hull of these; extents.cu has the bound. */
constexpr float HULL_MARGIN = 6.0f;

/** Box around the places of a tile's samples. It is computed from few points: those of the finest lattice of places, or
 * those of the ground if that lattice is no coarser than the samples. */
__device__ box hull_of_tile(const ter_fluvial_job *job, const near_corner &corner, int64_t tile_x, int64_t tile_y)
{
    const ter_place_plan *places = &job->places;
    const int last = places->count - 1;
    const int of = job->points.step < places->at[last].step ? last : 0; /* index of the lattice that is read */
    const ter_window at = places->at[of].at;
    const int step = places->at[of].step / job->points.step; /* samples in a step of the lattice */
    const float *shift = places->shift[of];
    const int stride = of > 0 ? 2 : TER_SHIFTS;
    box b = {1e30f, 1e30f, -1e30f, -1e30f, 1.0f};
    for (int64_t y = ter_floor_div(tile_y * SAMPLE_TILE, step);
         y <= ter_floor_div(tile_y * SAMPLE_TILE + SAMPLE_TILE - 1, step) + 1; y++)
        for (int64_t x = ter_floor_div(tile_x * SAMPLE_TILE, step);
             x <= ter_floor_div(tile_x * SAMPLE_TILE + SAMPLE_TILE - 1, step) + 1; x++) {
            if (x < at.x || y < at.y || x >= at.x + at.width || y >= at.y + at.height)
                continue; /* only samples outside of the window need this point */
            const float *warp = shift + (size_t)ter_window_index(at, x, y) * stride;
            const int64_t world_x = x * places->at[of].step, world_y = y * places->at[of].step;
            const float in_x = corner.x(ter_place_x(world_x, world_y, warp)),
                        in_y = corner.y(ter_place_y(world_x, world_y, warp));
            b.x0 = fminf(b.x0, in_x - HULL_MARGIN);
            b.y0 = fminf(b.y0, in_y - HULL_MARGIN);
            b.x1 = fmaxf(b.x1, in_x + HULL_MARGIN);
            b.y1 = fmaxf(b.y1, in_y + HULL_MARGIN);
        }
    return b;
}

/** The corner of the cell of a point of the ground near the first sample of tile (tile_x, tile_y), which may lie
 * outside of the window. */
__device__ __forceinline__ near_corner corner_of_tile(const ter_fluvial_job *job, int64_t tile_x, int64_t tile_y)
{
    const ter_ground_plan *plan = ter_surface_ground(job);
    const ter_window at = plan->points.at;
    const int64_t x = max(ter_floor_div(tile_x * SAMPLE_TILE * job->points.step, plan->points.step), at.x),
                  y = max(ter_floor_div(tile_y * SAMPLE_TILE * job->points.step, plan->points.step), at.y);
    int64_t place_x, place_y;
    ter_ground_place(plan, x, y, (size_t)ter_window_index(at, x, y), &place_x, &place_y);
    return {place_x >> TER_CELL_SHIFT, place_y >> TER_CELL_SHIFT};
}

/** Add the listed reaches that can change a sample in a disc to a tile. Only the first RIVERS_OF_TILE are stored, but
 * all are counted. */
__device__ __forceinline__ void add_reaches(const ter_fluvial_job *job, const river_list &rivers, int n_rivers,
                                            const disc &d, wet_tile *wet)
{
    for (int n = 0; n < n_rivers; n++) {
        float along;
        const float reach = rivers.reach[n] + d.radius;
        if (ter_reach_distance(job->reach + rivers.index[n], d.x - rivers.x[n], d.y - rivers.y[n], &along) >=
            reach * reach)
            continue;
#pragma unroll
        for (int m = 0; m < RIVERS_OF_TILE; m++) /* in registers */
            wet->reach[m] = m == wet->count ? rivers.index[n] : wet->reach[m];
        wet->count++;
    }
}

/** Find wet tiles: one thread for each tile. */
__global__ void __launch_bounds__(LIST_THREADS)
    mark_kernel(const ter_fluvial_job *jobs, const block_output *outputs, wet_tile *list, int *count)
{
    __shared__ river_list rivers;
    const ter_fluvial_job *job = &jobs[blockIdx.y];
    const block_output &o = outputs[blockIdx.y];
    const int columns = (o.tiles_x + 15) / 16, rows = (o.tiles_y + 15) / 16;
    if ((int)blockIdx.x >= columns * rows)
        return;
    const int first_x = (int)blockIdx.x % columns * 16, first_y = (int)blockIdx.x / columns * 16;
    const int unclamped_x = first_x + (int)(threadIdx.x & 15), unclamped_y = first_y + (int)(threadIdx.x >> 4);
    const int x = unclamped_x < o.tiles_x ? unclamped_x : o.tiles_x - 1,
              y = unclamped_y < o.tiles_y ? unclamped_y : o.tiles_y - 1;
    const int64_t tile_x = job->points.at.x >> 4, tile_y = job->points.at.y >> 4; /* the first tile */
    const near_corner corner = corner_of_tile(job, tile_x + first_x, tile_y + first_y);
    const box mine = hull_of_tile(job, corner, tile_x + x, tile_y + y);
    rivers.boxes[threadIdx.x >> 5] = {least_of_warp(mine.x0), least_of_warp(mine.y0), greatest_of_warp(mine.x1),
                                      greatest_of_warp(mine.y1), 1.0f};
    __syncthreads();
    const int n_rivers = list_rivers(job, corner, disc_of(box_of_boxes(rivers.boxes)), &rivers);
    const bool is_complete = n_rivers <= RIVERS_MAX;
    wet_tile wet = {(int)blockIdx.y, y * o.tiles_x + x, is_complete ? 0 : RIVERS_OF_TILE + 1, {}};
    if (is_complete)
        add_reaches(job, rivers, n_rivers, disc_of(mine), &wet);
    if (x != unclamped_x || y != unclamped_y)
        return;
    o.is_wet[wet.tile] = wet.count > 0;
    if (wet.count > 0)
        list[atomicAdd(count, 1)] = wet;
}

/** As ter_rivers_at, but skips a cell if the place lies outside the box in which the cell's reaches can change
 * samples. */
__device__ ter_river rivers_at(const ter_fluvial_job *job, int64_t px, int64_t py)
{
    const float in_x = (float)(int)(px & 0xffff) * (1.0f / 256.0f), in_y = (float)(int)(py & 0xffff) * (1.0f / 256.0f);
    const int first = ter_window_index(job->piece_at, px >> TER_CELL_SHIFT, py >> TER_CELL_SHIFT);
    ter_river r = ter_no_river();
    unsigned long long near = 0; /* set of the cells with a river in reach */
    constexpr int CELLS = 2 * TER_RIVER_CELLS + 1;
    for (int n = 0; n < CELLS * CELLS; n++) {
        const int a = n % CELLS - TER_RIVER_CELLS, b = n / CELLS - TER_RIVER_CELLS,
                  cell = first + b * job->piece_at.width + a;
        const float x = in_x - (float)a * TER_CELL, y = in_y - (float)b * TER_CELL;
        if (job->course[cell] != TER_COURSE_BROOK)
            continue;
        const float4 box = __ldg((const float4 *)&((const cell_bounds *)job->piece_bounds)[cell].bed_x0);
        near |= (unsigned long long)(x >= box.x && y >= box.y && x <= box.z && y <= box.w) << n;
    }
    for (; near != 0; near &= near - 1) {
        const int n = __ffsll((long long)near) - 1, a = n % CELLS - TER_RIVER_CELLS, b = n / CELLS - TER_RIVER_CELLS;
        const ter_reach *reaches = job->reach + (size_t)(first + b * job->piece_at.width + a) * TER_REACHES;
        for (int i = 0; i < TER_REACHES; i++)
            if (ter_has_bed(&reaches[i]))
                ter_accumulate_river(&reaches[i], in_x - (float)a * TER_CELL - reaches[i].x,
                                     in_y - (float)b * TER_CELL - reaches[i].y, &r);
    }
    return r;
}

/** Reaches of rivers near a tile. Their starts are relative to the corner. */
struct tile_rivers {
    near_corner corner;
    ter_reach reach[RIVERS_OF_TILE];
};

/** Load the rivers of a wet tile. All threads of the block call. */
__device__ void load_rivers(const ter_fluvial_job *job, const wet_tile &wet, tile_rivers *rivers)
{
    const int width = job->piece_at.width, first = wet.reach[0] / TER_REACHES;
    rivers->corner = {job->piece_at.x + first % width, job->piece_at.y + first / width}; /* the same in all threads */
    if ((int)threadIdx.x < wet.count) {
        const int index = wet.reach[threadIdx.x], cell = index / TER_REACHES;
        ter_reach p = job->reach[index];
        p.x += (float)(cell % width - first % width) * TER_CELL;
        p.y += (float)(cell / width - first / width) * TER_CELL;
        rivers->reach[threadIdx.x] = p;
    }
    __syncthreads();
}

/** Finish the height of a sample. At spacings below 16 m it is read from the height layer. */
__device__ __forceinline__ void finish_height(const ter_fluvial_job *job, const block_output &o, const ter_sample &s,
                                              const ter_river &river)
{
    float *out = o.samples.layer[TER_LAYER_HEIGHT] + (size_t)s.y * o.samples.stride + (size_t)s.x;
    const size_t k = (size_t)s.y * (size_t)job->points.at.width + (size_t)s.x;
    float height = is_fused(job->points.step) ? *out : job->height[0][k];
    ter_finish_height(job, &s.between, &river, &height);
    *out = height;
}

/** Finish the heights of a wet tile whose rivers are listed: one block of threads for the tile, one thread for each
 * sample. */
__device__ void finish_marked(const ter_fluvial_job *job, const block_output &o, const wet_tile &wet,
                              tile_rivers *rivers)
{
    const ter_window at = job->points.at;
    const int x = (int)(((at.x >> 4) + wet.tile % o.tiles_x) * SAMPLE_TILE - at.x) + (int)(threadIdx.x & 15);
    const int y = (int)(((at.y >> 4) + wet.tile / o.tiles_x) * SAMPLE_TILE - at.y) + (int)(threadIdx.x >> 4);
    load_rivers(job, wet, rivers);
    if (x >= 0 && y >= 0 && x < at.width && y < at.height) {
        const ter_sample s = ter_sample_at(job, x, y);
        const float in_x = rivers->corner.x(s.place_x), in_y = rivers->corner.y(s.place_y);
        ter_river river = ter_no_river();
        for (int n = 0; n < wet.count; n++)
            ter_accumulate_river(&rivers->reach[n], in_x - rivers->reach[n].x, in_y - rivers->reach[n].y, &river);
        finish_height(job, o, s, river);
    }
}

/** The river at the place (x, y) of this thread, from a list of the rivers at the places of all threads. All threads of
 * the block call. */
__device__ __forceinline__ ter_river listed_river(const ter_fluvial_job *job, int64_t x, int64_t y, river_list *rivers)
{
    __shared__ int64_t corner_cell[2];
    __syncthreads(); /* the list of the tile before has been read */
    if (threadIdx.x == 0) {
        corner_cell[0] = x >> TER_CELL_SHIFT;
        corner_cell[1] = y >> TER_CELL_SHIFT;
    }
    __syncthreads();
    const near_corner corner = {corner_cell[0], corner_cell[1]};
    const float in_x = corner.x(x), in_y = corner.y(y);
    rivers->boxes[threadIdx.x >> 5] = box_of_warp(in_x, in_y, 1.0f);
    __syncthreads();
    const int count = list_rivers(job, corner, disc_of(box_of_boxes(rivers->boxes)), rivers);
    if (count > RIVERS_MAX)
        return ter_rivers_at(job, x, y);
    ter_river river = ter_no_river();
    for (int n = 0; n < count; n++)
        ter_accumulate_river(job->reach + rivers->index[n], in_x - rivers->x[n], in_y - rivers->y[n], &river);
    return river;
}

/** Finish a tile and find its rivers: one block of threads for the tile, one thread for each sample. is_height_alone:
 * only heights, as in finish_marked; otherwise all layers */
template <bool is_height_alone>
__device__ void finish_tile(const ter_fluvial_job *job, const block_output &o, int tile, river_list *rivers)
{
    const ter_window at = job->points.at;
    const int unclamped_x = (int)(((at.x >> 4) + tile % o.tiles_x) * SAMPLE_TILE - at.x) + (int)(threadIdx.x & 15);
    const int unclamped_y = (int)(((at.y >> 4) + tile / o.tiles_x) * SAMPLE_TILE - at.y) + (int)(threadIdx.x >> 4);
    const int x = unclamped_x < 0 ? 0 : unclamped_x < at.width ? unclamped_x : at.width - 1;
    const int y = unclamped_y < 0 ? 0 : unclamped_y < at.height ? unclamped_y : at.height - 1;
    const ter_sample s = ter_sample_at(job, x, y);
    const ter_river river = job->points.step > LISTED_STEP ? rivers_at(job, s.place_x, s.place_y)
                                                           : listed_river(job, s.place_x, s.place_y, rivers);
    if (x != unclamped_x || y != unclamped_y)
        return;
    if (is_height_alone) {
        finish_height(job, o, s, river);
        return;
    }
    const size_t k = (size_t)y * (size_t)at.width + (size_t)x;
    const float height = ter_detailed(job, x, y, o.fine ? o.fine[k] : job->height[0][k]);
    ter_finish_layers(job, &o.samples, &s, height, &river);
}

__global__ void __launch_bounds__(LIST_THREADS)
    finish_listed_kernel(const ter_fluvial_job *jobs, const block_output *outputs, const wet_tile *list,
                         const int *count)
{
    __shared__ union {
        river_list list;
        tile_rivers tile;
    } rivers;
    const int n_tiles = *count;
    for (int n = (int)blockIdx.x; n < n_tiles; n += (int)gridDim.x) {
        const wet_tile &wet = list[n];
        if (wet.count <= RIVERS_OF_TILE)
            finish_marked(&jobs[wet.block], outputs[wet.block], wet, &rivers.tile);
        else
            finish_tile<true>(&jobs[wet.block], outputs[wet.block], wet.tile, &rivers.list);
        __syncthreads(); /* the rivers have been read */
    }
}

__global__ void __launch_bounds__(LIST_THREADS)
    finish_all_kernel(const ter_fluvial_job *jobs, const block_output *outputs)
{
    __shared__ river_list rivers;
    const ter_fluvial_job *job = &jobs[blockIdx.y];
    const block_output &o = outputs[blockIdx.y];
    if ((int)blockIdx.x < o.tiles_x * o.tiles_y)
        finish_tile<false>(job, o, (int)blockIdx.x, &rivers);
}

} // namespace

ter_status ter_cuda::run_mark_tiles(const fluvial_jobs &jobs, const block_output *host_outputs,
                                    const block_output *outputs, wet_tile *list, int *count)
{
    const int most = greatest_of(
        jobs, [&](int n) { return (host_outputs[n].tiles_x + 15) / 16 * ((host_outputs[n].tiles_y + 15) / 16); });
    TER_CUDA(cudaMemsetAsync(count, 0, sizeof *count, jobs.stream));
    mark_kernel<<<dim3((unsigned)most, (unsigned)jobs.count), LIST_THREADS, 0, jobs.stream>>>(jobs.device, outputs,
                                                                                              list, count);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}

ter_status ter_cuda::run_finish_listed(const fluvial_jobs &jobs, const block_output *outputs, const wet_tile *list,
                                       const int *count)
{
    constexpr unsigned BLOCKS = 2048; /* of threads; each goes on to further tiles */
    finish_listed_kernel<<<BLOCKS, LIST_THREADS, 0, jobs.stream>>>(jobs.device, outputs, list, count);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}

ter_status ter_cuda::run_finish_all(const fluvial_jobs &jobs, const block_output *host_outputs,
                                    const block_output *outputs)
{
    const int most = greatest_of(jobs, [&](int n) { return host_outputs[n].tiles_x * host_outputs[n].tiles_y; });
    finish_all_kernel<<<dim3((unsigned)most, (unsigned)jobs.count), LIST_THREADS, 0, jobs.stream>>>(jobs.device,
                                                                                                    outputs);
    TER_CUDA(cudaGetLastError());
    return TER_OK;
}
