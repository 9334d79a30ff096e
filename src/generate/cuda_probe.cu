/* cuda_probe.cu - heights at a few places, written by the device into mapped pinned memory; the CPU looks, it never waits. */
#include <new>

#include "generate/cuda_launch.h"
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
    int count;
};

static_assert(sizeof(question) + sizeof(ter_field) < 4000, "a question travels as a kernel argument");

struct probe {
    int device;
    cudaStream_t stream;
    answer *answers;        /* host view */
    answer *device_answers; /* the same memory as the device sees it */
    uint64_t tickets[QUESTIONS];
    int counts[QUESTIONS];
    unsigned asked, answered; /* questions so far */
    uint64_t last_ticket;
    int last_count;
    float last[TER_PROBE_POINTS_MAX];
};

/** Four threads a place, one a corner of its cell. */
__global__ void probe_kernel(const __grid_constant__ ter_field f, const __grid_constant__ question q, answer *to, unsigned number)
{
    const int n = (int)threadIdx.x / 4;
    if (n < q.count) {
        const float corner = ter_place_corner(&f, &q.places[n], (int)threadIdx.x % 4);
        const unsigned mask = __activemask();
        const int first = (int)(threadIdx.x & 28u);
        const float nw = __shfl_sync(mask, corner, first), ne = __shfl_sync(mask, corner, first + 1);
        const float sw = __shfl_sync(mask, corner, first + 2), se = __shfl_sync(mask, corner, first + 3);
        if (threadIdx.x % 4 == 0)
            to->heights[n] = ter_place_height(&q.places[n], nw, ne, sw, se);
        __threadfence_system();
    }
    __syncthreads();
    if (threadIdx.x == 0)
        to->done = number;
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

ter_status ter_cuda_probe_ask(void *state, const ter_world *world, const ter_probe_point *points, int count, uint64_t ticket)
{
    probe *p = (probe *)state;
    if (p->asked - p->answered >= QUESTIONS)
        return TER_OK;
    question q = {};
    q.count = count;
    for (int n = 0; n < count; n++)
        q.places[n] = ter_place_of(&points[n], world->params.levels);
    const unsigned slot = p->asked % QUESTIONS;
    TER_CUDA(cudaSetDevice(p->device));
    probe_kernel<<<1, 4 * TER_PROBE_POINTS_MAX, 0, p->stream>>>(world->field, q, p->device_answers + slot, p->asked + 1);
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
    if (p->stream)
        cudaStreamDestroy(p->stream);
    delete p;
}
