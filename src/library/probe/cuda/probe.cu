/* probe.cu - computes heights at a few places. The device writes them into mapped pinned memory, and the CPU reads them
 * without waiting.
 */
#include <new>

#include "library/fluvial/cuda/fluvial.h"
#include "library/generator/cuda/fill.cuh"
#include "library/probe/cuda/probe.h"
#include "library/probe/place.h"

using namespace ter_cuda;

namespace
{

constexpr int QUESTIONS = 8; /* greatest number of questions without an answer */

/** One question's answer in mapped pinned memory; `done` is written last. */
struct answer {
    float heights[TER_PROBE_POINTS_MAX];
    volatile unsigned done;
};

struct question {
    ter_place places[TER_PROBE_POINTS_MAX];
    ter_place_blend blend;
    int count, has_blend;
};

constexpr int LANES = 16; /* threads per place: two levels, two landscapes, four corners */
constexpr int THREADS = 128;

static_assert(sizeof(question) + 2 * sizeof(ter_field) < 4000, "a question fits the arguments of a kernel");

struct probe {
    int device;
    cuda_state *cuda;
    cudaStream_t stream;
    answer *answers;        /* host view */
    answer *device_answers; /* the same memory, device view */
    bool is_over_water;
    device_array corners; /* for fluvial worlds: heights of the cells' corners, then levels of water there */
    unsigned *finished;   /* device memory: blocks of each question that have finished */
    uint64_t tickets[QUESTIONS];
    int counts[QUESTIONS];
    unsigned asked, answered; /* questions so far */
    uint64_t last_ticket;
    int last_count;
    float last[TER_PROBE_POINTS_MAX];
};

/** Compute the heights at the places of a question. A place has sixteen threads, one for each corner of a cell, for two
 * levels of two landscapes. The last block that finishes marks the answer as complete.
 *
 *  corners  heights of the corners, four for each cell, [landscape][level][place][corner]; NULL: this kernel makes them
 *  water    levels of water at the same corners, or NULL
 */
__global__ void __launch_bounds__(THREADS)
    probe_kernel(const __grid_constant__ ter_field from, const __grid_constant__ ter_field to,
                 const __grid_constant__ question q, const float *corners, const float *water, answer *answers,
                 unsigned *finished, unsigned number)
{
    const int n = (int)(blockIdx.x * THREADS + threadIdx.x) / LANES, lane = (int)threadIdx.x % LANES;
    const int level = lane >> 3, landscape = lane >> 2 & 1, corner = lane & 3;
    const bool is_place = n < q.count;
    const ter_place *place = &q.places[is_place ? n : 0];
    const ter_cell cell = level == 0 ? place->cell : ter_cell_coarser(&place->cell);
    float height = 0.0f;
    if (is_place && (level == 0 || place->coarser > 0.0f) && (landscape == 0 || q.has_blend)) {
        const int at = ((landscape * 2 + level) * q.count + n) * 4 + corner;
        height = corners ? corners[at]
                         : ter_cell_corner(landscape ? &to : &from, &cell, landscape ? q.blend.level_shift : 0, corner);
        height = water ? fmaxf(height, water[at]) : height; /* NaN if dry; fmaxf then returns the height */
    }
    const float other = __shfl_down_sync(0xffffffffu, height, 4, LANES);
    if (is_place && landscape == 0 && q.has_blend)
        height = ter_blend_height(height, other, ter_cell_share(&q.blend, &cell, corner));
    const int first = lane & ~3;
    const float nw = __shfl_sync(0xffffffffu, height, first, LANES),
                ne = __shfl_sync(0xffffffffu, height, first + 1, LANES);
    const float sw = __shfl_sync(0xffffffffu, height, first + 2, LANES),
                se = __shfl_sync(0xffffffffu, height, first + 3, LANES);
    const float surface = ter_cell_height(&cell, nw, ne, sw, se);
    const float coarse = __shfl_down_sync(0xffffffffu, surface, 8, LANES);
    if (is_place && lane == 0)
        answers->heights[n] = place->coarser > 0.0f ? ter_place_height(place, surface, coarse) : surface;
    __threadfence_system();
    __syncthreads();
    if (threadIdx.x == 0 && atomicAdd(finished, 1u) == gridDim.x - 1) {
        *finished = 0;
        __threadfence_system();
        answers->done = number;
    }
}

} // namespace

ter_status ter_cuda_probe_create(void *state, bool is_over_water, void **out)
{
    probe *p = new (std::nothrow) probe();
    if (!p)
        return ter_fail(TER_ENOMEM, "no memory for a probe");
    p->cuda = (cuda_state *)state;
    p->device = p->cuda->device;
    p->is_over_water = is_over_water;
    *out = p;
    const auto set_up = [p]() -> ter_status {
        TER_CUDA(cudaSetDevice(p->device));
        TER_CUDA(cudaStreamCreateWithFlags(&p->stream, cudaStreamNonBlocking));
        TER_CUDA(cudaHostAlloc((void **)&p->answers, QUESTIONS * sizeof(answer), cudaHostAllocMapped));
        TER_CUDA(cudaHostGetDevicePointer((void **)&p->device_answers, p->answers, 0));
        TER_CUDA(cudaMalloc((void **)&p->finished, QUESTIONS * sizeof *p->finished));
        TER_CUDA(cudaMemsetAsync(p->finished, 0, QUESTIONS * sizeof *p->finished, p->stream));
        return TER_OK;
    };
    const ter_status status = set_up();
    if (status != TER_OK) {
        ter_cuda_probe_destroy(p);
        return status;
    }
    for (int n = 0; n < QUESTIONS; n++)
        p->answers[n].done = 0;
    return TER_OK;
}

/** Make the corners of a landscape's cells, and the levels of water there unless `water` is NULL. Levels are NaN if the
 * landscape has no water.
 *
 *  n_slots  number of cells that each array has room for
 */
static ter_status make_landscape_corners(probe *p, const ter_world *world, const tile_list &tiles, size_t n_slots,
                                         float *heights, float *water)
{
    const size_t bytes = n_slots * 4 * sizeof(float);
    if (water && world->params.basis == TER_BASIS_FLUVIAL) {
        ter_layers layers = {};
        layers.at[TER_LAYER_HEIGHT] = heights;
        layers.at[TER_LAYER_WATER] = water;
        return fill_fluvial(p->cuda, &world->fluvial, tiles, layers, p->stream);
    }
    if (water)
        TER_CUDA(cudaMemsetAsync(water, 0xff, bytes, p->stream));
    return fill_device(p->cuda, world, tiles, {heights, nullptr, {}}, p->stream);
}

/** Make the corners of all cells of a question in device memory: first the cells of the places, then the cells of the
 * next coarser level for places with a share of it. */
static ter_status make_corners(probe *p, const ter_world *const worlds[2], const question &q)
{
    const size_t per_landscape = 2 * (size_t)q.count;
    ter_tile_layout layout = {};
    layout.width = layout.height = layout.row_stride = 2;
    layout.slot_stride = 4;
    const size_t floats = 2 * per_landscape * 4;
    ter_status status = reserve(&p->corners, (p->is_over_water ? 2 : 1) * floats * sizeof(float));
    for (int landscape = 0; landscape <= q.has_blend && status == TER_OK; landscape++) {
        ter_tile tiles[2 * TER_PROBE_POINTS_MAX];
        uint32_t slots[2 * TER_PROBE_POINTS_MAX];
        size_t n_tiles = 0;
        const int shift = landscape ? q.blend.level_shift : 0;
        for (int level = 0; level < 2; level++)
            for (int n = 0; n < q.count; n++) {
                const ter_cell fine = q.places[n].cell, cell = level ? ter_cell_coarser(&fine) : fine;
                if (level && !(q.places[n].coarser > 0.0f))
                    continue;
                slots[n_tiles] = (uint32_t)(level * q.count + n);
                tiles[n_tiles++] = {cell.level + shift, cell.i, cell.j};
            }
        layout.slots = slots;
        float *out = (float *)p->corners.at + (size_t)landscape * per_landscape * 4;
        status = make_landscape_corners(p, worlds[landscape], {tiles, n_tiles, &layout}, per_landscape, out,
                                        p->is_over_water ? out + floats : nullptr);
    }
    return status;
}

ter_status ter_cuda_probe_ask(void *state, const ter_world *world, const ter_world *to, const ter_place_blend *blend,
                              const ter_probe_point *points, int count, uint64_t ticket)
{
    probe *p = (probe *)state;
    if (p->asked - p->answered >= QUESTIONS)
        return TER_OK;
    question q = {};
    q.count = count;
    q.blend = *blend;
    q.has_blend = to != nullptr;
    for (int n = 0; n < count; n++)
        q.places[n] = ter_place_of(&points[n], world->params.levels);
    const unsigned slot = p->asked % QUESTIONS;
    TER_CUDA(cudaSetDevice(p->device));
    const ter_world *const worlds[2] = {world, to};
    const bool is_fluvial = world->params.basis == TER_BASIS_FLUVIAL || (to && to->params.basis == TER_BASIS_FLUVIAL);
    const ter_status status = is_fluvial ? make_corners(p, worlds, q) : TER_OK;
    if (status != TER_OK)
        return status;
    const float *corners = is_fluvial ? (const float *)p->corners.at : nullptr;
    const float *water = is_fluvial && p->is_over_water ? corners + (size_t)count * 16 : nullptr;
    probe_kernel<<<(count * LANES + THREADS - 1) / THREADS, THREADS, 0, p->stream>>>(
        world->field, to ? to->field : world->field, q, corners, water, p->device_answers + slot, p->finished + slot,
        p->asked + 1);
    TER_CUDA(cudaGetLastError());
    p->tickets[slot] = ticket;
    p->counts[slot] = count;
    p->asked++;
    return TER_OK;
}

ter_status ter_cuda_probe_answer(void *state, uint64_t *ticket, int *count, float *out_m)
{
    probe *p = (probe *)state;
    while (p->answered != p->asked) {
        const unsigned slot = p->answered % QUESTIONS;
        const answer *a = &p->answers[slot];
        if (a->done != p->answered + 1)
            break;
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        memcpy(p->last, a->heights, sizeof p->last);
        p->last_ticket = p->tickets[slot];
        p->last_count = p->counts[slot];
        p->answered++;
    }
    *ticket = p->last_ticket;
    *count = p->last_count;
    memcpy(out_m, p->last, (size_t)p->last_count * sizeof(float));
    return TER_OK;
}

void ter_cuda_probe_destroy(void *state)
{
    probe *p = (probe *)state;
    cudaSetDevice(p->device);
    if (p->stream)
        cudaStreamSynchronize(p->stream);
    cudaFreeHost(p->answers);
    cudaFree(p->finished);
    cudaFree(p->corners.at);
    if (p->stream)
        cudaStreamDestroy(p->stream);
    delete p;
}
