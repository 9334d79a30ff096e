/* rivers.h - rivers as lines. */
#ifndef TERRANE_PYTHON_RIVERS_H
#define TERRANE_PYTHON_RIVERS_H

#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_rivers(nb::module_ &m);

#endif
