/* world.c - checks parameters, and computes the values that the height functions need. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "library/fluvial/guide.h"
#include "library/fluvial/climate_point.h"
#include "library/fluvial/point.h"
#include "library/fluvial/glacier.h"
#include "library/fluvial/sand.h"
#include "library/core/sized_struct.h"
#include "library/fractal/crater.h"
#include "library/world/world.h"

static const ter_params default_params = {
    TER_SIZED(ter_params), .seed = 1,      .levels = 20,
    .amplitude = 1400.0,   .gain = 0.48,   .broad = 9,
    .broad_gain = 0.82,    .base = -150.0, .basis = TER_BASIS_FLUVIAL,
    .valley = 0.7,         .spacing = 1.0, .relief = 1.0,
    .continents = 1.0,     .wetness = 1.0, .belts = 8000.0,
    .wind = 60.0,
};

void ter_params_default_sized(ter_params *params, size_t struct_size)
{
    const size_t known = sizeof default_params;
    memset(params, 0, struct_size);
    memcpy(params, &default_params, struct_size < known ? struct_size : known);
    memcpy(params, &struct_size, sizeof struct_size);
}

const char *ter_basis_name(ter_basis basis)
{
    static const char *const names[TER_BASIS_COUNT] = {
        [TER_BASIS_MIDPOINT] = "midpoint", [TER_BASIS_SMOOTH] = "smooth", [TER_BASIS_FLUVIAL] = "fluvial"};
    return (unsigned)basis < TER_BASIS_COUNT ? names[basis] : NULL;
}

int ter_basis_format(ter_basis basis)
{
    return basis == TER_BASIS_FLUVIAL ? TER_WORLD_FORMAT : 1;
}

/* Heights are floats. Beyond these limits they would overflow or underflow. */
static const double METRES_MIN = 1e-30, METRES_MAX = 1e30;

static ter_status check_levels(int levels)
{
    if (levels < 1 || levels > TER_LEVELS_MAX)
        return ter_fail(TER_EINVAL, "levels is %d, expected 1 to %d", levels, TER_LEVELS_MAX);
    return TER_OK;
}

/** Check the parameters of bases midpoint and smooth. */
static ter_status check_displacement(const ter_params *p)
{
    if (!(p->amplitude >= METRES_MIN && p->amplitude <= METRES_MAX))
        return ter_fail(TER_EINVAL, "amplitude is %g, expected %g to %g m", p->amplitude, METRES_MIN, METRES_MAX);
    if (!(p->gain > 0.0 && p->gain < 1.0))
        return ter_fail(TER_EINVAL, "gain is %g, expected a number above 0 and below 1", p->gain);
    if (p->broad < 0 || p->broad > TER_LEVELS_MAX)
        return ter_fail(TER_EINVAL, "broad is %d, expected 0 to %d", p->broad, TER_LEVELS_MAX);
    if (!(p->broad_gain > 0.0 && p->broad_gain <= 1.0))
        return ter_fail(TER_EINVAL, "broad_gain is %g, expected a number above 0, at most 1", p->broad_gain);
    if (!(fabs(p->base) <= METRES_MAX))
        return ter_fail(TER_EINVAL, "base is %g, expected at most %g m, up or down", p->base, METRES_MAX);
    if (!(p->valley >= 0.0 && p->valley <= 1.0))
        return ter_fail(TER_EINVAL, "valley is %g, expected 0 to 1", p->valley);
    if (!(p->craters >= 0.0 && p->craters <= 1.0))
        return ter_fail(TER_EINVAL, "craters is %g, expected 0 to 1", p->craters);
    if (!(p->maria >= 0.0 && p->maria <= 1.0))
        return ter_fail(TER_EINVAL, "maria is %g, expected 0 to 1", p->maria);
    return TER_OK;
}

/** Check the parameters of the climate. */
static ter_status check_climate(const ter_params *p)
{
    if (!(p->warmth >= -60.0 && p->warmth <= 60.0))
        return ter_fail(TER_EINVAL, "warmth is %g, expected -60 to 60 K", p->warmth);
    if (!(p->wetness >= 0.0 && p->wetness <= 5.0))
        return ter_fail(TER_EINVAL, "wetness is %g, expected 0 to 5", p->wetness);
    if (!(p->belts >= 500.0 && p->belts <= 100000.0))
        return ter_fail(TER_EINVAL, "belts is %g, expected 500 to 100000 km", p->belts);
    return TER_OK;
}

/** Check the parameters of basis fluvial. */
static ter_status check_provinces(const ter_params *p)
{
    const struct {
        const char *name;
        double value;
    } shares[] = {{"land", p->land},       {"uplift", p->uplift}, {"hills", p->hills},
                  {"plateau", p->plateau}, {"ice", p->ice},       {"dryness", p->dryness}};
    for (size_t n = 0; n < sizeof shares / sizeof shares[0]; n++)
        if (!(shares[n].value >= -1.0 && shares[n].value <= 1.0))
            return ter_fail(TER_EINVAL, "%s is %g, expected -1 to 1", shares[n].name, shares[n].value);
    if (!(p->continents >= 0.0 && p->continents <= 1.0))
        return ter_fail(TER_EINVAL, "continents is %g, expected 0 to 1", p->continents);
    if (!(p->relief >= 0.1 && p->relief <= 3.0))
        return ter_fail(TER_EINVAL, "relief is %g, expected 0.1 to 3", p->relief);
    if (!(p->sea >= 0.0 && p->sea <= 2000.0))
        return ter_fail(TER_EINVAL, "sea is %g, expected 0 to 2000 m in a world of basis fluvial", p->sea);
    if (!(p->sand >= 0.0 && p->sand <= 1.0))
        return ter_fail(TER_EINVAL, "sand is %g, expected 0 to 1", p->sand);
    if (!(p->glaciers >= 0.0 && p->glaciers <= 1.0))
        return ter_fail(TER_EINVAL, "glaciers is %g, expected 0 to 1", p->glaciers);
    if (!(p->drought >= 0.0 && p->drought <= 1.0))
        return ter_fail(TER_EINVAL, "drought is %g, expected 0 to 1", p->drought);
    if (!(p->wind >= 0.0 && p->wind <= 360.0))
        return ter_fail(TER_EINVAL, "wind is %g, expected 0 to 360 degrees", p->wind);
    return check_climate(p);
}

static ter_status check_params(const ter_params *p)
{
    ter_status status = check_levels(p->levels);
    if (status != TER_OK)
        return status;
    if (!ter_basis_name(p->basis))
        return ter_fail(TER_EINVAL, "basis is %d, expected midpoint, smooth or fluvial", (int)p->basis);
    if (!isfinite(p->sea))
        return ter_fail(TER_EINVAL, "sea is %g, expected a finite number of metres", p->sea);
    if (!(p->spacing >= TER_SPACING_MIN && p->spacing <= TER_SPACING_MAX))
        return ter_fail(TER_EINVAL, "spacing is %g, expected %g to %.0f m", p->spacing, TER_SPACING_MIN,
                        TER_SPACING_MAX);
    if (p->guide && p->basis != TER_BASIS_FLUVIAL)
        return ter_fail(TER_EINVAL, "a world of basis %s has a guide, expected basis fluvial",
                        ter_basis_name(p->basis));
    return p->basis == TER_BASIS_FLUVIAL ? check_provinces(p) : check_displacement(p);
}

/** The parameters that a world's basis uses. The others are set to values without effect. */
static ter_params used_params(const ter_params *p)
{
    ter_params used = *p;
    if (p->basis == TER_BASIS_FLUVIAL) {
        used.amplitude = used.gain = used.broad_gain = used.base = used.valley = used.craters = used.maria = 0.0;
        used.broad = 0;
    } else {
        used.land = used.uplift = used.hills = used.plateau = used.ice = used.dryness = used.continents = 0.0;
        used.relief = 1.0;
        used.guide = NULL;
        used.warmth = used.wetness = used.belts = used.sand = used.wind = used.glaciers = used.drought = 0.0;
    }
    return used;
}

static void init_round_keys(uint64_t seed, uint32_t key[TER_PHILOX_ROUNDS][2])
{
    for (uint32_t n = 0; n < TER_PHILOX_ROUNDS; n++) {
        key[n][0] = (uint32_t)seed + n * UINT32_C(0x9E3779B9);
        key[n][1] = (uint32_t)(seed >> 32) + n * UINT32_C(0xBB67AE85);
    }
}

static void init_fluvial(ter_fluvial *f, const ter_params *p)
{
    *f = (ter_fluvial){
        .land = (float)p->land,
        .uplift = (float)p->uplift,
        .hills = (float)p->hills,
        .plateau = (float)p->plateau,
        .ice = (float)p->ice,
        .dryness = (float)p->dryness,
        .continents = (float)p->continents,
        .relief = (float)p->relief,
        .sea = (float)p->sea,
        .spacing = (float)p->spacing,
        .levels = p->levels,
        .warmth = (float)p->warmth,
        .wetness = (float)p->wetness,
        .belts = ter_climate_belts(p->belts),
        .sand = (float)p->sand,
        .glaciers = (float)p->glaciers,
        .drought = (float)p->drought,
        .ice_raise = TER_ICE_RAISE * (1.0f - (float)p->glaciers),
    };
    init_round_keys(p->seed, f->round_key);
    ter_sand_wind((float)p->wind, f);
    f->home_bend = ter_climate_home_bend(f);
}

void ter_level_amplitudes(const ter_params *params, int last, double *out_m)
{
    double a = params->amplitude;
    for (int k = 0; k <= last; k++) {
        out_m[k] = a;
        a *= k < params->broad ? params->broad_gain : params->gain;
    }
}

/** Let the world follow its guide. */
static ter_status add_guide(ter_world *world)
{
    const ter_guide *guide = world->params.guide;
    const ter_status status = guide_take_tables(guide, &world->fluvial, &world->guide);
    if (status != TER_OK)
        return status;
    guide_keep(guide);
    world->fluvial.guide = world->guide->at;
    world->fluvial.guide_level = world->guide->report.level;
    world->fluvial.guide_detail = (world->guide->at->has_bends ? TER_DETAIL_RIVERS : 0) |
                                  (world->guide->at->detail.at.width > 0 ? TER_DETAIL_HEIGHTS : 0);
    world->fluvial.guide_climate = world->guide->at->climate.at.width > 0;
    world->fluvial.guide_key = world->guide->key;
    return TER_OK;
}

/** The surface's age is the diameter of the smallest craters that are not in equilibrium. Lava is 256 times younger. */
static ter_cratering craters_of(const ter_params *p)
{
    const double cube = p->craters * p->craters * p->craters, age = 262144.0 * (cube * cube);
    const double level = p->base + p->amplitude * (2.0 * p->maria - 1.0), scale = 16.0 / p->amplitude;
    const double offset = fmax(-METRES_MAX, fmin(level * scale + 0.5, METRES_MAX));
    ter_cratering c = {.age = (float)age, .mare_age = (float)(age / 256.0), .mare_level = (float)level};
    if (p->maria > 0.0) {
        c.mare_offset = (float)offset;
        c.mare_scale = (float)scale;
    }
    return c;
}

static void init_field(ter_field *f, const ter_params *p)
{
    *f = (ter_field){
        .base = (float)p->base,
        .valley_offset = (float)(1.0 - p->valley),
        .valley_slope = (float)(p->valley / p->amplitude),
        .levels = p->levels,
        .basis = p->basis,
        .is_valley = p->valley > 0.0,
        .craters = craters_of(p),
    };
    init_round_keys(p->seed, f->round_key);
    double amplitude_m[TER_LEVEL_MAX + 1];
    ter_level_amplitudes(p, p->levels + TER_FINE_LODS, amplitude_m);
    for (int k = 0; k <= p->levels + TER_FINE_LODS; k++)
        f->amplitude[k] = (float)(amplitude_m[k] / 128.0);
}

/** Greatest height that a level of detail adds, metres. Up to lod 10 it is half of the distance between
 * samples, in lattice steps: the rise of a hillside whose slope is 1/2. From lod 11 to lod 17 it is 900, the difference
 * between provinces. Coarser levels add nothing. */
static double fluvial_amplitude(int lod)
{
    return lod <= 10 ? 0.5 * (double)(1 << lod) : lod <= 17 ? 900.0 : 0.0;
}

/** Greatest height that craters add at a level of detail, metres: half of the depth of craters that are four samples
 * wide. */
static double crater_amplitude(int lod)
{
    return lod <= TER_CRATER_LAST ? fmin(0.4 * ldexp(1.0, lod), 3000.0) : 0.0;
}

ter_status ter_params_amplitudes(const ter_params *caller_params, double *out_m)
{
    TER_REQUIRE_NAMED(caller_params, "params");
    TER_REQUIRE(out_m);
    ter_params known = default_params;
    TER_READ_STRUCT(&known, caller_params, ter_params);
    const ter_params *params = &known;
    const ter_status status = check_levels(params->levels);
    if (params->basis == TER_BASIS_FLUVIAL) {
        for (int k = 0; k <= params->levels && status == TER_OK; k++)
            out_m[k] = fluvial_amplitude(params->levels - k);
        return status;
    }
    if (status == TER_OK)
        ter_level_amplitudes(params, params->levels, out_m);
    for (int k = 0; k <= params->levels && status == TER_OK && params->craters > 0.0; k++)
        out_m[k] += crater_amplitude(params->levels - k);
    return status;
}

ter_status ter_params_read_guided(const ter_params *caller_params, ter_params *used, ter_fluvial *f)
{
    ter_params known = default_params;
    TER_READ_STRUCT(&known, caller_params, ter_params);
    if (!known.guide)
        return ter_fail(TER_EINVAL, "the parameters have no guide");
    const ter_status status = check_params(&known);
    if (status != TER_OK)
        return status;
    *used = used_params(&known);
    init_fluvial(f, &known);
    return TER_OK;
}

ter_status ter_world_create(const ter_params *caller_params, ter_world **out)
{
    TER_REQUIRE_NAMED(caller_params, "params");
    TER_REQUIRE(out);
    ter_params known = default_params;
    TER_READ_STRUCT(&known, caller_params, ter_params);
    const ter_params *params = &known;
    const ter_status status = check_params(params);
    if (status != TER_OK)
        return status;
    ter_world *world = malloc(sizeof *world);
    if (!world)
        return ter_fail(TER_ENOMEM, "no memory for a world");
    *world = (struct ter_world){.params = used_params(params)};
    if (params->basis == TER_BASIS_FLUVIAL)
        init_fluvial(&world->fluvial, params);
    else
        init_field(&world->field, params);
    if (world->params.guide) {
        const ter_status added = add_guide(world);
        if (added != TER_OK) {
            free(world);
            return added;
        }
    }
    *out = world;
    return TER_OK;
}

void ter_world_destroy(ter_world *world)
{
    if (world && world->guide) {
        guide_leave_tables(world->params.guide, world->guide);
        ter_guide_destroy((ter_guide *)world->params.guide);
    }
    free(world);
}

const ter_params *ter_world_params(const ter_world *world)
{
    return &world->params;
}

/** Whether points first to first + count - 1 of a level lie in the world, in one direction. depth: the points are
 * 2^depth lattice steps apart; may be negative */
static int is_inside(int64_t first, int64_t count, int depth)
{
    const int64_t limit = depth < 0 ? TER_COORDINATE_MAX << -depth : TER_COORDINATE_MAX >> depth;
    return first >= -limit && first <= limit && count - 1 <= limit - first;
}

ter_status ter_lattice_check(int levels, const ter_rect *rect)
{
    if (rect->level < 0 || rect->level > levels + TER_FINE_LODS)
        return ter_fail(TER_EINVAL, "level is %d, expected 0 to %d", rect->level, levels + TER_FINE_LODS);
    if (rect->width < 1 || rect->height < 1)
        return ter_fail(TER_EINVAL, "rectangle of %lld x %lld points, expected at least 1 x 1", (long long)rect->width,
                        (long long)rect->height);
    const int depth = levels - rect->level;
    if (!is_inside(rect->i, rect->width, depth) || !is_inside(rect->j, rect->height, depth))
        return ter_fail(
            TER_EINVAL,
            "rectangle of %lld x %lld points at i %lld, j %lld of level %d leaves the world, which ends at lattice "
            "coordinates -2^46 and 2^46",
            (long long)rect->width, (long long)rect->height, (long long)rect->i, (long long)rect->j, rect->level);
    return TER_OK;
}

ter_status ter_world_check(const ter_world *world, int level, int64_t i, int64_t j, int64_t width, int64_t height)
{
    const ter_rect rect = {.level = level, .i = i, .j = j, .width = width, .height = height};
    return ter_lattice_check(world->params.levels, &rect);
}

ter_status ter_world_height(const ter_world *world, int level, int64_t i, int64_t j, float *out_m)
{
    TER_REQUIRE(world);
    TER_REQUIRE(out_m);
    const ter_status status = ter_world_check(world, level, i, j, 1, 1);
    if (status != TER_OK)
        return status;
    if (world->params.basis != TER_BASIS_FLUVIAL) {
        *out_m = ter_height_at(&world->field, level, i, j);
        return TER_OK;
    }
    float layers[TER_LAYER_COUNT];
    if (!ter_fluvial_point(&world->fluvial, world->params.levels - level, i, j, layers))
        return ter_fail(TER_ENOMEM, "no memory for the network around a point");
    *out_m = layers[TER_LAYER_HEIGHT];
    return TER_OK;
}
