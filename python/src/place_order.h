/* place_order.h - tiles and points in an order in which neighbours follow each other: what is near in a call of the
 * library is made of the same drainage network and the same ground. */
#ifndef TERRANE_PYTHON_PLACE_ORDER_H
#define TERRANE_PYTHON_PLACE_ORDER_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "parts.h"

/** What a point alone costs, counted in samples of a rectangle: more where a network of rivers lies around it. */
inline constexpr uint64_t samples_a_point = 1024;

/** Points that are asked for at once, where there are so many: of fewer each would have its own network. One alone
 * takes a core some 6 ms. */
inline constexpr uint64_t points_at_once_min = 128;

/** Numbers of some tiles, less than 2^32, by level and along a Morton curve. Where the world has no rivers nothing is
 * shared, and they stay as they are. */
std::vector<uint32_t> place_order(const ter_params &world, const ter_tile *tiles, size_t count);

#endif
