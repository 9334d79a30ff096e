/* backends.c - the list of backends in this build. In the library, only this file depends on whether CUDA was compiled
 * in. */
#include "library/generator/backends.h"

#include <stdio.h>

#include "library/core/sized_struct.h"

static const ter_backend_table *const backends[] = {
#ifdef TER_HAVE_CUDA
    &ter_backend_cuda,
#endif
    &ter_backend_cpu,
};

const ter_backend_table *ter_backend_find(ter_backend kind)
{
    for (size_t n = 0; n < sizeof backends / sizeof backends[0]; n++)
        if (backends[n]->kind == kind)
            return backends[n];
    return NULL;
}

int ter_device_count(char *reason, size_t reason_size)
{
    const ter_backend_table *cuda = ter_backend_find(TER_BACKEND_CUDA);
    if (cuda)
        return cuda->device_count(reason, reason_size);
    snprintf(reason, reason_size, "this build has no CUDA");
    return 0;
}

ter_status ter_device_describe(int device, ter_device *out)
{
    TER_REQUIRE(out);
    const ter_backend_table *cuda = ter_backend_find(TER_BACKEND_CUDA);
    if (!cuda)
        return ter_fail(TER_ENOBACKEND, "this build has no CUDA");
    ter_device facts = {TER_SIZED(ter_device)};
    const ter_status status = cuda->device_describe(device, &facts);
    return status == TER_OK ? ter_write_struct(out, &facts, sizeof facts, "ter_device") : status;
}
