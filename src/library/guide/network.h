/* network.h - the drainage of a guide's cells while it is made.
 *
 * An active cell gets a node from the guide. A fixed cell lies beside active ones, and keeps the node that it has
 * without the guide. Steps: guide_network_begin, guide_force_lines, guide_take_ends, guide_find_outlets,
 * guide_network_open, guide_flood, guide_direct, guide_sum_areas, and then, as often as heights are corrected,
 * guide_level.
 */
#ifndef TERRANE_GUIDE_NETWORK_H
#define TERRANE_GUIDE_NETWORK_H

#include "library/guide/making.h"
#include "library/guide/plain.h"

enum {
    GUIDE_ACTIVE = 1,
    GUIDE_FIXED = 2,
    GUIDE_RETURNS = 4, /* a fixed cell whose water comes back into the guide; no outlet */
    GUIDE_SET = 8,     /* `to` is known */
    GUIDE_LINE = 16,   /* `to` follows the line of a river */
    GUIDE_END = 32     /* water ends here, without an outlet */
};

/** Where the water of a basin without an outlet ends. */
typedef struct guide_end {
    uint32_t cell;
    float depth; /* m; from the lowest way out down to the cell */
} guide_end;

typedef struct guide_network {
    guide_making *m;
    guide_plain *plain;
    int width, height;
    size_t count;     /* cells */
    ptrdiff_t off[8]; /* from a cell to its neighbour in a direction */
    float step;       /* m; least fall along an edge */
    unsigned char *state;
    float *z;       /* m; of nodes; of fixed cells at least the level of their lake */
    float *wish;    /* m; heights that nodes should have */
    float *correct; /* m; what rounds of correction add to `wish` */
    float *limit;   /* m; active: z is at most this; fixed: rivers may cut the cell down to this */
    float *scratch;
    float *line_area; /* cells of level 8; area of cells on lines that were given, -1 elsewhere; NULL without lines */
    float *line_z;    /* m; of cells on rivers of the guide's own pixels, not a number elsewhere; NULL without lines */
    uint8_t *to;      /* directions, or TER_SINK */
    int8_t *parent;   /* direction of the cell from which the flood came */
    int32_t *sill;    /* for a cell of a lake, the cell over which the lake spills; else -1 */
    uint32_t *order;  /* active cells, each before those that drain to it */
    size_t n_active, n_lakes;
    guide_end *ends;
    size_t n_ends;
    int finer; /* number of finer levels that guide_correct makes */
} guide_network;

/** Allocate, find active and fixed cells, and set places and heights of nodes.
 *
 *  Errors  TER_ENOMEM, TER_ECANCELLED
 */
ter_status guide_network_begin(guide_making *m, guide_network *n);

void guide_network_free(guide_network *n);

/** Set `wish` of all active cells anew, from the guide and from `correct`. */
void guide_network_wish(guide_network *n);

/** Lower `z` in the rim to the guide's own heights, and at outlets as far as rivers may cut them down, so that higher
 * land around does not change the directions of the guide's rivers. Outlets must have been found. `wish` does not
 * change. */
void guide_network_open(guide_network *n);

static inline bool guide_is_active(const guide_network *n, size_t k)
{
    return n->state[k] & GUIDE_ACTIVE;
}

static inline bool guide_is_fixed(const guide_network *n, size_t k)
{
    return n->state[k] & GUIDE_FIXED;
}

/** Whether the water of a cell follows the line of a river. */
static inline bool guide_is_on_line(const guide_network *n, size_t k)
{
    return n->state[k] & GUIDE_LINE;
}

static inline bool guide_is_lake(const guide_network *n, size_t k)
{
    return n->sill[k] >= 0;
}

/** Whether a diagonal edge would cross an edge that is set. */
static inline bool guide_crosses(const guide_network *n, size_t k, int d)
{
    if (!(d & 1))
        return false;
    const int dx = ter_direction_x(d), dy = ter_direction_y(d);
    const size_t beside = k + (size_t)(ptrdiff_t)dx, below = k + (size_t)((ptrdiff_t)dy * n->width);
    /* The crossing edge runs between the two cells beside the diagonal, one way or the other. */
    for (int side = 0; side < 2; side++) {
        const size_t at = side ? below : beside;
        const int to = n->to[at];
        if ((n->state[at] & GUIDE_SET) && to != TER_SINK && ter_direction_x(to) == (side ? dx : -dx) &&
            ter_direction_y(to) == (side ? -dy : dy))
            return true;
    }
    return false;
}

#endif
