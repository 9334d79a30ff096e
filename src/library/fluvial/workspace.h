/* workspace.h - everything that is made on the way to one rectangle of a fluvial world: windows, and where their
 * contents lie.
 *
 * plan.h fills the windows and places the arrays in one piece of memory. network.h, channel.h, ground.h, gully.h and
 * surface.h fill the arrays, one element at a time; passes.h lists them in their order.
 */
#ifndef TERRANE_FLUVIAL_WORKSPACE_H
#define TERRANE_FLUVIAL_WORKSPACE_H

#include "library/fluvial/province.h"
#include "library/fluvial/river_size.h"

enum {
    TER_NETWORK_LEVELS = 9, /* cells of 128 km, 64 km, .. 512 m */
    TER_NETWORK_LAST = 8,
    TER_CELL_SHIFT = 16, /* a cell of the last level is 2^16 / 256 units wide */
    TER_WARP_OCTAVES = 11,
    TER_WARP_PATCHES = 8, /* octaves from this one on also make patches of rough and of smooth ground */
    TER_MEANDER_OCTAVES = 4,
    TER_VALLEY_MEANDERS = 3, /* octaves that valleys have; the last one is of beds alone */
    TER_MEANDER_SHIFT = 17, /* pitch of octave 0: 2^17 / 256 units */
    TER_MEANDER_CELLS = 4,  /* a channel lies so many cells around its node's at most */
    TER_WARP_SHIFT = 17,    /* pitch of octave 0, in metres of the world */
    TER_GROUND_STEP = 32,   /* m; finer points take the ground's height and the warp by the four-point rule */
    TER_PLACE_STEP = 8,     /* m; and from here on the warp is linear */
    TER_FORM_STEP = 16,     /* m; finer points follow by the four-point rule, and are displaced */
    TER_SHARED_STEP = 32,   /* m; of the points of the broadest octave of gullies */
    TER_ROOT_ROUNDS = 16,   /* of the drainage sum at level 0: longer than any way down in it */
    TER_PIECES = 3,         /* of the valley of the channel that leaves a node */
    TER_REACHES = 7,        /* of its bed */
    TER_GROUNDS_MAX = 2,    /* lattices on which the ground is wanted */
    TER_OCTAVES = 2,        /* of gullies */
    TER_FINE_MAX = 5        /* lattices from 16 m to 1 m */
};

/** No lake. */
#define TER_NO_LAKE        (-1e9f)
#define TER_IS_LAKE(level) ((level) > -1e8f)

/** Directions E SE S SW W NW N NE, and a sink. */
enum { TER_SINK = 8 };

TER_FN int ter_direction_x(int d)
{
    return (d <= 1 || d == 7) - (d >= 3 && d <= 5);
}

TER_FN int ter_direction_y(int d)
{
    return (d >= 1 && d <= 3) - (d >= 5 && d <= 7);
}

/** What a node is. */
enum {
    TER_NODE_BARE, /* a free node of the last level whose way down is no channel */
    TER_NODE_FREE,
    TER_NODE_OLD,
    TER_NODE_EXIT,
    TER_NODE_ENTRY,
    TER_NODE_CORNER
};

/** A node of the drainage network: the one of its cell. */
typedef struct TER_ALIGNED(16) ter_node {
    float x, y;  /* place in the cell, 0..1, multiples of 2^-16 */
    float z;     /* m; of the channel's bottom */
    float lake;  /* m; level of the lake that it lies in, or TER_NO_LAKE */
    float area;  /* cells of the last level; drained through it; a whole number */
    float own;   /* those of them that drain straight here, or by free nodes; of channels alone */
    float floor; /* units; half width of the valley's floor */
    int16_t to;  /* direction of the node that it drains to, or TER_SINK */
    int16_t kind;
} ter_node;

/** The channel from a node to the next one, on its way to the next level. Children are counted from the north-west
 * child of the cell that the edge leaves. */
typedef struct TER_ALIGNED(16) ter_link {
    int exit_x, exit_y, entry_x, entry_y;
    float x, y;  /* place of the exit, in children from that corner */
    float z;     /* m; height at the exit */
    float depth; /* m; of the lake on this edge; 0: none */
} ter_link;

/** The channel at a node of the last level. */
typedef struct TER_ALIGNED(16) ter_channel {
    float slope;  /* m a unit; of its valley's sides */
    float raise;  /* m; of a sill, so that its river begins at the level of the lake */
    float floor;  /* units; half width of its valley's floor */
    float wander; /* units; how far it wanders in its floor */
    float broad;  /* how much broader its bed is than others of its area */
    float inflow; /* m a unit; slope of the steepest inflow */
    int from;     /* direction of the main inflow, or -1 */
    int is_sill;  /* a lake ends here */
} ter_channel;

/** Place of a channel, units from the north-west corner of its node's cell. */
typedef struct TER_ALIGNED(8) ter_spot {
    float x, y;
} ter_spot;

/** What leaves a node. */
enum { TER_COURSE_NONE, TER_COURSE_DRY, TER_COURSE_BROOK };

/** One straight piece of a valley; place in units from the north-west corner of its node's cell. */
typedef struct TER_ALIGNED(16) ter_piece {
    float x, y, along_x, along_y, inverse; /* start, extent, 1 / length^2 */
    float z, dz, slope, dslope, floor, dfloor;
    float before, after; /* m a piece's length: rise beyond its start and its end */
    float area, darea;
    float lake; /* m; level, or TER_NO_LAKE */
} ter_piece;

/** One straight reach of a bed. It winds in its valley, and follows the ground where that lies lower than the valley's
 * own channel. */
typedef struct TER_ALIGNED(16) ter_reach {
    float x, y, along_x, along_y, inverse; /* as of a piece */
    float z, dz, area, darea;
    float lake;          /* m; level, or TER_NO_LAKE */
    float width, dwidth; /* m; half width */
    float fall, dfall;   /* m; the water under the rim */
} ter_reach;

enum { TER_PIECE_BOUNDS = 8 }; /* numbers of a cell's bounds */

/** Ground at a point of a lattice. */
typedef struct ter_ground {
    float height;   /* m; without gullies */
    float lake;     /* m; level of the lake whose shore is near, or TER_NO_LAKE */
    float above;    /* m; height above the channel or the lake, as gullies may use it up */
    float strength; /* of gullies */
    float alpine;   /* 0..1: how sharp they are */
    float reach;    /* 1 / m times amplitude; how fast they fade towards the channel */
    float raise;    /* share of what gullies add above the ground */
    float fade;     /* -1 at channels, 1 at crests: where they begin */
    float distance; /* m; to the channel whose side this is */
    float area;     /* m2; which it drains there */
    float rough;    /* how rough the ground is, about 1 in the mean */
} ter_ground;

/** The warp at a point: metres east, metres south, and a random value for patches of the ground, about 0 to 1. */
enum { TER_SHIFTS = 3 };

/** What a node says of its surroundings, for overviews. The sums are means over a sample's surroundings later. */
enum {
    TER_SUMMARY_LAND,   /* m above the sea; mean height of what lies above the sea, times its share */
    TER_SUMMARY_SEA,    /* m above the sea, negative; of what lies below it, times its share */
    TER_SUMMARY_SHARE,  /* 0..1; share of land */
    TER_SUMMARY_LAKE,   /* 0..1; share of a lake */
    TER_SUMMARY_LEVEL,  /* m; the lake's level, times its share */
    TER_SUMMARY_TOP,    /* m; of the hills around the node */
    TER_SUMMARY_RELIEF, /* as the layers of these names */
    TER_SUMMARY_PLAIN,
    TER_SUMMARY_PLATEAU,
    TER_SUMMARY_ICE,
    TER_SUMMARY_DRYNESS,
    TER_SUMMARY_Z, /* m; of the channel's bottom */
    TER_SUMMARY_COUNT
};

typedef struct TER_ALIGNED(16) ter_summary {
    float x, y; /* place in the cell, 0..1 */
    float area; /* cells of the last level; drained through the node */
    int to;     /* direction of the node that it drains to, or TER_SINK */
    float sum[TER_SUMMARY_COUNT];
} ter_summary;

/** An overview: samples of a level of detail that stand for their surroundings. */
typedef struct ter_overview_plan {
    int lod;
    int level;     /* whose cells are half a step wide; below 0 there is no network */
    float *shift;  /* the warp at the samples: 2 numbers a point */
    ter_window at; /* cells that have summaries */
    ter_summary *summary;
} ter_overview_plan;

/** A lattice of grounds. */
typedef struct ter_ground_plan {
    ter_lattice points;
    float *warp; /* TER_SHIFTS numbers a point */
    ter_ground *ground;
} ter_ground_plan;

/** Places of samples: the warp at points of TER_PLACE_STEP. */
typedef struct ter_place_plan {
    ter_lattice at[3]; /* from the ground's points down */
    int count;
    float *shift[3]; /* 2 numbers a point; those of the ground's points are its own */
} ter_place_plan;

/** A cell of gullies. */
typedef struct ter_gully {
    float kx, ky;       /* turns a cell */
    float cosine, sine; /* of the phase */
    float mask;         /* 0..1.8: how strong it is */
} ter_gully;

/** What gullies have made of a point. */
typedef struct ter_carved {
    float whole, kept; /* m; sum of the octaves; and of what is left of them near channels */
    float fade;
} ter_carved;

/** An octave of gullies. */
typedef struct ter_octave_plan {
    int octave;
    ter_lattice points;    /* where it is wanted */
    ter_lattice corners;   /* of its cells */
    ter_lattice coarse[5]; /* from twice the cells, which coarser levels of detail see, to `points` */
    ter_window cells;
    int corners_ground, points_ground; /* ground plans that have them */
    ter_gully *gully[2];               /* of the cells, from round to round */
    ter_carved *carved;
    float *seen[2]; /* what coarser levels of detail see: at `coarse`, then finer and finer */
    int n_halvings;
} ter_octave_plan;

typedef struct ter_fluvial_job {
    ter_fluvial f;
    ter_lattice points;             /* that are wanted */
    ter_lattice fine[TER_FINE_MAX]; /* from the points up to 16 m, or the points alone */
    int n_fine;
    ter_place_plan places;
    ter_window field_at[TER_FIELD_OCTAVES], warp_at[TER_WARP_OCTAVES], province_at;
    float *field[TER_FIELD_OCTAVES]; /* 4 numbers a knot */
    float *warp[TER_WARP_OCTAVES];   /* ter_warp_channels numbers a knot */
    float *province;                 /* TER_PROVINCE_BETWEEN numbers a knot */
    int last;                        /* finest level of nodes that is made; none if below 0 */
    ter_window node_at[TER_NETWORK_LEVELS];
    ter_node *node[2]; /* of level n in node[n & 1] */
    ter_node *child;
    ter_link *edge;
    float *root[2];     /* area and lake of the nodes of level 0, from round to round */
    ter_spot *place[2]; /* of the channels at nodes of the last level, from round to round */
    ter_channel *channel;
    ter_window piece_at, meander_at[TER_MEANDER_OCTAVES];
    float *meander[TER_MEANDER_OCTAVES]; /* 2 numbers a knot */
    ter_piece *piece; /* of cells of piece_at: TER_PIECES of each */
    ter_reach *reach; /* and TER_REACHES; of cells with a brook alone */
    float *piece_bounds;   /* cells of piece_at: TER_PIECE_BOUNDS numbers of their pieces, on a GPU */
    unsigned char *course; /* cells of piece_at: what leaves their node, TER_COURSE_.. */
    ter_ground_plan ground[TER_GROUNDS_MAX];
    int n_grounds;
    ter_octave_plan octave[TER_OCTAVES];
    int n_octaves, first_octave; /* those before the first one are another job's */
    float *height[2];            /* of fine[n] in height[n & 1] */
    ter_overview_plan overview;
} ter_fluvial_job;

#endif
