/* probe_windows.h - heights of fluvial worlds around the places that a probe is asked for. A flight asks for the same
 * ground again and again: heights are made in windows that are kept.
 */
#ifndef TERRANE_PROBE_CPU_PROBE_WINDOWS_H
#define TERRANE_PROBE_CPU_PROBE_WINDOWS_H

#include "library/fluvial/cpu/block.h"
#include "library/probe/place.h"
#include "library/world/world.h"

typedef struct ter_probe_windows ter_probe_windows;

/** Windows of one probe; NULL when there is no memory. Free them with ter_probe_windows_destroy.
 *
 *  is_over_water  heights are those of the water where it stands over the ground
 */
ter_probe_windows *ter_probe_windows_create(const ter_fluvial_kernels *kernels, bool is_over_water);

void ter_probe_windows_destroy(ter_probe_windows *windows);

/** Corners of a cell of a fluvial world: north-west, north-east, south-west, south-east; of the cell's level and
 * `level_shift`.
 *
 *  Returns  false when there is no memory
 */
bool ter_probe_windows_corners(ter_probe_windows *windows, const ter_world *world, const ter_cell *cell,
                               int level_shift, float corners[4]);

#endif
