/* climate_map.c - converts layers of the climate to lines of trees and snow, and to aridity. */
#include "program/viewer/flight/climate_map.h"

#include <math.h>
#include <string.h>

#include "program/core/fill.h"

enum {
    SIDE = CLIMATE_MAP_SIDE,
    POINTS = SIDE * SIDE,
    LOD_LEAST = 15 /* the library's climate is interpolated between points this far apart */
};

static const double LAPSE_K_A_M = 0.0065;
static const double USUAL_SUMMER_C = 17.5; /* mean of the warmest month for which the lines of looks are meant */
static const double USUAL_RANGE_K = 20.0;  /* between the warmest and the coldest month, in worlds without climate */

/** The climate of a point, at the level of the sea. */
typedef struct climate_point {
    double mean_c, range_k, rain_mm;
} climate_point;

static double ramp(double from, double to, double x)
{
    const double t = fmin(fmax((x - from) / (to - from), 0.0), 1.0);
    return t * t * (3.0 - 2.0 * t);
}

/** What a point's climate adds to the aridity of a look, -0.1..0.95. In dry land less rain falls than plants could
 * evaporate (limit of Koeppen's class B). */
static double aridity_of(const climate_point *p)
{
    static const double HILLS_M = 300.0;
    const double warm_c = p->mean_c - HILLS_M * LAPSE_K_A_M, needed_mm = fmax(20.0 * warm_c + 140.0, 80.0);
    const double supply = p->rain_mm / needed_mm;
    return 0.95 * (1.0 - ramp(0.15, 1.4, supply)) - 0.1 * ramp(2.0, 4.0, supply);
}

/** What a point's climate adds to the snow line of a look, whose usual height over the sea is 1750 m. Snow lies at the
 * level of the sea where the mean of the month is 0 degrees. */
static double snow_m(double month_c)
{
    const double warmer_k = month_c - USUAL_SUMMER_C;
    return warmer_k < 0.0 ? 100.0 * warmer_k : warmer_k / LAPSE_K_A_M;
}

/** Set the values of a point for shaders. */
static void set_point(float to[4], const climate_point *p, double season)
{
    const double summer_c = p->mean_c + 0.5 * p->range_k,
                 month_c = p->mean_c - 0.5 * p->range_k * cos(6.283185307179586 * season);
    to[0] = (float)fmin(fmax((summer_c - USUAL_SUMMER_C) / LAPSE_K_A_M, -3000.0), 2000.0);
    to[1] = (float)snow_m(month_c);
    to[2] = (float)aridity_of(p);
    to[3] = (float)p->mean_c;
}

/** Make a climate that is the same everywhere. */
static void set_usual(const climate_map *m, render_climate *out)
{
    const climate_point usual = {USUAL_SUMMER_C - 0.5 * USUAL_RANGE_K, USUAL_RANGE_K, 450.0};
    for (int n = 0; n < POINTS; n++)
        set_point(out->at[n], &usual, m->season);
}

static result make(const climate_map *m, const ter_world *world, render_climate *out)
{
    static const ter_layer made[4] = {TER_LAYER_HEIGHT, TER_LAYER_TEMPERATURE, TER_LAYER_TEMPERATURE_RANGE,
                                      TER_LAYER_PRECIPITATION};
    float values[4][POINTS];
    layer_arrays layers = {.at = {NULL}};
    const ter_rect rect = {ter_world_params(world)->levels - m->lod, m->first[0], m->first[1], SIDE, SIDE};
    const double sea_m = ter_world_params(world)->sea;
    for (int k = 0; k < 4; k++)
        layers.at[made[k]] = values[k];
    const ter_status status = fill_rect(m->generator, world, &rect, &layers, SIDE);
    for (int n = 0; n < POINTS && status == TER_OK; n++) {
        const double over_sea_m = fmax((double)values[0][n] - sea_m, 0.0);
        const climate_point p = {(double)values[1][n] + LAPSE_K_A_M * over_sea_m, (double)values[2][n],
                                 (double)values[3][n]};
        set_point(out->at[n], &p, m->season);
    }
    return result_of_library(status, "climate");
}

static result make_world(climate_map *m, int which, const ter_world *world)
{
    m->made_of[which] = world;
    if (ter_world_has_layer(world, TER_LAYER_TEMPERATURE))
        return make(m, world, &m->worlds[which]);
    set_usual(m, &m->worlds[which]);
    return result_done();
}

/** Choose the points around a camera. Returns whether they differ from the points of the last call. */
static bool move_points(climate_map *m, const landscape *land, const camera *c, double far_m)
{
    const ter_params *p = ter_world_params(land->world);
    const int64_t cell[2] = {c->cell_x, c->cell_z};
    int lod = LOD_LEAST < p->levels ? LOD_LEAST : p->levels;
    while (lod < p->levels && ldexp(p->spacing, lod) * (SIDE / 2 - 1) < far_m)
        lod++;
    bool is_moved = lod != m->lod;
    m->lod = lod;
    for (int n = 0; n < 2; n++) {
        const int64_t step = INT64_C(1) << lod, first = cell[n] / step - (cell[n] % step < 0) - (SIDE / 2 - 1);
        is_moved |= first != m->first[n];
        m->first[n] = first;
    }
    return is_moved;
}

/** Set where the camera stands among the points. */
static void place_camera(climate_map *m, const landscape *land, const camera *c)
{
    const int64_t step = INT64_C(1) << m->lod, cell[2] = {c->cell_x, c->cell_z};
    const double offset[2] = {c->offset_x, c->offset_z};
    m->mixed.step_m = ldexp(ter_world_params(land->world)->spacing, m->lod);
    for (int n = 0; n < 2; n++)
        m->mixed.place[n] = ((double)(cell[n] - m->first[n] * step) + offset[n]) / (double)step;
}

result climate_map_create(climate_map *m, double season)
{
    const ter_generator_options options = {TER_SIZED(ter_generator_options), .backend = TER_BACKEND_CPU, .threads = 1};
    *m = (climate_map){.season = season, .lod = -1};
    return result_of_library(ter_generator_create(&options, &m->generator), "climate");
}

void climate_map_destroy(climate_map *m)
{
    ter_generator_destroy(m->generator);
    m->generator = NULL;
}

result climate_map_update(climate_map *m, const landscape *land, const camera *c, double far_m)
{
    const ter_world *const worlds[2] = {land->world, land->next};
    const bool is_moved = move_points(m, land, c, far_m);
    const double share = landscape_share(land, c);
    result res = result_done();
    for (int n = 0; n < 2 && res.kind == RESULT_DONE; n++)
        if (worlds[n] && (is_moved || m->made_of[n] != worlds[n]))
            res = make_world(m, n, worlds[n]);
    if (!land->next)
        m->made_of[1] = NULL;
    for (int n = 0; n < POINTS; n++)
        for (int k = 0; k < 4; k++) {
            const double from = (double)m->worlds[0].at[n][k], to = (double)m->worlds[1].at[n][k];
            m->mixed.at[n][k] = (float)(land->next ? from + share * (to - from) : from);
        }
    place_camera(m, land, c);
    return res;
}
