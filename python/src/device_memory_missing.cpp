/* device_memory_missing.cpp - replaces device_memory.cpp in a build without CUDA. The constructor always throws. */
#include "device_memory.h"

#include <nanobind/stl/vector.h>

#include <cstdint>
#include <vector>

#include "errors.h"

class device_memory
{
  public:
    device_memory(const std::vector<size_t> &, int, uintptr_t)
    {
        throw failure("BackendError", "this build has no CUDA");
    }
    void order_before(uintptr_t) const
    {
    }
    nb::object view() const
    {
        return nb::none();
    }
    uintptr_t pointer() const
    {
        return 0;
    }
};

void bind_device_memory(nb::module_ &m)
{
    nb::class_<device_memory>(m, "DeviceMemory", "An array of floats in device memory, which is filled on one stream.")
        .def(nb::init<const std::vector<size_t> &, int, uintptr_t>(), nb::arg("shape"), nb::arg("device"),
             nb::arg("stream"))
        .def("order_before", &device_memory::order_before, nb::arg("stream"),
             "Let another stream wait for the stream that fills the memory.")
        .def("view", &device_memory::view, nb::sig("def view(self) -> typing.Any"),
             "The memory as an object of DLPack.")
        .def("copy", &device_memory::view, nb::sig("def copy(self) -> typing.Any"),
             "A copy in host memory, as an object of DLPack.")
        .def_prop_ro("pointer", &device_memory::pointer);
}
