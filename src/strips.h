/* strips.h - a rectangle generated strip by strip, copied from devices and taken by the caller, all at the same time. */
#ifndef TERRANE_STRIPS_H
#define TERRANE_STRIPS_H

#include <stdbool.h>

#include "outcome.h"

enum { STRIPS_GENERATORS_MAX = 16 };

typedef struct strips strips;

/** A finished strip: the next rows of the rectangle, north to south within the strip, row-major, width floats a row. */
typedef struct strip {
    const float *heights;
    int64_t rows;
    float extremes_m[2]; /* least and greatest height */
} strip;

/** Start generating; `from_south` delivers the southern strips first. The generators, which take the strips in turns, belong to the
 *  strips until they are closed. */
outcome strips_open(const ter_world *world, ter_generator *const *generators, int n_generators, const ter_rect *rect,
                    bool from_south, strips **out);

/** Wait for the next strip; out->rows is 0 after the last. It is valid until the next call. */
outcome strips_next(strips *strips, strip *out);

/** Stop generating and free; NULL is allowed. */
void strips_close(strips *strips);

#endif
