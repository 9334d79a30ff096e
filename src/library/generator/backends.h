/* backends.h - the backends of this build. */
#ifndef TERRANE_GENERATOR_BACKENDS_H
#define TERRANE_GENERATOR_BACKENDS_H

#include "library/generator/backend.h"

/** Table of a backend, or NULL when this build lacks it. */
const ter_backend_table *ter_backend_find(ter_backend kind);

#endif
