/* workspace.h - the intermediate results from which one rectangle of a fluvial world is made: the windows that the
 * rectangle depends on, and pointers to their arrays.
 *
 * plan.h computes the windows and places all arrays in one piece of memory. network.h, channel.h, ground.h, gully.h and
 * surface.h fill the arrays, one element at a time. passes.h lists these steps in their order.
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
    TER_WARP_PATCHES = 8,    /* from this octave on, octaves also make patches of rough and of smooth ground */
    TER_MEANDER_OCTAVES = 4, /* random octaves that move channels sideways */
    TER_VALLEY_MEANDERS = 3, /* octaves that move valleys; the last octave is only for beds */
    TER_MEANDER_SHIFT = 17,  /* pitch of octave 0: 2^17 / 256 units */
    TER_MEANDER_CELLS = 4,   /* a channel lies at most this many cells away from its node's cell */
    TER_WARP_SHIFT = 17,     /* pitch of octave 0, in metres of the world */
    TER_GROUND_STEP = 32,    /* m; at finer points the ground's height and the warp are interpolated: ter_halved */
    TER_PLACE_STEP = 8,      /* m; at finer points the warp is interpolated bilinearly */
    TER_FORM_STEP = 16,      /* m; finer points are interpolated and then displaced at random */
    TER_SHARED_STEP = 32,    /* m; spacing of the points of the broadest octave of gullies */
    TER_ROOT_ROUNDS = 16,    /* rounds of the drainage sum at level 0; every path to a sink there has fewer nodes */
    TER_PIECES = 3,          /* pieces of the valley of the channel that leaves a node */
    TER_REACHES = 7,         /* reaches of the bed of the channel that leaves a node */
    TER_GROUNDS_MAX = 2,     /* greatest number of lattices on which the ground is made */
    TER_OCTAVES = 2,         /* octaves of gullies */
    TER_FINE_MAX = 5         /* greatest number of lattices from 16 m to 1 m */
};

/** The level of the lake where there is no lake. */
#define TER_NO_LAKE        (-1e9f)
#define TER_IS_LAKE(level) ((level) > -1e8f)

/** Directions E SE S SW W NW N NE have the numbers 0 to 7. A sink has the direction 8. */
enum { TER_SINK = 8 };

TER_FN int ter_direction_x(int d)
{
    return (d <= 1 || d == 7) - (d >= 3 && d <= 5);
}

TER_FN int ter_direction_y(int d)
{
    return (d >= 1 && d <= 3) - (d >= 5 && d <= 7);
}

/** Kinds of nodes, see network.h. Nodes of kinds after TER_NODE_FREE are channel nodes: an edge of the level before
 * passes through them. */
enum {
    TER_NODE_BARE, /* a free node of the last level without a channel */
    TER_NODE_FREE,
    TER_NODE_OLD,
    TER_NODE_EXIT,
    TER_NODE_ENTRY,
    TER_NODE_CORNER,
    TER_NODE_LINE /* a node of the last level that keeps its place on a river of a guide's pixels */
};

/** A node of the drainage network. Each cell has one. */
typedef struct TER_ALIGNED(16) ter_node {
    float x, y;  /* place in the cell, 0..1, multiples of 2^-16 */
    float z;     /* m; height of the channel's bottom */
    float lake;  /* m; level of the lake that the node lies in, or TER_NO_LAKE */
    float area;  /* cells of the last level; area that drains through the node; whole except at the last level */
    float own;   /* cells; the part of `area` that no other channel node brings; only for channel nodes */
    float floor; /* units; half width of the valley's floor */
    int16_t to;  /* direction of the neighbour that the node drains to, or TER_SINK */
    int16_t kind;
} ter_node;

/** The edge from a node to the node that it drains to, cut at the borders of its cells. Children are counted from the
 * north-west child of the cell in which the edge begins. */
typedef struct TER_ALIGNED(16) ter_link {
    int exit_x, exit_y, entry_x, entry_y; /* children through which the edge leaves its cell and enters the next one */
    float x, y;  /* place of the exit, in child cells from the corner of the north-west child */
    float z;     /* m; height at the exit */
    float depth; /* m; depth of the lake on this edge; 0: no lake */
} ter_link;

/** The channel at a node of the last level. */
typedef struct TER_ALIGNED(16) ter_channel {
    float slope;  /* m per unit; slope of its valley's sides */
    float raise;  /* m; by how much a sill is raised, so that its river begins at the level of the lake */
    float floor;  /* units; half width of its valley's floor */
    float wander; /* units; amplitude of its meanders within the floor */
    float broad;  /* factor of its bed's width: TER_BROAD_LEAST plus up to TER_BROAD_MORE */
    float inflow; /* m per unit; slope of the steepest inflow */
    int from;     /* direction of the main inflow, or -1 */
    int is_sill;  /* whether a lake ends here */
} ter_channel;

/** Place of the channel at a node, units from the north-west corner of the node's cell. */
typedef struct TER_ALIGNED(8) ter_spot {
    float x, y;
} ter_spot;

/** Whether a channel leaves a node: no channel, a channel without a bed, or a channel with a bed. */
enum { TER_COURSE_NONE, TER_COURSE_DRY, TER_COURSE_BROOK };

/** One straight piece of a valley. A member that begins with `d` is the change of a value from the start to the end of
 * the piece. Places are units from the north-west corner of the cell of the node that the channel leaves. */
typedef struct TER_ALIGNED(16) ter_piece {
    float x, y, along_x, along_y, inverse;     /* start; vector from start to end; 1 / length^2 */
    float z, dz, slope, dslope, floor, dfloor; /* as in ter_node and ter_channel */
    float before, after; /* m per length of the piece; rise of the valley's sides before its start and after its end */
    float area, darea;   /* cells of the last level */
    float lake;          /* m; level of the lake in the valley, or TER_NO_LAKE */
} ter_piece;

/** One straight reach of a bed. It winds in its valley. Where the side of another valley lies lower than the channel,
 * the bed follows that side. Members are as in ter_piece. */
typedef struct TER_ALIGNED(16) ter_reach {
    float x, y, along_x, along_y, inverse;
    float z, dz, area, darea, lake;
    float width, dwidth; /* m; half width of the bed */
    float fall, dfall;   /* m; depth of the water below the rim of the bed */
} ter_reach;

enum { TER_PIECE_BOUNDS = 12 }; /* room for the bounds of a cell's pieces and reaches, floats */

/** The ground at a point of a lattice. */
typedef struct ter_ground {
    float height; /* m; without gullies */
    float lake;   /* m; level of the lake whose shore is near, or TER_NO_LAKE */
    float above; /* m; height above the channel or above the lake's level, whichever is higher; gullies cut no deeper */
    float strength; /* factor of the amplitude of gullies */
    float alpine;   /* 0..1; how sharp the ridges of gullies are */
    float reach;    /* 1 / m times amplitude; how fast gullies fade towards the channel */
    float raise;    /* factor of the heights that gullies add, where these are above 0 */
    float fade;     /* start value of ter_carved.fade: -0.1 at channels, 1 at crests */
    float distance; /* m; distance to the channel on whose valley side the point lies */
    float area;     /* m2; area that this channel drains */
    float rough;    /* roughness of the ground, 1 on average */
} ter_ground;

/** The warp has three numbers at a point: metres east, metres south, and a random value of about 0 to 1, which makes
 * patches of rough and of smooth ground. */
enum { TER_SHIFTS = 3 };

/** The numbers of a summary. A summary describes the surroundings of a node for overviews. A sample of an overview is a
 * weighted mean of summaries. */
enum {
    TER_SUMMARY_LAND,   /* m above the sea; mean height of the land, multiplied by the share of land */
    TER_SUMMARY_SEA,    /* m above the sea, negative; mean height of the sea bed, multiplied by the share of sea */
    TER_SUMMARY_SHARE,  /* 0..1; share of land */
    TER_SUMMARY_LAKE,   /* 0..1; share of the surroundings that a lake covers */
    TER_SUMMARY_LEVEL,  /* m; the lake's level, multiplied by the share of the lake */
    TER_SUMMARY_TOP,    /* m; height of the hills around the node */
    TER_SUMMARY_RELIEF, /* the layer of this name; so are the next four numbers */
    TER_SUMMARY_PLAIN,
    TER_SUMMARY_PLATEAU,
    TER_SUMMARY_ICE,
    TER_SUMMARY_DRYNESS,
    TER_SUMMARY_Z, /* m; height of the channel's bottom */
    TER_SUMMARY_COUNT
};

typedef struct TER_ALIGNED(16) ter_summary {
    float x, y; /* place in the cell, 0..1 */
    float area; /* cells of the last level; the area that drains through the node */
    int to;     /* direction of the neighbour that the node drains to, or TER_SINK */
    float sum[TER_SUMMARY_COUNT];
} ter_summary;

/** The part of a workspace for overviews. */
typedef struct ter_overview_plan {
    int lod;
    int level;     /* level of the network whose cells are half a step wide; below 0: there is no network */
    float *shift;  /* the warp at the samples: 2 floats per sample */
    ter_window at; /* cells for which summaries are made */
    ter_summary *summary;
} ter_overview_plan;

enum {
    TER_SLOW_OCTAVES = 3, /* octaves of the slow fields of the climate */
    TER_CLIMATE_WARPS = 4 /* octaves of the warp that the climate uses */
};

/** Numbers of a knot of the climate, between which samples are interpolated. */
enum {
    TER_CLIMATE_TEMPERATURE, /* deg C; mean of a year at the level of the sea */
    TER_CLIMATE_RANGE,       /* K; difference between the means of the warmest and of the coldest month */
    TER_CLIMATE_SUMMER,      /* mm; precipitation of the warm half of the year */
    TER_CLIMATE_WINTER,      /* mm; precipitation of the cold half */
    TER_CLIMATE_HEIGHT, /* m above the sea; mean height of the land around the knot, multiplied by the share of land */
    TER_CLIMATE_NUMBERS
};

/** The coarse land around a knot of the climate, and the air above it. [2]: summer, winter */
typedef struct TER_ALIGNED(16) ter_climate_ground {
    float height;     /* m above the sea; as TER_CLIMATE_HEIGHT */
    float sea;        /* 0..1; share of sea */
    float lift[2];    /* ter_zone_lift */
    float wind[2][2]; /* step of the air to the east and to the south, in spacings of the knots */
} ter_climate_ground;

/** The part of a workspace for the climate. */
typedef struct ter_climate_plan {
    int shift;                            /* knots are 2^shift lattice steps apart */
    ter_window slow_at[TER_SLOW_OCTAVES]; /* of the slow fields */
    ter_window ground_at, knot_at;
    float *slow[TER_SLOW_OCTAVES]; /* 4 floats per knot */
    ter_climate_ground *ground;
    float *knot; /* TER_CLIMATE_NUMBERS floats per knot */
} ter_climate_plan;

enum { TER_SAND_OCTAVES = 4 }; /* octaves of the slow fields of the sand */

enum {
    TER_DUNE_RIDGES = 3, /* sets 0 to 2 are dunes across the wind of three sizes, set 3 ridges along the wind */
    TER_DUNE_SETS = 4,
    TER_DUNE_UNITS = 64, /* places in the plane of dunes are counted in 1/64 m */
    TER_DUNE_SHIFT = 17  /* rows of the largest size are 2^17 / 64 m apart */
};

/** The sand at a place. */
typedef struct ter_sand {
    float shift;   /* m; added to the place down the wind in the plane of dunes, so that crests bend */
    float stretch; /* length of the gradient of u */
    float supply;  /* 0..1: from a plain without sand to the middle of an erg */
    float sheet;   /* m; thickness of the sand under the dunes */
    float turning; /* 0..1: how much the direction of the wind changes over the year */
    float left;    /* 0..1: share of the sand that large rivers and lakes leave */
} ter_sand;

/** Rows of a set of dunes: a window of knots. A knot has 2 floats. x counts knots along the crest, y counts rows. */
typedef struct ter_dune_rows {
    ter_window at;
    float *knot;
} ter_dune_rows;

/** The part of a workspace for sand. Everything is empty in a world without sand. */
typedef struct ter_sand_plan {
    ter_window field_at[TER_SAND_OCTAVES]; /* knots of the slow fields */
    float *field[TER_SAND_OCTAVES];        /* 4 floats per knot */
    ter_dune_rows rows[TER_DUNE_SETS];
    ter_lattice points; /* among the ground's points */
    ter_sand *sand;     /* at `points` */
    ter_lattice at[2];  /* `count` lattices of heights: 4 m or the samples' own, then 2 m if samples are 1 m apart */
    float *height[2];   /* m; heights of the sand over the ground */
    int count;
} ter_sand_plan;

/** The part of a workspace for glaciers. Everything is empty in a world without glaciers. */
typedef struct ter_glacier_plan {
    ter_lattice points; /* among the ground's points, with those that samples are interpolated from */
    float *ice;         /* m; altitude of the ice at `points`, below the ground where there is none */
} ter_glacier_plan;

/** The ground on a lattice. */
typedef struct ter_ground_plan {
    ter_lattice points;
    float *warp; /* TER_SHIFTS floats per point */
    ter_ground *ground;
} ter_ground_plan;

/** Places of samples in the network's plane: the warp, from the ground's points down to TER_PLACE_STEP. */
typedef struct ter_place_plan {
    ter_lattice at[3]; /* `count` lattices: the ground's points first, then each of half the spacing */
    int count;
    float *shift[3]; /* 2 floats per point; shift[0] is the warp of the ground, with TER_SHIFTS floats per point */
} ter_place_plan;

/** The kernel of a cell of gullies. */
typedef struct ter_gully {
    float kx, ky;       /* wave vector, turns in the width of a cell */
    float cosine, sine; /* cosine and sine of the phase */
    float mask;         /* 0..1.8; strength of the wave */
} ter_gully;

/** The gullies at a point: the sum of the octaves that were added until now. */
typedef struct ter_carved {
    float sum, faded_sum; /* m; sum of the octaves; the same sum, but faded towards channels */
    float fade; /* profile of these gullies, from -1 in valleys to 1 on ridges; the strength of the next octave depends
                   on it */
} ter_carved;

/** An octave of gullies. */
typedef struct ter_octave_plan {
    int octave;
    ter_lattice points;    /* points at which the octave is made */
    ter_lattice corners;   /* corners of its cells */
    ter_lattice coarse[5]; /* coarse[0] has twice the spacing of the cells, coarse[n_halvings] is `points` */
    ter_window cells;
    int corners_ground, points_ground; /* indices of the ground plans that contain `corners` and `points` */
    ter_gully *gully[2];               /* kernels of the cells; rounds alternate between the two arrays */
    ter_carved *carved;                /* at `points` */
    float *seen[2]; /* m; height of the octave as coarser levels of detail show it; seen[n & 1]: at coarse[n] */
    int n_halvings; /* number of halvings from coarse[0] to `points` */
} ter_octave_plan;

/** The workspace. It does not own its arrays: they belong to the owner of the arena that plan.h placed them in. */
typedef struct ter_fluvial_job {
    ter_fluvial f;
    ter_lattice points;             /* the requested points */
    ter_lattice fine[TER_FINE_MAX]; /* lattices from `points` up to 16 m, or only `points` if these are coarser */
    int n_fine;
    ter_place_plan places;
    ter_window field_at[TER_FIELD_OCTAVES], continent_at, warp_at[TER_WARP_OCTAVES], province_at;
    float *field[TER_FIELD_OCTAVES]; /* 4 floats per knot */
    float *continent;                /* 4 floats per knot; not used in overviews of levels below 0 */
    float *warp[TER_WARP_OCTAVES];   /* ter_warp_channels floats per knot */
    float *province;                 /* TER_PROVINCE_BETWEEN floats per knot */
    int last;                        /* finest level of the network whose nodes are made; below 0: no nodes */
    ter_window node_at[TER_NETWORK_LEVELS];
    ter_node *node[2]; /* nodes of level n in node[n & 1] */
    ter_node *child;
    ter_link *edge;
    float *root[2];     /* areas and lakes of the nodes of level 0; rounds alternate between the two arrays */
    ter_spot *place[2]; /* places of the channels of the last level; rounds alternate between the two arrays */
    ter_channel *channel;
    ter_window piece_at, meander_at[TER_MEANDER_OCTAVES];
    float *meander[TER_MEANDER_OCTAVES]; /* 2 floats per knot */
    ter_piece *piece;                    /* TER_PIECES per cell of piece_at */
    ter_reach *reach;                    /* TER_REACHES per cell of piece_at; set only in cells of TER_COURSE_BROOK */
    float *piece_bounds;   /* TER_PIECE_BOUNDS floats per cell of piece_at; each backend has its own layout */
    unsigned char *course; /* for each cell of piece_at: TER_COURSE_NONE, TER_COURSE_DRY or TER_COURSE_BROOK */
    ter_ground_plan ground[TER_GROUNDS_MAX];
    int n_grounds;
    ter_octave_plan octave[TER_OCTAVES];
    int n_octaves, first_octave; /* octaves before first_octave are computed by another job */
    float *height[2];            /* heights of fine[n] in height[n & 1] */
    ter_overview_plan overview;
    ter_climate_plan climate;
    ter_window cover_at; /* knots of the climate that sand and glaciers depend on; empty if there is neither */
    ter_sand_plan sand;
    ter_glacier_plan glaciers;
} ter_fluvial_job;

#endif
