/* raster.h - prepares a guide's raster for reading at any point: averages pixels that are finer than its cells need,
 * fills gaps, and adds land beyond its edges. */
#ifndef TERRANE_GUIDE_RASTER_H
#define TERRANE_GUIDE_RASTER_H

#include "library/guide/definition.h"

/** Units of guide_raster.away per pixel. */
#define GUIDE_AWAY_UNIT 5

typedef struct guide_raster {
    int width, height, pad; /* pixels; the guide begins at pixel (pad, pad) */
    double spacing;         /* lattice steps */
    int64_t x, y;           /* lattice steps; middle of pixel (pad, pad) */
    float *z;               /* m; width * height, without gaps */
    uint16_t *away;         /* distance to the nearest pixel with data, in 1/5 pixel */
} guide_raster;

/** How a guide's raster is prepared.
 *
 *  spacing  lattice steps between the guide's pixels
 *  x, y     lattice steps; middle of pixel (0, 0)
 *  finest   lattice steps; finer pixels are averaged to pixels of about this width
 *  pad      lattice steps; distance beyond the outermost pixels up to which heights are needed
 *  blur     lattice steps; beyond the edges, the trend of the land is that of heights smoothed over this distance
 *  fade     lattice steps; distance from the guide over which mirrored detail fades
 */
typedef struct guide_raster_plan {
    double spacing;
    int64_t x, y;
    double finest, pad, blur, fade;
} guide_raster_plan;

/** Prepare a guide's raster.
 *
 *  o       pixels of the guide
 *  values  heights, or one of the guide's rasters
 *  out     receives the raster; free it with guide_raster_free
 *  Errors  TER_ENOMEM
 */
ter_status guide_raster_make(const ter_guide_options *o, const float *values, const guide_raster_plan *plan,
                             guide_raster *out);

void guide_raster_free(guide_raster *raster);

/** Replace each pixel's distance by the least sum of another pixel's distance and the way from there, if that is less.
 * A way leads from pixel to neighbouring pixel; a step counts 5 along an axis and 7 along a diagonal (GUIDE_AWAY_UNIT:
 * 5 per pixel). The given distances are at most UINT16_MAX - 7. Source: Borgefors 1986, "Distance transformations in
 * digital images" */
void guide_spread_distances(uint16_t *away, int width, int height);

/** Height at a place in pixels of the raster: Catmull-Rom by rows and columns, limited to the range of the four pixels
 * around. Source: Catmull and Rom 1974. 1 <= column < width - 2, row likewise; a, b: 0..1 further east, south */
static inline float guide_raster_height(const guide_raster *r, int column, int row, float a, float b)
{
    const float *p = r->z + (size_t)(row - 1) * (size_t)r->width + (size_t)(column - 1);
    float along[4];
    for (int n = 0; n < 4; n++, p += r->width)
        along[n] = p[1] + 0.5f * a *
                              ((p[2] - p[0]) + a * ((2.0f * p[0] - 5.0f * p[1] + 4.0f * p[2] - p[3]) +
                                                    a * (3.0f * (p[1] - p[2]) + p[3] - p[0])));
    const float z =
        along[1] + 0.5f * b *
                       ((along[2] - along[0]) + b * ((2.0f * along[0] - 5.0f * along[1] + 4.0f * along[2] - along[3]) +
                                                     b * (3.0f * (along[1] - along[2]) + along[3] - along[0])));
    const float *nw = r->z + (size_t)row * (size_t)r->width + (size_t)column, *sw = nw + r->width;
    return ter_clamp(z, ter_min(ter_min(nw[0], nw[1]), ter_min(sw[0], sw[1])),
                     ter_max(ter_max(nw[0], nw[1]), ter_max(sw[0], sw[1])));
}

/** Distance to the nearest pixel with data, in pixels, at a place as above. */
static inline float guide_raster_away(const guide_raster *r, int column, int row, float a, float b)
{
    const uint16_t *nw = r->away + (size_t)row * (size_t)r->width + (size_t)column, *sw = nw + r->width;
    const float north = ter_fma(a, (float)nw[1] - (float)nw[0], (float)nw[0]);
    const float south = ter_fma(a, (float)sw[1] - (float)sw[0], (float)sw[0]);
    return ter_fma(b, south - north, north) * (1.0f / GUIDE_AWAY_UNIT);
}

#endif
