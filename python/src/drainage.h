/* drainage.h - drainage of patches: directions, areas, catchments, and the way to open water. */
#ifndef TERRANE_PYTHON_DRAINAGE_H
#define TERRANE_PYTHON_DRAINAGE_H

#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_drainage(nb::module_ &m);

#endif
