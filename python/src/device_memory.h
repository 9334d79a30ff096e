/* device_memory.h - memory of a CUDA device for arrays that leave the module by DLPack. */
#ifndef TERRANE_PYTHON_DEVICE_MEMORY_H
#define TERRANE_PYTHON_DEVICE_MEMORY_H

#include <nanobind/nanobind.h>

/** Class DeviceMemory of the module; raises BackendError in a build without CUDA. */
void bind_device_memory(nanobind::module_ &m);

#endif
