/* scale.c - computes mean slopes of a guide at scales of 1, 2, 4 .. pixels, and chooses a level by them. */
#include "library/guide/scale.h"

#include <math.h>
#include <stdlib.h>

enum { SCALES = 14 };

#define SMOOTH_RATIO 1.75f /* ratio of steepness at two scales; 1.87 for a smooth surface, 0.6 to 1.5 for land */
#define PIXEL_SHARE  0.45  /* least width of a cell, in pixels */
#define RIM_CELLS    12.0  /* width of the rim, if it is not given */
#define RIM_LEAST    24e3  /* lattice steps */

/** Mean slope of the land of a raster, metres per pixel. Pixels without data and pixels of the sea do not count. */
static float mean_slope(const float *z, int width, int height, float sea)
{
    double sum = 0.0;
    int64_t count = 0;
    for (int y = 1; y < height - 1; y++)
        for (int x = 1; x < width - 1; x++) {
            const float *p = z + (size_t)y * (size_t)width + (size_t)x;
            const float dx = 0.5f * (p[1] - p[-1]), dy = 0.5f * (p[width] - p[-width]), slope = ter_length(dx, dy);
            if (isnan(slope) || !(p[0] > sea))
                continue;
            sum += (double)slope;
            count++;
        }
    return count > 0 ? (float)(sum / (double)count) : 0.0f;
}

/** Replace a raster by the means of 2 x 2 pixels. A last odd row or column is left out. */
static void halve(float *z, int *width, int *height)
{
    const int w = *width / 2, h = *height / 2;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            const float *p = z + (size_t)(2 * y) * (size_t)*width + (size_t)(2 * x);
            z[(size_t)y * (size_t)w + (size_t)x] = 0.25f * ((p[0] + p[1]) + (p[*width] + p[*width + 1]));
        }
    *width = w;
    *height = h;
}

/** Level whose cells are about twice as wide as a pixel. */
static int level_of(double pixel)
{
    int level = TER_GUIDE_LEVEL_MAX;
    while (level > 0 && (double)(131072 >> level) < 1.4 * pixel)
        level--;
    return level;
}

/** Find the steepness at scales of 1, 2, 4 .. pixels, relative to that of the law of hillsides. Returns the number of
 * scales, 0 when there is no memory. */
static int find_steepness(const ter_guide_options *o, double spacing, float sea, float steepness[SCALES])
{
    int width = o->cols, height = o->rows, count = 0;
    float *z = malloc((size_t)width * (size_t)height * sizeof *z);
    if (!z)
        return 0;
    for (size_t n = 0; n < (size_t)width * (size_t)height; n++)
        z[n] = o->heights[n];
    do {
        const double pixel = spacing * (double)(1 << count);
        steepness[count++] = mean_slope(z, width, height, sea) / (float)pixel / ter_hillslope_law(level_of(pixel));
        halve(z, &width, &height);
    } while (count < SCALES && width >= 3 && height >= 3);
    free(z);
    return count;
}

double guide_rim(double given, double cell)
{
    const double chosen = RIM_CELLS * cell > RIM_LEAST ? RIM_CELLS * cell : RIM_LEAST;
    return given > 0.0 ? given : chosen;
}

static double count_cells(const ter_guide_options *o, double spacing, double rim, double cell)
{
    const double around = 2.0 * guide_rim(rim, cell);
    /* The window of cells is about 1.8 times as large as the guide, because the network's plane is turned. */
    return 1.8 * (o->cols * spacing + around) / cell * ((o->rows * spacing + around) / cell);
}

/** Number n of the scale of a cell: 2^n pixels, the broadest scale that is not much wider than the cell. */
static int scale_of(double cell, double spacing, int count)
{
    int n = 0;
    while (n + 1 < count && spacing * (double)(2 << n) <= 1.1 * cell)
        n++;
    return n;
}

ter_status guide_find_scale(const ter_guide *guide, double spacing, double rim, float sea, double most,
                            guide_scale *out)
{
    const ter_guide_options *o = &guide->options;
    float steepness[SCALES];
    const int count = find_steepness(o, spacing, sea, steepness);
    if (count == 0)
        return ter_fail(TER_ENOMEM, "no memory for a guide of %d x %d pixels", o->cols, o->rows);
    int first = 0; /* the finest scale at which the guide is not smooth */
    while (first + 1 < count && steepness[first + 1] > SMOOTH_RATIO * steepness[first])
        first++;
    out->is_painting = first > 0;
    out->level = 1;
    for (int level = TER_GUIDE_LEVEL_MAX; level > 1; level--) {
        const double cell = 131072 >> level;
        if (cell >= PIXEL_SHARE * spacing && count_cells(o, spacing, rim, cell) <= most &&
            scale_of(cell, spacing, count) >= first) {
            out->level = level;
            break;
        }
    }
    return TER_OK;
}
