/* triangulation.c - triangulates the grid's edges first; then makes the sample that is farthest from its triangle a
 * vertex, until no sample is too far.
 *
 * Each edge between two triangles consists of two half-edges. Half-edge 3 t + e belongs to triangle t and goes from
 * corners[3 t + e] to the triangle's next corner; twins[3 t + e] is the half-edge of the triangle on the other side. */
#include "program/export/mesh/triangulation.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "program/export/mesh/triangle_error.h"
#include "program/export/mesh/triangulation_edges.h"

#define NONE    UINT32_MAX       /* as a twin: the grid ends here; as a triangle's place in the queue: not in it */
#define LATER   (UINT32_MAX - 1) /* as a twin: the triangle on the other side, which is added next, sets it */
#define CHANGED (UINT32_MAX - 1) /* as a triangle's place in the queue: its candidate must be found first */

typedef struct builder {
    const height_grid *grid;
    double max_error_m;
    triangulation *mesh;
    uint32_t vertices_max, triangles_max;
    uint32_t *twins;     /* for each half-edge */
    uint32_t *candidate; /* for each triangle: place of the sample that is farthest from it */
    float *error;        /* for each triangle: distance of its candidate, metres */
    uint32_t *queue_at;  /* for each triangle: its place in the queue, NONE or CHANGED */
    uint32_t *queue, n_queue;
    uint32_t *changed, n_changed;        /* triangles whose candidates must be found */
    uint32_t *flips, n_flips, flips_max; /* half-edges to check for a flip */
    uint32_t *outer; /* for each vertex on the grid's edges: the half-edge along the grid's edge that begins there */
    uint32_t n_outer;
    bool lacks_memory;
    const work_progress *progress;
    double work; /* work done since the last call of the progress, counted in visited samples */
    bool is_interrupted;
} builder;

/* ---- memory ---- */

static void *grow(builder *b, void *memory, size_t count, size_t size)
{
    void *larger = realloc(memory, count * size);
    if (larger)
        return larger;
    b->lacks_memory = true;
    return memory;
}

static void reserve_vertices(builder *b)
{
    if (b->mesh->n_vertices < b->vertices_max)
        return;
    b->vertices_max = b->vertices_max ? 2 * b->vertices_max : 4096;
    b->mesh->places = grow(b, b->mesh->places, b->vertices_max, sizeof *b->mesh->places);
}

static void reserve_triangles(builder *b, uint32_t needed)
{
    if (needed <= b->triangles_max)
        return;
    const size_t count = b->triangles_max ? 2 * (size_t)b->triangles_max : 8192;
    b->mesh->corners = grow(b, b->mesh->corners, 3 * count, sizeof *b->mesh->corners);
    b->twins = grow(b, b->twins, 3 * count, sizeof *b->twins);
    b->candidate = grow(b, b->candidate, count, sizeof *b->candidate);
    b->error = grow(b, b->error, count, sizeof *b->error);
    b->queue_at = grow(b, b->queue_at, count, sizeof *b->queue_at);
    b->queue = grow(b, b->queue, count, sizeof *b->queue);
    b->changed = grow(b, b->changed, count, sizeof *b->changed);
    b->triangles_max = (uint32_t)count;
}

/** Reserve memory for a vertex and the triangles around it. Returns false if there is no memory. */
static bool reserve(builder *b)
{
    enum { VERTEX_TRIANGLES = 4 };
    reserve_vertices(b);
    reserve_triangles(b, b->mesh->n_triangles + VERTEX_TRIANGLES);
    return !b->lacks_memory;
}

/* ---- the queue: a binary heap with the largest error first ---- */

static bool comes_before(const builder *b, uint32_t s, uint32_t t)
{
    const float first = b->error[s], second = b->error[t];
    return first > second || (first == second && s < t);
}

static void put(builder *b, uint32_t at, uint32_t t)
{
    b->queue[at] = t;
    b->queue_at[t] = at;
}

static void sift_up(builder *b, uint32_t at)
{
    const uint32_t t = b->queue[at];
    for (; at > 0 && comes_before(b, t, b->queue[(at - 1) / 2]); at = (at - 1) / 2)
        put(b, at, b->queue[(at - 1) / 2]);
    put(b, at, t);
}

static void sift_down(builder *b, uint32_t at)
{
    const uint32_t t = b->queue[at];
    for (uint32_t child; (child = 2 * at + 1) < b->n_queue; at = child) {
        if (child + 1 < b->n_queue && comes_before(b, b->queue[child + 1], b->queue[child]))
            child++;
        if (!comes_before(b, b->queue[child], t))
            break;
        put(b, at, b->queue[child]);
    }
    put(b, at, t);
}

static void queue_add(builder *b, uint32_t t)
{
    put(b, b->n_queue, t);
    sift_up(b, b->n_queue++);
}

/** Remove a triangle from the queue, if the queue contains it. */
static void queue_remove(builder *b, uint32_t t)
{
    const uint32_t at = b->queue_at[t];
    if (at == NONE || at == CHANGED)
        return;
    b->queue_at[t] = NONE;
    b->n_queue--;
    if (at == b->n_queue)
        return;
    const uint32_t last = b->queue[b->n_queue];
    put(b, at, last);
    sift_up(b, at);
    sift_down(b, b->queue_at[last]);
}

/* ---- places of vertices ---- */

static grid_point point_at(const builder *b, uint32_t place)
{
    return (grid_point){place % (uint32_t)b->grid->width, place / (uint32_t)b->grid->width};
}

static grid_point point_of(const builder *b, uint32_t vertex)
{
    return point_at(b, b->mesh->places[vertex]);
}

/* ---- candidates ---- */

/** Estimate the share of the work that is done, as the larger of two estimates: the share of all samples that are
 * vertices, and the allowed error divided by the largest error. The second one assumes that the number of vertices is
 * proportional to 1 / error. */
static double share_done(const builder *b)
{
    const double all = (double)b->grid->width * (double)b->grid->height;
    const double of_error = b->n_queue > 0 ? b->max_error_m / (double)b->error[b->queue[0]] : 0.0;
    return fmax((double)b->mesh->n_vertices / all, of_error);
}

/** Count work, and call the progress every few tenths of a second. */
static void count_work(builder *b, double samples)
{
    static const double PULSE_WORK = 4e6; /* visited samples between two calls */
    b->work += samples;
    if (b->work < PULSE_WORK)
        return;
    b->work = 0.0;
    b->is_interrupted |= !work_progress_goes_on(b->progress, "triangles", share_done(b));
}

/** Work for finding a triangle's candidate, counted in visited samples: its samples, and an overhead for each row and
 * for the triangle. */
static double triangle_work(const grid_point p[3])
{
    static const double ROW = 8.0, TRIANGLE = 100.0;
    const double area = 0.5 * fabs(((double)p[1].x - (double)p[0].x) * ((double)p[2].y - (double)p[0].y) -
                                   ((double)p[2].x - (double)p[0].x) * ((double)p[1].y - (double)p[0].y));
    const double top = fmin(fmin((double)p[0].y, (double)p[1].y), (double)p[2].y),
                 bottom = fmax(fmax((double)p[0].y, (double)p[1].y), (double)p[2].y);
    return area + ROW * (bottom - top) + TRIANGLE;
}

/** Find a triangle's candidate, and put the triangle into the queue if the candidate is too far from it. */
static void find_candidate(builder *b, uint32_t t)
{
    const uint32_t *corner = b->mesh->corners + (size_t)t * 3;
    const grid_point p[3] = {point_of(b, corner[0]), point_of(b, corner[1]), point_of(b, corner[2])};
    const double greatest = triangle_farthest(b->grid, p, &b->candidate[t]);
    count_work(b, triangle_work(p));
    b->error[t] = (float)greatest;
    if (greatest > b->max_error_m)
        queue_add(b, t);
}

static void find_candidates(builder *b)
{
    for (uint32_t n = 0; n < b->n_changed && !b->is_interrupted; n++) {
        b->queue_at[b->changed[n]] = NONE;
        find_candidate(b, b->changed[n]);
    }
    b->n_changed = 0;
}

/* ---- triangles ---- */

static uint32_t add_vertex(builder *b, uint32_t place)
{
    b->mesh->places[b->mesh->n_vertices] = place;
    return b->mesh->n_vertices++;
}

/** The corners of a triangle, and the twins of its half-edges: NONE where the grid ends; LATER where the triangle on
 * the other side is added next and sets both. */
typedef struct new_triangle {
    uint32_t corners[3], twins[3];
} new_triangle;

/** Replace triangle t, or add a triangle if t is NONE. Returns its first half-edge. */
static uint32_t add_triangle(builder *b, uint32_t t, const new_triangle *new)
{
    if (t == NONE) {
        t = b->mesh->n_triangles++;
        b->queue_at[t] = NONE;
    }
    const uint32_t first = 3 * t;
    for (uint32_t n = 0; n < 3; n++) {
        const uint32_t twin = new->twins[n];
        b->mesh->corners[first + n] = new->corners[n];
        b->twins[first + n] = twin == LATER ? NONE : twin;
        if (twin == NONE && new->corners[n] < b->n_outer)
            b->outer[new->corners[n]] = first + n;
        else if (twin != NONE && twin != LATER)
            b->twins[twin] = first + n;
    }
    if (b->queue_at[t] != CHANGED)
        b->changed[b->n_changed++] = t;
    b->queue_at[t] = CHANGED;
    return first;
}

static void push_flip(builder *b, uint32_t half_edge)
{
    if (b->n_flips == b->flips_max) {
        b->flips = grow(b, b->flips, 2 * (size_t)b->flips_max + 64, sizeof *b->flips);
        if (b->lacks_memory)
            return;
        b->flips_max = 2 * b->flips_max + 64;
    }
    b->flips[b->n_flips++] = half_edge;
}

static uint32_t next(uint32_t half_edge)
{
    return half_edge % 3 == 2 ? half_edge - 2 : half_edge + 1;
}

static uint32_t previous(uint32_t half_edge)
{
    return half_edge % 3 == 0 ? half_edge + 2 : half_edge - 1;
}

/** Flip an edge if its two triangles violate the Delaunay condition, and then check the two edges that meet at `far`.
 * The new vertex is opposite to the edge.
 *
 *            l                        l
 *          / ^ \                    /   \
 *    new  /  |  \  far   =>    new  ----->  far
 *         \  |  /                   \   /
 *          \ | /                      \/
 *            r                        r
 */
static void flip_if_needed(builder *b, uint32_t edge)
{
    const uint32_t twin = b->twins[edge], *corners = b->mesh->corners;
    if (twin == NONE)
        return;
    const uint32_t r = corners[edge], l = corners[next(edge)], vertex = corners[previous(edge)],
                   far = corners[previous(twin)];
    if (!is_in_circle(point_of(b, vertex), point_of(b, r), point_of(b, l), point_of(b, far)))
        return;
    const uint32_t at_l = b->twins[next(edge)], at_r = b->twins[previous(edge)], far_r = b->twins[next(twin)],
                   far_l = b->twins[previous(twin)];
    queue_remove(b, edge / 3);
    queue_remove(b, twin / 3);
    const uint32_t left = add_triangle(b, edge / 3, &(new_triangle){{vertex, far, l}, {LATER, far_l, at_l}});
    const uint32_t right = add_triangle(b, twin / 3, &(new_triangle){{far, vertex, r}, {left, at_r, far_r}});
    push_flip(b, left + 1);
    push_flip(b, right + 2);
}

static void flip_all(builder *b)
{
    while (b->n_flips > 0 && !b->lacks_memory)
        flip_if_needed(b, b->flips[--b->n_flips]);
    b->n_flips = 0;
}

/* ---- vertices ---- */

/** Split a triangle into three around a vertex in it. */
static void split_triangle(builder *b, uint32_t t, uint32_t vertex)
{
    const uint32_t *c = b->mesh->corners + (size_t)t * 3, p = c[0], q = c[1], r = c[2];
    const uint32_t pq = b->twins[3 * t], qr = b->twins[3 * t + 1], rp = b->twins[3 * t + 2];
    const uint32_t first = add_triangle(b, t, &(new_triangle){{p, q, vertex}, {pq, LATER, LATER}});
    const uint32_t second = add_triangle(b, NONE, &(new_triangle){{q, r, vertex}, {qr, LATER, first + 1}});
    const uint32_t third = add_triangle(b, NONE, &(new_triangle){{r, p, vertex}, {rp, first + 2, second + 1}});
    push_flip(b, first);
    push_flip(b, second);
    push_flip(b, third);
}

/** Split an edge at a vertex that lies on it, and the one or two triangles beside the edge. */
static void split_edge(builder *b, uint32_t edge, uint32_t vertex)
{
    const uint32_t *corners = b->mesh->corners, twin = b->twins[edge];
    const uint32_t r = corners[edge], l = corners[next(edge)], apex = corners[previous(edge)];
    const uint32_t at_l = b->twins[next(edge)], at_r = b->twins[previous(edge)], t = edge / 3;
    if (twin == NONE) {
        const uint32_t right = add_triangle(b, t, &(new_triangle){{apex, r, vertex}, {at_r, NONE, LATER}});
        const uint32_t left = add_triangle(b, NONE, &(new_triangle){{l, apex, vertex}, {at_l, right + 2, NONE}});
        push_flip(b, right);
        push_flip(b, left);
        return;
    }
    const uint32_t far = corners[previous(twin)], far_r = b->twins[next(twin)], far_l = b->twins[previous(twin)];
    queue_remove(b, twin / 3);
    const uint32_t first = add_triangle(b, t, &(new_triangle){{apex, r, vertex}, {at_r, LATER, LATER}});
    const uint32_t second = add_triangle(b, twin / 3, &(new_triangle){{r, far, vertex}, {far_r, LATER, first + 1}});
    const uint32_t third = add_triangle(b, NONE, &(new_triangle){{far, l, vertex}, {far_l, LATER, second + 1}});
    const uint32_t fourth = add_triangle(b, NONE, &(new_triangle){{l, apex, vertex}, {at_l, first + 2, third + 1}});
    push_flip(b, first);
    push_flip(b, second);
    push_flip(b, third);
    push_flip(b, fourth);
}

/** Make a triangle's candidate a vertex. */
static void insert_candidate(builder *b, uint32_t t)
{
    const grid_point at = point_at(b, b->candidate[t]);
    queue_remove(b, t);
    const uint32_t vertex = add_vertex(b, b->candidate[t]);
    for (uint32_t edge = 3 * t; edge < 3 * t + 3; edge++)
        if (side_of(point_of(b, b->mesh->corners[edge]), point_of(b, b->mesh->corners[next(edge)]), at) == 0) {
            split_edge(b, edge, vertex);
            flip_all(b);
            return;
        }
    split_triangle(b, t, vertex);
    flip_all(b);
}

/* ---- the grid's edges ---- */

/** Make two triangles between the grid's corners. Vertices 0 to 3 are the corners, clockwise like the border. */
static void add_corners(builder *b)
{
    const uint32_t w = (uint32_t)b->grid->width, h = (uint32_t)b->grid->height;
    add_vertex(b, 0);
    add_vertex(b, w - 1);
    add_vertex(b, w * h - 1);
    add_vertex(b, w * (h - 1));
    const uint32_t first = add_triangle(b, NONE, &(new_triangle){{2, 0, 3}, {LATER, NONE, NONE}});
    add_triangle(b, NONE, &(new_triangle){{0, 2, 1}, {first, NONE, NONE}});
}

/** Add the vertices of a side, from its last to its first. Half-edges go round the grid counter-clockwise, so the
 * half-edge that begins at the side's last corner is split. */
static void add_side(builder *b, int side, const uint32_t *places, uint32_t count)
{
    uint32_t from = (uint32_t)(side + 1) % 4;
    static const double VERTEX_WORK = 2000.0; /* in visited samples: a vertex on the grid's edge causes many flips */
    for (uint32_t n = count; n-- > 0 && !b->is_interrupted && reserve(b);) {
        const uint32_t vertex = add_vertex(b, places[n]);
        split_edge(b, b->outer[from], vertex);
        flip_all(b);
        count_work(b, VERTEX_WORK);
        from = vertex;
    }
}

/** List the border: for each side its first corner, then its vertices. */
static void list_border(builder *b, const uint32_t counts[4])
{
    triangulation *m = b->mesh;
    uint32_t vertex = 4;
    m->n_border = 0;
    for (uint32_t side = 0; side < 4; side++) {
        m->sides[side] = m->n_border;
        m->border[m->n_border++] = side;
        for (uint32_t n = 0; n < counts[side]; n++) /* add_side has added them in reverse order */
            m->border[m->n_border++] = vertex + counts[side] - 1 - n;
        vertex += counts[side];
    }
    m->sides[4] = m->n_border;
}

static result add_edges(builder *b)
{
    uint32_t *places[4] = {NULL}, counts[4] = {0}, n_border = 4;
    result res = result_done();
    for (int side = 0; side < 4 && res.kind == RESULT_DONE; side++) {
        res = triangulation_edge(b->grid, side, b->max_error_m, &places[side], &counts[side]);
        n_border += counts[side];
    }
    b->outer = malloc(n_border * sizeof *b->outer);
    b->mesh->border = malloc(n_border * sizeof *b->mesh->border);
    b->n_outer = n_border;
    b->lacks_memory |= !b->outer || !b->mesh->border;
    if (res.kind == RESULT_DONE && reserve(b))
        add_corners(b);
    for (int side = 0; side < 4 && res.kind == RESULT_DONE && !b->lacks_memory && !b->is_interrupted; side++)
        add_side(b, side, places[side], counts[side]);
    if (res.kind == RESULT_DONE && !b->lacks_memory && !b->is_interrupted)
        list_border(b, counts);
    for (int side = 0; side < 4; side++)
        free(places[side]);
    return res;
}

/* ---- all ---- */

result triangulation_make(const height_grid *grid, double max_error_m, const work_progress *progress,
                          triangulation *out)
{
    *out = (triangulation){0};
    builder b = {.grid = grid, .max_error_m = max_error_m, .progress = progress, .mesh = out};
    result res = add_edges(&b);
    if (res.kind == RESULT_DONE && !b.lacks_memory && !b.is_interrupted)
        find_candidates(&b);
    while (res.kind == RESULT_DONE && b.n_queue > 0 && !b.is_interrupted && reserve(&b)) {
        insert_candidate(&b, b.queue[0]);
        find_candidates(&b);
    }
    if (b.is_interrupted)
        res = result_of(RESULT_INTERRUPTED, "interrupted");
    if (b.lacks_memory)
        res = result_of(RESULT_FAILED, "no memory for the triangles of %d x %d samples", grid->width, grid->height);
    free(b.twins);
    free(b.candidate);
    free(b.error);
    free(b.queue_at);
    free(b.queue);
    free(b.changed);
    free(b.flips);
    free(b.outer);
    return res;
}

void triangulation_free(triangulation *t)
{
    free(t->places);
    free(t->corners);
    free(t->border);
    *t = (triangulation){0};
}
