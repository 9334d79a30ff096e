/* generator.c - creates and destroys generators: checks their options and chooses the backend. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library/core/sized_struct.h"
#include "library/generator/backends.h"
#include "library/generator/generator.h"

const char *ter_backend_name(ter_backend backend)
{
    const ter_backend_table *table = ter_backend_find(backend);
    if (table)
        return table->name;
    return backend == TER_BACKEND_CUDA ? "cuda" : "auto";
}

/* ---- creation and destruction ---- */

/** Choose the backend for `wanted`, with the reason. Returns NULL, with the error detail set, if it cannot run. */
static const ter_backend_table *choose_backend(ter_backend wanted, char *reason, size_t reason_size)
{
    char why[192];
    const int n_devices = wanted == TER_BACKEND_CPU ? 0 : ter_device_count(why, sizeof why);
    if (wanted == TER_BACKEND_CPU) {
        snprintf(reason, reason_size, "asked for");
        return ter_backend_find(TER_BACKEND_CPU);
    }
    if (n_devices > 0) {
        snprintf(reason, reason_size, "%s", wanted == TER_BACKEND_CUDA ? "asked for" : "a CUDA device is here");
        return ter_backend_find(TER_BACKEND_CUDA);
    }
    if (wanted == TER_BACKEND_CUDA) {
        ter_fail(TER_ENOBACKEND, "backend cuda cannot run: %s", why);
        return NULL;
    }
    snprintf(reason, reason_size, "no CUDA device: %s", why);
    return ter_backend_find(TER_BACKEND_CPU);
}

static ter_status check_options(const ter_generator_options *options)
{
    if ((unsigned)options->backend > TER_BACKEND_CUDA)
        return ter_fail(TER_EINVAL, "backend is %d, expected auto, cpu or cuda", (int)options->backend);
    if ((unsigned)options->method >= TER_METHOD_COUNT)
        return ter_fail(TER_EINVAL, "method is %d, expected tiled, recursive or single-pass", (int)options->method);
    if (options->threads < 0 || options->threads > TER_THREADS_MAX)
        return ter_fail(TER_EINVAL, "threads is %d, expected 0 (all processors) to %d", options->threads,
                        TER_THREADS_MAX);
    return TER_OK;
}

/** Add to the reason how many threads the system refused. */
static void note_refused_threads(ter_generator *generator)
{
    int wanted = 0;
    const int n_threads = generator->backend->threads ? generator->backend->threads(generator->state, &wanted) : 0;
    const size_t length = strlen(generator->reason);
    if (n_threads < wanted)
        snprintf(generator->reason + length, sizeof generator->reason - length, "; the system allows %d of %d threads",
                 n_threads, wanted);
}

ter_status ter_generator_create(const ter_generator_options *caller_options, ter_generator **out)
{
    ter_generator_options known = {TER_SIZED(ter_generator_options)};
    TER_REQUIRE(out);
    if (caller_options)
        TER_READ_STRUCT(&known, caller_options, ter_generator_options);
    const ter_generator_options *options = &known;
    ter_status status = check_options(options);
    if (status != TER_OK)
        return status;
    ter_generator *generator = calloc(1, sizeof *generator);
    if (!generator)
        return ter_fail(TER_ENOMEM, "no memory for a generator");
    generator->backend = choose_backend(options->backend, generator->reason, sizeof generator->reason);
    status = generator->backend ? generator->backend->create(options, &generator->state) : TER_ENOBACKEND;
    if (status != TER_OK) {
        free(generator);
        return status;
    }
    note_refused_threads(generator);
    generator->cancel = (ter_cancel){options->is_cancelled, options->cancel_user};
    *out = generator;
    return TER_OK;
}

void ter_generator_destroy(ter_generator *generator)
{
    if (!generator)
        return;
    generator->backend->destroy(generator->state);
    free(generator);
}

ter_backend ter_generator_backend(const ter_generator *generator)
{
    return generator->backend->kind;
}

int ter_generator_threads(const ter_generator *generator)
{
    int wanted;
    return generator->backend->threads ? generator->backend->threads(generator->state, &wanted) : 0;
}

const char *ter_generator_reason(const ter_generator *generator)
{
    return generator->reason;
}

/* ---- host memory ---- */

ter_status ter_host_memory_create(ter_generator *generator, size_t bytes, void **out)
{
    TER_REQUIRE(generator);
    TER_REQUIRE(out);
    if (bytes == 0)
        return ter_fail(TER_EINVAL, "host memory of 0 bytes, expected at least 1");
    if (generator->backend->host_memory_create)
        return generator->backend->host_memory_create(generator->state, bytes, out);
    *out = malloc(bytes);
    return *out ? TER_OK : ter_fail(TER_ENOMEM, "no memory for %zu bytes", bytes);
}

void ter_host_memory_destroy(ter_generator *generator, void *memory)
{
    if (memory && generator->backend->host_memory_destroy)
        generator->backend->host_memory_destroy(generator->state, memory);
    else
        free(memory);
}

/* ---- streams ---- */

ter_status ter_generator_wait(ter_generator *generator, void *cuda_stream)
{
    TER_REQUIRE(generator);
    const ter_backend_table *backend = generator->backend;
    return backend->wait ? backend->wait(generator->state, cuda_stream)
                         : ter_fail(TER_ENOBACKEND, "backend %s has no device memory", backend->name);
}

void *ter_generator_stream(const ter_generator *generator)
{
    return generator->backend->stream ? generator->backend->stream(generator->state) : NULL;
}
