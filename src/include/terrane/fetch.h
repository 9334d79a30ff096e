/* terrane/fetch.h - fetches: rectangles that are made and copied to host memory in the background. */
#ifndef TERRANE_FETCH_H
#define TERRANE_FETCH_H

#include "terrane/generator.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A fetch makes one rectangle at a time and, with CUDA, copies it to pinned memory in the background. With several
 *  fetches of one generator, making, copying and the caller's own work overlap. Call start and wait in turn:
 *  start, wait, start, wait. */
typedef struct ter_fetch ter_fetch;

typedef struct ter_fetch_options {
    size_t struct_size; /**< sizeof(ter_fetch_options) */
    size_t samples_max; /**< greatest number of points of a rectangle, >= 1; memory for them is reserved at creation */
    int layers_max;     /**< greatest number of layers of a rectangle, 0..TER_LAYER_COUNT; 0 means 1 */
} ter_fetch_options;

/** Create a fetch.
 *
 *  out     receives the fetch; free it with ter_fetch_destroy, before the generator
 *  Errors  TER_EINVAL samples_max is 0 or too large for the address space, or layers_max is out of range; TER_ENOMEM;
 *          TER_EDEVICE
 */
TER_API ter_status ter_fetch_create(ter_generator *generator, const ter_fetch_options *options, ter_fetch **out);

/** The samples that a fetch makes of a rectangle. If all members after struct_size are 0, it makes heights as floats.
 */
typedef struct ter_fetch_request {
    size_t struct_size;          /**< sizeof(ter_fetch_request) */
    const ter_layer *layers;     /**< each at most once; NULL: only the height */
    size_t n_layers;             /**< at most layers_max; 0 if layers is NULL */
    ter_sample_type sample_type; /**< TER_SAMPLE_U16 only if the height is the only layer */
    double lo, hi;               /**< range of 16-bit samples, as in ter_output */
} ter_fetch_request;

/** Start to make a rectangle. With CUDA the call returns at once; on the CPU it returns when the samples are complete.
 *
 *  request  NULL: heights as floats
 *  Errors   as ter_fill; TER_EINVAL also for more than samples_max points or layers_max layers
 */
TER_API ter_status ter_fetch_start(ter_fetch *fetch, const ter_world *world, const ter_rect *rect,
                                   const ter_fetch_request *request);

/** A complete rectangle: arrays of width * height samples, row-major without gaps. The caller may change them. */
typedef struct ter_fetched {
    size_t struct_size;   /**< the library's sizeof(ter_fetched) */
    float *heights;       /**< metres; NULL if they were not requested as floats */
    uint16_t *samples;    /**< heights as 16-bit samples, or NULL */
    float *const *layers; /**< layers as floats, in the order of the request; must not be read after a request for
                             16-bit samples */
    float min_m, max_m;   /**< least and greatest height; 0 if heights were not requested */
    uint64_t n_clamped;   /**< 16-bit samples whose heights lie outside the range */
} ter_fetched;

/** Wait for the rectangle that was started last.
 *
 *  out     receives a pointer to the result, which belongs to the fetch and is valid until the next ter_fetch_start or
 *          ter_fetch_destroy
 *  Errors  TER_EINVAL nothing was started; TER_ENOMEM; TER_EDEVICE
 */
TER_API ter_status ter_fetch_wait(ter_fetch *fetch, const ter_fetched **out);

/** Free a fetch; waits for its unfinished work. NULL is allowed. */
TER_API void ter_fetch_destroy(ter_fetch *fetch);

#ifdef __cplusplus
}
#endif

#endif
