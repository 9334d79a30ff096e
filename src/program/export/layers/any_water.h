/* any_water.h - generates layer water for cells instead of points: a sample is wet if any water lies in the cell around
 * it, so that rivers narrower than the distance of samples stay connected. Cells that may have water, according to
 * other layers of their level, are searched at a finer level. */
#ifndef TERRANE_PROGRAM_EXPORT_LAYERS_ANY_WATER_H
#define TERRANE_PROGRAM_EXPORT_LAYERS_ANY_WATER_H

#include "terrane/terrane.h"

/** Greatest number of finer samples along the side of a cell. If the side of a cell is at most 16 lattice steps, the
 * finer samples are one lattice step apart. The narrowest brook is 1.9 steps wide, so it stays connected. Larger cells
 * are searched in two or more passes. A brook on the floor of a greater river's valley may be missed, because there the
 * layers of the level describe only the greater river. */
enum { ANY_WATER_SIDE_MAX = 16 };

/** Fill host memory with the water of a rectangle's cells. A cell extends half way to the neighbouring samples. The
 * result does not depend on how a region is cut into rectangles.
 *
 *  world   of basis fluvial
 *  out     width * height floats, metres, out[row * stride + column]: the water level at the sample; if the sample is
 *          dry, that of the nearest water in its cell; NaN if the cell has no water
 *  Errors  those of ter_fill
 */
ter_status any_water_fill(ter_generator *generator, const ter_world *world, const ter_rect *rect, float *out,
                          size_t stride);

#endif
