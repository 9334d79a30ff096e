/* terrane/world.h - worlds: the parameters that define all heights, and places in a world. */
#ifndef TERRANE_WORLD_H
#define TERRANE_WORLD_H

#include "terrane/guide.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TER_WORLD_FORMAT   3 /**< newest world format that this version computes: that of basis fluvial */
#define TER_LEVELS_MAX     24
#define TER_FINE_LODS      4 /**< levels of detail below 0: their samples lie 1/2 to 1/16 lattice step apart */
#define TER_MEANS_LOD      9 /**< basis fluvial: samples of this level of detail and coarser are means, not points */
#define TER_COORDINATE_MAX (INT64_C(1) << 46) /**< lattice steps from the origin, in each direction */
#define TER_SPACING_MIN    1e-3 /**< metres per lattice step; smaller: slopes and curvatures exceed 32-bit floats */
#define TER_SPACING_MAX    1e6

/** The rules that make heights. In bases midpoint and smooth, they say how a new point is predicted from the coarser
 * level before it is displaced. */
typedef enum ter_basis {
    /** Mean of the neighbours. Source: Fournier, Fussell, Carpenter 1982, "Computer rendering of stochastic models" */
    TER_BASIS_MIDPOINT,
    /** Four-point rule in both directions. Source: Dyn, Levin, Gregory 1987, "A 4-point interpolatory subdivision
     * scheme for curve design" */
    TER_BASIS_SMOOTH,
    /** Valleys of a drainage network with cells from 128 km to 512 m, gullies, and random displacement of points that
     * lie 16 m apart or less.
     * Source: docs/world-format-3.md */
    TER_BASIS_FLUVIAL,
    TER_BASIS_COUNT
} ter_basis;

/** Name of a basis as the command line spells it; static, NULL when `basis` is out of range. */
TER_API const char *ter_basis_name(ter_basis basis);

/** World format that defines a basis. */
TER_API int ter_basis_format(ter_basis basis);

/** Parameters of a world. In ter_world_params, parameters that the basis does not use are 0, and relief is 1. */
typedef struct ter_params {
    size_t struct_size; /**< sizeof(ter_params); ter_params_default sets it */
    uint64_t seed;      /**< key of the random field */
    int levels;         /**< 1..TER_LEVELS_MAX; a cell of level 0 is 2^levels lattice steps wide */
    double amplitude;   /**< midpoint, smooth: m, 1e-30..1e30; greatest displacement at level 0 */
    double gain;        /**< midpoint, smooth: 0 < gain < 1; amplitude ratio from one level to the next */
    int broad;          /**< midpoint, smooth: 0..TER_LEVELS_MAX; the first steps from level to level use broad_gain */
    double broad_gain;  /**< midpoint, smooth: 0 < broad_gain <= 1; amplitude ratio of the first `broad` steps */
    double base;        /**< midpoint, smooth: m, -1e30..1e30; mean altitude */
    ter_basis basis;
    double valley; /**< midpoint, smooth: 0..1; how much low ground is smoothed; 0 is a homogeneous fractal */
    /** m, finite; sea level. midpoint, smooth: metadata only; heights are not clamped to it. fluvial: 0..2000; a sea
     * level above 0 drowns the lower valleys */
    double sea;
    /** m, TER_SPACING_MIN..TER_SPACING_MAX; metres per lattice step. Heights do not depend on it; layers that are
     * areas, distances or slopes do */
    double spacing;
    double land;    /**< fluvial: -1..1; less or more land. The defaults from here to dryness are 0, except relief */
    double relief;  /**< fluvial: 0.1..3; factor of the steepness of hillsides; 1 is the default world */
    double uplift;  /**< fluvial: -1..1; less or more alpine land */
    double hills;   /**< fluvial: -1..1; plains or hills */
    double plateau; /**< fluvial: -1..1; less or more high plains with canyons */
    double ice;     /**< fluvial: -1..1; less or more land that ice has shaped: lakes, broad valleys */
    double dryness; /**< fluvial: -1..1; less or more dry land */
    /** fluvial: 0..1; how much continents and oceans of thousands of kilometres shape the land. They shape only land
     * that is more than 1,500 km away from x, z = -1078272, 1921024, where the program's flights and exports begin.
     * 1 is the default world, 0 has seas and lands of 500 to 1,000 km everywhere */
    double continents;
    /** fluvial: a guide that the land follows, or NULL. The world keeps the guide, so the caller may destroy it after
     * ter_world_create */
    const ter_guide *guide;
    double warmth;  /**< fluvial: K, -60..60; added to all temperatures. The default is 0 */
    double wetness; /**< fluvial: 0..5; factor of precipitation. The default is 1 */
    double belts;   /**< fluvial: km, 500..100000; mean distance from an equator to a pole. The default is 8000 */
    double sand;    /**< fluvial: 0..1; how much sand lies on plains of deserts. 0, the default: there are no dunes */
    /** fluvial: degrees, 0..360; bearing from which the wind that makes dunes blows, clockwise from north. The default
     * is 60 */
    double wind;
    double craters; /**< midpoint, smooth: 0..1; how old the surface is. 0, the default: no craters; 1: saturated */
    double maria;   /**< midpoint, smooth: 0..1; how much low ground lava has covered. 0, the default: none */
    /** fluvial: 0..1; how many glaciers lie where the climate is cold and wet enough. 0, the default: none; 1: as many
     * as the climate allows; between, they lie up to 1000 m higher */
    double glaciers;
    /** fluvial: 0..1; how much waters and gullies follow a dry climate. 0, the default: not at all; 1: small rivers of
     * dry land and lakes of deserts are dry, and gullies of dry hills are deep */
    double drought;
} ter_params;

/** Fill `params` with the default world, of basis fluvial. Parameters of other bases get the defaults of world format
 * 1, so that it is enough to change `basis`. */
#define ter_params_default(params) ter_params_default_sized((params), sizeof *(params))

/** As ter_params_default, for a caller whose header defines `struct_size` bytes of the structure. */
TER_API void ter_params_default_sized(ter_params *params, size_t struct_size);

/** Greatest displacements of levels 0..levels.
 *
 *  out_m   room for TER_LEVELS_MAX + 1 numbers, metres; entries after `levels` are not changed
 *  Errors  TER_EINVAL levels outside 1..TER_LEVELS_MAX; nothing is written
 */
TER_API ter_status ter_params_amplitudes(const ter_params *params, double *out_m);

/** A world: immutable; any number of threads and generators may share it. */
typedef struct ter_world ter_world;

/** Create a world.
 *
 *  params  copied. With a guide, the tables of the guide are made now, which may take seconds
 *  out     receives the world; free it with ter_world_destroy
 *  Errors  TER_EINVAL a parameter outside its range, named by the detail, or a guide outside the world; TER_ENOMEM;
 *          TER_ECANCELLED by the guide's is_cancelled
 */
TER_API ter_status ter_world_create(const ter_params *params, ter_world **out);

/** Free a world; NULL is allowed. No call that was given the world may be under way. */
TER_API void ter_world_destroy(ter_world *world);

/** Parameters that a world was made from; never NULL, valid as long as the world. Its struct_size is the library's. */
TER_API const ter_params *ter_world_params(const ter_world *world);

/** Describe the tables that a world has made from its guide. Errors TER_EINVAL the world has no guide */
TER_API ter_status ter_world_guide_report(const ter_world *world, ter_guide_report *out);

/** Write the finished tables of a world's guide as bytes, so that a later process need not make them. The library reads
 * and writes no files. The bytes are those of this version and this machine.
 *
 *  out       `capacity` bytes; NULL: only `size` is set
 *  size      receives the number of bytes
 *  Errors    TER_EINVAL the world has no guide, or the capacity is too small
 *  Threads   any, any number at once
 */
TER_API ter_status ter_world_store_guide(const ter_world *world, void *out, size_t capacity, size_t *size);

/** Name the tables that a world with these parameters makes of its guide: a SHA-256 over all that they depend on, which
 * includes the guide's heights and the version of the library, as 64 hexadecimal digits. Equal names mean equal tables.
 *
 *  params  with a guide
 *  text    TER_GUIDE_CHECKSUM bytes
 *  Errors  TER_EINVAL no guide, or a parameter outside its range
 */
TER_API ter_status ter_params_name_guide(const ter_params *params, char *text);

/** Give a guide tables that ter_world_store_guide has written. The world that is created next with these parameters
 * uses these tables instead of making them. The bytes are copied. If the guide already has tables for these parameters,
 * nothing changes and the bytes are not checked. Tables that no world uses are freed when a world gives up other tables
 * of the guide.
 *
 *  params  with the guide
 *  bytes   `size` bytes
 *  Errors  TER_EINVAL the bytes are not tables, they are damaged, or they belong to another guide, other parameters or
 *          another version; TER_ENOMEM. The guide does not change
 *  Threads any, any number at once; a call waits while tables of the same guide are made
 */
TER_API ter_status ter_params_restore_guide(const ter_params *params, const void *bytes, size_t size);

/** Height of one point, computed on the calling thread without a generator.
 *
 *  level   0..levels + TER_FINE_LODS
 *  i, j    level lattice coordinates; the point lies at most TER_COORDINATE_MAX lattice steps from the origin
 *  out_m   metres
 *  Errors  TER_EINVAL level or point outside the world; TER_ENOMEM
 *  Threads any, any number at once
 *  Source  displacement that depends on altitude: Musgrave, Kolb, Mace 1989, "The synthesis and rendering of eroded
 *          fractal terrains"; random field: Salmon, Moraes, Dror, Shaw 2011, "Parallel random numbers: as easy as
 *          1, 2, 3" (Philox4x32-10); predictions: see ter_basis
 */
TER_API ter_status ter_world_height(const ter_world *world, int level, int64_t i, int64_t j, float *out_m);

/** A rectangle of one level's lattice: points (i + column, j + row), column < width, row < height. Row 0 is the
 * northern edge. */
typedef struct ter_rect {
    int level;             /**< 0..levels + TER_FINE_LODS; points of level `levels` lie a lattice step apart */
    int64_t i, j;          /**< level lattice coordinates of the north-west point */
    int64_t width, height; /**< points, >= 1; at most 2^31 - 1 where samples are stored */
} ter_rect;

/** North-west point of a tile. */
typedef struct ter_tile {
    int level;    /**< 0..levels + TER_FINE_LODS */
    int64_t i, j; /**< level lattice coordinates */
} ter_tile;

#ifdef __cplusplus
}
#endif

#endif
