/* generator.h - what a generator is, for the library's own sources. */
#ifndef TERRANE_GENERATOR_GENERATOR_H
#define TERRANE_GENERATOR_GENERATOR_H

#include "library/core/cancel.h"
#include "library/generator/backend.h"

struct ter_generator {
    const ter_backend_table *backend;
    void *state;
    char reason[256];
    ter_cancel cancel;
};

/** A rectangle as a batch of one tile, checked. */
ter_status ter_rect_as_tile(const ter_world *world, const ter_rect *rect, size_t stride, ter_tile *tile,
                            ter_tile_layout *layout);

/** Samples of one array that memory can be addressed for. */
#define TER_SAMPLES_MAX (PTRDIFF_MAX / sizeof(float))

/** Check a layout of `count` tiles: sizes, strides, and that every slot can be addressed. */
ter_status ter_layout_check(const ter_tile_layout *layout, size_t count);

/** Check a blend: its origin lies in the world, its numbers are finite as floats. */
ter_status ter_blend_check(const ter_blend *blend);

/** A range of heights to quantise over: TER_EINVAL when it is empty or not finite. */
ter_status ter_range_check(double lo, double hi);

#endif
