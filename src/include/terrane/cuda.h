/* terrane/cuda.h - CUDA devices, and streams of generators that run on them. */
#ifndef TERRANE_CUDA_H
#define TERRANE_CUDA_H

#include "terrane/generator.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Facts about a CUDA device. */
typedef struct ter_device {
    size_t struct_size; /**< sizeof(ter_device), set by the caller */
    char name[256];
    int compute_major, compute_minor;
    int multiprocessors;
    uint64_t memory_bytes;
    int driver_version, runtime_version; /**< each as 1000 * major + 10 * minor */
} ter_device;

/** Number of usable CUDA devices.
 *
 *  reason   receives the reason when there is no device, cut to reason_size and terminated; NULL is allowed if
 *           reason_size is 0
 *  Returns  0 or more; always 0 in a build without CUDA
 */
TER_API int ter_device_count(char *reason, size_t reason_size);

/** Facts about one device.
 *
 *  device  0 .. ter_device_count - 1
 *  Errors  TER_ENOBACKEND no such device, or a build without CUDA; TER_EDEVICE
 */
TER_API ter_status ter_device_describe(int device, ter_device *out);

/** Wait until the work that is queued on a stream is done; the calling thread sleeps or spins as CUDA chooses.
 *
 *  cuda_stream  a cudaStream_t of the generator's device, NULL for the default stream
 *  Errors       TER_ENOBACKEND the generator has no device; TER_EDEVICE, also for earlier work that failed on
 *               the device
 */
TER_API ter_status ter_generator_wait(ter_generator *generator, void *cuda_stream);

/** The stream of a generator. Its work and the work of the default stream do not wait for each other.
 *
 *  Returns   a cudaStream_t of the generator's device; NULL for a generator without one
 *  Lifetime  that of the generator
 */
TER_API void *ter_generator_stream(const ter_generator *generator);

#ifdef __cplusplus
}
#endif

#endif
