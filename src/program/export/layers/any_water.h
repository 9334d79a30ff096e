/* any_water.h - water of cells instead of points: a sample is wet if any water lies in the cell around it, so that
 * rivers narrower than samples are apart stay lines. It is made of the layer water of finer levels, wherever the layers
 * of the wanted level say that water may be near. */
#ifndef TERRANE_PROGRAM_EXPORT_LAYERS_ANY_WATER_H
#define TERRANE_PROGRAM_EXPORT_LAYERS_ANY_WATER_H

#include "terrane/terrane.h"

/** Samples of a cell, along its side, that are looked at: all 2 m apart up to 32 lattice steps from cell to cell, where
 * no river is missed; of larger cells so many. */
enum { ANY_WATER_SIDE_MAX = 16 };

/** Fill host memory with the water of a rectangle's cells, which reach half way to the samples around. It does not
 * depend on how a region is cut into rectangles.
 *
 *  world   of basis fluvial
 *  out     width * height floats: m, level of the water at the sample itself where there is some, else that of the
 * water in its cell that lies nearest to it; not a number in cells without water. out[row * stride + column] Errors  as
 * ter_fill
 */
ter_status any_water_fill(ter_generator *generator, const ter_world *world, const ter_rect *rect, float *out,
                          size_t stride);

#endif
