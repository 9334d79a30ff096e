/* relief.h - draws shaded relief of heights in memory, with rivers, lakes and a legend below it. Calls no OpenGL and
 * opens no files. */
#ifndef TERRANE_PROGRAM_PICTURE_RELIEF_H
#define TERRANE_PROGRAM_PICTURE_RELIEF_H

#include <stdbool.h>
#include <stdint.h>

#include "program/core/result.h"
#include "program/picture/map_climate.h"
#include "program/picture/map_cover.h"
#include "program/picture/map_water.h"
#include "program/surface/look.h"

enum { RELIEF_LEGEND_MIN = 360 }; /* pixels; narrower pictures have no legend */

/** Land to draw, one sample per pixel, north at the top. */
typedef struct relief {
    const ter_params *world;
    const look *look;
    double x, z, step; /* lattice coordinates of the north-west sample; lattice steps between samples */
    double pixel_m;    /* metres between samples */
    int width, height;
    const float *heights;   /* width * height metres, row-major */
    const map_water *water; /* width * height entries; NULL: land without rivers and lakes */
    map_style style;
    double exaggeration; /* factor on slopes for shading; 0: chosen such that this land is well visible */
    const float *climate[MAP_CLIMATE_LAYERS]; /* width * height numbers each; not read in style relief */
    const float *cover[MAP_COVER_LAYERS];     /* width * height metres each; NULL: no glaciers and no sand. Style biome
                                                 does not read them */
} relief;

/** The ground of a pixel before it is lit. */
typedef struct relief_ground {
    double color[3];    /* linear; of level ground, or of the sea bed seen through the sea */
    double east, south; /* slopes */
    bool is_sea;
} relief_ground;

/** Called while a picture is drawn, with the finished share, 0..1. Returning false interrupts the drawing. */
typedef struct relief_progress {
    bool (*goes_on)(void *user, double share);
    void *user;
} relief_progress;

/** Rows of the picture: land and legend. */
int relief_picture_height(const relief *land);

/** Least and greatest height of the land. */
void relief_range(const relief *land, float *min_m, float *max_m);

/** The ground of one pixel. `exaggeration` is not used. */
void relief_ground_at(const relief *land, int x, int y, relief_ground *out);

/** Share of its colour that ground keeps in full shade. */
double relief_shaded(map_style style);

/** Factor on slopes that suits maps of the default world whose pixels are samples of a level of detail, so that tiles
 * of a map fit. The mean slopes are 0.3 and more at levels of detail up to 8, and then fall by a factor of 1.65 a
 * level. */
double relief_exaggeration(double lod);

/** Draw the picture.
 *
 *  pixels  width * relief_picture_height * 3 bytes, sRGB
 *  Errors  RESULT_INTERRUPTED; RESULT_FAILED
 *  Source  hillshade: Horn 1981, lit from the north-west and, a third as strong, from the west
 */
result relief_draw(const relief *land, uint8_t *pixels, const relief_progress *progress);

#endif
