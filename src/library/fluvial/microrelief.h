/* microrelief.h - computes what the ground consists of at points 8 m apart, and how rough it is over less than a metre.
 *
 * The share of each material follows from slope, curvature, dryness, the distance to the bed of a river, and the height
 * above the sea. Patches some 20 m wide vary these shares.
 */
#ifndef TERRANE_FLUVIAL_MICRORELIEF_H
#define TERRANE_FLUVIAL_MICRORELIEF_H

#include "library/fluvial/surface.h"

/** Lattice of the microrelief. */
enum { TER_MATERIAL_LOD = 3, TER_MATERIAL_STEP = 1 << TER_MATERIAL_LOD /* m */ };

/** Roughness of the ground over distances of less than a metre. */
typedef struct ter_microrelief {
    float reach[TER_FINE_LODS]; /* m; half range of the displacement of new points at lods -1, -2, .. */
    float skew;                 /* above 0: single stones stand out; below 0: single joints are cut in */
    float ripple;               /* m; height of the crests of sand ripples */
} ter_microrelief;

enum { TER_MICRO_RIPPLE = TER_FINE_LODS + 1 /* number of `ripple`, for ter_micro_value */ };

/** Materials of the ground. */
enum { TER_ROCK, TER_SCREE, TER_GRAVEL, TER_SAND, TER_SOIL, TER_GRASS, TER_ICE, TER_DUNE_SAND, TER_MATERIALS };

/** Roughness of a material. Source of the figures: docs/lab/2026-microrelief.md */
TER_FN ter_microrelief ter_material_microrelief(int material)
{
    const ter_microrelief rock = {{0.1f, 0.06f, 0.034f, 0.019f}, -0.4f, 0.0f},
                          scree = {{0.11f, 0.085f, 0.05f, 0.022f}, 0.9f, 0.0f},
                          gravel = {{0.022f, 0.028f, 0.026f, 0.015f}, 0.7f, 0.0f},
                          sand = {{0.012f, 0.006f, 0.003f, 0.0015f}, 0.0f, 0.0f},
                          soil = {{0.02f, 0.013f, 0.009f, 0.005f}, 0.2f, 0.0f},
                          grass = {{0.014f, 0.012f, 0.01f, 0.006f}, 0.3f, 0.0f},
                          ice = {{0.03f, 0.02f, 0.012f, 0.006f}, -0.3f, 0.0f},
                          dune = {{0.004f, 0.002f, 0.001f, 0.0005f}, 0.0f, 0.0f};
    return material == TER_ROCK     ? rock
           : material == TER_SCREE  ? scree
           : material == TER_GRAVEL ? gravel
           : material == TER_SAND   ? sand
           : material == TER_SOIL   ? soil
           : material == TER_GRASS  ? grass
           : material == TER_ICE    ? ice
                                    : dune;
}

/** The land at a point of the lattice. */
typedef struct ter_site {
    float slope;    /* m/m, over 16 m */
    float hollow;   /* 1/m; second derivative of the height, above 0 in hollows */
    float altitude; /* m above the sea */
    float area;     /* cells; drained by the nearest channel */
    float gap;      /* m to the border of that channel's bed, below 0 in the bed */
    float dryness;  /* 0..1 */
    float patch;    /* 0..1, random */
    float ice;      /* 0..1; share of glacier */
    float dune;     /* 0..1; share of dune sand on the ground that is left by ice */
} ter_site;

/** Shares of the materials at a point; their sum is 1. Ice and dunes cover all others. Slopes up to 24 degrees are
 * covered by gravel, sand, soil or grass, scree lies at 24 to 35 degrees, and bare rock stands from 35 degrees on. */
TER_FN void ter_materials(const ter_site *at, float share[TER_MATERIALS])
{
    const float steep = at->slope + 0.2f * (at->patch - 0.5f);
    const float bed = ter_smooth_step(1.0f - ter_max(at->gap, 0.0f) * (1.0f / 8.0f)) *
                      ter_smooth_step(at->area * (1.0f / TER_BROOK_AREA) - 1.0f);
    const float beach = ter_smooth_step((2.5f - at->altitude) * 0.5f);
    const float desert = ter_smooth_step((at->dryness - 0.65f) * 5.0f) * ter_smooth_step((0.25f - at->slope) * 6.0f);
    share[TER_ICE] = at->ice;
    float left = 1.0f - share[TER_ICE];
    share[TER_DUNE_SAND] = left * at->dune;
    left = left - share[TER_DUNE_SAND];
    share[TER_ROCK] = left * ter_smooth_step((steep - 0.7f) * 2.0f);
    left = left - share[TER_ROCK];
    share[TER_SCREE] =
        left * ter_smooth_step((steep - 0.45f) * 4.0f) * ter_clamp(0.7f + 15.0f * at->hollow, 0.3f, 1.0f);
    left = left - share[TER_SCREE];
    share[TER_GRAVEL] = left * ter_max(bed, 0.4f * ter_smooth_step((at->dryness - 0.5f) * 4.0f));
    left = left - share[TER_GRAVEL];
    share[TER_SAND] = left * ter_max(beach, desert * (0.4f + 0.6f * at->patch));
    left = left - share[TER_SAND];
    share[TER_SOIL] = left * ter_smooth_step((at->dryness - 0.25f) * 2.0f);
    share[TER_GRASS] = left - share[TER_SOIL];
}

/** Microrelief of a point: the mean of its materials, weighted by their shares; `reach` is multiplied by a random
 * factor 0.75..1.25. Ripples stand on dunes, but not on their lee sides. Source of their height: Sharp 1963, "Wind
 * ripples", J. Geology 71: their length is 18 times the height. */
TER_FN ter_microrelief ter_mixed_microrelief(const ter_site *at)
{
    float share[TER_MATERIALS];
    ter_microrelief mixed = {{0.0f, 0.0f, 0.0f, 0.0f}, 0.0f, 0.0f};
    ter_materials(at, share);
    TER_UNROLL
    for (int n = 0; n < TER_MATERIALS; n++) {
        const ter_microrelief m = ter_material_microrelief(n);
        TER_UNROLL
        for (int lod = 0; lod < TER_FINE_LODS; lod++)
            mixed.reach[lod] = ter_fma(share[n], m.reach[lod], mixed.reach[lod]);
        mixed.skew = ter_fma(share[n], m.skew, mixed.skew);
    }
    const float factor = 0.75f + 0.5f * at->patch;
    TER_UNROLL
    for (int lod = 0; lod < TER_FINE_LODS; lod++)
        mixed.reach[lod] = factor * mixed.reach[lod];
    mixed.ripple = 0.008f * factor * share[TER_DUNE_SAND] * (1.0f - ter_smooth_step((at->slope - 0.35f) * 6.25f));
    return mixed;
}

/** Random number 0..1 of a point: a mean of the bytes of the 3 x 3 points around it, so that patches are wider than a
 * point. */
TER_FN float ter_patch(const ter_fluvial *f, int64_t x, int64_t y)
{
    int sum = 0;
    for (int b = -1; b <= 1; b++)
        for (int a = -1; a <= 1; a++)
            sum += ter_tagged_byte(f->round_key, TER_TAG_PATCH, x + a, y + b);
    return ter_clamp(((float)sum - 765.0f) * (1.0f / 765.0f), 0.0f, 1.0f);
}

/** Microrelief of point (x, y), counted in steps of TER_MATERIAL_STEP.
 *
 *  land  layers of such points: those of ter_micro_needs
 *  k     index of the point in these layers, which also contain the points beside it
 */
TER_FN ter_microrelief ter_make_microrelief(const ter_fluvial *f, const ter_fluvial_output *land, size_t k, int64_t x,
                                            int64_t y)
{
    const float *h = land->layer[TER_LAYER_HEIGHT] + k;
    const float north = *(h - land->stride), south = h[land->stride], west = *(h - 1), east = h[1], own = h[0];
    ter_site at;
    at.slope = ter_length(east - west, south - north) * (1.0f / 16.0f);
    at.hollow = ((north + south) + (west + east) - 4.0f * own) * (1.0f / 64.0f);
    at.altitude = own - f->sea;
    at.area = land->layer[TER_LAYER_FLOW][k] / (TER_AREA * (f->spacing * f->spacing));
    at.gap = land->layer[TER_LAYER_SHORE][k] / f->spacing - ter_river_width(at.area);
    at.dryness = land->layer[TER_LAYER_DRYNESS][k];
    at.patch = ter_patch(f, x, y);
    at.ice = f->glaciers > 0.0f ? ter_smooth_step(land->layer[TER_LAYER_GLACIER][k] * 0.5f) : 0.0f;
    at.dune = f->sand > 0.0f ? ter_smooth_step(land->layer[TER_LAYER_SAND][k] * 2.0f) : 0.0f;
    return ter_mixed_microrelief(&at);
}

#endif
