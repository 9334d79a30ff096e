/* generator.h - the structure of a generator, for the library's own sources. */
#ifndef TERRANE_GENERATOR_GENERATOR_H
#define TERRANE_GENERATOR_GENERATOR_H

#include "library/core/cancel.h"
#include "library/generator/backend.h"

struct ter_generator {
    const ter_backend_table *backend;
    void *state;
    char reason[256];
    ter_cancel cancel;
};

#endif
