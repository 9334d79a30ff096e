/* climate_zone.h - the zones of the climate: latitudes, and what follows from a latitude alone: temperature at the
 * level of the sea, prevailing wind, and how much rain rising air makes.
 *
 * A plane has no poles. Its latitude is an angle that grows without end to the north, with a slow random field added.
 * Every quarter of a turn leads from an equator to a pole, or back. `belts` is the length of this quarter.
 *
 * All distances here are lattice steps: metres in a world whose spacing is 1 m.
 */
#ifndef TERRANE_FLUVIAL_CLIMATE_ZONE_H
#define TERRANE_FLUVIAL_CLIMATE_ZONE_H

#include "library/fluvial/province.h"

/** The seasons: half a year each. Summer is the half that is warmer at the place. */
enum { TER_SUMMER, TER_WINTER, TER_SEASONS };

enum {
    TER_CLIMATE_UNITS = 10,        /* places of the climate are scaled by ter_fluvial.belts / 2^TER_CLIMATE_UNITS */
    TER_QUARTER = 8000000,         /* length of a quarter of a turn of latitude, in scaled lattice steps */
    TER_CLIMATE_PITCH = 22,        /* knots of octave 0 of the slow fields are 2^22 scaled lattice steps apart */
    TER_CLIMATE_HOME_X = -1078272, /* the default place of commands; its latitude is TER_CLIMATE_HOME */
    TER_CLIMATE_HOME_Y = 1921024
};

#define TER_CLIMATE_HOME 0.1635f /* turns; ter_latitude makes it 43 degrees north */
#define TER_CLIMATE_BEND                                                                                               \
    0.2f /* turns; factor of the slow field that moves latitudes, by about 12 degrees in either direction              \
          */

/** Scale a coordinate by the width of the zones. */
TER_FN int64_t ter_climate_scaled(const ter_fluvial *f, int64_t x)
{
    return (x * f->belts) >> TER_CLIMATE_UNITS;
}

/** Make knot (i, j) of octave m of the slow fields: latitude, temperature, wind to the east and to the south. */
TER_FN void ter_slow_knot(const ter_fluvial *f, int m, int64_t i, int64_t j, float out[TER_FIELD_CHANNELS])
{
    const ter_words words = ter_tagged_words(f->round_key, TER_TAG_CLIMATE + m, i, j);
    for (int c = 0; c < TER_FIELD_CHANNELS; c++)
        out[c] = ter_symmetric(&words, c);
}

/** Weight of octave m of the slow fields. */
TER_FN float ter_slow_weight(int m)
{
    return m == 0 ? 0.6f : m == 1 ? 0.4f : 0.25f;
}

/** A smooth approximation of the sign of t. */
TER_FN float ter_soft_sign(float t)
{
    return t / ter_sqrt(t * t + 0.06f);
}

/** A smooth approximation of the larger of t and 0. */
TER_FN float ter_soft_part(float t)
{
    return 0.5f * (t + ter_sqrt(t * t + 0.01f));
}

/** Latitude of scaled row y, turns. Zones near equators are wider than those near poles, as on a globe, where they have
 * more area.
 *
 *  bend  value at that place of the slow field that moves latitudes
 */
TER_FN float ter_latitude(const ter_fluvial *f, int64_t y, float bend)
{
    const int64_t turn = 4 * (int64_t)TER_QUARTER;
    const int64_t south = y - ter_climate_scaled(f, TER_CLIMATE_HOME_Y);
    const float around = (float)(south - ter_floor_div(south, turn) * turn) * (1.0f / (4.0f * (float)TER_QUARTER));
    const float even = TER_CLIMATE_HOME - around + TER_CLIMATE_BEND * (bend - f->home_bend);
    float cosine, sine;
    ter_turn(2.0f * even, &cosine, &sine);
    return ter_fma(sine, -0.05f, even);
}

/** A zone: the place of a latitude between equator and pole. */
typedef struct ter_zone {
    float polar; /* squared sine of the latitude: 0 at an equator, 1 at a pole */
    float north; /* -1..1; where the nearer pole lies: 1 north, -1 south; 0 at equators and poles */
} ter_zone;

/** Zone of a latitude, turns. */
TER_FN ter_zone ter_zone_at(float latitude)
{
    ter_zone z;
    float cosine, sine;
    ter_turn(latitude, &cosine, &sine);
    z.polar = sine * sine;
    z.north = 2.0f * sine * cosine;
    return z;
}

/** Zone that lies over a place in a season. Zones move towards the pole in summer, and towards the equator in
 * winter. */
TER_FN ter_zone ter_zone_in(int season, float latitude)
{
    float cosine, sine;
    ter_turn(latitude, &cosine, &sine);
    const float shift = 0.024f * ter_soft_sign(sine) * ter_soft_sign(cosine);
    return ter_zone_at(season == TER_SUMMER ? latitude - shift : latitude + shift);
}

/** Mean temperature of a year at the level of the sea, deg C. Fitted to means of Earth's parallels. */
TER_FN float ter_zone_temperature(ter_zone z)
{
    return 27.0f - z.polar * (22.0f + z.polar * (9.0f + 13.0f * z.polar * z.polar));
}

/** Share of the moisture in the air that falls where the ground is level: much in the rising air of the equator, little
 * in the sinking air near 27 degrees, more in the depressions of middle latitudes. */
TER_FN float ter_zone_lift(ter_zone z)
{
    const float tropics = ter_max(1.0f - z.polar * (1.0f / 0.165f), 0.0f);
    const float storms = ter_smooth_step((z.polar - 0.2f) * (1.0f / 0.34f)) *
                         (1.0f - 0.35f * ter_smooth_step((z.polar - 0.6f) * (1.0f / 0.4f)));
    return 0.04f + 0.96f * tropics * tropics + 0.9f * storms;
}

/** Wind of a zone: trade winds, westerlies, and the easterlies of the poles.
 *
 *  east, south  components that are added to it
 *  wind         receives the wind to the east and to the south, of length 1 or less
 */
TER_FN void ter_zone_wind(ter_zone z, float east, float south, float wind[2])
{
    const float along = -5.2f * (z.polar - 0.27f) * (z.polar - 0.84f) * (z.polar + 0.85f);
    const float x = along + east, y = -0.4f * along * z.north + south;
    const float inv = 1.0f / ter_sqrt(x * x + y * y + 0.08f);
    wind[0] = x * inv;
    wind[1] = y * inv;
}

#endif
