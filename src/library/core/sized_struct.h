/* sized_struct.h - copies structures that begin with struct_size, between the caller's version and the library's
 * version of the structure, which may have different numbers of members. */
#ifndef TERRANE_CORE_SIZED_STRUCT_H
#define TERRANE_CORE_SIZED_STRUCT_H

#include <stddef.h>

#include "library/core/status.h"

/** Copy a caller's structure over a structure that holds the defaults.
 *
 *  out     the library's structure, `size` bytes; its struct_size becomes `size`
 *  in      begins with the caller's struct_size
 *  name    name of the type, for the error's sentence
 *  Errors  TER_EINVAL struct_size is too small or too large, or a member that the library does not have is not 0
 */
ter_status ter_read_struct(void *out, size_t size, const void *in, const char *name);

/** Copy a result into a caller's structure, but only members that the caller's version has. Members that only the
 * caller's version has become 0. Errors TER_EINVAL struct_size is too small or too large */
ter_status ter_write_struct(void *out, const void *result, size_t size, const char *name);

/** Copy the caller's structure `in` over the local structure `out`, which holds the defaults. If this fails, the
 * enclosing function returns the error. */
#define TER_READ_STRUCT(out, in, type)                                                                                 \
    do {                                                                                                               \
        const ter_status ter_read_ = ter_read_struct((out), sizeof(type), (in), #type);                                \
        if (ter_read_ != TER_OK)                                                                                       \
            return ter_read_;                                                                                          \
    } while (0)

#endif
