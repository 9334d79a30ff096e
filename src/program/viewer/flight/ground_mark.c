/* ground_mark.c - makes a rectangle from the ground positions in view. */
#include "program/viewer/flight/ground_mark.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/core/world_parameters.h"

static const double SHARE_KEPT = 0.9; /* this share of the pixels that show ground is used, the nearest pixels */

static int compare_distances(const void *a, const void *b)
{
    const float *p = a, *q = b;
    return (p[2] > q[2]) - (p[2] < q[2]);
}

/** Find the rectangle around the nearest positions: west, north, east, south edge, metres. Returns false if there are
 * no positions. */
static bool find_edges(float places[RENDER_PLACES][4], double edges_m[4])
{
    size_t first = 0;
    qsort(places, RENDER_PLACES, sizeof places[0], compare_distances);
    while (first < RENDER_PLACES && places[first][2] <= 0.0f)
        first++;
    const size_t count = (size_t)ceil(SHARE_KEPT * (double)(RENDER_PLACES - first));
    for (size_t n = first; n < first + count; n++)
        for (int axis = 0; axis < 2; axis++) {
            const double at = (double)places[n][axis];
            edges_m[axis] = n == first ? at : fmin(edges_m[axis], at);
            edges_m[axis + 2] = n == first ? at : fmax(edges_m[axis + 2], at);
        }
    return count > 0;
}

/** The lattice coordinate `steps` beyond `cell`, rounded down to a multiple of `step`. */
static int64_t round_down(double steps, int64_t cell, int64_t step)
{
    const int64_t at = cell + (int64_t)floor(steps);
    return at - (((at % step) + step) % step);
}

static int64_t within_world(int64_t at)
{
    return at < -TER_COORDINATE_MAX ? -TER_COORDINATE_MAX : at > TER_COORDINATE_MAX ? TER_COORDINATE_MAX : at;
}

result ground_mark_find(renderer *r, const camera *c, const ter_params *p, ground_mark *out)
{
    double edges[4] = {0};
    float(*places)[4] = malloc(RENDER_PLACES * sizeof *places);
    if (!places)
        return result_of(RESULT_FAILED, "no memory for the ground in view");
    renderer_view_ground(r, places);
    const bool is_found = find_edges(places, edges);
    free(places);
    if (!is_found)
        return result_of(RESULT_FAILED, "no ground in view to export");
    const double extent = fmax(edges[2] - edges[0], edges[3] - edges[1]) / p->spacing;
    int lod = 0;
    while (lod < p->levels && extent / (double)(INT64_C(1) << lod) > GROUND_MARK_SIDE_MAX - 3)
        lod++;
    const int64_t step = INT64_C(1) << lod;
    const int64_t west = within_world(round_down(edges[0] / p->spacing + c->offset_x, c->cell_x, step)),
                  north = within_world(round_down(edges[1] / p->spacing + c->offset_z, c->cell_z, step)),
                  east = within_world(round_down(edges[2] / p->spacing + c->offset_x, c->cell_x, step) + step),
                  south = within_world(round_down(edges[3] / p->spacing + c->offset_z, c->cell_z, step) + step);
    *out = (ground_mark){west, north, (east - west) / step + 1, (south - north) / step + 1, lod};
    return result_done();
}

void ground_mark_place(const ground_mark *m, const camera *c, double spacing_m, double edges_m[4])
{
    const int64_t step = INT64_C(1) << m->lod;
    edges_m[0] = ((double)(m->x - c->cell_x) - c->offset_x) * spacing_m;
    edges_m[1] = ((double)(m->z - c->cell_z) - c->offset_z) * spacing_m;
    edges_m[2] = edges_m[0] + (double)((m->width - 1) * step) * spacing_m;
    edges_m[3] = edges_m[1] + (double)((m->height - 1) * step) * spacing_m;
}

/** Number of decimal digits that identify a number uniquely. */
static int digits_of(double value)
{
    char text[40];
    snprintf(text, sizeof text, "%.15g", value);
    return strtod(text, NULL) == value ? 15 : 17;
}

/** Write the option of a parameter, unless the parameter has its usual value. Returns the length. */
static size_t write_option(const world_parameter *w, const ter_params *p, const ter_params *usual, char *text,
                           size_t size)
{
    const double value = world_parameter_get(p, w);
    if (value == world_parameter_get(usual, w))
        return 0;
    const size_t used = (size_t)snprintf(text, size, " --%s %.*g", w->name, digits_of(value), value);
    for (char *at = text; *at; at++)
        *at = *at == '_' ? '-' : *at;
    return used;
}

void ground_mark_command(const ground_mark *m, const ter_params *p, char *text, size_t size)
{
    ter_params usual;
    ter_params_default(&usual);
    size_t used = (size_t)snprintf(text, size, "terrane export");
    if (p->seed != usual.seed)
        used += (size_t)snprintf(text + used, size - used, " --seed %llu", (unsigned long long)p->seed);
    for (int n = 0; n < WORLD_NUMBERS; n++)
        if (world_parameter_shapes(&world_parameters[n], p))
            used += write_option(&world_parameters[n], p, &usual, text + used, size - used);
    if (p->basis != usual.basis)
        used += (size_t)snprintf(text + used, size - used, " --basis %s", ter_basis_name(p->basis));
    snprintf(text + used, size - used, " --at %lld,%lld --size %lldx%lld --lod %d -o ground.tif", (long long)m->x,
             (long long)m->z, (long long)m->width, (long long)m->height, m->lod);
}
