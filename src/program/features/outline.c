/* outline.c - tells outer lines from holes by the samples beside them, gives holes to the first outer line around them
 * that is complete, and closes lines along the edge of the samples.
 *
 * A place on the edge is its distance clockwise from the north-west corner, in samples. A sample lies at every n + 0.5.
 * The ends of lines divide the edge into land (#) and sea (.):
 *
 *     0 ....a####b.......c###d..
 *
 * A ring leads along the land from a to b, then along the line that begins at b, to the place where that line ends.
 */
#include "program/features/outline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "library/core/grow.h"

/** The lines that are not in a complete polygon yet. */
typedef struct outline {
    const trace_source *source;
    double level;
    trace_polygon visit;
    void *user;
    vector_ring *lines; /* that begin and end at the edge */
    size_t n_lines, lines_room;
    vector_ring *holes;
    size_t n_holes, holes_room;
} outline;

static result out_of_memory(void)
{
    return result_of(RESULT_FAILED, "out of memory");
}

/** Whether a sample lies above the level. GDAL counts samples at the level as above. The nearest sample is taken. */
static result is_above(const outline *o, double column, double row, bool *above)
{
    const trace_raster raster = o->source->raster;
    const float *samples = NULL;
    const int i = (int)fmin(fmax(column, 0.0), raster.width - 1.0);
    const int j = (int)fmin(fmax(row, 0.0), raster.height - 1.0);
    const result res = o->source->row(o->source->user, j, &samples);
    *above = res.kind == RESULT_DONE && (double)samples[i] >= o->level;
    return res;
}

/** A ring with a copy of points; free them. They are NULL when there is no memory. */
static vector_ring copy_of(const double *points, size_t n_points)
{
    const vector_ring ring = {malloc(3 * n_points * sizeof *points), n_points, false};
    if (ring.points)
        memcpy(ring.points, points, 3 * n_points * sizeof *points);
    return ring;
}

/** Add a ring to a list, which takes it over. */
static result add_ring(vector_ring **rings, size_t *count, size_t *room, vector_ring ring)
{
    vector_ring *grown = ring.points ? ter_grow(*rings, room, *count + 1, sizeof *grown) : NULL;
    if (!grown) {
        free(ring.points);
        return out_of_memory();
    }
    *rings = grown;
    grown[(*count)++] = ring;
    return result_done();
}

/* ---- closed lines ---- */

static double signed_area(const vector_ring *r)
{
    const double *p = r->points;
    double area = 0.0;
    for (size_t k = 1; k < r->count; k++)
        area += (p[3 * k - 3] - p[0]) * (p[3 * k + 1] - p[1]) - (p[3 * k] - p[0]) * (p[3 * k - 2] - p[1]);
    return area;
}

/** Whether point k lies between two samples and the line crosses from one side of their connection to the other.
 *
 *  axis  0: the samples lie in a row; 1: in a column
 *  ahead receives 1 if the line leads on with growing coordinates of the other axis, otherwise -1
 */
static bool crosses(const vector_ring *r, size_t k, int axis, double *ahead)
{
    const double *p = r->points + 3 * k, *before = k > 0 ? p - 3 : r->points + 3 * (r->count - 2);
    const int other = 1 - axis;
    const double from = p[other] - before[other], to = p[3 + other] - p[other];
    *ahead = to > 0.0 ? 1.0 : -1.0;
    return p[other] == floor(p[other]) && p[axis] != floor(p[axis]) && from * to > 0.0;
}

/** Whether a closed line is the outer one of what lies above the level. The last point that tells it is taken, because
 * rows near the end of the line were read last. */
static result is_outer(const outline *o, const vector_ring *r, bool *outer)
{
    double ahead = 0.0;
    size_t best = r->count;
    int best_axis = 0;
    for (size_t k = 0; k + 1 < r->count; k++)
        for (int axis = 0; axis < 2; axis++)
            if ((best == r->count || r->points[3 * k + 1] > r->points[3 * best + 1]) && crosses(r, k, axis, &ahead)) {
                best = k;
                best_axis = axis;
            }
    if (best == r->count) /* a line around one sample at the level */
        return is_above(o, rint(r->points[0]), rint(r->points[1]), outer);
    crosses(r, best, best_axis, &ahead);
    /* rows grow to the south, so a line of positive area runs clockwise, and its inside lies to its right */
    const bool inside_grows = (signed_area(r) > 0.0) == ((ahead > 0.0) == (best_axis == 1));
    double at[2] = {r->points[3 * best], r->points[3 * best + 1]};
    at[best_axis] = inside_grows ? ceil(at[best_axis]) : floor(at[best_axis]);
    return is_above(o, at[0], at[1], outer);
}

/* ---- polygons ---- */

/** A hole, by its first point. */
typedef struct hole_point {
    double x, y;
    size_t hole;
    bool is_inside;
} hole_point;

static int by_y(const void *a, const void *b)
{
    const hole_point *u = a, *v = b;
    return u->y < v->y ? -1 : u->y > v->y;
}

/** Index of the first point whose y is not less. */
static size_t first_from(const hole_point *points, size_t count, double y)
{
    size_t low = 0, high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (points[middle].y < y)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/** Mark the points inside a ring: those from which a ray to the east crosses it an odd number of times. */
static void mark_inside(const vector_ring *ring, hole_point *points, size_t count)
{
    for (size_t k = 1; k < ring->count; k++) {
        const double *a = ring->points + 3 * k - 3, *b = a + 3;
        const double low = fmin(a[1], b[1]), high = fmax(a[1], b[1]);
        for (size_t n = first_from(points, count, low); n < count && points[n].y < high; n++)
            if (points[n].x < a[0] + (points[n].y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]))
                points[n].is_inside = !points[n].is_inside;
    }
}

/** List the holes whose first point lies in a ring's rectangle, from north to south. Returns their number. */
static size_t list_holes(const outline *o, const vector_ring *ring, hole_point *points)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    size_t count = 0;
    for (size_t k = 0; k < ring->count; k++)
        for (int axis = 0; axis < 2; axis++) {
            low[axis] = fmin(low[axis], ring->points[3 * k + (size_t)axis]);
            high[axis] = fmax(high[axis], ring->points[3 * k + (size_t)axis]);
        }
    for (size_t n = 0; n < o->n_holes; n++) {
        const double *p = o->holes[n].points;
        if (p[0] >= low[0] && p[0] <= high[0] && p[1] >= low[1] && p[1] <= high[1])
            points[count++] = (hole_point){p[0], p[1], n, false};
    }
    qsort(points, count, sizeof *points, by_y);
    return count;
}

/** Move the holes in an outer ring, rings[0], from the list of holes behind it. Returns the number of rings. */
static size_t take_holes(outline *o, vector_ring *rings, hole_point *points)
{
    const size_t count = list_holes(o, &rings[0], points);
    size_t n_rings = 1, left = 0;
    mark_inside(&rings[0], points, count);
    for (size_t n = 0; n < count; n++)
        if (points[n].is_inside) {
            vector_ring *hole = &o->holes[points[n].hole];
            rings[n_rings] = *hole;
            rings[n_rings++].is_hole = true;
            hole->points = NULL;
        }
    for (size_t n = 0; n < o->n_holes; n++)
        if (o->holes[n].points)
            o->holes[left++] = o->holes[n];
    o->n_holes = left;
    return n_rings;
}

/** Visit a polygon: an outer ring, whose points may be taken over, and the holes in it, which leave the list. */
static result visit_polygon(outline *o, vector_ring *outer)
{
    hole_point *points = malloc((o->n_holes + 1) * sizeof *points);
    vector_ring *rings = malloc((o->n_holes + 1) * sizeof *rings);
    result res = out_of_memory();
    if (points && rings) {
        rings[0] = *outer;
        const size_t n_rings = take_holes(o, rings, points);
        res = o->visit(o->user, 0, rings, n_rings);
        *outer = rings[0];
        for (size_t n = 1; n < n_rings; n++)
            free(rings[n].points);
    }
    free(rings);
    free(points);
    return res;
}

/** A trace_line: add a line. It comes after all lines that it encloses. user: the outline */
static result add_line(void *user, double level, double *points, size_t n_points)
{
    outline *o = user;
    const double *last = points + 3 * (n_points - 1);
    vector_ring ring = copy_of(points, n_points);
    bool is_land = false;
    (void)level;
    if (points[0] != last[0] || points[1] != last[1])
        return add_ring(&o->lines, &o->n_lines, &o->lines_room, ring);
    result res = ring.points ? is_outer(o, &ring, &is_land) : out_of_memory();
    if (res.kind == RESULT_DONE && !is_land)
        return add_ring(&o->holes, &o->n_holes, &o->holes_room, ring);
    if (res.kind == RESULT_DONE)
        res = visit_polygon(o, &ring);
    free(ring.points);
    return res;
}

/* ---- the edge ---- */

/** An end of a line at the edge. */
typedef struct edge_end {
    double s; /* place along the edge */
    size_t line;
    bool is_last;  /* its last point, otherwise its first one */
    bool is_begin; /* of land along the edge, otherwise its end */
    size_t mate;   /* index of the other end of the line */
    bool is_done;  /* the land that begins here is in a polygon */
} edge_end;

/** The place of a point along the edge; -1: it does not lie there. */
static double place_of(trace_raster r, const double *p)
{
    const double x = p[0] + 0.5, y = p[1] + 0.5, width = r.width, height = r.height;
    return y == 0.0      ? x
           : x == width  ? width + y
           : y == height ? 2.0 * width + height - x
           : x == 0.0    ? 2.0 * (width + height) - y
                         : -1.0;
}

static double length_of_edge(const outline *o)
{
    return 2.0 * ((double)o->source->raster.width + (double)o->source->raster.height);
}

static void point_at(trace_raster r, double s, double p[2])
{
    const double width = r.width, height = r.height;
    p[0] = (s <= width ? s : s <= width + height ? width : fmax(2.0 * width + height - s, 0.0)) - 0.5;
    p[1] = (s <= width                  ? 0.0
            : s <= width + height       ? s - width
            : s <= 2.0 * width + height ? height
                                        : 2.0 * (width + height) - s) -
           0.5;
}

static int by_place(const void *a, const void *b)
{
    const edge_end *u = a, *v = b;
    if (u->s != v->s)
        return u->s < v->s ? -1 : 1;
    return u->line < v->line ? -1 : u->line > v->line ? 1 : (int)u->is_last - (int)v->is_last;
}

/** List the ends of all lines along the edge. */
static result list_ends(const outline *o, edge_end *ends)
{
    for (size_t n = 0; n < 2 * o->n_lines; n++) {
        const vector_ring *line = &o->lines[n / 2];
        const bool is_last = n % 2;
        ends[n] = (edge_end){.s = place_of(o->source->raster, line->points + (is_last ? 3 * (line->count - 1) : 0)),
                             .line = n / 2,
                             .is_last = is_last};
        if (ends[n].s < 0.0)
            return result_of(RESULT_FAILED, "an outline ends between samples");
    }
    qsort(ends, 2 * o->n_lines, sizeof *ends, by_place);
    return result_done();
}

/** Find the other ends of lines. first: memory for an index of each line */
static void pair(edge_end *ends, size_t count, size_t *first)
{
    for (size_t n = 0; n < count; n++)
        first[ends[n].line] = count;
    for (size_t n = 0; n < count; n++) {
        size_t *other = &first[ends[n].line];
        if (*other == count) {
            *other = n;
        } else {
            ends[n].mate = *other;
            ends[*other].mate = n;
        }
    }
}

/** Find where land begins: land and sea alternate, and the sample in the middle of the longest part tells which it is.
 */
static result find_begins(const outline *o, edge_end *ends, size_t count)
{
    const double all = length_of_edge(o);
    double longest = -1.0, p[2];
    size_t best = 0;
    bool is_land = false;
    for (size_t n = 0; n < count; n++) {
        const double length = n + 1 < count ? ends[n + 1].s - ends[n].s : ends[0].s + all - ends[n].s;
        best = length > longest ? n : best;
        longest = fmax(length, longest);
    }
    point_at(o->source->raster, fmod(floor(ends[best].s + 0.5 * longest) + 0.5, all), p);
    const result res = is_above(o, rint(p[0]), rint(p[1]), &is_land);
    for (size_t n = 0; n < count; n++)
        ends[n].is_begin = (n % 2 == best % 2) == is_land;
    return res;
}

/** Add points to a ring that grows. */
static bool append(vector_ring *ring, size_t *room, double x, double y, double level)
{
    double *points = ter_grow(ring->points, room, ring->count + 1, 3 * sizeof *points);
    if (!points)
        return false;
    ring->points = points;
    double *p = points + 3 * ring->count++;
    p[0] = x;
    p[1] = y;
    p[2] = level;
    return true;
}

/** Add the edge between two places: a point at every half sample, as GDAL has them. Places go on behind the corner at
 * which they begin. */
static bool append_edge(const outline *o, vector_ring *ring, size_t *room, double from, double to)
{
    const double all = length_of_edge(o);
    bool has_room = true;
    for (double s = 0.5 * (floor(2.0 * from) + 1.0); s < to && has_room; s += 0.5) {
        double p[2];
        point_at(o->source->raster, s < all ? s : s - all, p);
        has_room = append(ring, room, p[0], p[1], o->level);
    }
    return has_room;
}

/** Add a line from one of its ends to the other. */
static bool append_line(const vector_ring *line, bool backwards, vector_ring *ring, size_t *room)
{
    bool has_room = true;
    for (size_t k = 0; k < line->count && has_room; k++) {
        const double *p = line->points + 3 * (backwards ? line->count - 1 - k : k);
        has_room = append(ring, room, p[0], p[1], p[2]);
    }
    return has_room;
}

/** Follow the land from where it begins at the edge around its polygon. */
static result visit_cut(outline *o, edge_end *ends, size_t count, size_t first)
{
    vector_ring ring = {NULL, 0, false};
    size_t room = 0, at = first;
    bool has_room = true;
    result res = result_done();
    do {
        const size_t next = at + 1 < count ? at + 1 : 0;
        const edge_end *end = &ends[next];
        ends[at].is_done = true;
        has_room = append_edge(o, &ring, &room, ends[at].s, next > at ? end->s : end->s + length_of_edge(o)) &&
                   append_line(&o->lines[end->line], end->is_last, &ring, &room);
        at = end->mate;
        if (!ends[at].is_begin || (ends[at].is_done && at != first))
            res = result_of(RESULT_FAILED, "outlines cross at the edge of the samples");
    } while (at != first && has_room && res.kind == RESULT_DONE);
    if (has_room && res.kind == RESULT_DONE)
        has_room = append(&ring, &room, ring.points[0], ring.points[1], o->level);
    if (has_room && res.kind == RESULT_DONE)
        res = visit_polygon(o, &ring);
    free(ring.points);
    return has_room ? res : out_of_memory();
}

/** Visit the polygon of all samples, if no line reaches the edge and what lies there is above the level. */
static result visit_all(outline *o)
{
    const double all = length_of_edge(o);
    vector_ring ring = {NULL, 0, false};
    size_t room = 0;
    bool is_land = false;
    result res = is_above(o, 0.0, 0.0, &is_land);
    if (res.kind != RESULT_DONE || !is_land)
        return res;
    const bool has_room = append(&ring, &room, -0.5, -0.5, o->level) && append_edge(o, &ring, &room, 0.0, all) &&
                          append(&ring, &room, -0.5, -0.5, o->level);
    res = has_room ? visit_polygon(o, &ring) : out_of_memory();
    free(ring.points);
    return res;
}

static result visit_cuts(outline *o, edge_end *ends, size_t *first)
{
    const size_t count = 2 * o->n_lines;
    result res = list_ends(o, ends);
    if (res.kind == RESULT_DONE) {
        pair(ends, count, first);
        res = find_begins(o, ends, count);
    }
    for (size_t n = 0; n < count && res.kind == RESULT_DONE; n++)
        if (ends[n].is_begin && !ends[n].is_done)
            res = visit_cut(o, ends, count, n);
    return res;
}

/** Visit the polygons that the edge cuts. */
static result end_outline(outline *o)
{
    if (o->n_lines == 0)
        return visit_all(o);
    edge_end *ends = malloc(2 * o->n_lines * sizeof *ends);
    size_t *first = malloc(o->n_lines * sizeof *first);
    const result res = ends && first ? visit_cuts(o, ends, first) : out_of_memory();
    free(ends);
    free(first);
    return res;
}

static void free_lines(outline *o)
{
    for (size_t n = 0; n < o->n_lines; n++)
        free(o->lines[n].points);
    for (size_t n = 0; n < o->n_holes; n++)
        free(o->holes[n].points);
    free(o->lines);
    free(o->holes);
}

result outline_trace(const trace_source *source, double level, trace_polygon visit, void *user)
{
    outline o = {.source = source, .level = level, .visit = visit, .user = user};
    result res = trace_level(source, level, add_line, &o);
    if (res.kind == RESULT_DONE)
        res = end_outline(&o);
    free_lines(&o);
    return res;
}
