/* strips.h - generates rectangles strip by strip. Generation, copies from devices, and the caller's work on a strip
 * overlap. */
#ifndef TERRANE_PROGRAM_EXPORT_WRITE_STRIPS_H
#define TERRANE_PROGRAM_EXPORT_WRITE_STRIPS_H

#include <stdbool.h>

#include "program/core/result.h"

enum { STRIPS_GENERATORS_MAX = 16 };

typedef struct strips strips;

/** A finished strip: a part of a rectangle, row-major, the northern row first. With an apron, rows have width + 2 *
 * apron values, there are rows + 2 * apron rows, and the strip's first sample is at (apron, apron). */
typedef struct strip {
    ter_fetched fetched;            /* if only heights are requested; otherwise all members are 0 */
    float *layers[TER_LAYER_COUNT]; /* NULL for layers not requested, and for heights made as 16-bit samples */
    int apron;
    size_t rect;         /* number of the rectangle */
    int64_t column, row; /* the north-west sample, counted in the rectangle */
    int64_t width, rows; /* samples; rows is 0 after the last strip */
} strip;

/** Where heights come from: a world, and the generators that share the work. */
typedef struct strips_source {
    const ter_world *world;
    ter_generator *const *generators;
    int n_generators; /* 1 to STRIPS_GENERATORS_MAX */
} strips_source;

/** A request for strips. All rectangles have one level and size. They are given as an array or, if they are too many to
 * store, by a function, which any thread may call. All pointers must be valid as long as the strips. */
typedef struct strips_request {
    const ter_world *world;
    const ter_rect *rects;                          /* n_rects rectangles; NULL: use rect_at */
    ter_rect (*rect_at)(const void *set, size_t n); /* returns rectangle n of rect_set */
    const void *rect_set;
    size_t n_rects;
    bool from_south;           /* strips come from the south of each rectangle to its north */
    unsigned layers;           /* a bit 1 << ter_layer for each requested layer; 0: only heights */
    bool is_any_water;         /* make layer water by any_water.h */
    bool is_blank;             /* strips have no samples; the caller needs only their places */
    int apron;                 /* samples added on all four sides of each strip, also beyond the rectangle */
    const double *range_m;     /* if only heights are requested: make 16-bit samples over this range; NULL: floats */
    int64_t rows_multiple;     /* the rows of all strips but a rectangle's last are a multiple of this; 0 means 1 */
    bool may_cut_rows;         /* strips may be narrower than the rectangle, cut at multiples of rows_multiple */
    bool (*go_on)(void *user); /* called while strips_next waits; returns false to interrupt; may be NULL */
    void *user;
} strips_request;

/** Start to generate. The 1 to STRIPS_GENERATORS_MAX generators make strips in turns; the caller must not use them
 * until the strips are closed. Errors RESULT_FAILED no memory or no thread; those of the library */
result strips_open(const strips_request *request, ter_generator *const *generators, int n_generators, strips **out);

/** Wait for the next strip, rectangle after rectangle; out->rows is 0 after the last. The strip is valid until the next
 * call. Errors RESULT_INTERRUPTED go_on returned false; those of generation */
result strips_next(strips *strips, strip *out);

/** Share of all samples that are generated, 0..1, including strips that the caller has not taken yet. Any thread may
 * call this. */
double strips_share_made(const strips *strips);

/** Stop generating, and free the strips; NULL is allowed. */
void strips_close(strips *strips);

#endif
