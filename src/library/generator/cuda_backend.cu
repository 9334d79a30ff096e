/* cuda_backend.cu - the CUDA backend's table, facts about devices, and the creation and destruction of generators. */
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <new>

#include "library/generator/backend.h"
#include "library/generator/cuda/entries.h"
#include "library/generator/cuda/fill.cuh"
#include "library/generator/cuda/quantise.cuh"
#include "library/morph/cuda/morph.h"
#include "library/probe/cuda/probe.h"

using namespace ter_cuda;

namespace
{

/* ---- fills ---- */

ter_status wait(void *state, void *stream)
{
    TER_CUDA(cudaSetDevice(((const cuda_state *)state)->device));
    TER_CUDA(cudaStreamSynchronize((cudaStream_t)stream));
    return TER_OK;
}

void *own_stream(void *state)
{
    return ((const cuda_state *)state)->stream;
}

ter_status fill_into_device(void *state, const ter_world *world, const ter_tile *tiles, size_t count,
                            const ter_tile_layout *layout, const ter_layers *out, void *stream)
{
    return fill_layers_device((cuda_state *)state, world, {tiles, count, layout}, *out, (cudaStream_t)stream);
}

ter_status fill_into_device_u16(void *state, const ter_world *world, const ter_tile *tiles, size_t count,
                                const ter_tile_layout *layout, const ter_u16_layers *out, void *stream)
{
    return fill_u16_device((cuda_state *)state, world, {tiles, count, layout}, *out, (cudaStream_t)stream);
}

ter_status fill_into_host(void *state, const ter_world *world, const ter_tile *tiles, size_t count,
                          const ter_tile_layout *layout, const ter_layers *out)
{
    return fill_host((cuda_state *)state, world, {tiles, count, layout}, *out);
}

/* ---- devices, creation and destruction ---- */

int device_count(char *reason, size_t reason_size)
{
    static const pid_t process =
        getpid(); /* the process that called first; CUDA does not work in its forked children */
    if (process != getpid()) {
        snprintf(reason, reason_size, "this process was forked from one that had used CUDA");
        return 0;
    }
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error == cudaSuccess && count > 0)
        return count;
    cudaGetLastError();
    snprintf(reason, reason_size, "%s", error == cudaSuccess ? "no CUDA device found" : cudaGetErrorString(error));
    return 0;
}

ter_status device_describe(int device, ter_device *out)
{
    char reason[128];
    const int count = device_count(reason, sizeof reason);
    if (device < 0 || device >= count)
        return ter_fail(TER_ENOBACKEND, "there is no CUDA device %d: %d found", device, count);
    cudaDeviceProp facts;
    TER_CUDA(cudaGetDeviceProperties(&facts, device));
    *out = {};
    snprintf(out->name, sizeof out->name, "%s", facts.name);
    out->compute_major = facts.major;
    out->compute_minor = facts.minor;
    out->multiprocessors = facts.multiProcessorCount;
    out->memory_bytes = facts.totalGlobalMem;
    TER_CUDA(cudaDriverGetVersion(&out->driver_version));
    TER_CUDA(cudaRuntimeGetVersion(&out->runtime_version));
    return TER_OK;
}

void free_arrays(cuda_state *cuda)
{
    fluvial_memory &f = cuda->fluvial;
    for (device_array *array : {&cuda->scratch[0],
                                &cuda->scratch[1],
                                &cuda->chunk,
                                &cuda->small,
                                &f.jobs,
                                &f.outputs,
                                &f.edges,
                                &f.points,
                                &f.network,
                                &f.heights,
                                &f.networks,
                                &f.tiles,
                                &f.shared,
                                &f.copies,
                                &f.plan_jobs,
                                &f.plan_knots,
                                &f.blurred,
                                &f.blurred_blocks,
                                &f.fine,
                                &f.fine_parts,
                                &f.climate,
                                &f.climate_jobs,
                                &f.climate_parts,
                                &f.under_cover,
                                &f.guide_cache[0].tables,
                                &f.guide_cache[1].tables,
                                &f.mask_rings,
                                &f.masks,
                                &f.network_of,
                                &f.network_cache[0].nodes,
                                &f.network_cache[1].nodes})
        cudaFree(array->at);
}

void destroy(void *state)
{
    cuda_state *cuda = (cuda_state *)state;
    cudaSetDevice(cuda->device);
    cudaDeviceSynchronize();
    free_arrays(cuda);
    free_common_memories(&cuda->common);
    for (cudaEvent_t event : {cuda->scratch_is_free, cuda->fluvial.plans_are_free})
        if (event)
            cudaEventDestroy(event);
    for (cudaStream_t stream : {cuda->stream, cuda->stream_of_plans})
        if (stream)
            cudaStreamDestroy(stream);
    delete cuda;
}

ter_status set_up(cuda_state *cuda)
{
    TER_CUDA(cudaSetDevice(cuda->device));
    TER_CUDA(cudaStreamCreateWithFlags(&cuda->stream, cudaStreamNonBlocking));
    int least = 0, greatest = 0;
    TER_CUDA(cudaDeviceGetStreamPriorityRange(&least, &greatest));
    TER_CUDA(cudaStreamCreateWithPriority(&cuda->stream_of_plans, cudaStreamNonBlocking, greatest));
    for (cudaEvent_t *event : {&cuda->scratch_is_free, &cuda->fluvial.plans_are_free})
        TER_CUDA(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
    return TER_OK;
}

ter_status create(const ter_generator_options *options, void **state)
{
    ter_device facts;
    const ter_status found = device_describe(options->device, &facts);
    if (found != TER_OK)
        return found;
    cuda_state *cuda = new (std::nothrow) cuda_state();
    if (!cuda)
        return ter_fail(TER_ENOMEM, "no memory for the CUDA backend");
    cuda->device = options->device;
    cuda->method = options->method;
    cuda->is_by_sample = options->is_by_sample != 0;
    const ter_status status = set_up(cuda);
    if (status != TER_OK) {
        destroy(cuda);
        return status;
    }
    *state = cuda;
    return TER_OK;
}

} // namespace

extern "C" {
const ter_backend_table ter_backend_cuda = {
    .kind = TER_BACKEND_CUDA,
    .name = "cuda",
    .device_count = device_count,
    .device_describe = device_describe,
    .create = create,
    .destroy = destroy,
    .fill_host = fill_into_host,
    .fill_device = fill_into_device,
    .fill_device_u16 = fill_into_device_u16,
    .wait = wait,
    .stream = own_stream,
    .heights = ter_cuda_heights_at,
    .statistics = ter_cuda_statistics,
    .fetch_create = ter_cuda_fetch_create,
    .fetch_start = ter_cuda_fetch_start,
    .fetch_wait = ter_cuda_fetch_wait,
    .fetch_destroy = ter_cuda_fetch_destroy,
    .host_memory_create = ter_cuda_host_memory_create,
    .host_memory_destroy = ter_cuda_host_memory_destroy,
    .memory_create = ter_cuda_memory_create,
    .memory_destroy = ter_cuda_memory_destroy,
    .memory_read = ter_cuda_memory_read,
    .copy_tiles = ter_cuda_copy_tiles,
    .blend = ter_cuda_blend,
    .gl_register = ter_cuda_gl_register,
    .gl_map = ter_cuda_gl_map,
    .gl_unmap = ter_cuda_gl_unmap,
    .gl_unregister = ter_cuda_gl_unregister,
    .probe_create = ter_cuda_probe_create,
    .probe_ask = ter_cuda_probe_ask,
    .probe_answer = ter_cuda_probe_answer,
    .probe_destroy = ter_cuda_probe_destroy,
};
}
