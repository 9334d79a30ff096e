/* terrane/probe.h - probes: heights under a moving camera. */
#ifndef TERRANE_PROBE_H
#define TERRANE_PROBE_H

#include "terrane/morph.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TER_PROBE_POINTS_MAX 64

/** A query for the heights of a few places. It is answered later, so the caller never waits: a CUDA device writes the
 *  heights into mapped pinned memory. */
typedef struct ter_probe ter_probe;

/** One place to probe. Its height is interpolated bilinearly between the points of `level`, or is a mixture of this
 * height and that of the next coarser level, as geomorphing draws it. */
typedef struct ter_probe_point {
    double x, z;   /**< lattice coordinates, may be fractions; |x| and |z| at most TER_COORDINATE_MAX */
    int level;     /**< 0..levels + TER_FINE_LODS */
    float coarser; /**< share of level - 1 in the mixture, 0..1; 0 at level 0 */
} ter_probe_point;

typedef struct ter_probe_options {
    size_t struct_size; /**< sizeof(ter_probe_options) */
    int is_over_water;  /**< not 0: where water stands over the ground, the answer is the height of the water */
} ter_probe_options;

/** Create a probe.
 *
 *  options  NULL: heights of the ground
 *  out      receives the probe; free it with ter_probe_destroy, before the generator
 *  Errors   TER_ENOMEM; TER_EDEVICE
 */
TER_API ter_status ter_probe_create(ter_generator *generator, const ter_probe_options *options, ter_probe **out);

/** Request the heights of some places. While too many requests are unanswered, a new request is dropped and the call
 * returns TER_OK.
 *
 *  points  `count` places, 1..TER_PROBE_POINTS_MAX
 *  ticket  the caller's number for this request, returned with the answer
 *  Errors  TER_EINVAL a place outside the world, a share outside 0..1, too many points; TER_EDEVICE
 */
TER_API ter_status ter_probe_ask(ter_probe *probe, const ter_world *world, const ter_probe_point *points, int count,
                                 uint64_t ticket);

/** Two landscapes and the transition between them. */
typedef struct ter_blended_world {
    size_t struct_size; /**< sizeof(ter_blended_world) */
    const ter_world *from, *to;
    ter_blend blend;
} ter_blended_world;

/** Request heights during a transition: at each corner of a lattice cell the heights of both landscapes are blended as
 *  in ter_morph_blend.
 *
 *  points  their levels are those of the first landscape
 *  Errors  as ter_probe_ask; TER_EINVAL also for a blend that ter_morph_blend refuses, and for a level that the second
 *          landscape does not have
 */
TER_API ter_status ter_probe_ask_blend(ter_probe *probe, const ter_blended_world *world, const ter_probe_point *points,
                                       int count, uint64_t ticket);

/** Read the newest complete answer. Never waits.
 *
 *  ticket  receives the ticket of the request
 *  count   receives the number of places of the request; 0 when there is no answer yet
 *  out_m   room for TER_PROBE_POINTS_MAX heights, metres, in the order of the request
 *  Errors  TER_EDEVICE
 */
TER_API ter_status ter_probe_answer(ter_probe *probe, uint64_t *ticket, int *count, float out_m[TER_PROBE_POINTS_MAX]);

/** Free a probe; waits for unanswered requests. NULL is allowed. */
TER_API void ter_probe_destroy(ter_probe *probe);

#ifdef __cplusplus
}
#endif

#endif
