/* province.h - computes what kind of land lies at a place. Smooth random fields with pitches of 8,389 km to 4 km become
 * continents, relief, plateaus, plains, dryness and ice.
 *
 * A place is a point of the network's plane, which is the world's plane turned by 23 degrees and warped: a pair of
 * integers in 1/256 of a unit of 2 m. Fields are sums of octaves. Each octave is a cubic B-spline over random knots,
 * with a pitch of its own.
 */
#ifndef TERRANE_FLUVIAL_PROVINCE_H
#define TERRANE_FLUVIAL_PROVINCE_H

#include "library/core/scalar.h"
#include "library/fluvial/spline.h"
#include "library/fluvial/words.h"
#include "terrane/guide.h"

struct ter_guide_tables;

/** Flags: what the land takes from the fine pixels of a guide. */
enum { TER_DETAIL_RIVERS = 1, TER_DETAIL_HEIGHTS = 2 };

/** The parameters of a world, in the form that the passes use. Built once per world, in world.c. The structure has no
 * padding, because worlds are compared byte by byte. */
typedef struct ter_fluvial {
    uint32_t round_key[TER_PHILOX_ROUNDS][2];
    float land;                                 /* -1..1: below 0 more sea, above 0 more land */
    float uplift, hills, plateau, ice, dryness; /* -1..1: less or more of each than in the default world */
    float continents;                           /* 0..1: how much continents and oceans shape the land */
    float relief;                               /* factor of the hillslopes */
    float sea;                                  /* m */
    float spacing;                              /* m; a lattice step. The network counts it as 1 m */
    float warmth;                               /* K; added to temperatures */
    float wetness;                              /* factor of precipitation */
    float sand;                                 /* 0..1: how much sand lies on plains of deserts; 0: none */
    float glaciers;                             /* 0..1: how many glaciers the climate makes; 0: none */
    float drought;                              /* 0..1: how much waters and gullies follow a dry climate */
    float room;                                 /* 0; without it the structure would have padding */
    float ice_raise;                            /* m; by how much equilibrium lines of glaciers are raised */
    float wind_length;                          /* length of (wind_x, wind_y), divided by 64 */
    int32_t wind_x, wind_y;                     /* vector down the wind that makes dunes, about 64 long */
    float home_bend;                            /* the slow field that moves latitudes (climate_zone.h), at the home */
    int32_t belts;                              /* places are scaled by belts / 2^TER_CLIMATE_UNITS for the climate */
    int32_t levels;                             /* samples of this level are a lattice step apart */
    int32_t guide_level;   /* level whose nodes come from the guide; 0: no guide, or its nodes are not known yet */
    int32_t guide_detail;  /* TER_DETAIL_RIVERS and TER_DETAIL_HEIGHTS, if the guide has them */
    int32_t guide_climate; /* 0 or 1: whether the guide has a climate */
    const struct ter_guide_tables *guide; /* guide.h; NULL without a guide */
    uint64_t guide_key;                   /* start of the checksum of the guide's tables */
} ter_fluvial;

/** Whether the climate of a world changes its land: by sand, glaciers or drought. */
TER_FN int ter_has_cover(const ter_fluvial *f)
{
    return f->sand > 0.0f || f->glaciers > 0.0f || f->drought > 0.0f;
}

/** Values of a province. Those before TER_PROVINCE_HEIGHT are interpolated between knots. */
enum {
    TER_PROVINCE_RELIEF,  /* how steep hillsides are: ter_hillslope */
    TER_PROVINCE_CAP,     /* m per unit; upper limit of the slope of hillsides */
    TER_PROVINCE_ROUND,   /* units; scale below which crests are rounded */
    TER_PROVINCE_TOP,     /* m; level of the plateau */
    TER_PROVINCE_ABOVE,   /* share of a rise above that level that remains */
    TER_PROVINCE_FLOOR,   /* half width of a valley's floor, divided by ter_area_side */
    TER_PROVINCE_ICE,     /* 0..1 */
    TER_PROVINCE_FLAT,    /* 0..1: plains */
    TER_PROVINCE_SLOPE,   /* m per unit; hillslope at the last level of the network */
    TER_PROVINCE_ALPINE,  /* 0..1: how sharp gullies are */
    TER_PROVINCE_DRYNESS, /* 0..1 */
    TER_PROVINCE_HEIGHT,  /* m; of the nodes of level 0 */
    TER_PROVINCE_COUNT,
    TER_PROVINCE_BETWEEN = TER_PROVINCE_HEIGHT
};

enum {
    TER_CONTINENT_OCTAVES = 4, /* the first octaves make continents */
    TER_FIELD_OCTAVES = TER_CONTINENT_OCTAVES + 8,
    TER_FIELD_SHIFT = 30, /* pitch of octave 0: 2^30 / 256 units */
    TER_FIELD_CHANNELS = 4,
    TER_CONTINENT_SHIFT = 24, /* sums of continents are known at knots 2^24 / 256 units apart */
    TER_KNOT_SHIFT = 19       /* provinces are known at knots 2^19 / 256 units apart */
};

/* ---- provinces ---- */

/** Slope of hillsides of mean relief at a level of the network, metres per unit. Source of the law: measurements of
 * real terrain, in which slopes fall as the power -.9 of the distance over which they are measured
 * (docs/world-format-3.md). */
TER_FN float ter_hillslope_law(int level)
{
    /* .5 (cell / 256)^-.9, cells of 65536 units to 256 units */
    return level < 3   ? (level < 1   ? 0.00340064f
                          : level < 2 ? 0.00634575f
                                      : 0.0118415f)
           : level < 6 ? (level < 4   ? 0.0220970f
                          : level < 5 ? 0.0412346f
                                      : 0.0769464f)
                       : (level < 7   ? 0.143587f
                          : level < 8 ? 0.267943f
                                      : 0.5f);
}

/** Slope of hillsides at a level of the network, metres per unit; its cells are 65536 >> level units wide. */
TER_FN float ter_hillslope(float relief, float cap, float round, int level)
{
    const float law = ter_hillslope_law(level);
    const float cell = (float)(65536 >> level);
    const float s = law * relief * 1.6f, s2 = s * s, c2 = cap * cap;
    return s * cap / ter_sqrt(ter_sqrt(s2 * s2 + c2 * c2)) * cell / (cell + 0.35f * round);
}

/** Bit of a raster in ter_guide_fields.rasters. */
#define TER_GUIDE_HAS(raster) (1 << (raster))

/** What a guide knows about a place. */
typedef struct ter_guide_fields {
    float share;                 /* 0..1: share of the guide in the land */
    float relief;                /* steepness of the guide's hillsides, as TER_PROVINCE_RELIEF */
    float height;                /* m; mean */
    float rough;                 /* 0..1: least steepness of hillsides, as a share of that without the guide */
    float ocean;                 /* 0 or 1: whether an ocean lies around the guide */
    float plateau, dryness, ice; /* 0..1: values of the guide's other rasters */
    int32_t rasters;             /* sum of TER_GUIDE_HAS of the guide's rasters; the seed gives the other values */
} ter_guide_fields;

/** The sums of the random fields that a province is made of. */
typedef struct ter_province_sums {
    float inland, margin, high, rolling; /* fields of continents: `inland` is above 0 inside a continent, `margin` where
                                            its coast has mountains; `high` and `rolling` make plateaus and hills */
    float away;                          /* ter_away_from_home: share with which continents shape the land */
    float land, belt, plate, hills, gate, local, rock;
    ter_guide_fields guide;
} ter_province_sums;

/* The home: the place in the network's plane, without the warp, of the point (-1078272, 1921024), the default
 * place of commands. Continents do not change the land around it. */
#define TER_HOME_X INT64_C(-223287296)
#define TER_HOME_Y INT64_C(172767232)
#define TER_HOME_KM                                                                                                    \
    1500.0f /* up to this distance continents change nothing, except lakes and drained areas near this distance */
#define TER_HOME_TO_KM       (1.0f / 128000.0f) /* km per unit of places */
#define TER_CONTINENT_INLAND 0.02f              /* approximate value of `inland` at coasts */

/** How far a place is away from the home, 0..1: 0 up to a distance of TER_HOME_KM, 1 from twice this distance on. */
TER_FN float ter_away_from_home(int64_t x, int64_t y)
{
    const float dx = (float)(x - TER_HOME_X) * TER_HOME_TO_KM, dy = (float)(y - TER_HOME_Y) * TER_HOME_TO_KM;
    return ter_smooth_step((ter_length(dx, dy) - TER_HOME_KM) * (1.0f / TER_HOME_KM));
}

TER_FN void ter_province_add(ter_province_sums *sums, int octave, const float s[TER_FIELD_CHANNELS])
{
    if (octave < TER_CONTINENT_OCTAVES) {
        const float weight = octave == 0 ? 0.7f : octave == 1 ? 0.95f : octave == 2 ? 0.75f : 0.55f;
        sums->inland = ter_fma(weight, s[0], sums->inland);
        sums->margin = ter_fma(weight, s[1], sums->margin);
        sums->high = ter_fma(weight, s[2], sums->high);
        sums->rolling = ter_fma(weight, s[3], sums->rolling);
        return;
    }
    const int m = octave - TER_CONTINENT_OCTAVES;
    const float land[] = {1.0f, 0.62f, 0.3844f, 0.238328f, 0.14776336f, 0.0f, 0.0f, 0.0f};
    const float belt[] = {0.5f, 1.0f, 0.45f, 0.2f, 0.08f, 0.0f, 0.0f, 0.0f};
    const float plate[] = {0.0f, 1.0f, 0.7f, 0.35f, 0.15f, 0.08f, 0.0f, 0.0f};
    const float hills[] = {0.0f, 1.0f, 0.8f, 0.5f, 0.3f, 0.15f, 0.0f, 0.0f};
    const float local[] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.8f, 0.6f, 0.5f};
    const float rock[] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f, 1.2f, 0.5f};
    sums->land = ter_fma(land[m], s[0], sums->land);
    sums->local = ter_fma(local[m], s[0], sums->local);
    sums->belt = ter_fma(belt[m], s[1], sums->belt);
    sums->rock = ter_fma(rock[m], s[1], sums->rock);
    sums->plate = ter_fma(plate[m], s[2], sums->plate);
    sums->hills = ter_fma(hills[m], s[3], sums->hills);
    if (m == 0)
        sums->gate = s[3];
    if (m == 1)
        sums->gate = ter_fma(0.5f, s[2], sums->gate);
}

/** Let continents and oceans shape the sums. Half of the coasts of a continent have a belt of mountains beside them. */
TER_FN void ter_add_continents(float continents, ter_province_sums *s)
{
    const float share = continents * s->away, over = s->inland - TER_CONTINENT_INLAND;
    s->land += share * (0.3f * ter_smooth_step(over * (1.0f / 0.12f)) - 2.3f * ter_smooth_step(-over * (1.0f / 0.35f)));
    s->plate += share * (0.7f * s->high - 0.12f);
    s->hills += share * 0.5f * s->rolling;
    const float coast = (over - 0.12f) * 4.0f, beside = ter_smooth_step(s->margin * 6.0f) * share;
    const float belt = fabsf(coast) < fabsf(s->belt) ? coast : s->belt;
    s->belt += beside * (belt - s->belt);
    s->gate += beside * 0.35f * ter_smooth_step((0.22f - fabsf(coast)) * (1.0f / 0.22f));
}

/** Relief that hills and belts make: TER_PROVINCE_RELIEF of land without plateaus, with mean rock and relief 1.
 */
TER_FN float ter_shape_relief(float belt, float hill)
{
    return (0.035f + 0.75f * hill * hill) * (1.0f - belt) + 3.2f * belt;
}

#define TER_GUIDE_OCEAN (-500.0f) /* m; mean depth of the ocean around a guide */
#define TER_GUIDE_MESA  60.0f     /* m above the guide's mean heights, at which its plateaus become flat */

#define TER_PLATEAU_RELIEF 1.9f /* least relief of plateaus: canyons have steep sides */

/** A value in a guide: the value of the guide's raster if there is one, otherwise that of the land without the guide.
 */
TER_FN float ter_guided(const ter_guide_fields *g, int raster, float given, float own)
{
    return g->rasters & TER_GUIDE_HAS(raster) ? own + g->share * (given - own) : own;
}

/** Relief of the land in a guide: the relief of the guide, but at least a share of the relief that the seed gives, and
 * at least the relief of plateaus. */
TER_FN float ter_guided_relief(const ter_guide_fields *g, float belt, float hill)
{
    const float relief = ter_max(g->relief, g->rough * ter_shape_relief(belt, hill));
    return ter_max(relief, TER_PLATEAU_RELIEF * g->plateau);
}

/** Let a guide shape the shares of belts, hills and plateaus: belts and hills follow from its relief, plateaus from its
 * raster. An ocean has none of them. */
TER_FN void ter_guide_shapes(const ter_guide_fields *g, float relief, float *belt, float *hill, float *flat_top)
{
    *belt -= g->ocean * *belt;
    *flat_top -= g->ocean * *flat_top;
    *belt += g->share * (ter_smooth_step((relief - 0.9f) * (1.0f / 1.6f)) - *belt);
    *hill += g->share * (ter_sqrt(ter_clamp((relief - 0.035f) * (1.0f / 0.75f), 0.0f, 1.0f)) - *hill);
    *flat_top += g->share * (g->plateau - *flat_top);
}

/** Mean height of the land in a guide or in the ocean around it. land: ter_province_sums.land; z: without the guide */
TER_FN float ter_guided_height(const ter_guide_fields *g, float land, float z)
{
    z += g->ocean * (TER_GUIDE_OCEAN + 100.0f * ter_clamp(land, -1.0f, 1.0f) - z);
    return z + g->share * (g->height - z);
}

/** What the sums of a province say about its land. */
typedef struct ter_province_shape {
    float belt, hill, flat_top, dry; /* 0..1: share of mountain belts, of hills, of plateaus; dryness */
    float plain;                     /* share that is neither belt nor plateau */
    float plate;                     /* the sum that plateaus follow */
    float relief;                    /* as ter_shape_relief, with plateaus and the guide */
    float hard;                      /* hardness of the rock: weak rock has gentler slopes and wider floors */
    float local;                     /* random factor of the relief */
} ter_province_shape;

/** is_guided: a guide or the ocean around it has a share of the province */
TER_FN ter_province_shape ter_province_shape_of(const ter_fluvial *f, const ter_province_sums *sums, int is_guided)
{
    const ter_guide_fields *guide = &sums->guide;
    const float width = 0.22f * (1.0f + 0.9f * f->uplift);
    const float across = ter_max(0.0f, 1.0f - fabsf(sums->belt) / width);
    ter_province_shape s;
    s.belt = across * across * (3.0f - 2.0f * across) *
             ter_smooth_step((sums->gate + 0.5f * f->uplift + 0.12f) * (1.0f / 0.22f));
    s.hill = ter_smooth_step((sums->hills + 0.7f * f->hills + 0.2f) * (1.0f / 0.6f));
    s.plate = sums->plate + 0.6f * f->plateau;
    s.flat_top = ter_smooth_step((s.plate - 0.24f) * 6.25f) * (1.0f - s.belt);
    const float guided_relief = is_guided ? ter_guided_relief(guide, s.belt, s.hill) : 0.0f;
    if (is_guided)
        ter_guide_shapes(guide, guided_relief, &s.belt, &s.hill, &s.flat_top);
    s.plain = (1.0f - s.belt) * (1.0f - s.flat_top);
    s.dry = ter_smooth_step((sums->plate - 0.35f * sums->gate + f->dryness + 0.45f) * (1.0f / 1.1f));
    s.relief = ter_shape_relief(s.belt, s.hill);
    if (s.relief < TER_PLATEAU_RELIEF)
        s.relief += s.flat_top * (TER_PLATEAU_RELIEF - s.relief);
    s.hard = ter_clamp(1.0f + 0.6f * sums->rock, 0.3f, 2.0f);
    s.local = sums->local;
    if (is_guided) {
        s.dry = ter_guided(guide, TER_GUIDE_DRYNESS, guide->dryness, s.dry);
        s.relief += guide->share * (guided_relief - s.relief);
        s.hard += guide->share * (1.0f - s.hard);
        s.local += guide->share * (1.0f - s.local);
    }
    return s;
}

/** Mean height of a province without its belts and plateaus, metres. Coasts without mountains have a shelf: heights
 * near the level of the sea are moved towards it. */
TER_FN float ter_province_base(const ter_fluvial *f, const ter_province_sums *sums, float belt, int is_guided)
{
    const float shelf = 260.0f * (1.0f - belt);
    float z = 1500.0f * (sums->land + 0.5f * f->land) + 60.0f;
    if (shelf > 1.0f)
        z = z * fabsf(z) / (fabsf(z) + shelf);
    return is_guided ? ter_guided_height(&sums->guide, sums->land, z) : z;
}

/** Store the values of a province that ice changes. */
TER_FN void ter_province_ice(const ter_fluvial *f, const ter_province_shape *s, const ter_guide_fields *guide,
                             int is_guided, float v[TER_PROVINCE_COUNT])
{
    float ice = ter_clamp(s->belt * (1.0f - s->flat_top) * (1.0f + f->ice) + ter_max(f->ice, 0.0f) * s->hill * s->plain,
                          0.0f, 1.0f);
    float trough = ter_max(f->ice, 0.0f); /* valleys of glaciers have broad floors */
    if (is_guided) {
        ice = ter_guided(guide, TER_GUIDE_ICE, guide->ice, ice);
        trough = ter_guided(guide, TER_GUIDE_ICE, 1.0f, trough);
    }
    v[TER_PROVINCE_ICE] = ice;
    v[TER_PROVINCE_FLOOR] =
        ((0.020f - 0.004f * s->hill + 0.012f * trough * ice) * (1.0f - s->flat_top) + 0.0044f * s->flat_top) *
        (1.4f * ter_max(1.0f + 1.5f * (1.0f - s->hard), 0.2f));
}

/** Compute the values of a province from its sums. */
TER_FN void ter_province_of(const ter_fluvial *f, const ter_province_sums *fields, float v[TER_PROVINCE_COUNT])
{
    ter_province_sums sums = *fields;
    const ter_guide_fields *guide = &sums.guide;
    const int is_guided = guide->share > 0.0f || guide->ocean > 0.0f;
    ter_add_continents(f->continents, &sums);
    const ter_province_shape s = ter_province_shape_of(f, &sums, is_guided);
    const float z = ter_province_base(f, &sums, s.belt, is_guided);
    const float shore = ter_smooth_step((z + 250.0f) * (1.0f / 230.0f));
    const float badland = s.dry * ter_max(f->dryness, 0.0f) * s.hill;
    v[TER_PROVINCE_RELIEF] = s.hard * s.relief * ter_max(s.local, 0.35f) * (0.06f + 0.94f * shore) * f->relief;
    v[TER_PROVINCE_CAP] = s.hard * ((0.72f + 0.16f * s.hill - 0.1f * s.belt) * (1.0f - s.flat_top) + 1.6f * s.flat_top);
    v[TER_PROVINCE_ROUND] =
        12.0f + 28.0f * s.flat_top + (388.0f * (1.0f - s.hill) + 90.0f * s.hill) * s.plain * (1.0f - 0.8f * badland);
    v[TER_PROVINCE_TOP] = ter_max(z, 0.0f) + 420.0f + 250.0f * s.plate;
    v[TER_PROVINCE_ABOVE] = 1.0f - 0.93f * s.flat_top;
    ter_province_ice(f, &s, guide, is_guided, v);
    v[TER_PROVINCE_FLAT] = (1.0f - s.hill) * s.plain;
    v[TER_PROVINCE_SLOPE] = ter_hillslope(v[TER_PROVINCE_RELIEF], v[TER_PROVINCE_CAP], v[TER_PROVINCE_ROUND], 8);
    v[TER_PROVINCE_ALPINE] = ter_max(s.belt + s.flat_top * (1.0f - s.belt), badland);
    v[TER_PROVINCE_DRYNESS] = s.dry;
    v[TER_PROVINCE_HEIGHT] = z + 350.0f * s.belt + 220.0f * s.flat_top * shore;
    if (is_guided) {
        v[TER_PROVINCE_TOP] += guide->share * guide->plateau * (guide->height + TER_GUIDE_MESA - v[TER_PROVINCE_TOP]);
        v[TER_PROVINCE_HEIGHT] += guide->share * (guide->height - v[TER_PROVINCE_HEIGHT]);
    }
}

/** A place between four knots of the provinces. */
typedef struct ter_province_place {
    const float *north, *south; /* values of the western knots */
    float a, b;                 /* shares of the eastern and of the southern ones */
} ter_province_place;

TER_FN ter_province_place ter_province_at(ter_window at, const float *knots, int64_t x, int64_t y)
{
    const int64_t mask = ((int64_t)1 << TER_KNOT_SHIFT) - 1;
    ter_province_place p;
    p.north = knots + (size_t)ter_window_index(at, x >> TER_KNOT_SHIFT, y >> TER_KNOT_SHIFT) * TER_PROVINCE_BETWEEN;
    p.south = p.north + (size_t)at.width * TER_PROVINCE_BETWEEN;
    p.a = (float)(int)(x & mask) * (1.0f / (1 << TER_KNOT_SHIFT));
    p.b = (float)(int)(y & mask) * (1.0f / (1 << TER_KNOT_SHIFT));
    return p;
}

/** Value n < TER_PROVINCE_BETWEEN at a place. */
TER_FN float ter_province_value(const ter_province_place *p, int n)
{
    const float *w = p->north, *s = p->south;
    const float north = ter_fma(p->a, w[TER_PROVINCE_BETWEEN + n] - w[n], w[n]);
    const float south = ter_fma(p->a, s[TER_PROVINCE_BETWEEN + n] - s[n], s[n]);
    return ter_fma(p->b, south - north, north);
}

#endif
