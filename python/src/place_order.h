/* place_order.h - sorts tiles and points so that neighbours follow each other. Tiles that lie near each other in one
 * call of the library share a drainage network and ground, which makes them cheaper. */
#ifndef TERRANE_PYTHON_PLACE_ORDER_H
#define TERRANE_PYTHON_PLACE_ORDER_H

#include <cstddef>
#include <cstdint>
#include <vector>

#include "parts.h"

/** A single point takes about as long as this number of samples of a rectangle. In land with rivers it takes longer,
 * because it needs a drainage network. */
inline constexpr uint64_t samples_a_point = 1024;

/** Least number of points in one call of the library, if the caller has so many. In smaller calls the points
 * could not share networks; a point with its own network takes about 6 ms on one core. */
inline constexpr uint64_t points_at_once_min = 128;

/** Indices of the tiles, sorted by level, and within a level along a Morton curve. In worlds without rivers tiles share
 * nothing, so the tiles stay in their order. count: less than 2^32 */
std::vector<uint32_t> place_order(const ter_params &world, const ter_tile *tiles, size_t count);

#endif
