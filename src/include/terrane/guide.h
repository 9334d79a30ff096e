/* terrane/guide.h - guides: a raster of heights that the land of a world follows. Rivers, valleys and all detail
 * that is finer than its pixels come from the world. docs/guide.md shows how to use a guide. */
#ifndef TERRANE_GUIDE_H
#define TERRANE_GUIDE_H

#include "terrane/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TER_GUIDE_SIDE_MIN        2       /**< pixels */
#define TER_GUIDE_SIDE_MAX        8192    /**< pixels */
#define TER_GUIDE_SPACING_MIN     1.0     /**< m */
#define TER_GUIDE_SPACING_MAX     32768.0 /**< m */
#define TER_GUIDE_RIM_MAX         200e3   /**< m */
#define TER_GUIDE_HEIGHT_MAX      20e3    /**< m; greatest height above or depth below 0 */
#define TER_GUIDE_RELIEF_MAX      4.0
#define TER_GUIDE_TEMPERATURE_MAX 100.0   /**< deg C, above or below 0 */
#define TER_GUIDE_RAIN_MAX        20000.0 /**< mm a year */
#define TER_GUIDE_LEVEL_MAX       8
#define TER_GUIDE_RIVERS_MAX      (1 << 20)
#define TER_GUIDE_VERTICES_MAX    (1 << 22) /**< of all rivers together */
#define TER_GUIDE_RIVER_WIDTH_MAX 320.0     /**< m */
#define TER_GUIDE_CHECKSUM        65        /**< bytes of a checksum's text: 64 digits and a terminating 0 */

/** What lies around a guide. */
typedef enum ter_guide_surround {
    TER_GUIDE_ENDLESS, /**< the land of the seed, whose heights near the guide follow those of the guide */
    TER_GUIDE_SEA,     /**< an ocean without end */
    TER_GUIDE_SURROUND_COUNT
} ter_guide_surround;

/** Name of what lies around a guide, as the command line spells it: "endless" or "sea"; static, NULL when `surround` is
 * out of range. */
TER_API const char *ter_guide_surround_name(ter_guide_surround surround);

/** Rasters that a guide may have in addition to its heights. Each has as many pixels as the heights. */
typedef enum ter_guide_raster {
    TER_GUIDE_RELIEF,        /**< 0..TER_GUIDE_RELIEF_MAX; steepness factor of hillsides smaller than a pixel */
    TER_GUIDE_PLATEAU,       /**< 0..1; share of flat-topped land with canyons, as TER_LAYER_PLATEAU */
    TER_GUIDE_DRYNESS,       /**< 0..1; as TER_LAYER_DRYNESS */
    TER_GUIDE_ICE,           /**< 0..1; share of land that glaciers have shaped, as TER_LAYER_ICE */
    TER_GUIDE_TEMPERATURE,   /**< deg C, up to TER_GUIDE_TEMPERATURE_MAX; mean of a year at the guide's heights */
    TER_GUIDE_PRECIPITATION, /**< mm a year, 0..TER_GUIDE_RAIN_MAX; at the guide's heights */
    TER_GUIDE_RASTER_COUNT
} ter_guide_raster;

/** Name of a raster, as the command line spells it: "relief", "plateau", "dryness", "ice", "temperature" or
 * "precipitation"; static, NULL when `raster` is out of range. */
TER_API const char *ter_guide_raster_name(ter_guide_raster raster);

/** The line of a river. */
typedef struct ter_guide_river {
    const double *places; /**< m; x, z of 2 or more vertices, within the guide's pixels */
    int count;            /**< vertices */
    /** m, up to TER_GUIDE_RIVER_WIDTH_MAX; mean width of the water. 0: the width follows from the drained area */
    double width;
} ter_guide_river;

/** A guide. Members that are 0 are the defaults, except for heights, cols, rows and spacing. */
typedef struct ter_guide_options {
    size_t struct_size; /**< sizeof(ter_guide_options) */
    /** m, cols * rows floats, row-major from the north-west; at most TER_GUIDE_HEIGHT_MAX above or below 0. A pixel
     * that is not a number has no data; there the land is that of the seed. At least one pixel must have data */
    const float *heights;
    int cols, rows; /**< TER_GUIDE_SIDE_MIN..TER_GUIDE_SIDE_MAX */
    double x, z;    /**< m; place of the middle of pixel (0, 0) in the world; rounded to a lattice step */
    double spacing; /**< m, TER_GUIDE_SPACING_MIN..TER_GUIDE_SPACING_MAX; distance between neighbouring pixels */
    /** m, up to TER_GUIDE_RIM_MAX; width of the band outside the guide's pixels in which the guide fades out. 0: 12
     * cells of its level, and at least 24,000 lattice steps */
    double rim;
    /** 1..TER_GUIDE_LEVEL_MAX; the guide sets the nodes of this level of the drainage network, whose cells are 131072
     * >> level lattice steps wide. Land forms narrower than a cell come from the world, unless
     * ter_guide_report.detail_m is above 0. 0: the library chooses the level by the steepness of the guide at all
     * scales */
    int level;
    /** 0..1; hillsides have at least this share of the steepness that the seed gives them. 0: the library chooses 0
     * for surveyed land, and 0.6 for a painting, which is smooth at the scale of its pixels */
    double rough;
    double steep; /**< 0.3..3; factor of the steepness of hillsides smaller than a pixel. 0 means 1 */
    /** m, up to 10000; depressions of the guide that are at least this deep, and cover 4 or more cells of the network,
     * remain lakes. 0: no lakes */
    double lakes;
    ter_guide_surround surround;
    int threads; /**< 0..TER_THREADS_MAX; threads that make tables. 0: one for each processor of this process */
    /** Called from time to time while the tables of a world are made, by several threads at once. After it has returned
     * a value other than 0, ter_world_create fails with TER_ECANCELLED. It may be called until the guide has been
     * destroyed. NULL: never cancelled */
    int (*is_cancelled)(void *user);
    /** Called by one thread while the tables of a world are made. share: 0 to 1, never decreases. NULL: not called */
    void (*progress)(void *user, double share);
    void *user; /**< argument of is_cancelled and progress */
    /** Indexed by ter_guide_raster. Each has cols * rows floats, row-major from the north-west. A pixel that is not a
     * number gets its value from the nearest pixels that have one; at least one pixel must have one. NULL: relief
     * follows from the heights; the others come from the seed */
    const float *rasters[TER_GUIDE_RASTER_COUNT];
    /** Lines that water follows, from the end where the guide is higher to the other end. If both ends are equally
     * high, water flows from the first vertex to the last. Where the land rises along a line, it is cut down. In the
     * sea, and on pixels without data, a line has no effect. Where two lines share a cell of the network, the line that
     * comes first in the array is used. NULL: no lines */
    const ter_guide_river *rivers;
    int n_rivers;
    /** m, up to 10000; depressions of the guide that are at least this deep, and at least as large as a cell of the
     * network, have no outlet: water ends at their lowest point, in a lake that fills a tenth of the depth. The member
     * `lakes` does not apply to them. 0: every depression gets an outlet */
    double endorheic;
} ter_guide_options;

/** A guide: immutable. Any number of worlds and threads may share it. */
typedef struct ter_guide ter_guide;

/** Create a guide.
 *
 *  options  copied, with the heights, the rasters and the rivers
 *  out      receives the guide; free it with ter_guide_destroy
 *  Errors   TER_EINVAL a member or a pixel outside its range, no pixel with data, or a river that leaves the guide;
 *           TER_ENOMEM
 */
TER_API ter_status ter_guide_create(const ter_guide_options *options, ter_guide **out);

/** Release a guide; NULL is allowed. Worlds that were made with the guide keep it, so it may be released right after
 * ter_world_create. Its memory is freed with the last of these worlds. */
TER_API void ter_guide_destroy(ter_guide *guide);

/** Options that a guide was made from; never NULL, valid as long as the guide. `heights`, `rasters` and `rivers` are
 * the guide's own copies. */
TER_API const ter_guide_options *ter_guide_options_used(const ter_guide *guide);

/** Write the SHA-256 of a guide's heights, as 64 hexadecimal digits. The hash is over cols and rows, each as a
 * little-endian 32-bit integer, and then the heights as little-endian binary32 numbers, -0 as 0, no data as 7fc00000.
 *
 *  text  TER_GUIDE_CHECKSUM bytes
 */
TER_API void ter_guide_checksum(const ter_guide *guide, char *text);

/** Write the SHA-256 of one of a guide's rasters, made in the same way; the empty text if the guide lacks the raster.
 *
 *  text  TER_GUIDE_CHECKSUM bytes
 */
TER_API void ter_guide_raster_checksum(const ter_guide *guide, ter_guide_raster raster, char *text);

/** Write the SHA-256 of a guide's rivers; the empty text if it has none. The hash is over the number of rivers as a
 * little-endian 32-bit integer, and for each river its count, its width and its places; the last two are little-endian
 * binary64 numbers.
 *
 *  text  TER_GUIDE_CHECKSUM bytes
 */
TER_API void ter_guide_river_checksum(const ter_guide *guide, char *text);

/** Facts about the tables that a world has made from its guide. */
typedef struct ter_guide_report {
    size_t struct_size; /**< sizeof(ter_guide_report), set by the caller */
    int level;          /**< of the drainage network, 1..TER_GUIDE_LEVEL_MAX */
    double cell_m;      /**< width of its cells */
    double rim_m;
    uint64_t cells;                    /**< cells whose node is the guide's */
    uint64_t lakes;                    /**< lakes among them */
    uint64_t tails;                    /**< nodes outside the guide's cells that its rivers reach */
    uint64_t bytes;                    /**< of the tables */
    char checksum[TER_GUIDE_CHECKSUM]; /**< SHA-256 of the tables: equal tables make equal land */
    uint64_t river_cells;              /**< cells whose water follows one of the guide's `rivers` */
    uint64_t basins;                   /**< basins without an outlet */
    /** Greatest depth of a node of `river_cells` below the lowest point of the guide in its cell */
    double river_cut_m;
    /** Spacing of the points at which the land has the guide's own heights. 0: there are none, because the pixels are
     * 256 lattice steps or more apart, `level` is below TER_GUIDE_LEVEL_MAX, or the guide is a painting */
    double detail_m;
} ter_guide_report;

#ifdef __cplusplus
}
#endif

#endif
