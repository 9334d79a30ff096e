/* spline_curve.c - a tangent from the neighbours of a point. */
#include "program/features/spline_curve.h"

#include <math.h>

/** A tangent of the altitude: no more than three times the smaller change, and level beside a change of direction. */
static double monotone(double before, double behind)
{
    if (before * behind <= 0.0)
        return 0.0;
    const double mean = 0.5 * (before + behind), most = 3.0 * fmin(fabs(before), fabs(behind));
    return fabs(mean) <= most ? mean : copysign(most, mean);
}

void spline_tangents(const double *points, size_t count, double *tangents)
{
    for (size_t n = 0; n < count; n++) {
        const double *p = points + 3 * n, *a = n > 0 ? p - 3 : p, *b = n + 1 < count ? p + 3 : p;
        const double share = a == p || b == p ? 1.0 : 0.5;
        for (int c = 0; c < 2; c++)
            tangents[3 * n + (size_t)c] = share * (b[c] - a[c]);
        tangents[3 * n + 2] = share == 1.0 ? b[2] - a[2] : monotone(p[2] - a[2], b[2] - p[2]);
    }
}
