/* landscape.c - computes how far a morph has come at a time and a place. */
#include "program/viewer/camera/landscape.h"

#include <math.h>

#include "program/stream/quadtree.h"

static const double FRONT_WIDTH_M = 3000.0; /* least width of a morph's front, which is wider far from the camera */

void landscape_create(landscape *l, ter_world *world, const look *look)
{
    *l = (landscape){.world = world, .look = *look, .next_look = *look};
}

void landscape_destroy(landscape *l)
{
    ter_world_destroy(l->world);
    ter_world_destroy(l->next);
    l->world = l->next = NULL;
}

result landscape_admits(const landscape *l, const ter_params *params)
{
    const double spacing = ter_world_params(l->world)->spacing;
    if (params->spacing == spacing)
        return result_done();
    return result_of(RESULT_USAGE, "a morph needs worlds of one spacing, these have %g and %g m", spacing,
                     params->spacing);
}

result landscape_morph(landscape *l, const ter_params *params, const look *look, double seconds, bool is_front,
                       const camera *c)
{
    ter_world *next = NULL;
    result res = landscape_admits(l, params);
    if (res.kind == RESULT_DONE)
        res = result_of_library(ter_world_create(params, &next), "morph");
    if (res.kind != RESULT_DONE)
        return res;
    ter_world_destroy(l->next);
    l->next = next;
    l->next_look = *look;
    l->seconds = fmax(seconds, 1e-3);
    l->elapsed_s = 0.0;
    l->is_front = is_front;
    l->is_returning = false;
    l->blend = (ter_blend){.x = c->cell_x, .z = c->cell_z, .begun = 0.0};
    double velocity[3];
    camera_course(c, 1.0, velocity);
    l->course[0] = velocity[0];
    l->course[1] = velocity[2];
    return res;
}

/** Place the front of a morph at the time t, 0..1. The front comes from behind the camera. It moves slowly near the
 * camera and fast far away. */
static void place_front(const landscape *l, double t, ter_blend *blend)
{
    const double spacing = ter_world_params(l->world)->spacing, u = 2.0 * t - 1.0;
    const double reach = 1.2 * l->far_m + FRONT_WIDTH_M, place_m = reach * (0.06 * u + 0.94 * u * u * u * fabs(u));
    const double width = (FRONT_WIDTH_M + 0.15 * fabs(place_m)) / spacing;
    blend->along_x = -l->course[0] / width;
    blend->along_z = -l->course[1] / width;
    blend->begun = 0.5 + place_m / spacing / width;
}

/** Time in the morph some seconds from now, clamped to the length of the morph. */
static double time_in(const landscape *l, double seconds)
{
    return fmin(fmax(l->elapsed_s + (l->is_returning ? -seconds : seconds), 0.0), l->seconds);
}

ter_blend landscape_blend_in(const landscape *l, double seconds)
{
    const double t = time_in(l, seconds) / l->seconds;
    ter_blend blend = {.x = l->blend.x, .z = l->blend.z, .begun = t};
    if (l->is_front && t < 1.0 && !(l->is_returning && t == 0.0))
        place_front(l, t, &blend);
    return blend;
}

void landscape_turn_back(landscape *l)
{
    l->is_returning = !l->is_returning;
}

bool landscape_advance(landscape *l, double elapsed_s, double far_m)
{
    if (!l->next)
        return false;
    l->far_m = far_m;
    l->elapsed_s = time_in(l, elapsed_s);
    l->blend = landscape_blend_in(l, 0.0);
    return landscape_is_over(l);
}

bool landscape_ends_within(const landscape *l, double seconds)
{
    return l->next && time_in(l, seconds) == (l->is_returning ? 0.0 : l->seconds);
}

bool landscape_is_over(const landscape *l)
{
    return landscape_ends_within(l, 0.0);
}

void landscape_stay(landscape *l)
{
    ter_world_destroy(l->next);
    l->next = NULL;
    l->next_look = l->look;
}

void landscape_arrive(landscape *l)
{
    ter_world_destroy(l->world);
    l->world = l->next;
    l->look = l->next_look;
    l->next = NULL;
}

double landscape_share(const landscape *l, const camera *c)
{
    return l->next ? ter_blend_at(&l->blend, camera_x(c), camera_z(c)) : 0.0;
}

static double mix(double a, double b, double t)
{
    return a + t * (b - a);
}

bool landscape_drains(const landscape *l)
{
    return ter_world_has_layer(l->world, TER_LAYER_WATER) || (l->next && ter_world_has_layer(l->next, TER_LAYER_WATER));
}

double landscape_sea_m(const landscape *l, double share)
{
    const double from = ter_world_params(l->world)->sea;
    return l->next ? mix(from, ter_world_params(l->next)->sea, share) : from;
}

void landscape_look(const landscape *l, double share, look *out)
{
    const look *a = &l->look, *b = &l->next_look;
    *out = *a;
    if (!l->next)
        return;
    out->is_plain = share < 0.5 ? a->is_plain : b->is_plain;
    for (int n = 0; n < LOOK_COLORS; n++)
        for (int k = 0; k < 3; k++)
            out->colors[n][k] = (float)mix((double)a->colors[n][k], (double)b->colors[n][k], share);
    out->tree_line_m = mix(a->tree_line_m, b->tree_line_m, share);
    out->snow_line_m = mix(a->snow_line_m, b->snow_line_m, share);
    out->aridity = mix(a->aridity, b->aridity, share);
    out->strata = mix(a->strata, b->strata, share);
    out->haze = mix(a->haze, b->haze, share);
    out->clouds = mix(a->clouds, b->clouds, share);
    out->cloud_base_m = mix(a->cloud_base_m, b->cloud_base_m, share);
    out->cloud_depth_m = mix(a->cloud_depth_m, b->cloud_depth_m, share);
    out->air = mix(a->air, b->air, share);
}

/** Widen bounds so that they contain all heights of a world: the base plus and minus all displacements, with the
 * overshoot of interpolation. */
static void widen_bounds(const ter_params *p, double *low_m, double *high_m)
{
    double amplitude[TER_LEVELS_MAX + 1], reach = 0.0;
    ter_params_amplitudes(p, amplitude);
    for (int k = 0; k <= p->levels; k++)
        reach += amplitude[k];
    *low_m = fmin(*low_m, p->base - QUADTREE_OVERSHOOT * reach);
    *high_m = fmax(*high_m, p->base + QUADTREE_OVERSHOOT * reach);
}

void landscape_bounds(const landscape *l, double *low_m, double *high_m)
{
    *low_m = INFINITY;
    *high_m = -INFINITY;
    widen_bounds(ter_world_params(l->world), low_m, high_m);
    if (l->next)
        widen_bounds(ter_world_params(l->next), low_m, high_m);
}
