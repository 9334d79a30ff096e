/* course.h - the course of a channel, which wanders in its floor, and the straight pieces that it is cut into. A piece
 * carries height, slope of its valley's sides, width of its floor, and area.
 *
 * Node P drains to Q, and Q to R. The channel of P begins where the channel of its main inflow ends:
 *
 *      inflow ---g0---P'---g1                  g0 = P + .3 (Q - P)     three pieces: g0 g1, g1 g2, g2 g3
 *                            \ g2              g1 = Q + .3 (P - Q)
 *                              g3---R'         g3 = Q + .3 (R - Q), g2 = .25 (g1 + g3) + .5 Q
 */
#ifndef TERRANE_FLUVIAL_COURSE_H
#define TERRANE_FLUVIAL_COURSE_H

#include "library/fluvial/channel.h"

/** Knot (x, y) of the meanders' octave t. */
TER_PASS_FN void ter_make_meander_knot(const ter_fluvial_job *job, int t, int x, int y)
{
    const ter_window at = job->meander_at[t];
    const ter_words words = ter_tagged_words(job->f.round_key, TER_TAG_MEANDER + t, at.x + x, at.y + y);
    float *out = job->meander[t] + ((size_t)y * (size_t)at.width + (size_t)x) * 2;
    out[0] = ter_symmetric(&words, 0);
    out[1] = ter_symmetric(&words, 1);
}

/** Octave t of the meanders at a place. x, y: units from the corner of the cell; out: 2 numbers */
TER_FN void ter_meander(const ter_fluvial_job *job, int t, int64_t cell_x, int64_t cell_y, float x, float y,
                        float out[2])
{
    ter_spline(job->meander_at[t], job->meander[t], TER_MEANDER_SHIFT - t, 2,
               cell_x * (1 << TER_CELL_SHIFT) + (int64_t)(x * 256.0f),
               cell_y * (1 << TER_CELL_SHIFT) + (int64_t)(y * 256.0f), out);
}

#define TER_WANDER_MOST 64.0f  /* units; a point of a river wanders at most this far east or south */
#define TER_BEND_FROM   128.0f /* units; up to this distance, rivers follow those of a guide's pixels */
#define TER_BEND_TO     192.0f /* units; from this distance on, they do not */

/** Let a point of a river follow the nearest river of a guide's pixels. Returns the share of its own wandering that
 * remains: 0..1. out: 2 numbers, units; the wandering, updated */
TER_FN float ter_follow_river(const ter_fluvial_job *job, int64_t cell_x, int64_t cell_y, float x, float y,
                              float out[2])
{
    float to[2];
    const float square = ter_guide_to_river(job->f.guide, cell_x, cell_y, x, y, to);
    if (!(square < TER_BEND_TO * TER_BEND_TO))
        return 1.0f;
    const float away = (ter_sqrt(square) - TER_BEND_FROM) * (1.0f / (TER_BEND_TO - TER_BEND_FROM));
    const float own = ter_smooth_step(away);
    for (int n = 0; n < 2; n++) {
        const float bent = ter_clamp(to[n], -TER_WANDER_MOST, TER_WANDER_MOST);
        out[n] = bent + own * (out[n] - bent);
    }
    return own;
}

/** Offset by which a point of a river wanders in the floor of its valley, units: a sum of splines with knots 1 km, 512
 * m and 256 m apart. In a guide with fine pixels, the point follows their rivers instead. Returns the share of its own
 * wandering that remains: 0..1.
 *
 *  reach  ter_wander_reach
 *  x, y   units from the corner of the cell
 *  out    2 numbers: east and south
 */
TER_FN float ter_wander(const ter_fluvial_job *job, int64_t cell_x, int64_t cell_y, float reach, float x, float y,
                        float out[2])
{
    out[0] = out[1] = 0.0f;
    if (reach <= 0.0f)
        return 1.0f;
    TER_UNROLL
    for (int t = 0; t < TER_VALLEY_MEANDERS; t++) {
        float s[2];
        ter_meander(job, t, cell_x, cell_y, x, y, s);
        out[0] += s[0];
        out[1] += s[1];
    }
    out[0] = ter_clamp(reach * out[0], -TER_WANDER_MOST, TER_WANDER_MOST);
    out[1] = ter_clamp(reach * out[1], -TER_WANDER_MOST, TER_WANDER_MOST);
    return job->f.guide_detail & TER_DETAIL_RIVERS ? ter_follow_river(job, cell_x, cell_y, x, y, out) : 1.0f;
}

/** A place as a multiple of 1/256 unit, so that differences of places are exact. */
TER_FN float ter_exact_place(float x)
{
    return rintf(x * 256.0f) * (1.0f / 256.0f);
}

/** Values that change along a channel. */
typedef struct ter_bank {
    float x, y, z, slope, floor, wander, broad;
} ter_bank;

TER_FN ter_bank ter_bank_at(const ter_fluvial_job *job, int k, int dx, int dy)
{
    const ter_node *node = job->node[TER_NETWORK_LAST & 1] + k;
    const ter_spot *place = job->place[TER_SMOOTH_ROUNDS & 1] + k;
    const ter_channel *c = job->channel + k;
    const ter_bank b = {place->x + (float)dx * TER_CELL,
                        place->y + (float)dy * TER_CELL,
                        node->z + c->raise,
                        c->slope,
                        c->floor,
                        c->wander,
                        c->broad};
    return b;
}

/** Interpolate between two points of a channel. share: of the way from a to b */
TER_FN ter_bank ter_bank_between(ter_bank a, ter_bank b, float share)
{
    const ter_bank c = {a.x + share * (b.x - a.x),
                        a.y + share * (b.y - a.y),
                        a.z + share * (b.z - a.z),
                        a.slope + share * (b.slope - a.slope),
                        a.floor + share * (b.floor - a.floor),
                        a.wander + share * (b.wander - a.wander),
                        a.broad + share * (b.broad - a.broad)};
    return c;
}

/** A piece between two points of a channel. above: m per unit; slope of the steepest piece upstream; updated for the
 * next piece */
TER_FN void ter_make_piece(ter_bank a, ter_bank b, float *above, ter_piece *p)
{
    p->x = a.x;
    p->y = a.y;
    p->along_x = b.x - a.x;
    p->along_y = b.y - a.y;
    const float square = p->along_x * p->along_x + p->along_y * p->along_y, length = ter_sqrt(square);
    p->inverse = square > 0.0f ? 1.0f / square : 0.0f;
    p->z = a.z;
    p->dz = b.z - a.z;
    p->slope = a.slope;
    p->dslope = b.slope - a.slope;
    p->floor = a.floor;
    p->dfloor = b.floor - a.floor;
    const float steepness = square > 0.0f ? ter_max(-p->dz / length, 0.0f) : 0.0f;
    p->before = 1.3f * ter_max(steepness, *above) * length;
    p->after = 0.5f * steepness * length;
    *above = ter_max(steepness, 0.7f * *above);
}

/** The channel that leaves a node as one straight line, with the side of its valley and its lake. */
typedef struct ter_straight {
    float x, y, vx, vy, inverse; /* start, extent, 1 / length^2; units from the corner of the node's cell */
    float z, dz, slope, floor, dfloor;
    float before, after; /* m per length of the line; rise beyond its start and its end */
    float lake;
} ter_straight;

/** The straight line of the channel that leaves node k. It has the slope of its first node: slopes are known only for
 * nodes up to two cells away, and the line may end at a node three cells away. */
TER_FN ter_straight ter_straight_channel(const ter_fluvial_job *job, int k)
{
    const ter_node *node = job->node[TER_NETWORK_LAST & 1] + k, *end = node;
    const ter_bank a = ter_bank_at(job, k, 0, 0);
    ter_straight s = {a.x, a.y, 0.0f, 0.0f, 0.0f, node->z, 0.0f, a.slope, a.floor, 0.0f, 0.0f, 0.0f, node->lake};
    if (node->to != TER_SINK) {
        const int dx = ter_direction_x(node->to), dy = ter_direction_y(node->to);
        const int to = dy * job->node_at[TER_NETWORK_LAST].width + dx;
        const ter_spot *place = job->place[TER_SMOOTH_ROUNDS & 1] + k + to;
        end = node + to;
        s.dfloor = job->channel[k + to].floor - a.floor;
        s.vx = place->x + (float)dx * TER_CELL - a.x;
        s.vy = place->y + (float)dy * TER_CELL - a.y;
    }
    const float square = s.vx * s.vx + s.vy * s.vy;
    s.inverse = square > 0.0f ? 1.0f / square : 0.0f;
    s.dz = end->z - node->z;
    const float fall = ter_max(-s.dz, 0.0f);
    s.before = 1.3f * ter_max(fall, job->channel[k].inflow * ter_sqrt(square));
    s.after = 0.5f * fall;
    return s;
}

/** Values of a plateau that limit the rise of the sides of channels: TER_PROVINCE_TOP and TER_PROVINCE_ABOVE. */
typedef struct ter_press {
    float top, above;
} ter_press;

/** The plateau at node k. */
TER_FN ter_press ter_press_at(const ter_fluvial_job *job, int k)
{
    const ter_window at = job->node_at[TER_NETWORK_LAST];
    const ter_node *node = job->node[TER_NETWORK_LAST & 1] + k;
    const ter_province_place place =
        ter_province_at_node(job, TER_NETWORK_LAST, at.x + k % at.width, at.y + k / at.width, node);
    const ter_press press = {ter_province_value(&place, TER_PROVINCE_TOP),
                             ter_province_value(&place, TER_PROVINCE_ABOVE)};
    return press;
}

/** Height of the side of a straight channel, or of its lake, at a place. x, y: units from the corner of the node's cell
 */
TER_FN float ter_straight_side(const ter_straight *s, ter_press press, float x, float y)
{
    const float ax = x - s->x, ay = y - s->y;
    const float along = (ax * s->vx + ay * s->vy) * s->inverse, t = ter_min(ter_max(along, 0.0f), 1.0f);
    const float distance = ter_length(ax - t * s->vx, ay - t * s->vy);
    const float past = ter_max(-along, 0.0f) * s->before + ter_max(along - 1.0f, 0.0f) * s->after;
    const float z = s->z + t * s->dz, up = s->slope * ter_valley_side(distance, s->floor + t * s->dfloor);
    return ter_max(z + ter_rise(z, up, press.top, press.above) + past, s->lake);
}

/** Lower bound of the heights of the side of the channel that leaves a node, and of its lake. */
TER_FN float ter_channel_bound(const ter_node *node, int width)
{
    const float end = node->to != TER_SINK ? ter_node_below(node, width)->z : node->z;
    return ter_max(ter_min(node->z, end) - 0.1f, node->lake);
}

/** Replace each height of `least` by that of the side at its place (ter_straight_side) if the side is lower. */
TER_FN void ter_least_sides(const ter_straight *side, ter_press press, int count, const float *__restrict__ x,
                            const float *__restrict__ y, float cell_x, float cell_y, float *__restrict__ least)
{
    const ter_straight s = *side;
    for (int n = 0; n < count; n++)
        least[n] = ter_min(least[n], ter_straight_side(&s, press, x[n] - cell_x, y[n] - cell_y));
}

/** At some places, find the least height of the sides of the channels around node k, except its own channel.
 *
 *  count  number of places
 *  x, y   units from the corner of the node's cell
 *  high   m; channels whose sides are nowhere lower than this are left out
 *  least  m; replaced where a side is lower
 */
TER_FN void ter_sides_around(const ter_fluvial_job *job, int k, int count, const float *x, const float *y, float high,
                             float *least)
{
    const int width = job->node_at[TER_NETWORK_LAST].width;
    const ter_node *node = job->node[TER_NETWORK_LAST & 1] + k;
    const ter_press press = ter_press_at(job, k);
    for (int b = -2; b <= 2; b++)
        for (int a = -2; a <= 2; a++) {
            const ter_node *o = node + b * width + a;
            if ((a == 0 && b == 0) || o->kind == TER_NODE_BARE || ter_channel_bound(o, width) >= high)
                continue;
            const ter_straight s = ter_straight_channel(job, k + b * width + a);
            ter_least_sides(&s, press, count, x, y, (float)a * TER_CELL, (float)b * TER_CELL, least);
        }
}

/** The four points of the channel that leaves p, goes to q, and ends on the way from q to r. */
TER_FN void ter_channel_points(ter_bank p, ter_bank q, ter_bank r, int has_inflow, ter_bank g[4])
{
    g[0] = has_inflow ? ter_bank_between(p, q, 0.3f) : p;
    g[1] = ter_bank_between(q, p, 0.3f);
    g[3] = ter_bank_between(q, r, 0.3f);
    g[2].x = 0.25f * (g[1].x + g[3].x) + 0.5f * q.x;
    g[2].y = 0.25f * (g[1].y + g[3].y) + 0.5f * q.y;
    g[2].z = 0.25f * (g[1].z + g[3].z) + 0.5f * q.z;
    g[2].slope = 0.25f * (g[1].slope + g[3].slope) + 0.5f * q.slope;
    g[2].floor = 0.25f * (g[1].floor + g[3].floor) + 0.5f * q.floor;
    g[2].wander = 0.25f * (g[1].wander + g[3].wander) + 0.5f * q.wander;
    g[2].broad = 0.25f * (g[1].broad + g[3].broad) + 0.5f * q.broad;
}

/** The channel that leaves node k, goes to node `next`, and ends on the way from there to node `last`: its points. */
typedef struct ter_course {
    int k, next, last; /* nodes of the last level */
    ter_bank g[TER_PIECES + 1];
} ter_course;

/** The course of the channel that leaves node k, before it wanders. */
TER_FN ter_course ter_course_from(const ter_fluvial_job *job, int k)
{
    const int width = job->node_at[TER_NETWORK_LAST].width;
    const ter_node *node = job->node[TER_NETWORK_LAST & 1] + k, *next = node, *last = node;
    const ter_channel *c = job->channel + k;
    const ter_bank p = ter_bank_at(job, k, 0, 0);
    ter_bank q = p, r = p;
    if (node->to != TER_SINK) {
        const int qx = ter_direction_x(node->to), qy = ter_direction_y(node->to);
        next = last = node + qy * width + qx;
        q = r = ter_bank_at(job, k + qy * width + qx, qx, qy);
        if (next->to != TER_SINK) {
            const int rx = qx + ter_direction_x(next->to), ry = qy + ter_direction_y(next->to);
            last = node + ry * width + rx;
            r = ter_bank_at(job, k + ry * width + rx, rx, ry);
        }
    }
    if (c[next - node].is_sill) /* the lake and the channels that join at its outlet end at the height of the outlet */
        r.z = q.z = node->z > node->lake ? q.z : next->z;
    if (next->z <= next->lake && last != next) /* a course through a lake does not rise */
        r.z = last->z;
    ter_course course;
    course.k = k;
    course.next = k + (int)(next - node);
    course.last = k + (int)(last - node);
    ter_channel_points(p, q, r, c->from >= 0, course.g);
    if (c->is_sill)
        course.g[0].z = p.z;
    return course;
}

/** Whether a course leads to another node, and begins at a node that does not lie in a lake. */
TER_FN int ter_runs_on(const ter_fluvial_job *job, const ter_course *course)
{
    const ter_node *node = job->node[TER_NETWORK_LAST & 1] + course->k;
    return node->lake <= node->z && course->next != course->k;
}

/** Whether a course is that of a river, whose valley is lowered where the sides of neighbouring valleys are lower. */
TER_FN int ter_takes_lower_way(const ter_fluvial_job *job, const ter_course *course)
{
    return job->node[TER_NETWORK_LAST & 1][course->k].area > TER_RIVER_AREA && ter_runs_on(job, course);
}

/** Height of point i of a course for which ter_takes_lower_way is true, 0 < i < TER_PIECES, metres. sides: m; least
 * height of the sides of other valleys at the point, or the point's own height if that is less */
TER_FN float ter_lower_height(const ter_course *course, int i, float sides)
{
    return ter_min(ter_max(sides, course->g[TER_PIECES].z), course->g[i - 1].z);
}

/** Let a point of a course wander. x, y: units from the corner of the cell; replaced */
TER_FN void ter_wander_point(const ter_fluvial_job *job, int64_t cell_x, int64_t cell_y, float reach, float *x,
                             float *y)
{
    float offset[2];
    (void)ter_wander(job, cell_x, cell_y, reach, *x, *y, offset);
    *x = ter_exact_place(*x + offset[0]);
    *y = ter_exact_place(*y + offset[1]);
}

/** Area that a course drains at its beginning and at its end, cells. A spring drains no more than a cell. Only
 * the course of the main inflow of a node grows to the area of the node. */
TER_FN void ter_course_areas(const ter_fluvial_job *job, const ter_course *course, float *first, float *last)
{
    const ter_node *nodes = job->node[TER_NETWORK_LAST & 1];
    const ter_node *node = nodes + course->k, *next = nodes + course->next;
    const int is_main = node->to != TER_SINK && job->channel[course->next].from == (node->to + 4) % 8;
    *first = job->channel[course->k].from >= 0 ? node->area : ter_min(node->area, 1.0f);
    *last = is_main ? next->area : node->area;
}

/** Share of the growth of a course's drained area that has been reached at point i. */
TER_FN float ter_course_share(int i)
{
    return i == 0 ? 0.0f : i == 1 ? 0.4f : i == 2 ? 0.7f : 1.0f;
}

/** Level of the lake in which piece i of a course lies. A lake reaches upstream into its inflows, as far as their water
 * lies below its level. */
TER_FN float ter_course_lake(const ter_fluvial_job *job, const ter_course *course, int i, float last_area)
{
    const ter_node *nodes = job->node[TER_NETWORK_LAST & 1];
    const float depth = ter_max(ter_water_fall(ter_river_width(last_area)) - ter_river_rim(last_area), 0.0f);
    const float lake = ter_max(nodes[course->k].lake, nodes[course->next].lake), end = nodes[course->last].lake;
    return course->g[i + 1].z - depth < end ? ter_max(lake, end) : lake;
}

/** The pieces of a course whose points have wandered. */
TER_FN void ter_pieces_of(const ter_fluvial_job *job, const ter_course *course, ter_piece out[TER_PIECES])
{
    float first, last, above = job->channel[course->k].inflow;
    ter_course_areas(job, course, &first, &last);
    for (int i = 0; i < TER_PIECES; i++) {
        ter_make_piece(course->g[i], course->g[i + 1], &above, &out[i]);
        out[i].area = first + ter_course_share(i) * (last - first);
        out[i].darea = (ter_course_share(i + 1) - ter_course_share(i)) * (last - first);
        out[i].lake = ter_course_lake(job, course, i, last);
    }
}

/** Whether the pieces of a course have a bed: TER_COURSE_BROOK or TER_COURSE_DRY. Areas grow downstream, so the last
 * piece decides. */
TER_FN unsigned char ter_course_of(const ter_piece pieces[TER_PIECES])
{
    const ter_piece *p = &pieces[TER_PIECES - 1];
    return p->area + p->darea > TER_BROOK_AREA ? TER_COURSE_BROOK : TER_COURSE_DRY;
}

/** Pieces of the channel that leaves the node of cell (x, y). */
TER_PASS_FN void ter_make_pieces(const ter_fluvial_job *job, int n, int x, int y)
{
    (void)n;
    const ter_window here = job->piece_at;
    const int64_t cell_x = here.x + x, cell_y = here.y + y;
    const int cell = y * here.width + x;
    job->course[cell] = TER_COURSE_NONE;
    if (job->node[TER_NETWORK_LAST & 1][ter_window_index(job->node_at[TER_NETWORK_LAST], cell_x, cell_y)].kind ==
        TER_NODE_BARE)
        return;
    ter_course course = ter_course_from(job, ter_window_index(job->node_at[TER_NETWORK_LAST], cell_x, cell_y));
    ter_bank *g = course.g;
    if (ter_takes_lower_way(job, &course)) {
        const float px[] = {g[1].x, g[2].x}, py[] = {g[1].y, g[2].y};
        float sides[] = {g[1].z, g[2].z};
        ter_sides_around(job, course.k, 2, px, py, ter_max(g[1].z, g[2].z), sides);
        for (int i = 1; i < TER_PIECES; i++)
            g[i].z = ter_lower_height(&course, i, sides[i - 1]);
    }
    ter_piece *out = job->piece + (size_t)cell * TER_PIECES;
    for (int i = 0; i <= TER_PIECES; i++)
        ter_wander_point(job, cell_x, cell_y, g[i].wander, &g[i].x, &g[i].y);
    ter_pieces_of(job, &course, out);
    job->course[cell] = ter_course_of(out);
}

#endif
