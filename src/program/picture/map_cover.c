/* map_cover.c - the colours of glaciers and sand in maps. */
#include "program/picture/map_cover.h"

#include <math.h>

const ter_layer map_cover_layers[MAP_COVER_LAYERS] = {TER_LAYER_GLACIER, TER_LAYER_SAND};

/** Thicknesses from which a cover hides the ground, metres. */
static const double OPAQUE_M[MAP_COVER_LAYERS] = {10.0, 2.0};
static const double ICE[3] = {0.70, 0.80, 0.88}; /* linear */

bool map_has_cover(const ter_params *world)
{
    return world->basis == TER_BASIS_FLUVIAL && (world->glaciers > 0.0 || world->sand > 0.0);
}

void map_blend_cover(const look *look, const float thick_m[MAP_COVER_LAYERS], double color[3])
{
    for (int k = 0; k < MAP_COVER_LAYERS; k++) {
        const double share = fmin(fmax((double)thick_m[k] / OPAQUE_M[k], 0.0), 1.0);
        for (int n = 0; n < 3; n++)
            color[n] += share * ((k == MAP_GLACIER ? ICE[n] : (double)look->colors[LOOK_SAND][n]) - color[n]);
    }
}
