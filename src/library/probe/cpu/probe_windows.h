/* probe_windows.h - stores windows of heights of fluvial worlds for probes, because a flight asks for nearly the same
 * places in each frame.
 */
#ifndef TERRANE_PROBE_CPU_PROBE_WINDOWS_H
#define TERRANE_PROBE_CPU_PROBE_WINDOWS_H

#include "library/fluvial/cpu/block.h"
#include "library/probe/place.h"
#include "library/world/world.h"

typedef struct ter_probe_windows ter_probe_windows;

/** Create the windows of a probe. Returns NULL if there is no memory. Free them with ter_probe_windows_destroy.
 *
 *  is_over_water  where there is water over the ground, heights are those of the water
 */
ter_probe_windows *ter_probe_windows_create(const ter_fluvial_kernels *kernels, bool is_over_water);

void ter_probe_windows_destroy(ter_probe_windows *windows);

/** Corners of a cell of a fluvial world: north-west, north-east, south-west, south-east. Their level is the cell's
 * level plus `level_shift`.
 *
 *  Returns  false if there is no memory
 */
bool ter_probe_windows_corners(ter_probe_windows *windows, const ter_world *world, const ter_cell *cell,
                               int level_shift, float corners[4]);

#endif
