/* drained_area.h - the drainage of a rectangle of samples: directions, areas, and conditioned heights. */
#ifndef TERRANE_PROGRAM_DRAINAGE_DRAINED_AREA_H
#define TERRANE_PROGRAM_DRAINAGE_DRAINED_AREA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "program/core/events.h"
#include "program/core/result.h"
#include "terrane/terrane.h"

#define DRAINED_SAMPLES_MAX (1 << 25) /* with the ring; all are in memory */
#define DRAINED_STEPS_MAX   1966080.0 /* lattice steps; greatest side in a world with rivers */

/** How a rectangle is drained. */
typedef struct drained_request {
    const ter_world *world;
    ter_rect rect;       /* without the ring */
    bool is_conditioned; /* change heights so that water follows the rivers of the network; only for basis fluvial */
    double min_area_m2;  /* if conditioned: least area of these rivers; 0: drained_least_area */
} drained_request;

/** A drained rectangle with a ring of one sample around it. Rows have rect.width + 2 samples. */
typedef struct drained_area {
    drained_request request;
    float *height, *water; /* the caller fills both before drained_area_route, which may change them */
    float *accumulation;   /* m2 */
    uint8_t *direction;    /* codes of routing.h */
    float *least_m2;       /* as in routing_grid */
} drained_area;

/** Check that a rectangle without the ring is small enough to be drained.
 *
 *  name    what needs the drainage, for the sentence
 *  Errors  RESULT_USAGE
 */
result drained_area_check(const ter_params *params, const ter_rect *rect, const char *name);

/** The least area, m2, of rivers that conditioned heights follow if none is given: that of 32 samples, or that from
 * which rivers hold water, whichever is greater. */
double drained_least_area(const ter_params *params, int lod);

/** Allocate a rectangle. Free it with drained_area_free, also after an error. Errors RESULT_FAILED no memory */
result drained_area_begin(const drained_request *request, drained_area *area);

/** Route the water of a rectangle whose heights and water have been filled. If the request is conditioned, heights are
 * conditioned and water becomes not a number. Errors RESULT_FAILED; RESULT_INTERRUPTED */
result drained_area_route(drained_area *area, const work_progress *progress);

/** Index of a sample, by its place in the lattice of its level. */
size_t drained_area_index(const drained_area *area, int64_t i, int64_t j);

/** The code of a sample's direction. It is 0 at ends, and where the water leaves the rectangle. */
uint8_t drained_area_direction(const drained_area *area, int64_t i, int64_t j);

void drained_area_free(drained_area *area);

#endif
