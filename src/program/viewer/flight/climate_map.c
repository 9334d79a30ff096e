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

/** The climate of a point, at the level of the sea. season: as TER_LAYER_PRECIPITATION_SEASON */
typedef struct climate_point {
    double mean_c, range_k, rain_mm, season;
} climate_point;

static double ramp(double from, double to, double x)
{
    const double t = fmin(fmax((x - from) / (to - from), 0.0), 1.0);
    return t * t * (3.0 - 2.0 * t);
}

/** What a point's climate adds to the aridity of a look, -0.1..0.95. In dry land less rain falls than plants could
 * evaporate (limit of Koeppen's class B). Where it is warm, rain of one season leaves the other season dry: savannas
 * are drier than the rain of their years, and so is Mediterranean land, where less of the rain evaporates. */
static double aridity_of(const climate_point *p)
{
    static const double HILLS_M = 300.0;
    const double warm_c = p->mean_c - HILLS_M * LAPSE_K_A_M, needed_mm = fmax(20.0 * warm_c + 140.0, 80.0);
    const double lost = (p->season > 0.0 ? 0.5 : 0.2) * fabs(p->season) * ramp(16.0, 24.0, p->mean_c);
    const double lasting_mm = p->rain_mm * (1.0 - lost);
    const double supply = lasting_mm / needed_mm;
    return 0.95 * (1.0 - ramp(0.1, 1.2, supply)) - 0.1 * ramp(2.0, 4.0, supply);
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
static void set_usual(const climate_map *m, climate_points *points)
{
    const climate_point usual = {USUAL_SUMMER_C - 0.5 * USUAL_RANGE_K, USUAL_RANGE_K, 450.0, 0.0};
    for (int n = 0; n < POINTS; n++)
        set_point(points->at[n], &usual, m->season);
}

static result make(const climate_map *m, climate_points *points, const ter_world *world)
{
    enum { MADE = 5 };
    static const ter_layer made[MADE] = {TER_LAYER_HEIGHT, TER_LAYER_TEMPERATURE, TER_LAYER_TEMPERATURE_RANGE,
                                         TER_LAYER_PRECIPITATION, TER_LAYER_PRECIPITATION_SEASON};
    float values[MADE][POINTS];
    layer_arrays layers = {.at = {NULL}};
    const ter_rect rect = {ter_world_params(world)->levels - points->lod, points->first[0], points->first[1], SIDE,
                           SIDE};
    const double sea_m = ter_world_params(world)->sea;
    for (int k = 0; k < MADE; k++)
        layers.at[made[k]] = values[k];
    const ter_status status = fill_rect(m->generator, world, &rect, &layers, SIDE);
    for (int n = 0; n < POINTS && status == TER_OK; n++) {
        const double over_sea_m = fmax((double)values[0][n] - sea_m, 0.0);
        const climate_point p = {(double)values[1][n] + LAPSE_K_A_M * over_sea_m, (double)values[2][n],
                                 (double)values[3][n], (double)values[4][n]};
        set_point(points->at[n], &p, m->season);
    }
    return result_of_library(status, "climate");
}

/** Make points of a world around a camera, unless they are made already. */
static result make_points(const climate_map *m, climate_points *points, const ter_world *world, int lod,
                          const camera *c)
{
    const int64_t step = INT64_C(1) << lod, cell[2] = {c->cell_x, c->cell_z};
    int64_t first[2];
    for (int n = 0; n < 2; n++)
        first[n] = cell[n] / step - (cell[n] % step < 0) - (SIDE / 2 - 1);
    if (points->made_of == world && points->lod == lod && points->first[0] == first[0] && points->first[1] == first[1])
        return result_done();
    points->made_of = world;
    points->lod = lod;
    memcpy(points->first, first, sizeof first);
    if (ter_world_has_layer(world, TER_LAYER_TEMPERATURE))
        return make(m, points, world);
    set_usual(m, points);
    return result_done();
}

/** Choose the level of detail of points that reach far_m, and the share of the next coarser level in their climate: it
 * grows from 0 to 1 until far_m is all that the points reach. share: receives 0 for the coarsest level */
static int choose_lod(const ter_params *p, double far_m, double *share)
{
    int lod = LOD_LEAST < p->levels ? LOD_LEAST : p->levels;
    while (lod < p->levels && ldexp(p->spacing, lod) * (SIDE / 2 - 1) < far_m)
        lod++;
    *share = lod < p->levels ? ramp(0.5, 1.0, far_m / (ldexp(p->spacing, lod) * (SIDE / 2 - 1))) : 0.0;
    return lod;
}

/** Interpolate points at a point of the next finer level of detail. column, row: of this point among those of `fine` */
static void interpolate(const climate_points *coarse, const climate_points *fine, int column, int row, float to[4])
{
    const int64_t twice[2] = {fine->first[0] + column - 2 * coarse->first[0],
                              fine->first[1] + row - 2 * coarse->first[1]};
    const float(*at)[4] = coarse->at + (twice[1] / 2) * SIDE + twice[0] / 2;
    const int right = (int)(twice[0] % 2), below = SIDE * (int)(twice[1] % 2);
    for (int k = 0; k < 4; k++)
        to[k] = 0.25f * (at[0][k] + at[right][k] + at[below][k] + at[below + right][k]);
}

/** Mix the levels of detail and the worlds. coarse, next: shares of the coarser level and of the second world */
static void mix(climate_map *m, double coarse, double next)
{
    for (int n = 0; n < POINTS; n++) {
        float values[2][4] = {{0.0f}};
        for (int which = 0; which < (next > 0.0 ? 2 : 1); which++) {
            const climate_points *fine = &m->points[which][0];
            float wide[4];
            memcpy(values[which], fine->at[n], sizeof wide);
            if (coarse > 0.0) {
                interpolate(&m->points[which][1], fine, n % SIDE, n / SIDE, wide);
                for (int k = 0; k < 4; k++)
                    values[which][k] += (float)coarse * (wide[k] - values[which][k]);
            }
        }
        for (int k = 0; k < 4; k++)
            m->mixed.at[n][k] = values[0][k] + (float)next * (values[1][k] - values[0][k]);
    }
}

/** Set where the camera stands among the points. */
static void place_camera(climate_map *m, const ter_params *p, const camera *c)
{
    const climate_points *points = &m->points[0][0];
    const int64_t step = INT64_C(1) << points->lod, cell[2] = {c->cell_x, c->cell_z};
    const double offset[2] = {c->offset_x, c->offset_z};
    m->mixed.step_m = ldexp(p->spacing, points->lod);
    for (int n = 0; n < 2; n++)
        m->mixed.place[n] = ((double)(cell[n] - points->first[n] * step) + offset[n]) / (double)step;
}

result climate_map_create(climate_map *m, double season)
{
    const ter_generator_options options = {TER_SIZED(ter_generator_options), .backend = TER_BACKEND_CPU, .threads = 1};
    *m = (climate_map){.season = season};
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
    const ter_params *params = ter_world_params(land->world);
    double coarse;
    const int lod = choose_lod(params, far_m, &coarse);
    for (int n = 0; n < 2; n++)
        for (int level = 0; level < 2; level++) {
            if (!worlds[n] || (level == 1 && coarse == 0.0)) {
                m->points[n][level].made_of = NULL;
                continue;
            }
            const result res = make_points(m, &m->points[n][level], worlds[n], lod + level, c);
            if (res.kind != RESULT_DONE)
                return res;
        }
    mix(m, coarse, land->next ? landscape_share(land, c) : 0.0);
    place_camera(m, params, c);
    return result_done();
}
