/* ground_limit.c - makes the ground at the points of a lattice that surround the points of a line. */
#include "library/reaches/ground_limit.h"

#include <math.h>

/** Height of the ground at a point of the world, linear between the points of the lattice. */
static double ground_between(const ter_ground_plan *plan, reach_spot at)
{
    const double u = at.x / plan->points.step, v = at.y / plan->points.step;
    const int64_t i = (int64_t)floor(u), j = (int64_t)floor(v);
    const double a = u - (double)i, b = v - (double)j;
    const ter_ground *north = &plan->ground[ter_window_index(plan->points.at, i, j)];
    const ter_ground *south = &plan->ground[ter_window_index(plan->points.at, i, j + 1)];
    return (1.0 - b) * ((1.0 - a) * (double)north[0].height + a * (double)north[1].height) +
           b * ((1.0 - a) * (double)south[0].height + a * (double)south[1].height);
}

void ground_limit_apply(const ter_fluvial_job *network, reach_unwarp *u, const reach_spot *spots,
                        const bed_limit *limits, ter_river_point *points, int count)
{
    static const ter_cancel never;
    ter_share_network(network, u->job);
    u->kernels->octave(u->job, u->scratch.at, &never);
    for (int n = 0; n < count; n++) {
        if (points[n].water != TER_EDGE_RIVER)
            continue;
        const float most = (float)ground_between(&u->job->ground[0], spots[n]) + TER_RIVER_ABOVE - limits[n].fall;
        points[n].level_m = ter_min(points[n].level_m, ter_max(ter_beach(most, network->f.sea), limits[n].least));
    }
}
