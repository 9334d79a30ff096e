/* map.h - maps as pictures. */
#ifndef TERRANE_PYTHON_MAP_H
#define TERRANE_PYTHON_MAP_H

#include <nanobind/nanobind.h>

void bind_map(nanobind::module_ &m);

#endif
