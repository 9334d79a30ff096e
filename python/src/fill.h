/* fill.h - rectangles as Python passes them, and the functions that add fills, points and statistics to the module. */
#ifndef TERRANE_PYTHON_FILL_H
#define TERRANE_PYTHON_FILL_H

#include <nanobind/nanobind.h>
#include <nanobind/stl/tuple.h>

#include <tuple>

#include "parts.h"

namespace nb = nanobind;

/** level, i, j, width, height */
using rect_words = std::tuple<int, int64_t, int64_t, int64_t, int64_t>;

inline ter_rect rect_of(const rect_words &w)
{
    return {std::get<0>(w), std::get<1>(w), std::get<2>(w), std::get<3>(w), std::get<4>(w)};
}

void bind_fill(nb::module_ &m);
void bind_points(nb::module_ &m);
void bind_statistics(nb::module_ &m);

#endif
