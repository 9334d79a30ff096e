/* making.h - data that the steps that make a guide's tables share. */
#ifndef TERRANE_GUIDE_MAKING_H
#define TERRANE_GUIDE_MAKING_H

#include "library/core/team.h"
#include "library/fluvial/guide.h"
#include "library/guide/raster.h"

/** Sums over the points of the guide that lie in a cell. All are integers, so their order does not matter. */
typedef struct guide_sums {
    int32_t count;
    int32_t height;     /* m / 16 */
    int32_t slope;      /* 1 / 4096 */
    int32_t share;      /* 1 / 1024 */
    int32_t land, over; /* number of points above the sea; their heights above it, m / 16 */
    float low, top;     /* m; least and greatest height */
    uint32_t x, y;      /* place of the lowest point from the corner of the cell */
} guide_sums;

enum { GUIDE_SUMMED = TER_GUIDE_ICE + 1 }; /* rasters with means over cells: those before the rasters of the climate */

/** Sums of the guide's rasters over the same points, in 1/256. */
typedef struct guide_raster_sums {
    int32_t of[GUIDE_SUMMED];
} guide_raster_sums;

/** A cell through which the line of a river leads. */
typedef struct guide_line_cell {
    uint32_t cell; /* of `at` */
    uint8_t to;    /* direction of the line's next cell; TER_SINK: it has none */
    float x, y;    /* 0..1; place of the line in the cell */
    float width;   /* m; 0: not given; -1: a river of the guide's own pixels */
    float z;       /* m; height of the guide there; NaN on the guide's `rivers` */
    ter_guide_bend bend;
} guide_line_cell;

/** A place at which water ends without an outlet. */
typedef struct guide_pixel_end {
    int64_t x, y; /* lattice steps */
    float depth;  /* m; from the lowest way out down to the place */
} guide_pixel_end;

enum { GUIDE_CELLS_MAX = 1 << 23 };

typedef struct guide_making {
    const ter_guide *guide;
    ter_fluvial
        f; /* parameters of the world. f.guide is `tables` once they have fields; f.guide_level is set with the nodes */
    ter_team *team;
    const struct ter_fluvial_kernels *kernels;
    ter_cancel cancel;
    int level;        /* of the guide */
    int64_t cell;     /* lattice steps; width of its cells */
    float rim;        /* lattice steps */
    float rough;      /* ter_guide_fields.rough */
    float jitter;     /* random part of the heights of nodes, as a share of the rise of hillsides */
    int64_t point;    /* lattice steps between points */
    float reach;      /* lattice steps; slopes are central differences of points this far away to each side */
    int reach_points; /* the same in points */
    guide_raster raster;
    guide_raster beside[TER_GUIDE_RASTER_COUNT]; /* prepared rasters; z is NULL where the guide has none */
    bool has_rasters;                            /* whether the guide has one of the first GUIDE_SUMMED rasters */
    ter_window at;                               /* cells of the tables */
    guide_sums *sums;                            /* of `at` */
    guide_raster_sums *raster_sums;              /* of `at`; NULL without rasters */
    guide_line_cell *line_cells;                 /* of all lines, each from its upper to its lower end; or NULL */
    size_t n_line_cells;
    guide_pixel_end *pixel_ends; /* or NULL */
    size_t n_pixel_ends, room_pixel_ends;
    guide_raster full; /* the guide with all of its pixels; z is NULL if `raster` has them all */
    bool has_detail;   /* the land keeps the guide's own detail, because its pixels are finer than the network */
    bool has_thalwegs; /* rivers of the guide's pixels become lines */
    ter_guide_tables *tables;
} guide_making;

static inline size_t guide_cell_count(const guide_making *m)
{
    return (size_t)m->at.width * (size_t)m->at.height;
}

/** The guide with all of its pixels. */
static inline const guide_raster *guide_pixels(const guide_making *m)
{
    return m->full.z ? &m->full : &m->raster;
}

static inline ter_guide_cell *guide_cells(const guide_making *m)
{
    return (ter_guide_cell *)ter_guide_cells(m->tables);
}

static inline ter_status guide_no_memory(const guide_making *m)
{
    return ter_fail(TER_ENOMEM, "no memory for the tables of a guide of %lld x %lld cells", (long long)m->at.width,
                    (long long)m->at.height);
}

#endif
