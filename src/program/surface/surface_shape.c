/* surface_shape.c - derives slope, normal and curvature from heights.
 *
 * The only function of the C math library in use is sqrt, which is rounded correctly everywhere. So every machine
 * computes the same bits. */
#include "program/surface/surface_shape.h"

#include <math.h>

static const double DEGREES = 57.295779513082321; /* in a radian */

void surface_slopes(const layer_window *w, int64_t column, double *east, double *south)
{
    const float *n = w->heights + column - w->stride, *h = w->heights + column, *s = w->heights + column + w->stride;
    const double nw = (double)n[-1], ne = (double)n[1], sw = (double)s[-1], se = (double)s[1];
    *east = (ne + 2.0 * (double)h[1] + se - nw - 2.0 * (double)h[-1] - sw) / (8.0 * w->step_m);
    *south = (sw + 2.0 * (double)s[0] + se - nw - 2.0 * (double)n[0] - ne) / (8.0 * w->step_m);
}

/** Arc tangent of x >= 0. Source: Abramowitz, Stegun 1964, 4.4.49, within 2e-8. */
static double arc_tangent(double x)
{
    static const double a[] = {0.0028662257, -0.0161657367, 0.0429096138, -0.0752896400, 0.1065626393, -0.1420889944,
                               0.1999355085, -0.3333314528, 1.0};
    const double t = x > 1.0 ? 1.0 / x : x, t2 = t * t;
    double sum = 0.0;
    for (int n = 0; n < 9; n++)
        sum = sum * t2 + a[n];
    return x > 1.0 ? 1.5707963267948966 - sum * t : sum * t;
}

void derive_slope(const layer_window *w, void *row)
{
    float *to = row;
    for (int64_t n = 0; n < w->width; n++) {
        double east, south;
        surface_slopes(w, n, &east, &south);
        to[n] = (float)(DEGREES * arc_tangent(sqrt(east * east + south * south)));
    }
}

/** Round a component of a unit vector to the nearest value of a channel. */
static unsigned channel_of(double component, double greatest)
{
    return (unsigned)((component * 0.5 + 0.5) * greatest + 0.5);
}

void derive_normal(const layer_window *w, void *row)
{
    const bool is_wide = w->channel_bits == 16;
    const double greatest = is_wide ? 65535.0 : 255.0;
    uint8_t *narrow = row;
    uint16_t *wide = row;
    for (int64_t n = 0; n < w->width; n++) {
        double east, south;
        surface_slopes(w, n, &east, &south);
        const double length = sqrt(1.0 + east * east + south * south), green = w->is_green_south ? -south : south;
        const double components[3] = {-east / length, green / length, 1.0 / length};
        for (int c = 0; c < 3; c++)
            if (is_wide)
                wide[3 * n + c] = (uint16_t)channel_of(components[c], greatest);
            else
                narrow[3 * n + c] = (uint8_t)channel_of(components[c], greatest);
    }
}

void derive_curvature(const layer_window *w, void *row)
{
    const double scale = 1.0 / (w->step_m * w->step_m);
    float *to = row;
    for (int64_t n = 0; n < w->width; n++) {
        const float *h = w->heights + n;
        const double around = (double)h[-1] + (double)h[1] + (double)h[-w->stride] + (double)h[w->stride];
        to[n] = (float)((4.0 * (double)h[0] - around) * scale);
    }
}
