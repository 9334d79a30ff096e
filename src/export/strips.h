/* strips.h - a rectangle generated strip by strip on one thread while the caller takes finished strips on another. */
#ifndef TERRANE_EXPORT_STRIPS_H
#define TERRANE_EXPORT_STRIPS_H

#include <stdbool.h>

#include "outcome.h"

typedef struct strips strips;

/** A finished strip: the next rows of the rectangle, north to south within the strip, row-major, width floats a row. */
typedef struct strip {
    const float *heights;
    int64_t rows;
} strip;

/** Start generating; `from_south` delivers the southern strips first. The generator belongs to the strips until they are closed. */
outcome strips_open(const ter_world *world, ter_generator *generator, const ter_rect *rect, bool from_south, strips **out);

/** Wait for the next strip; out->rows is 0 after the last. It is valid until the next call. */
outcome strips_next(strips *strips, strip *out);

/** Stop generating and free; NULL is allowed. */
void strips_close(strips *strips);

#endif
