/* checks.h - checks the arguments of the public functions, and puts them into the form that backends take. */
#ifndef TERRANE_GENERATOR_CHECKS_H
#define TERRANE_GENERATOR_CHECKS_H

#include <stdbool.h>

#include "library/generator/generator.h"

/** Greatest number of samples of an array that can be addressed. */
#define TER_SAMPLES_MAX (PTRDIFF_MAX / sizeof(float))

/** The tiles of a region, and where they go in each array. */
typedef struct ter_tile_run {
    const ter_tile *tiles;
    size_t count;
    ter_tile one; /* holds the rectangle, if the region has one */
    ter_tile_layout layout;
} ter_tile_run;

/** The arrays of a target. */
typedef struct ter_arrays {
    bool is_u16;
    ter_layers floats;  /* set if not is_u16 */
    ter_u16_layers u16; /* set if is_u16 */
    ter_memory memory;
    void *stream;
} ter_arrays;

/** Read a region. A rectangle is checked; tiles must still be checked by ter_tiles_check. Errors TER_EINVAL */
ter_status ter_region_read(const ter_region *region, const ter_world *world, ter_tile_run *out);

/** Read a target and complete the run's layout. If the run has no tiles, the outputs are not read. Errors TER_EINVAL
 * */
ter_status ter_target_read(const ter_target *target, ter_tile_run *run, ter_arrays *out);

/** Check that a world has all requested layers. Errors TER_EINVAL */
ter_status ter_arrays_check(const ter_world *world, const ter_arrays *arrays);

/** Check a rectangle, and describe it as one tile of an array without gaps. Errors TER_EINVAL */
ter_status ter_rect_as_tile(const ter_world *world, const ter_rect *rect, ter_tile *tile, ter_tile_layout *layout);

/** Check a layout of `count` tiles: sizes, strides, and that every slot can be addressed. Errors TER_EINVAL */
ter_status ter_layout_check(const ter_tile_layout *layout, size_t count);

/** As ter_layout_check, and check that all tiles lie in the world. Errors TER_EINVAL */
ter_status ter_tiles_check(const ter_world *world, const ter_tile *tiles, size_t count, const ter_tile_layout *layout);

/** Check a range of heights that is quantised to 16 bits. Errors TER_EINVAL: it is empty or not finite */
ter_status ter_range_check(double lo, double hi);

/** Begin work after a check of arguments. Returns the result of the check, or TER_ECANCELLED if the generator is
 * cancelled */
ter_status ter_begin_work(const ter_generator *generator, ter_status checked);

/** Check a blend: its origin lies in the world, its numbers are finite as floats. Errors TER_EINVAL */
ter_status ter_blend_check(const ter_blend *blend);

#endif
