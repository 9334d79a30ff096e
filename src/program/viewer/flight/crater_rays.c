/* crater_rays.c - chooses craters by how large their rays look from the camera. */
#include "program/viewer/flight/crater_rays.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rays of the Moon are visible for a quarter of the age of its lava, or less where they are thin. */
static const double RAY_AGE = 0.15;     /* of the age of the lava, as a length */
static const double FAR_SHARE = 200.0;  /* smaller craters than far_m / FAR_SHARE have no rays */
static const double FAR_MOST_M = 3.0e6; /* craters farther away have no rays */
static const double WIDE_M = 16000.0;   /* only the rays of wider craters reach into view from beyond far_m */
static const double MOVE_SHARE = 0.02;  /* of far_m; after such a movement craters are chosen again */
enum { FOUND_MAX = 4096 };

/** A crater that may be chosen, and how it looks. */
typedef struct candidate {
    ter_crater_place crater;
    double bright, size; /* brightness; brightness times apparent size */
} candidate;

static int by_size(const void *a, const void *b)
{
    const double x = ((const candidate *)a)->size, y = ((const candidate *)b)->size;
    return (x < y) - (x > y);
}

/** A search around a camera. */
typedef struct search {
    const ter_world *world;
    double x, z, height_m, far_m, spacing, age_max;
    ter_crater_place found[FOUND_MAX];
    candidate candidates[2 * FOUND_MAX];
    size_t count;
} search;

/** Find craters within `reach_m`, from a diameter up to another one. */
static ter_status find(search *s, double reach_m, double least_m, double most_m)
{
    const double reach = reach_m / s->spacing, edge = (double)TER_COORDINATE_MAX;
    const ter_crater_query query = {TER_SIZED(ter_crater_query),
                                    .west = fmax(s->x - reach, -edge),
                                    .north = fmax(s->z - reach, -edge),
                                    .east = fmin(s->x + reach, edge),
                                    .south = fmin(s->z + reach, edge),
                                    .diameter_min = least_m / s->spacing,
                                    .age_max = s->age_max};
    size_t count = 0;
    const ter_status status = ter_craters_list(s->world, &query, FOUND_MAX, s->found, &count);
    for (size_t n = 0; status == TER_OK && n < count && n < FOUND_MAX; n++) {
        const ter_crater_place *c = &s->found[n];
        if (c->diameter * s->spacing >= most_m)
            continue;
        const double radius_m = 0.5 * c->diameter * s->spacing,
                     away_m = fmax(hypot(c->x - s->x, c->z - s->z) * s->spacing - CRATER_RAY_RADII * radius_m, 0.0);
        const double fresh = 1.0 - c->age / s->age_max, bright = sqrt(fmax(fresh, 0.0));
        s->candidates[s->count++] = (candidate){*c, bright, bright * radius_m / hypot(away_m, s->height_m + 1.0)};
    }
    return status;
}

/** Keep the craters that look largest. */
static void keep_largest(crater_rays *r, search *s)
{
    qsort(s->candidates, s->count, sizeof s->candidates[0], by_size);
    const bool is_full = s->count > CRATER_RAYS_MAX;
    const double least = is_full ? s->candidates[CRATER_RAYS_MAX].size : 0.0;
    r->shown.n_rays = is_full ? CRATER_RAYS_MAX : (int)s->count;
    for (int n = 0; n < r->shown.n_rays; n++) {
        const candidate *c = &s->candidates[n];
        const double share = is_full ? fmin((c->size - least) / (0.5 * least), 1.0) : 1.0;
        r->chosen[n] = c->crater;
        r->bright[n] = (float)(c->bright * share);
    }
}

static result choose(crater_rays *r, const ter_world *world, const ter_crater_surface *surface)
{
    search *s = malloc(sizeof *s);
    if (!s)
        return result_of_library(TER_ENOMEM, "craters");
    s->world = world;
    s->x = r->made_x;
    s->z = r->made_z;
    s->height_m = r->made_height;
    s->far_m = fmin(r->made_far, FAR_MOST_M);
    s->spacing = ter_world_params(world)->spacing;
    s->age_max = RAY_AGE * surface->lava_age;
    s->count = 0;
    const double least_m = s->far_m / FAR_SHARE;
    ter_status status = TER_OK;
    if (least_m < WIDE_M)
        status = find(s, s->far_m + CRATER_RAY_RADII * WIDE_M * 0.5, least_m, WIDE_M);
    if (status == TER_OK)
        status = find(s, s->far_m + 0.25 * FAR_MOST_M, fmax(least_m, WIDE_M), HUGE_VAL);
    if (status == TER_OK)
        keep_largest(r, s);
    free(s);
    return result_of_library(status, "craters");
}

/** Whether craters must be chosen again. */
static bool has_moved(const crater_rays *r, const ter_world *world, double x, double z, double height_m, double far_m)
{
    const double step = MOVE_SHARE * fmin(r->made_far, FAR_MOST_M) / ter_world_params(world)->spacing;
    return r->made_of != world || hypot(x - r->made_x, z - r->made_z) > step ||
           fabs(height_m - r->made_height) > 0.1 * (r->made_height + 100.0) ||
           fabs(far_m - r->made_far) > 0.1 * r->made_far;
}

void crater_rays_begin(crater_rays *r)
{
    *r = (crater_rays){.made_of = NULL};
}

result crater_rays_update(crater_rays *r, const ter_world *world, const camera *camera, double height_m, double far_m)
{
    const double x = camera_x(camera), z = camera_z(camera), spacing = ter_world_params(world)->spacing;
    const ter_crater_surface surface = ter_craters_surface(world);
    result res = result_done();
    if (has_moved(r, world, x, z, height_m, far_m)) {
        r->made_of = world;
        r->made_x = x;
        r->made_z = z;
        r->made_height = height_m;
        r->made_far = far_m;
        r->shown.n_rays = 0;
        r->shown.lava_m[0] = (float)surface.lava_level_m;
        r->shown.lava_m[1] = (float)surface.lava_top_m;
        if (surface.age > 0.0)
            res = choose(r, world, &surface);
    }
    for (int n = 0; n < r->shown.n_rays; n++) {
        const ter_crater_place *c = &r->chosen[n];
        const double seed = fmod(fabs(c->x) + 7.0 * fabs(c->z), 256.0);
        r->shown.rays[n][0] = (float)((c->x - x) * spacing);
        r->shown.rays[n][1] = (float)((c->z - z) * spacing);
        r->shown.rays[n][2] = (float)(0.5 * c->diameter * spacing);
        r->shown.rays[n][3] = (float)floor(seed) + 0.999f * r->bright[n];
    }
    return res;
}
