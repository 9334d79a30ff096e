/* world_options.c - the tables of parameters and of the look: names, ranges, help. */
#include "program/cli/world_options.h"

#include <math.h>
#include <string.h>

#include "program/core/world_parameters.h"

static const char *const basis_names[] = {"midpoint", "smooth", "fluvial", NULL};

void world_options(ter_params *p, option options[WORLD_PARAMETERS])
{
    const option table[WORLD_PARAMETERS] = {
        {"seed", "N", "key of the random field", OPTION_UNSIGNED, &p->seed, {0}, NULL, NULL},
        {"levels", "N", "subdivision levels", OPTION_INTEGER, &p->levels, {1, TER_LEVELS_MAX, 0, 0}, NULL, NULL},
        {"amplitude",
         "M",
         "displacement at level 0, metres",
         OPTION_REAL,
         &p->amplitude,
         {0, INFINITY, 1, 0},
         NULL,
         NULL},
        {"gain", "G", "amplitude ratio from level to level", OPTION_REAL, &p->gain, {0, 1, 1, 1}, NULL, NULL},
        {"broad",
         "N",
         "number of the coarsest levels that use --broad-gain",
         OPTION_INTEGER,
         &p->broad,
         {0, TER_LEVELS_MAX, 0, 0},
         NULL,
         NULL},
        {"broad-gain",
         "G",
         "amplitude ratio over the broad levels",
         OPTION_REAL,
         &p->broad_gain,
         {0, 1, 1, 0},
         NULL,
         NULL},
        {"base", "M", "mean altitude, metres", OPTION_REAL, &p->base, {-INFINITY, INFINITY, 1, 1}, NULL, NULL},
        {"basis",
         "NAME",
         "definition of the land: fluvial has rivers and valleys, the others are fractals",
         OPTION_CHOICE,
         &p->basis,
         {0},
         basis_names,
         NULL},
        {"valley", "V", "smoothing of low ground", OPTION_REAL, &p->valley, {0, 1, 0, 0}, NULL, NULL},
        {"sea", "M", "sea level, metres", OPTION_REAL, &p->sea, {-INFINITY, INFINITY, 1, 1}, NULL, NULL},
        {"spacing",
         "M",
         "metres between neighbouring lattice points",
         OPTION_REAL,
         &p->spacing,
         {TER_SPACING_MIN, TER_SPACING_MAX, 0, 0},
         NULL,
         NULL},
        {"land", "L", "fluvial: -1 sea, 1 continents", OPTION_REAL, &p->land, {-1, 1, 0, 0}, NULL, NULL},
        {"relief",
         "R",
         "fluvial: factor of the steepness of hillsides",
         OPTION_REAL,
         &p->relief,
         {0.1, 3, 0, 0},
         NULL,
         NULL},
        {"uplift", "U", "fluvial: less or more alpine land", OPTION_REAL, &p->uplift, {-1, 1, 0, 0}, NULL, NULL},
        {"hills", "H", "fluvial: -1 plains, 1 hills", OPTION_REAL, &p->hills, {-1, 1, 0, 0}, NULL, NULL},
        {"plateau",
         "P",
         "fluvial: less or more high plains with canyons",
         OPTION_REAL,
         &p->plateau,
         {-1, 1, 0, 0},
         NULL,
         NULL},
        {"ice", "I", "fluvial: less or more land shaped by ice", OPTION_REAL, &p->ice, {-1, 1, 0, 0}, NULL, NULL},
        {"dryness", "D", "fluvial: less or more dry land", OPTION_REAL, &p->dryness, {-1, 1, 0, 0}, NULL, NULL},
        {"continents",
         "C",
         "fluvial: 0 seas and lands of 500 to 1,000 km everywhere, 1 continents and oceans",
         OPTION_REAL,
         &p->continents,
         {0, 1, 0, 0},
         NULL,
         NULL},
        {"warmth",
         "K",
         "fluvial: added to temperatures, kelvins",
         OPTION_REAL,
         &p->warmth,
         {-60, 60, 0, 0},
         NULL,
         NULL},
        {"wetness", "W", "fluvial: factor of precipitation", OPTION_REAL, &p->wetness, {0, 5, 0, 0}, NULL, NULL},
        {"belts",
         "KM",
         "fluvial: mean distance from a hot belt of the climate to a cold one, kilometres",
         OPTION_REAL,
         &p->belts,
         {500, 100000, 0, 0},
         NULL,
         NULL},
        {"sand",
         "S",
         "fluvial: 0 no dunes, 1 nearly all plains of deserts are ergs",
         OPTION_REAL,
         &p->sand,
         {0, 1, 0, 0},
         NULL,
         NULL},
        {"glaciers",
         "G",
         "fluvial: 0 no glaciers, 1 as many as the climate allows",
         OPTION_REAL,
         &p->glaciers,
         {0, 1, 0, 0},
         NULL,
         NULL},
        {"drought",
         "D",
         "fluvial: 0 rivers and lakes everywhere, 1 dry beds and salt flats where the climate is dry",
         OPTION_REAL,
         &p->drought,
         {0, 1, 0, 0},
         NULL,
         NULL},
        {"wind",
         "DEG",
         "fluvial: where the wind that makes dunes comes from, degrees clockwise from north",
         OPTION_REAL,
         &p->wind,
         {0, 360, 0, 0},
         NULL,
         NULL},
        {"craters",
         "C",
         "midpoint, smooth: 0 no craters, 1 a surface saturated with craters",
         OPTION_REAL,
         &p->craters,
         {0, 1, 0, 0},
         NULL,
         NULL},
        {"maria",
         "M",
         "midpoint, smooth, with craters: 0 no lava, 1 lava over all but the highest ground",
         OPTION_REAL,
         &p->maria,
         {0, 1, 0, 0},
         NULL,
         NULL},
    };
    _Static_assert(sizeof(ter_basis) == sizeof(int), "a choice is stored as an int");
    memcpy(options, table, sizeof table);
}

/** Whether the world's basis uses the parameter that an option sets. */
static bool is_used(const ter_params *p, const void *target)
{
    for (int n = 0; n < WORLD_NUMBERS; n++)
        if (target == (const char *)p + world_parameters[n].at)
            return world_parameter_is_of(&world_parameters[n], p->basis);
    return true;
}

const option *world_options_stray(const ter_params *params, const option options[WORLD_PARAMETERS],
                                  const bool given[WORLD_PARAMETERS])
{
    for (int n = 0; n < WORLD_PARAMETERS; n++)
        if (given[n] && !is_used(params, options[n].target))
            return &options[n];
    return NULL;
}

result world_options_refuse(const char *label, const ter_params *params)
{
    const char *dashes = strncmp(label, "--", 2) == 0 ? "--" : "";
    if (params->basis == TER_BASIS_FLUVIAL) {
        const char *names[WORLD_NUMBERS + 1] = {NULL};
        char list[256];
        for (int n = 0, count = 0; n < WORLD_NUMBERS; n++)
            if (!world_parameter_is_of(&world_parameters[n], TER_BASIS_SMOOTH))
                names[count++] = world_parameters[n].name;
        options_join(names, "and", list, sizeof list);
        return result_of(RESULT_USAGE,
                         "%s has no meaning in a world of basis fluvial, expected %sbasis smooth or midpoint with it; "
                         "basis fluvial has %s",
                         label, dashes, list);
    }
    return result_of(RESULT_USAGE, "%s has no meaning in a world of basis %s, expected %sbasis fluvial with it", label,
                     ter_basis_name(params->basis), dashes);
}

static const char *const surround_names[] = {"endless", "sea", NULL};

void guide_options(guide_request *r, option options[GUIDE_PARAMETERS])
{
    const option table[GUIDE_PARAMETERS] = {
        {"guide",
         "FILE",
         "fluvial: raster of heights that the land follows",
         OPTION_PATH,
         &r->file,
         {0},
         NULL,
         NULL,
         "none"},
        {"guide-at",
         "X,Z",
         "place of its north-western pixel, metres",
         OPTION_PLACE,
         r->at,
         {0},
         NULL,
         &r->has_place,
         "the file's, or the middle lies where commands begin"},
        {"guide-spacing",
         "M",
         "distance of its pixels, metres",
         OPTION_REAL,
         &r->spacing,
         {TER_GUIDE_SPACING_MIN, TER_GUIDE_SPACING_MAX, 0, 0},
         NULL,
         NULL,
         "the file's"},
        {"guide-range",
         "LO,HI",
         "heights of black and white in a picture, metres",
         OPTION_RANGE,
         r->range,
         {0},
         NULL,
         NULL,
         "numbers are metres"},
        {"guide-vertical", "F", "factor of its heights", OPTION_REAL, &r->vertical, {0, 1000, 1, 0}, NULL, NULL},
        {"guide-level",
         "N",
         "level of the network that it sets, with cells of 131072 / 2^N steps; 0: chosen by measure",
         OPTION_INTEGER,
         &r->level,
         {0, TER_GUIDE_LEVEL_MAX, 0, 0},
         NULL,
         NULL},
        {"guide-surround", "NAME", "what lies around it", OPTION_CHOICE, &r->surround, {0}, surround_names, NULL},
        {"guide-lakes",
         "M",
         "its depressions of this depth remain lakes; 0: none does",
         OPTION_REAL,
         &r->lakes,
         {0, 10000, 0, 0},
         NULL,
         NULL},
        {"guide-endorheic",
         "M",
         "its depressions of this depth have no outlet; 0: none has",
         OPTION_REAL,
         &r->endorheic,
         {0, 10000, 0, 0},
         NULL,
         NULL},
        {"guide-rivers", "FILE", "lines that rivers follow, with their `width` in metres", OPTION_PATH, &r->rivers,
         .otherwise = "none"},
        {"guide-relief", "FILE", "raster beside it: factor of the steepness of hillsides, 0 to 4", OPTION_PATH,
         &r->rasters[TER_GUIDE_RELIEF], .otherwise = "none"},
        {"guide-plateau", "FILE", "raster beside it: share of plateaus with canyons, 0 to 1", OPTION_PATH,
         &r->rasters[TER_GUIDE_PLATEAU], .otherwise = "none"},
        {"guide-dryness", "FILE", "raster beside it: dryness, 0 to 1", OPTION_PATH, &r->rasters[TER_GUIDE_DRYNESS],
         .otherwise = "none"},
        {"guide-ice", "FILE", "raster beside it: share of land that glaciers have shaped, 0 to 1", OPTION_PATH,
         &r->rasters[TER_GUIDE_ICE], .otherwise = "none"},
        {"guide-temperature", "FILE", "raster beside it: mean temperature of a year at its heights, deg C", OPTION_PATH,
         &r->rasters[TER_GUIDE_TEMPERATURE], .otherwise = "none"},
        {"guide-precipitation", "FILE", "raster beside it: mm of rain and snow a year", OPTION_PATH,
         &r->rasters[TER_GUIDE_PRECIPITATION], .otherwise = "none"},
    };
    _Static_assert(sizeof(ter_guide_surround) == sizeof(int), "a choice is stored as an int");
    memcpy(options, table, sizeof table);
}

void look_options(look *l, int *palette, option options[LOOK_PARAMETERS])
{
    const option table[LOOK_PARAMETERS] = {
        {"palette", "NAME", "colours of the ground", OPTION_CHOICE, palette, {0}, look_palette_names, NULL},
        {"tree-line",
         "M",
         "where forest ends, metres over the sea",
         OPTION_REAL,
         &l->tree_line_m,
         {-1e5, 1e5, 0, 0},
         NULL,
         NULL},
        {"snow-line",
         "M",
         "where snow begins, metres over the sea",
         OPTION_REAL,
         &l->snow_line_m,
         {-1e5, 1e5, 0, 0},
         NULL,
         NULL},
        {"aridity", "A", "0 wet, 1 no plants", OPTION_REAL, &l->aridity, {0, 1, 0, 0}, NULL, NULL},
        {"strata", "S", "how visible layers are in bare rock", OPTION_REAL, &l->strata, {0, 1, 0, 0}, NULL, NULL},
        {"haze", "H", "1 is a clear day", OPTION_REAL, &l->haze, {0, 50, 0, 0}, NULL, NULL},
        {"clouds", "C", "cover of the sky", OPTION_REAL, &l->clouds, {0, 1, 0, 0}, NULL, NULL},
        {"cloud-base",
         "M",
         "lower side of the clouds, metres over the sea",
         OPTION_REAL,
         &l->cloud_base_m,
         {100, 20000, 0, 0},
         NULL,
         NULL},
        {"cloud-depth",
         "M",
         "thickness of the clouds, metres",
         OPTION_REAL,
         &l->cloud_depth_m,
         {50, 10000, 0, 0},
         NULL,
         NULL},
        {"air", "D", "density of the air, 0 is none", OPTION_REAL, &l->air, {0, 10, 0, 0}, NULL, NULL},
    };
    memcpy(options, table, sizeof table);
}
