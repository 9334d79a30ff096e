/* device_memory.cpp - allocates and copies device memory with the CUDA runtime, and lets streams wait for it. */
#include "device_memory.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <cuda_runtime_api.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "errors.h"
#include "gil.h"

static void require_cuda(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    throw failure(error == cudaErrorMemoryAllocation ? "OutOfMemoryError" : "DeviceError",
                  std::string(what) + ": " + cudaGetErrorString(error));
}

/** Makes a device the current device of the thread while the object exists. */
class current_device
{
  public:
    explicit current_device(int device)
    {
        require_cuda(cudaGetDevice(&before_), "CUDA device");
        require_cuda(cudaSetDevice(device), "CUDA device");
    }
    ~current_device()
    {
        cudaSetDevice(before_);
    }
    current_device(const current_device &) = delete;
    current_device &operator=(const current_device &) = delete;

  private:
    int before_ = 0;
};

/** An array of floats in device memory, which is filled on one stream, the memory's stream. */
class device_memory
{
  public:
    device_memory(std::vector<size_t> shape, int device, uintptr_t stream)
        : shape_(std::move(shape)), device_(device), stream_(reinterpret_cast<cudaStream_t>(stream))
    {
        size_t bytes = sizeof(float);
        for (const size_t n : shape_)
            bytes *= n;
        const current_device current(device_);
        const released_gil released;
        require_cuda(cudaMalloc(&pointer_, bytes), "device memory");
    }
    ~device_memory()
    {
        int before = 0;
        cudaGetDevice(&before);
        cudaSetDevice(device_);
        cudaFree(pointer_); /* waits until no stream uses the memory */
        cudaSetDevice(before);
    }
    device_memory(const device_memory &) = delete;
    device_memory &operator=(const device_memory &) = delete;

    /** Let another stream wait for the work that is queued on the memory's stream. */
    void order_before(uintptr_t stream) const
    {
        const auto other = reinterpret_cast<cudaStream_t>(stream);
        if (other == stream_)
            return;
        const current_device current(device_);
        cudaEvent_t made = nullptr;
        require_cuda(cudaEventCreateWithFlags(&made, cudaEventDisableTiming), "CUDA event");
        cudaError_t error = cudaEventRecord(made, stream_);
        if (error == cudaSuccess)
            error = cudaStreamWaitEvent(other, made, 0);
        cudaEventDestroy(made); /* CUDA releases the event after it has occurred */
        require_cuda(error, "CUDA stream");
    }

    /** Copy the floats to the host, after the work that is queued on the memory's stream. Returns when the copy is
     * complete. */
    void copy_to(float *host, size_t count) const
    {
        const current_device current(device_);
        const released_gil released;
        require_cuda(cudaMemcpyAsync(host, pointer_, count * sizeof(float), cudaMemcpyDeviceToHost, stream_),
                     "copy to the host");
        require_cuda(cudaStreamSynchronize(stream_), "copy to the host");
    }

    uintptr_t pointer() const
    {
        return reinterpret_cast<uintptr_t>(pointer_);
    }

    const std::vector<size_t> &shape() const
    {
        return shape_;
    }
    int device() const
    {
        return device_;
    }

  private:
    std::vector<size_t> shape_;
    int device_;
    cudaStream_t stream_;
    void *pointer_ = nullptr;
};

/** The memory as an object with __dlpack__, which keeps the memory alive. */
static nb::ndarray<nb::array_api, float, nb::device::cuda> view(nb::handle_t<device_memory> self)
{
    const auto &memory = *nb::inst_ptr<device_memory>(self);
    return nb::ndarray<nb::array_api, float, nb::device::cuda>(
        reinterpret_cast<float *>(memory.pointer()), memory.shape().size(), memory.shape().data(), self, nullptr,
        nb::dtype<float>(), nb::device::cuda::value, memory.device());
}

/** A copy in host memory, as an object with __dlpack__. */
static nb::ndarray<nb::array_api, float, nb::device::cpu> copy(const device_memory &memory)
{
    size_t count = 1;
    for (const size_t n : memory.shape())
        count *= n;
    auto floats = std::make_unique<float[]>(count);
    memory.copy_to(floats.get(), count);
    float *at = floats.release();
    const nb::capsule owner(at, [](void *array) noexcept { delete[] static_cast<float *>(array); });
    return nb::ndarray<nb::array_api, float, nb::device::cpu>(at, memory.shape().size(), memory.shape().data(), owner);
}

void bind_device_memory(nb::module_ &m)
{
    nb::class_<device_memory>(m, "DeviceMemory", "An array of floats in device memory, which is filled on one stream.")
        .def(nb::init<std::vector<size_t>, int, uintptr_t>(), nb::arg("shape"), nb::arg("device"), nb::arg("stream"))
        .def("order_before", &device_memory::order_before, nb::arg("stream"),
             "Let another stream wait for the stream that fills the memory.")
        .def("view", view, nb::sig("def view(self) -> typing.Any"), "The memory as an object of DLPack.")
        .def("copy", copy, nb::sig("def copy(self) -> typing.Any"), "A copy in host memory, as an object of DLPack.")
        .def_prop_ro("pointer", &device_memory::pointer);
}
