/* strips.h - a rectangle generated strip by strip, copied from devices and taken by the caller, all at the same time. */
#ifndef TERRANE_STRIPS_H
#define TERRANE_STRIPS_H

#include <stdbool.h>

#include "outcome.h"

enum { STRIPS_GENERATORS_MAX = 16 };

typedef struct strips strips;

/** A finished strip: the next rows of the rectangle, north to south within the strip, row-major, `width` values a row. */
typedef struct strip {
    ter_fetched fetched;
    int64_t rows;
} strip;

/** What strips are made of. */
typedef struct strips_request {
    const ter_world *world;
    ter_rect rect;
    bool from_south;       /* the southern strips first */
    const double *range_m; /* 16-bit samples over this range; NULL: heights */
} strips_request;

/** Start generating. The generators, 1 to STRIPS_GENERATORS_MAX, take the strips in turns and belong to the strips until these are
 *  closed. */
outcome strips_open(const strips_request *request, ter_generator *const *generators, int n_generators, strips **out);

/** Wait for the next strip; out->rows is 0 after the last. It is valid until the next call. */
outcome strips_next(strips *strips, strip *out);

/** Stop generating and free; NULL is allowed. */
void strips_close(strips *strips);

#endif
