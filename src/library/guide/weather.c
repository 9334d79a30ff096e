/* weather.c - computes the climate of a guide from its rasters, at points of the world. */
#include "library/guide/weather.h"

#include <math.h>

#include "library/fluvial/climate.h"

enum {
    COUNT_MOST = 1 << 22, /* greatest number of points */
    SHIFT_MOST = 15       /* as far apart as the knots of the climate; only COUNT_MOST makes points lie farther apart */
};

static ter_window window_of(const guide_raster *r, double rim, int shift)
{
    const double step = (double)(1 << shift), east = (double)r->x + (r->width - 2 * r->pad - 1) * r->spacing,
                 south = (double)r->y + (r->height - 2 * r->pad - 1) * r->spacing;
    return ter_window_between((int64_t)ceil(((double)r->x - rim) / step), (int64_t)ceil(((double)r->y - rim) / step),
                              (int64_t)floor((east + rim) / step), (int64_t)floor((south + rim) / step));
}

ter_guide_points guide_weather_points(const guide_making *m)
{
    const guide_raster *r = &m->raster;
    ter_guide_points p = {.shift = 0};
    if (!m->beside[TER_GUIDE_TEMPERATURE].z && !m->beside[TER_GUIDE_PRECIPITATION].z)
        return p;
    while (p.shift < SHIFT_MOST && (double)(2 << p.shift) <= 1.5 * r->spacing)
        p.shift++;
    while (p.at = window_of(r, (double)m->rim, p.shift), (double)p.at.width * (double)p.at.height > COUNT_MOST)
        p.shift++;
    return p;
}

/** Value at a place of a raster; 0 if the guide does not have the raster. */
static float value_at(const guide_raster *r, int column, int row, float east, float south)
{
    return r->z ? guide_raster_height(r, column, row, east, south) : 0.0f;
}

void guide_make_weather(const guide_making *m, const ter_guide_points *points, ter_guide_weather *out)
{
    const guide_raster *r = &m->raster;
    const ter_window at = points->at;
    const int64_t step = (int64_t)1 << points->shift;
    for (int64_t y = at.y; y < at.y + at.height; y++)
        for (int64_t x = at.x; x < at.x + at.width; x++, out++) {
            const double u = (double)(x * step - r->x) / r->spacing + r->pad,
                         v = (double)(y * step - r->y) / r->spacing + r->pad;
            const int column = (int)floor(u), row = (int)floor(v);
            const float a = (float)(u - floor(u)), b = (float)(v - floor(v));
            const float away = guide_raster_away(r, column, row, a, b) * (float)r->spacing;
            out->share = ter_smooth_step(1.5f - 2.0f * away / m->rim);
            out->height = ter_max(guide_raster_height(r, column, row, a, b) - m->f.sea, 0.0f);
            out->temperature = value_at(&m->beside[TER_GUIDE_TEMPERATURE], column, row, a, b) + TER_LAPSE * out->height;
            out->precipitation = value_at(&m->beside[TER_GUIDE_PRECIPITATION], column, row, a, b);
        }
}
