/* interop.cu - maps OpenGL buffers, so that CUDA writes into them. */
#include <new>

#include <GL/gl.h>

#include <cuda_gl_interop.h>

#include "library/core/cuda/check.h"
#include "library/core/cuda/device_state.cuh"
#include "library/generator/cuda/entries.h"

namespace
{

struct gl_buffer {
    int device;
    cudaGraphicsResource_t resource;
};

/** Check that the device is one of those that the current GL context runs on. */
ter_status check_context(int device)
{
    unsigned count = 0;
    int devices[16];
    const cudaError_t error = cudaGLGetDevices(&count, devices, 16, cudaGLDeviceListAll);
    if (error != cudaSuccess || count == 0) {
        cudaGetLastError();
        return ter_fail(TER_EINTEROP, "the OpenGL context does not run on a CUDA device (%s)",
                        error == cudaSuccess ? "none listed" : cudaGetErrorString(error));
    }
    for (unsigned n = 0; n < count; n++)
        if (devices[n] == device)
            return TER_OK;
    return ter_fail(TER_EINTEROP, "the OpenGL context runs on CUDA device %d, the generator on %d", devices[0], device);
}

} // namespace

ter_status ter_cuda_gl_register(void *state, unsigned int name, void **resource)
{
    const int device = ter_cuda::device_of(state);
    TER_CUDA(cudaSetDevice(device));
    const ter_status status = check_context(device);
    if (status != TER_OK)
        return status;
    gl_buffer *buffer = new (std::nothrow) gl_buffer();
    if (!buffer)
        return ter_fail(TER_ENOMEM, "no memory for a GL buffer");
    buffer->device = device;
    const cudaError_t error = cudaGraphicsGLRegisterBuffer(&buffer->resource, name, cudaGraphicsRegisterFlagsNone);
    if (error != cudaSuccess) {
        cudaGetLastError();
        delete buffer;
        return ter_fail(TER_EINTEROP, "CUDA cannot register OpenGL buffer %u: %s", name, cudaGetErrorString(error));
    }
    *resource = buffer;
    return TER_OK;
}

ter_status ter_cuda_gl_map(void *resource, void *stream, float **out, size_t *bytes)
{
    gl_buffer *buffer = (gl_buffer *)resource;
    TER_CUDA(cudaSetDevice(buffer->device));
    TER_CUDA(cudaGraphicsMapResources(1, &buffer->resource, (cudaStream_t)stream));
    const cudaError_t error = cudaGraphicsResourceGetMappedPointer((void **)out, bytes, buffer->resource);
    if (error != cudaSuccess) {
        cudaGraphicsUnmapResources(1, &buffer->resource, (cudaStream_t)stream);
        return ter_cuda_fail(error, "cudaGraphicsResourceGetMappedPointer");
    }
    return TER_OK;
}

ter_status ter_cuda_gl_unmap(void *resource, void *stream)
{
    gl_buffer *buffer = (gl_buffer *)resource;
    TER_CUDA(cudaSetDevice(buffer->device));
    TER_CUDA(cudaGraphicsUnmapResources(1, &buffer->resource, (cudaStream_t)stream));
    return TER_OK;
}

void ter_cuda_gl_unregister(void *resource)
{
    gl_buffer *buffer = (gl_buffer *)resource;
    cudaSetDevice(buffer->device);
    cudaGraphicsUnregisterResource(buffer->resource);
    delete buffer;
}
