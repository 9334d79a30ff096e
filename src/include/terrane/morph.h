/* terrane/morph.h - morphs: one landscape becomes another. */
#ifndef TERRANE_MORPH_H
#define TERRANE_MORPH_H

#include "terrane/generator.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TER_MORPH_SIDE_MAX 65536 /**< points of a side of a morph's tile */

/** Transition from a first landscape to a second one. At lattice point (X, Z) the share of the second landscape is a
 *  smooth step of
 *
 *      begun + along_x * (X - x) + along_z * (Z - z), clamped to 0..1.
 *
 *  With along_x = along_z = 0 the land changes everywhere at once. Otherwise the transition is a front, perpendicular
 *  to the direction (along_x, along_z) and 1 / |along| lattice steps wide. */
typedef struct ter_blend {
    int64_t x, z;            /**< lattice coordinates of the origin, |x| and |z| at most TER_COORDINATE_MAX */
    double along_x, along_z; /**< 1 / lattice steps, finite */
    double begun;            /**< progress at the origin (x, z), finite */
} ter_blend;

/** Share of the second landscape at a place.
 *
 *  x, z     lattice coordinates, may be fractions
 *  Returns  0..1
 *  Threads  any, any number at once
 */
TER_API double ter_blend_at(const ter_blend *blend, double x, double z);

/** State of a rectangle's points in a transition. */
typedef enum ter_blend_phase {
    TER_BLEND_BEFORE, /**< all points are exactly the first landscape's */
    TER_BLEND_WITHIN, /**< some points may be blended */
    TER_BLEND_AFTER   /**< all points are exactly the second landscape's */
} ter_blend_phase;

/** Find the state of a rectangle's points in a transition. While the phase stays BEFORE or AFTER, samples that are
 *  already written need not be written again.
 *
 *  levels        number of the level whose points lie one lattice step apart, 1..TER_LEVELS_MAX
 *  rect          a rectangle on a level 0..levels + TER_FINE_LODS
 *  out           receives the phase
 *  Errors        TER_EINVAL levels outside their range, a rectangle or an origin outside the world, a number that is
 *                not finite
 *  Threads       any, any number at once
 */
TER_API ter_status ter_blend_phase_over(const ter_blend *blend, int levels, const ter_rect *rect, ter_blend_phase *out);

/** Heights and water of two landscapes for a number of tile slots. They are in device memory for a CUDA generator, else
 * in host memory. */
typedef struct ter_morph ter_morph;

typedef struct ter_morph_options {
    size_t struct_size; /**< sizeof(ter_morph_options) */
    size_t n_slots;     /**< tiles, 1..2^32 - 1; memory for both landscapes' tiles is reserved at creation */
    int width, height;  /**< points of a tile, 1..TER_MORPH_SIDE_MAX each */
    int has_water;      /**< not 0: the morph holds water beside the heights */
} ter_morph_options;

/** Create a morph.
 *
 *  out     receives the morph; free it with ter_morph_destroy, before the generator
 *  Errors  TER_EINVAL a size outside its range or too large for the address space; TER_ENOMEM; TER_EDEVICE
 */
TER_API ter_status ter_morph_create(ter_generator *generator, const ter_morph_options *options, ter_morph **out);

/** Tiles of a landscape that a morph is to load. */
typedef struct ter_morph_source {
    size_t struct_size;     /**< sizeof(ter_morph_source) */
    int landscape;          /**< 0 or 1; all slots of a landscape that are blended must hold tiles of the same world */
    const ter_world *world; /**< of the tiles */
    const uint32_t *held;   /**< slot of the morph for each tile, 0 .. n_slots - 1 */
    size_t count;           /**< tiles; 0 does nothing */
    const ter_tile *tiles;  /**< tiles of the morph's size, made by the call; NULL: `made` is copied */
    /** Makes the tiles; must have the morph's backend and device. NULL: the morph's own generator. With a second
     * generator both landscapes can be loaded at the same time, each on its own stream */
    ter_generator *generator;
    /** If `tiles` is NULL: arrays of floats that contain the tiles: heights, and water if the morph and the world have
     * it. For a CUDA generator the arrays lie in device memory or in memory of ter_host_memory_create, otherwise in any
     * host memory. They are only read */
    const ter_target *made;
    void *cuda_stream; /**< CUDA generator: the work is queued on this stream; otherwise not read */
} ter_morph_source;

/** Fill slots of one landscape with heights, and with water if the morph and the world have it.
 *
 *  Threads  with a CUDA generator, one thread may load slots while another thread blends other slots of the same two
 *           worlds
 *  Errors   as ter_fill; TER_EINVAL also for a slot or a landscape that does not exist, a tile of another size, and a
 *           generator of another backend
 */
TER_API ter_status ter_morph_load(ter_morph *morph, const ter_morph_source *source);

/** Tiles of a morph that are to be blended. */
typedef struct ter_morph_tiles {
    size_t struct_size;    /**< sizeof(ter_morph_tiles) */
    int levels;            /**< levels of the world that the levels of `tiles` refer to, 1..TER_LEVELS_MAX */
    const ter_tile *tiles; /**< north-west points of the slots in `held` */
    const uint32_t *held;  /**< loaded slots */
    size_t count;          /**< of both arrays; 0 does nothing */
} ter_morph_tiles;

/** Write the blended heights and water of loaded slots. Where the share of the second landscape is 0, they are exactly
 *  those of the first landscape; where it is 1, exactly those of the second. Points that tiles share get the same bits,
 *  whatever the tiles' levels. The depths of rivers and lakes are blended, and the water level is this depth above the
 *  blended ground, so that the water of one landscape sinks into the ground of the other. The sea has one level and is
 *  left out while the share is between 0 and 1. A world without the layer water is dry.
 *
 *  target  of floats: the height, and the water if the morph has it. Tile n of `tiles` is tile n of the target. In host
 *          memory for any generator, or in device memory for a CUDA generator
 *  Errors  TER_EINVAL a slot that does not exist, a tile or an origin outside the world, a layer other than height and
 *          water, a number that is not finite; TER_ENOMEM; TER_EDEVICE
 */
TER_API ter_status ter_morph_blend(ter_morph *morph, const ter_blend *blend, const ter_morph_tiles *tiles,
                                   const ter_target *target);

/** Free a morph; NULL is allowed. Its work on a stream must have ended. */
TER_API void ter_morph_destroy(ter_morph *morph);

#ifdef __cplusplus
}
#endif

#endif
