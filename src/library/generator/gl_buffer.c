/* gl_buffer.c - ter_gl_buffer: an OpenGL buffer that a backend with device memory writes into. */
#include <stdlib.h>

#include "library/generator/generator.h"

struct ter_gl_buffer {
    const ter_backend_table *backend;
    void *resource;
};

ter_status ter_gl_buffer_register(ter_generator *generator, unsigned int name, ter_gl_buffer **out)
{
    TER_REQUIRE(generator);
    TER_REQUIRE(out);
    if (!generator->backend->gl_register)
        return ter_fail(TER_ENOBACKEND, "backend %s writes to host memory only", generator->backend->name);
    ter_gl_buffer *buffer = calloc(1, sizeof *buffer);
    if (!buffer)
        return ter_fail(TER_ENOMEM, "no memory for a GL buffer");
    buffer->backend = generator->backend;
    const ter_status status = buffer->backend->gl_register(generator->state, name, &buffer->resource);
    if (status != TER_OK) {
        free(buffer);
        return status;
    }
    *out = buffer;
    return TER_OK;
}

ter_status ter_gl_buffer_map(ter_gl_buffer *buffer, void *cuda_stream, float **out, size_t *bytes)
{
    TER_REQUIRE(buffer);
    TER_REQUIRE(out);
    TER_REQUIRE(bytes);
    return buffer->backend->gl_map(buffer->resource, cuda_stream, out, bytes);
}

ter_status ter_gl_buffer_unmap(ter_gl_buffer *buffer, void *cuda_stream)
{
    TER_REQUIRE(buffer);
    return buffer->backend->gl_unmap(buffer->resource, cuda_stream);
}

void ter_gl_buffer_unregister(ter_gl_buffer *buffer)
{
    if (!buffer)
        return;
    buffer->backend->gl_unregister(buffer->resource);
    free(buffer);
}
