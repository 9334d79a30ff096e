/* tiff_memory.c - the functions that libtiff calls for a TIFF file in memory. */
#include "program/export/formats/tiff_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library/core/grow.h"

int tiff_close_nothing(thandle_t handle)
{
    (void)handle;
    return 0;
}

tmsize_t tiff_read_nothing(thandle_t handle, void *bytes, tmsize_t count)
{
    (void)handle, (void)bytes, (void)count;
    return 0;
}

tmsize_t tiff_memory_write(thandle_t handle, void *bytes, tmsize_t count)
{
    tiff_memory *m = handle;
    const size_t end = m->position + (size_t)count;
    unsigned char *larger = ter_grow(m->bytes, &m->room, end, 1);
    if (!larger)
        return 0;
    m->bytes = larger;
    memcpy(m->bytes + m->position, bytes, (size_t)count);
    m->position = end;
    m->size = end > m->size ? end : m->size;
    return count;
}

toff_t tiff_memory_seek(thandle_t handle, toff_t offset, int whence)
{
    tiff_memory *m = handle;
    m->position = whence == SEEK_SET   ? (size_t)offset
                  : whence == SEEK_CUR ? m->position + (size_t)offset
                                       : m->size + (size_t)offset;
    return m->position;
}

toff_t tiff_memory_size(thandle_t handle)
{
    return ((const tiff_memory *)handle)->size;
}

tmsize_t tiff_memory_read(thandle_t handle, void *bytes, tmsize_t count)
{
    tiff_memory *m = handle;
    const size_t left = m->position < m->size ? m->size - m->position : 0,
                 n = (size_t)count < left ? (size_t)count : left;
    memcpy(bytes, m->bytes + m->position, n);
    m->position += n;
    return (tmsize_t)n;
}
