/* sized_struct.c - copies the members of a structure that both the caller's and the library's version have. */
#include "library/core/sized_struct.h"

#include <string.h>

enum {
    SIZE_MIN = 2 * sizeof(size_t), /* struct_size and a member */
    SIZE_MAX_KNOWN = 1 << 16       /* a larger value means that struct_size was never set */
};

static ter_status check_size(size_t caller_size, size_t size, const char *name)
{
    if (caller_size >= SIZE_MIN && caller_size <= SIZE_MAX_KNOWN)
        return TER_OK;
    return ter_fail(TER_EINVAL, "%s.struct_size is %zu, expected sizeof(%s), which is %zu in this version", name,
                    caller_size, name, size);
}

ter_status ter_read_struct(void *out, size_t size, const void *in, const char *name)
{
    size_t caller_size;
    memcpy(&caller_size, in, sizeof caller_size);
    const ter_status status = check_size(caller_size, size, name);
    if (status != TER_OK)
        return status;
    for (size_t n = size; n < caller_size; n++)
        if (((const unsigned char *)in)[n] != 0)
            return ter_fail(TER_EINVAL,
                            "%s has %zu bytes, of which this version knows %zu: expected 0 in the members after them",
                            name, caller_size, size);
    memcpy(out, in, caller_size < size ? caller_size : size);
    memcpy(out, &size, sizeof size);
    return TER_OK;
}

ter_status ter_write_struct(void *out, const void *result, size_t size, const char *name)
{
    size_t caller_size;
    memcpy(&caller_size, out, sizeof caller_size);
    const ter_status status = check_size(caller_size, size, name);
    if (status != TER_OK)
        return status;
    if (caller_size > size)
        memset((unsigned char *)out + size, 0, caller_size - size);
    memcpy((unsigned char *)out + sizeof caller_size, (const unsigned char *)result + sizeof caller_size,
           (caller_size < size ? caller_size : size) - sizeof caller_size);
    return TER_OK;
}
