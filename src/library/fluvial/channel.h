/* channel.h - makes the channels of the last level of the network: smooths their places, and computes their floors,
 * meanders and beds.
 *
 * steepen.h makes the slopes of their sides, and course.h cuts them into pieces.
 */
#ifndef TERRANE_FLUVIAL_CHANNEL_H
#define TERRANE_FLUVIAL_CHANNEL_H

#include "library/fluvial/network.h"

#define TER_VALLEY_FLOOR 150.0f /* units; greatest half width of a floor */

enum {
    TER_SMOOTH_ROUNDS = 4,
    TER_STEEPEN_MARGIN = TER_SMOOTH_ROUNDS + 4, /* nodes at each side of the window that get no slope */
    TER_CHANNEL_MARGIN = TER_STEEPEN_MARGIN + 2 /* a piece reads two nodes downstream */
};

/** Height of a valley's side above its channel, divided by the slope of the side. Far from its channel a side becomes
 * steeper, so that it does not reach far below a higher channel. distance, floor: units */
TER_FN float ter_valley_side(float distance, float floor)
{
    const float far = ter_max(distance - 260.0f, 0.0f);
    return ter_profile(distance, floor + 8.0f) * ter_fma(-0.3f, ter_min(distance * (1.0f / TER_CELL), 1.0f), 1.0f) +
           0.02f * distance + far * far * (1.0f / 600.0f);
}

/** Scale of a river's meanders in the floor of its valley, units. 0 for channels that are too small to wander. */
TER_FN float ter_wander_reach(const ter_node *node)
{
    return 2.2f * ter_min(0.6f * ter_min(node->floor, TER_VALLEY_FLOOR) + 8.0f, 64.0f) *
           ter_smooth_step(node->area * (1.0f / TER_BROOK_AREA) - 1.0f);
}

/** How far the middle of a river's bed lies below the rim of the bed, metres. */
TER_FN float ter_bed_depth(float width)
{
    return width / (6.0f + 0.12f * width) * ter_smooth_step((width - 0.4f) * (1.0f / 1.6f));
}

/** How far a river's water lies below the rim of the bed, metres; its banks rise above the water by as much. */
TER_FN float ter_water_fall(float width)
{
    return 0.35f * ter_bed_depth(width);
}

/** Height of a bed's rim above its channel, metres: 8 where a brook begins, falling to -1.5 for a river, which has cut
 * itself into its valley. area: cells */
TER_FN float ter_river_rim(float area)
{
    return 8.0f - 9.5f * ter_smooth_step(area * (1.0f / TER_BROOK_AREA) - 1.0f);
}

/** Set main inflow, place, slope, floor and meanders of the channel at node (x + 1, y + 1) of the last level. Channels
 * beside a river wander as far as the river. */
TER_PASS_FN void ter_make_channel(const ter_fluvial_job *job, int n, int x, int y)
{
    (void)n;
    const ter_window at = job->node_at[TER_NETWORK_LAST];
    const int k = (y + 1) * at.width + x + 1;
    const ter_node *node = job->node[TER_NETWORK_LAST & 1] + k;
    ter_channel c = {0};
    float most = -1.0f;
    c.from = -1;
    const ter_words words = ter_tagged_words(job->f.round_key, TER_TAG_FLOOR, at.x + x + 1, at.y + y + 1);
    c.floor = ter_min(node->floor, TER_VALLEY_FLOOR) * (0.4f + 0.6f * ter_fraction(&words, 0));
    c.broad = TER_BROAD_LEAST + TER_BROAD_MORE * ter_fraction(&words, 1);
    c.wander = ter_wander_reach(node);
    for (int d = 0; d < TER_SINK; d++) {
        const ter_node *o = node + ter_direction_y(d) * at.width + ter_direction_x(d);
        c.wander = ter_max(c.wander, ter_wander_reach(o));
        if (o->kind != TER_NODE_BARE && o->to == (d + 4) % 8 && o->area > most) {
            most = o->area;
            c.from = d;
        }
    }
    job->place[0][k].x = node->x * TER_CELL;
    job->place[0][k].y = node->y * TER_CELL;
    const ter_province_place place = ter_province_at_node(job, TER_NETWORK_LAST, at.x + x + 1, at.y + y + 1, node);
    c.slope = ter_province_value(&place, TER_PROVINCE_SLOPE) * (1.0f + 0.4f * ter_symmetric(&words, 2));
    job->channel[k] = c;
}

/** Nodes at each side of the window whose channels a round of smoothing does not move. */
TER_FN int ter_smooth_margin(int round)
{
    return 2 + round;
}

/** A channel's place after one more round of smoothing, which moves it towards the midpoint between its inflow and its
 * outflow.
 *
 *  node         not a sink
 *  from         direction of the inflow
 *  own, i, o    places of the channel, its inflow and its outflow before the round; units, each from the corner of
 *               its own cell
 */
TER_FN ter_spot ter_smoothed(const ter_node *node, int from, ter_spot own, ter_spot i, ter_spot o)
{
    if (node->kind == TER_NODE_LINE)
        return own;
    const float fx = (float)ter_direction_x(from), fy = (float)ter_direction_y(from);
    const float tx = (float)ter_direction_x(node->to), ty = (float)ter_direction_y(node->to);
    const float share = 0.5f * ter_min(1.0f, 0.3f + node->floor * (1.0f / TER_CELL)), reach = 0.35f * TER_CELL;
    const float mx = 0.5f * (i.x + fx * TER_CELL + (o.x + tx * TER_CELL));
    const float my = 0.5f * (i.y + fy * TER_CELL + (o.y + ty * TER_CELL));
    const float x0 = node->x * TER_CELL, y0 = node->y * TER_CELL;
    const ter_spot smoothed = {ter_clamp(own.x + share * (mx - own.x), x0 - reach, x0 + reach),
                               ter_clamp(own.y + share * (my - own.y), y0 - reach, y0 + reach)};
    return smoothed;
}

/** Place of the channel at node (x + m, y + m), m = ter_smooth_margin(round), after one more round. */
TER_PASS_FN void ter_smooth_channel(const ter_fluvial_job *job, int round, int x, int y)
{
    const int width = job->node_at[TER_NETWORK_LAST].width;
    const int k = (y + ter_smooth_margin(round)) * width + x + ter_smooth_margin(round);
    const ter_node *node = job->node[TER_NETWORK_LAST & 1] + k;
    const ter_spot *own = job->place[round & 1] + k;
    const int from = job->channel[k].from, to = node->to;
    job->place[(round + 1) & 1][k] =
        to == TER_SINK || from < 0
            ? *own
            : ter_smoothed(node, from, *own, own[ter_direction_y(from) * width + ter_direction_x(from)],
                           own[ter_direction_y(to) * width + ter_direction_x(to)]);
}

#endif
