/* map.h - adds the functions that draw maps and write pictures to the module. */
#ifndef TERRANE_PYTHON_MAP_H
#define TERRANE_PYTHON_MAP_H

#include <nanobind/nanobind.h>

void bind_map(nanobind::module_ &m);

#endif
