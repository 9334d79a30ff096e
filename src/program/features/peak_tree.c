/* peak_tree.c - a triplet merge tree. Each sample u has a link (s, v): going down from u, the first higher ground is
 * reached at saddle s, and v is the highest sample that is then connected. The links stay right when connections are
 * added in any order. After each row, samples that no sample of the row leads to are complete, and leave the tree.
 *
 * Source  Smirnov, Morozov, "Triplet Merge Trees", 2017 */
#include "program/features/peak_tree.h"

#include <stdlib.h>

#include "library/core/grow.h"

/** A sample in the order of heights. */
typedef struct rank {
    float height;
    int64_t at; /* -1: lower than all samples */
} rank;

typedef struct node {
    rank sample;
    rank saddle;   /* lower than all samples: a root */
    int32_t above; /* node that is connected at the saddle; a root has itself */
    rank edge;     /* the highest place from which the sample can be reached without going lower, and which has a way
                      to the edge of the samples that does not lead lower */
    bool is_open;
} node;

/** A complete peak, for sorting. */
typedef struct complete_peak {
    rank saddle, sample;
    int32_t node;
} complete_peak;

struct peak_tree {
    int width;
    int64_t height, row; /* the next one */
    float sea;
    peak_visit visit;
    void *user;
    node *nodes;
    size_t n_nodes, nodes_room;
    int32_t *unused; /* nodes that have left the tree */
    size_t n_unused, unused_room;
    int32_t *live; /* nodes of the tree */
    size_t n_live, live_room;
    int32_t *rows[2]; /* nodes of the row that is added and of the one before it; -1: none */
    complete_peak *complete;
    size_t n_complete, complete_room;
};

static const rank LOWEST = {0.0f, -1};

static bool is_higher(rank a, rank b)
{
    if (a.at < 0 || b.at < 0)
        return a.at >= 0 && b.at < 0;
    return a.height != b.height ? a.height > b.height : a.at < b.at;
}

static rank higher_of(rank a, rank b)
{
    return is_higher(a, b) ? a : b;
}

static rank lower_of(rank a, rank b)
{
    return is_higher(a, b) ? b : a;
}

/* ---- links ---- */

/** The highest node that is connected to node u without going below a level. */
static int32_t top_of(const peak_tree *t, int32_t u, rank level)
{
    while (t->nodes[u].above != u && !is_higher(level, t->nodes[u].saddle))
        u = t->nodes[u].above;
    return u;
}

/** Connect two nodes at a saddle. */
static void connect(peak_tree *t, int32_t u, rank saddle, int32_t v)
{
    for (;;) {
        u = top_of(t, u, saddle);
        v = top_of(t, v, saddle);
        if (u == v)
            return;
        const bool swaps = is_higher(t->nodes[u].sample, t->nodes[v].sample);
        const int32_t low = swaps ? v : u, high = swaps ? u : v;
        node *n = &t->nodes[low];
        const rank old_saddle = n->saddle;
        const int32_t old_above = n->above;
        n->saddle = saddle;
        n->above = high;
        if (old_above == low)
            return;
        u = high;
        saddle = old_saddle;
        v = old_above;
    }
}

/* ---- nodes ---- */

/** Add a node to the tree; -1 when there is no memory. */
static int32_t add_node(peak_tree *t, rank sample, bool is_at_edge)
{
    int32_t *live = ter_grow(t->live, &t->live_room, t->n_live + 1, sizeof *live);
    t->live = live ? live : t->live;
    if (t->n_unused == 0) {
        node *nodes = ter_grow(t->nodes, &t->nodes_room, t->n_nodes + 1, sizeof *nodes);
        int32_t *unused = ter_grow(t->unused, &t->unused_room, t->n_nodes + 1, sizeof *unused);
        t->nodes = nodes ? nodes : t->nodes;
        t->unused = unused ? unused : t->unused;
        if (!nodes || !unused)
            return -1;
        t->unused[t->n_unused++] = (int32_t)t->n_nodes++;
    }
    if (!live)
        return -1;
    const int32_t n = t->unused[--t->n_unused];
    t->nodes[n] = (node){sample, LOWEST, n, is_at_edge ? sample : LOWEST, false};
    t->live[t->n_live++] = n;
    return n;
}

static bool is_peak(const node *n)
{
    return n->saddle.at != n->sample.at;
}

/** Tell the node above a complete node how it reaches the edge. */
static void pass_edge(peak_tree *t, int32_t u)
{
    const node *n = &t->nodes[u];
    node *above = &t->nodes[n->above];
    above->edge = higher_of(above->edge, lower_of(n->edge, n->saddle));
}

static result visit_node(const peak_tree *t, int32_t u)
{
    const node *n = &t->nodes[u];
    const peak found = {.height = n->sample.height,
                        .at = n->sample.at,
                        .has_saddle = n->saddle.at >= 0,
                        .saddle_m = n->saddle.height,
                        .saddle = n->saddle.at,
                        .is_cut = is_higher(n->edge, n->saddle)};
    return t->visit(t->user, &found);
}

/* ---- complete nodes ---- */

static int from_the_highest(const void *a, const void *b)
{
    const complete_peak *u = a, *v = b;
    if (is_higher(u->saddle, v->saddle) || is_higher(v->saddle, u->saddle))
        return is_higher(u->saddle, v->saddle) ? -1 : 1;
    return is_higher(u->sample, v->sample) ? -1 : is_higher(v->sample, u->sample);
}

/** Mark the nodes that are connected to a sample of the last row above their saddle. */
static void mark_open(peak_tree *t)
{
    for (size_t n = 0; n < t->n_live; n++) {
        node *u = &t->nodes[t->live[n]];
        u->is_open = false;
        u->above = u->saddle.at < 0 ? u->above : top_of(t, u->above, u->saddle);
    }
    for (int n = 0; n < t->width && t->row < t->height; n++)
        for (int32_t u = t->rows[0][n]; u >= 0 && !t->nodes[u].is_open; u = t->nodes[u].above)
            t->nodes[u].is_open = true;
}

/** Take all complete nodes out of the tree, and list the peaks among them. */
static bool take_complete(peak_tree *t)
{
    size_t left = 0;
    complete_peak *list = ter_grow(t->complete, &t->complete_room, t->n_live, sizeof *list);
    if (!list)
        return false;
    t->complete = list;
    t->n_complete = 0;
    for (size_t k = 0; k < t->n_live; k++) {
        const int32_t u = t->live[k];
        const node *n = &t->nodes[u];
        if (n->is_open) {
            t->live[left++] = u;
            continue;
        }
        if (is_peak(n))
            list[t->n_complete++] = (complete_peak){n->saddle, n->sample, u};
        else
            pass_edge(t, u);
        t->unused[t->n_unused++] = u;
    }
    t->n_live = left;
    qsort(list, t->n_complete, sizeof *list, from_the_highest);
    return true;
}

static result visit_complete(peak_tree *t)
{
    result res = result_done();
    mark_open(t);
    if (!take_complete(t))
        return result_of(RESULT_FAILED, "out of memory");
    for (size_t k = 0; k < t->n_complete && res.kind == RESULT_DONE; k++) {
        const int32_t u = t->complete[k].node;
        res = visit_node(t, u);
        if (t->nodes[u].saddle.at >= 0)
            pass_edge(t, u);
    }
    return res;
}

/* ---- rows ---- */

/** Connect a sample to its neighbours that are there already. */
static void connect_sample(peak_tree *t, int column)
{
    const int32_t u = t->rows[0][column];
    const int32_t west = column > 0 ? t->rows[0][column - 1] : -1;
    for (int n = -1; n < 3; n++) {
        const int x = column + n - 1;
        const int32_t v = n < 0 ? west : x >= 0 && x < t->width && t->row > 0 ? t->rows[1][x] : -1;
        if (v >= 0)
            connect(t, u, lower_of(t->nodes[u].sample, t->nodes[v].sample), v);
    }
}

result peak_tree_add(peak_tree *t, const float *row)
{
    int32_t *before = t->rows[0];
    t->rows[0] = t->rows[1];
    t->rows[1] = before;
    for (int n = 0; n < t->width; n++) {
        const rank sample = {row[n], t->row * t->width + n};
        const bool is_at_edge = n == 0 || n == t->width - 1 || t->row == 0 || t->row == t->height - 1;
        t->rows[0][n] = -1;
        if (!(row[n] > t->sea))
            continue;
        t->rows[0][n] = add_node(t, sample, is_at_edge);
        if (t->rows[0][n] < 0)
            return result_of(RESULT_FAILED, "out of memory");
        connect_sample(t, n);
    }
    t->row++;
    return visit_complete(t);
}

peak_tree *peak_tree_create(int width, int64_t height, float sea, peak_visit visit, void *user)
{
    peak_tree *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    *t = (peak_tree){.width = width, .height = height, .sea = sea, .visit = visit, .user = user};
    for (int n = 0; n < 2; n++)
        t->rows[n] = malloc((size_t)width * sizeof *t->rows[n]);
    if (t->rows[0] && t->rows[1])
        return t;
    peak_tree_destroy(t);
    return NULL;
}

void peak_tree_destroy(peak_tree *t)
{
    if (!t)
        return;
    free(t->nodes);
    free(t->unused);
    free(t->live);
    free(t->rows[0]);
    free(t->rows[1]);
    free(t->complete);
    free(t);
}
