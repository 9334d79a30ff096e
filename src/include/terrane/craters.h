/* terrane/craters.h - craters as a list: where they lie, how large and how old they are. */
#ifndef TERRANE_CRATERS_H
#define TERRANE_CRATERS_H

#include "terrane/world.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TER_CRATER_CELLS_MAX 1048576 /**< cells of a size that ter_craters_list looks through */

/** A crater. Ages are lengths: an age of 100 lattice steps is the time after which craters of this diameter are worn
 * away. */
typedef struct ter_crater_place {
    double x, z;     /**< lattice steps; its centre */
    double diameter; /**< lattice steps */
    double age;      /**< lattice steps, 0 to its diameter */
} ter_crater_place;

/** Which craters ter_craters_list finds. */
typedef struct ter_crater_query {
    size_t struct_size;              /**< sizeof(ter_crater_query) */
    double west, north, east, south; /**< lattice steps; the centres lie between these coordinates */
    double diameter_min;             /**< lattice steps, above 0; craters have at least this diameter */
    double age_max;                  /**< lattice steps, above 0; craters are younger */
} ter_crater_query;

/** The ages of the surface of a world with craters, and its lava. Without craters all members are 0. */
typedef struct ter_crater_surface {
    double age;          /**< lattice steps; of the surface */
    double lava_age;     /**< lattice steps; of the lava */
    double lava_level_m; /**< altitude of the lava */
    double lava_top_m;   /**< lava covers ground that was lower than this before; without lava equal to lava_level_m */
} ter_crater_surface;

/** List craters of a world, ordered by size class from large to small. Craters that younger ones have removed are in
 * the list. A world without craters has none.
 *
 *  capacity  number of elements of `out`
 *  out       receives the first craters of the list, at most `capacity`
 *  count     receives the number of craters of the query, which may be greater than `capacity`
 *  Errors    TER_EINVAL a member of the query is out of range, or more than TER_CRATER_CELLS_MAX cells, four times as
 *            wide as the smallest craters, lie in it
 *
 *  Threads   any, any number at once; a call uses one thread
 */
TER_API ter_status ter_craters_list(const ter_world *world, const ter_crater_query *query, size_t capacity,
                                    ter_crater_place *out, size_t *count);

/** The ages of a world's surface, and its lava. */
TER_API ter_crater_surface ter_craters_surface(const ter_world *world);

#ifdef __cplusplus
}
#endif

#endif
