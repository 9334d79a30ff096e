/* probe.cu - heights at a few places, written by the device into mapped pinned memory; the CPU looks, it never waits. */
#include <new>

#include "generate/cuda/check.h"
#include "generate/cuda/entries.h"
#include "generate/place.h"

namespace
{

constexpr int QUESTIONS = 8; /* in flight at most */

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

constexpr int LANES = 16; /* threads a place: two levels, two landscapes, four corners */
constexpr int THREADS = 128;

static_assert(sizeof(question) + 2 * sizeof(ter_field) < 4000, "a question travels as kernel arguments");

struct probe {
    int device;
    cudaStream_t stream;
    answer *answers;        /* host view */
    answer *device_answers; /* the same memory as the device sees it */
    unsigned *finished;     /* device memory: blocks of each question that have finished */
    uint64_t tickets[QUESTIONS];
    int counts[QUESTIONS];
    unsigned asked, answered; /* questions so far */
    uint64_t last_ticket;
    int last_count;
    float last[TER_PROBE_POINTS_MAX];
};

/** Sixteen threads a place, one a corner of a cell of a level of a landscape. The last block to finish says that the answer is
 * there. */
__global__ void __launch_bounds__(THREADS)
    probe_kernel(const __grid_constant__ ter_field from, const __grid_constant__ ter_field to, const __grid_constant__ question q,
                 answer *answers, unsigned *finished, unsigned number)
{
    const int n = (int)(blockIdx.x * THREADS + threadIdx.x) / LANES, lane = (int)threadIdx.x % LANES;
    const int level = lane >> 3, landscape = lane >> 2 & 1, corner = lane & 3;
    const bool is_place = n < q.count;
    const ter_place *place = &q.places[is_place ? n : 0];
    const ter_cell cell = level == 0 ? place->cell : ter_cell_coarser(&place->cell);
    float height = 0.0f;
    if (is_place && (level == 0 || place->coarser > 0.0f) && (landscape == 0 || q.has_blend))
        height = ter_cell_corner(landscape ? &to : &from, &cell, landscape ? q.blend.level_shift : 0, corner);
    const float other = __shfl_down_sync(0xffffffffu, height, 4, LANES);
    if (is_place && landscape == 0 && q.has_blend)
        height = ter_blend_height(height, other, ter_cell_share(&q.blend, &cell, corner));
    const int first = lane & ~3;
    const float nw = __shfl_sync(0xffffffffu, height, first, LANES), ne = __shfl_sync(0xffffffffu, height, first + 1, LANES);
    const float sw = __shfl_sync(0xffffffffu, height, first + 2, LANES), se = __shfl_sync(0xffffffffu, height, first + 3, LANES);
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

ter_status ter_cuda_probe_create(void *state, void **out)
{
    probe *p = new (std::nothrow) probe();
    if (!p)
        return ter_fail(TER_ENOMEM, "no memory for a probe");
    p->device = *(const int *)state;
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
    probe_kernel<<<(count * LANES + THREADS - 1) / THREADS, THREADS, 0, p->stream>>>(
        world->field, to ? to->field : world->field, q, p->device_answers + slot, p->finished + slot, p->asked + 1);
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
    if (p->stream)
        cudaStreamDestroy(p->stream);
    delete p;
}
