/* pixel_flood.h - floods the pixels of a guide: finds where water stands, and where each pixel drains to.
 *
 * The result depends on the guide's pixels only, and not on the land outside: water leaves at every pixel of the
 * border, in the sea, and where there is no data.
 *
 * Source: Barnes, Lehman, Mulla 2014, "Priority-flood: an optimal depression-filling and watershed-labeling algorithm
 * for digital elevation models".
 */
#ifndef TERRANE_GUIDE_PIXEL_FLOOD_H
#define TERRANE_GUIDE_PIXEL_FLOOD_H

#include "library/guide/making.h"

typedef struct guide_pixel_flood {
    const guide_raster *raster;
    int width, height; /* pixels of the guide, without the land beyond its edges */
    float *level;      /* m; lowest level at which water leaves a pixel */
    uint8_t *to;       /* direction in which a pixel drains, or TER_SINK where water leaves or ends */
    uint32_t *order;   /* pixels, each after the one that it drains to */
    uint32_t *ends;    /* pixels at which water ends without an outlet; NULL: none */
    size_t n_ends, room_ends;
} guide_pixel_flood;

/** Flood the pixels. Errors TER_ENOMEM, TER_ECANCELLED */
ter_status guide_flood_pixels(const guide_making *m, const guide_raster *raster, guide_pixel_flood *f);

/** Flood the pixels of a flooded f again. Water now also ends at f->ends. Errors TER_ENOMEM, TER_ECANCELLED */
ter_status guide_flood_to_ends(const guide_making *m, guide_pixel_flood *f);

void guide_pixel_flood_free(guide_pixel_flood *f);

static inline size_t guide_pixel_count(const guide_pixel_flood *f)
{
    return (size_t)f->width * (size_t)f->height;
}

static inline size_t guide_pixel_in_raster(const guide_pixel_flood *f, uint32_t pixel)
{
    const int x = (int)(pixel % (uint32_t)f->width), y = (int)(pixel / (uint32_t)f->width), pad = f->raster->pad;
    return (size_t)(y + pad) * (size_t)f->raster->width + (size_t)(x + pad);
}

static inline float guide_pixel_height(const guide_pixel_flood *f, uint32_t pixel)
{
    return f->raster->z[guide_pixel_in_raster(f, pixel)];
}

static inline bool guide_is_under_water(const guide_pixel_flood *f, uint32_t pixel)
{
    return f->level[pixel] > guide_pixel_height(f, pixel);
}

/** Neighbour of a pixel in a direction; -1: there is none. */
static inline int64_t guide_pixel_beside(const guide_pixel_flood *f, uint32_t pixel, int d)
{
    const int x = (int)(pixel % (uint32_t)f->width) + ter_direction_x(d),
              y = (int)(pixel / (uint32_t)f->width) + ter_direction_y(d);
    return x < 0 || y < 0 || x >= f->width || y >= f->height ? -1 : (int64_t)y * f->width + x;
}

/** A depression of the pixels. */
typedef struct guide_basin {
    uint32_t lowest; /* pixel */
    float depth;     /* m */
    size_t count;    /* pixels */
} guide_basin;

/** Find the depression in which a pixel lies: all pixels under water that are connected with it. They have the same
 * level.
 *
 *  first     a pixel under water
 *  is_found  one byte for each pixel of the guide; set to 1 for pixels of the depression
 *  pixels    receives the pixels of the depression; room for all pixels
 */
guide_basin guide_find_basin(const guide_pixel_flood *f, uint32_t first, unsigned char *is_found, uint32_t *pixels);

#endif
