/* steepen.h - computes the slopes of the sides of channels, and raises channels at the outlets of lakes.
 *
 * The side of a channel is so steep that at every higher channel around it the side lies at or above that channel; but
 * the slope of a side has an upper limit. So a lower valley does not cut a higher channel. A sill is a channel that
 * leaves a lake. It is raised so that its water has the lake's level.
 */
#ifndef TERRANE_FLUVIAL_STEEPEN_H
#define TERRANE_FLUVIAL_STEEPEN_H

#include "library/fluvial/channel.h"

/** How far the channel of a sill is raised, so that the water that leaves the lake has the lake's level, metres.
 *
 *  level  m; lowest level of the lakes that end here
 *  room   m; height above the channel of the lowest inflow that does not lie in a lake
 */
TER_FN float ter_sill_raise(const ter_node *node, float level, float room)
{
    return ter_max(ter_min(ter_min(level - node->z, 0.0f) + ter_water_fall(ter_river_width(node->area)), room), 0.0f);
}

/** Square of the distance between two channels, units2. The cell of q lies a columns east and b rows south of that of
 * p. */
TER_FN float ter_spot_square(const ter_spot *p, const ter_spot *q, int a, int b)
{
    const float dx = q->x - p->x + (float)a * TER_CELL, dy = q->y - p->y + (float)b * TER_CELL;
    return dx * dx + dy * dy;
}

/** The distance, units, from its square. It is at least 64 units. */
TER_FN float ter_spot_distance(float square)
{
    return ter_max(ter_sqrt(square), 64.0f);
}

/** The slope at a node depends on nodes up to two rows and two columns away. */
enum { TER_STEEP_REACH = 2, TER_STEEP_SIDE = 2 * TER_STEEP_REACH + 1 };

/** The set of the higher channels around a channel that may need a greater slope of its sides: bits, row by row.
 *
 *  node, place  of the channel, in windows of `width` columns
 *  near         units; beyond this distance a side rises by at least 1.05 m in `per_rise` units
 *  steepest     receives the node that probably needs the greatest slope; 0 if the set is empty
 */
TER_FN unsigned ter_higher_around(const ter_node *node, const ter_spot *place, int width, float near, float per_rise,
                                  int *steepest)
{
    unsigned higher = 0;
    float most_up = 0.0f, most_square = 1.0f;
    *steepest = 0;
    TER_UNROLL
    for (int b = -TER_STEEP_REACH; b <= TER_STEEP_REACH; b++) {
        TER_UNROLL
        for (int a = -TER_STEEP_REACH; a <= TER_STEEP_REACH; a++) {
            const int n = (b + TER_STEEP_REACH) * TER_STEEP_SIDE + a + TER_STEEP_REACH;
            const float up = node[b * width + a].z - node->z, far = ter_fma(up, per_rise, near);
            const float square = ter_spot_square(place, place + b * width + a, a, b);
            if (up > 0.0f && square <= far * far && node[b * width + a].kind != TER_NODE_BARE) {
                higher |= 1u << n;
                if (up * up * most_square > most_up * most_up * square) {
                    most_up = up;
                    most_square = square;
                    *steepest = n;
                }
            }
        }
    }
    return higher;
}

/** Slope that the sides of a channel need to lie at or above the higher channels around it, m per unit; up to 1.4.
 *
 *  node, place  of the channel, in windows of `width` columns
 *  slope        m per unit; lower limit of the result
 */
TER_FN float ter_slope_under(const ter_node *node, const ter_spot *place, int width, float floor, float slope)
{
    const float near =
        1.06f * (floor + 10.0f) +
        1.0f; /* units; beyond this distance a side of slope 1 rises by at least .65 per unit: ter_valley_side */
    float per_rise =
        1.616f / slope; /* units; over this distance a side of slope `slope` rises by at least 1.05 m there */
    int steepest;
    const unsigned higher = ter_higher_around(node, place, width, near, per_rise, &steepest);
    for (unsigned left = higher, first = 1; left != 0; first = 0) {
        const int n = first ? steepest : ter_lowest_bit(left);
        const int a = n % TER_STEEP_SIDE - TER_STEEP_REACH, b = n / TER_STEEP_SIDE - TER_STEEP_REACH;
        left &= ~(1u << n);
        const float up = node[b * width + a].z - node->z, far = ter_fma(up, per_rise, near);
        const float square = ter_spot_square(place, place + b * width + a, a, b);
        const float steep =
            square > far * far ? 0.0f : ter_min(1.05f * up / ter_valley_side(ter_spot_distance(square), floor), 1.4f);
        if (steep > slope) {
            slope = steep;
            per_rise = 1.616f / slope;
        }
    }
    return slope;
}

/** Slope that the sides of a lake need to rise above the lake's level before they reach a lower channel, m per unit; up
 * to 3. The arguments are as for ter_slope_under. */
TER_FN float ter_slope_of_lake(const ter_node *node, const ter_spot *place, int width, float floor, float slope)
{
    for (int b = -TER_STEEP_REACH; b <= TER_STEEP_REACH; b++)
        for (int a = -TER_STEEP_REACH; a <= TER_STEEP_REACH; a++) {
            const ter_node *o = node + b * width + a;
            if (o->kind == TER_NODE_BARE || o->lake == node->lake || o->z >= node->lake + 4.0f)
                continue;
            const float distance = ter_spot_distance(ter_spot_square(place, place + b * width + a, a, b));
            slope =
                ter_max(slope, ter_min((node->lake + 2.0f - node->z) / ter_valley_side(0.45f * distance, floor), 3.0f));
        }
    return slope;
}

/** Set of the directions from which channels come into a node: bit d is direction d. */
TER_FN unsigned ter_inflows(const ter_node *node, int width)
{
    unsigned directions = 0;
    TER_UNROLL
    for (int d = 0; d < TER_SINK; d++) {
        const ter_node *o = node + ter_direction_y(d) * width + ter_direction_x(d);
        directions |= (unsigned)(o->kind != TER_NODE_BARE && o->to == (d + 4) % 8) << d;
    }
    return directions;
}

/** Slope and inflow at node (x + TER_STEEPEN_MARGIN, y + TER_STEEPEN_MARGIN). The sides of a channel
 * are so steep that they lie at or above every higher channel near it. The sides of a lake are so steep that they rise
 * above its level before they reach a lower channel. */
TER_PASS_FN void ter_steepen_channel(const ter_fluvial_job *job, int n, int x, int y)
{
    (void)n;
    const int width = job->node_at[TER_NETWORK_LAST].width;
    const int k = (y + TER_STEEPEN_MARGIN) * width + x + TER_STEEPEN_MARGIN;
    const ter_node *node = job->node[TER_NETWORK_LAST & 1] + k;
    const ter_spot *place = job->place[TER_SMOOTH_ROUNDS & 1] + k;
    ter_channel c = job->channel[k];
    c.slope = ter_slope_under(node, place, width, c.floor, c.slope);
    if (TER_IS_LAKE(node->lake))
        c.slope = ter_slope_of_lake(node, place, width, c.floor, c.slope);
    float room = 1e30f, level = 1e30f; /* m; room and level of ter_sill_raise */
    c.inflow = 0.0f;
    c.is_sill = 0;
    for (unsigned inflows = ter_inflows(node, width); inflows != 0; inflows &= inflows - 1) {
        const int d = ter_lowest_bit(inflows), a = ter_direction_x(d), b = ter_direction_y(d);
        const ter_node *o = node + b * width + a;
        const float up = o->z - node->z;
        c.is_sill |= TER_IS_LAKE(o->lake) && !TER_IS_LAKE(node->lake);
        c.inflow = ter_max(c.inflow, up / ter_spot_distance(ter_spot_square(place, place + b * width + a, a, b)));
        if (o->z > o->lake)
            room = ter_min(room, up);
        else
            level = ter_min(level, o->lake);
    }
    c.raise = c.is_sill ? ter_sill_raise(node, level, room) : 0.0f;
    job->channel[k] = c;
}

#endif
