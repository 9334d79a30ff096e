/* strips.h - rectangles generated strip by strip, copied from devices and taken by the caller, all at the same time. */
#ifndef TERRANE_PROGRAM_EXPORT_WRITE_STRIPS_H
#define TERRANE_PROGRAM_EXPORT_WRITE_STRIPS_H

#include <stdbool.h>

#include "program/core/result.h"

enum { STRIPS_GENERATORS_MAX = 16 };

typedef struct strips strips;

/** A finished strip: a part of one of the rectangles, north to south within the strip, row-major. With an apron there
 * are so many more rows and columns on all sides: rows of width + 2 * apron values, the strip's own first one at
 * (apron, apron). */
typedef struct strip {
    ter_fetched fetched;            /* of strips of heights alone; else all zero */
    float *layers[TER_LAYER_COUNT]; /* what was asked for, NULL for the others and for heights made as 16-bit samples */
    int apron;
    size_t rect;         /* which of the rectangles */
    int64_t column, row; /* its north-west sample, counted in the rectangle */
    int64_t width, rows; /* samples; rows is 0 after the last strip */
} strip;

/** Where heights come from: a world, and one generator or several that make it together. */
typedef struct strips_source {
    const ter_world *world;
    ter_generator *const *generators;
    int n_generators; /* 1 to STRIPS_GENERATORS_MAX */
} strips_source;

/** What strips are made of. Rectangles are all of one level and size: an array of them, or, where there are too many to
 * be stored, a function that any thread may call. Both must last as long as the strips. */
typedef struct strips_request {
    const ter_world *world;
    const ter_rect *rects;                          /* n_rects; or NULL: */
    ter_rect (*rect_at)(const void *set, size_t n); /* rectangle n of `rect_set` */
    const void *rect_set;
    size_t n_rects;
    bool from_south;       /* the southern rows first */
    unsigned layers;       /* what is made of each sample, in one go: 1 << ter_layer each; 0: heights alone */
    bool is_any_water;     /* the layer water is that of any_water.h */
    int apron;             /* samples around every strip that come with it; they may lie outside of the rectangles */
    const double *range_m; /* heights alone: as 16-bit samples over this range; NULL: as floats */
    int64_t rows_multiple; /* strips are a multiple of so many rows high, but for a rectangle's last; 0 is 1 */
    bool may_cut_rows; /* long rows may be cut, into parts a multiple of rows_multiple wide; else strips have whole rows
                        */
    bool (*go_on)(void *user); /* asked now and then while strips_next waits, returns false to interrupt; or NULL */
    void *user;
} strips_request;

/** Start generating. The generators, 1 to STRIPS_GENERATORS_MAX, take the strips in turns and belong to the strips
 * until these are closed. */
outcome strips_open(const strips_request *request, ter_generator *const *generators, int n_generators, strips **out);

/** Wait for the next strip, rectangle after rectangle; out->rows is 0 after the last. It is valid until the next call.
 * Errors OUTCOME_INTERRUPTED go_on said so; those of generating */
outcome strips_next(strips *strips, strip *out);

/** Share 0..1 of all samples that has been made, whether taken or not. Any thread. */
double strips_share_made(const strips *strips);

/** Stop generating and free; NULL is allowed. */
void strips_close(strips *strips);

#endif
