/* raster.c - prepares a guide's raster: averages fine pixels, fills gaps, extends the land beyond the edges.
 *
 * Beyond the edges, the trend stays as it is at the nearest point of the edge, and the detail is mirrored:
 *
 *     z(p) = trend(nearest point of the guide) + share * (z - trend)(mirror image of p)
 *
 * The share falls to 0 with distance; otherwise mirrored crests would close valleys that leave the guide.
 * Repeated pixels would make straight ribs at right angles to the edge. Plain mirrored heights would make a straight
 * valley or crest along it.
 */
#include "library/guide/raster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int at_least(int n, int least)
{
    return n > least ? n : least;
}

/** Mean of the pixels with data in square (x, y) of k x k pixels; not a number if there are none. */
static float mean_of(const ter_guide_options *o, int k, int x, int y)
{
    double sum = 0.0;
    int count = 0;
    for (int j = y * k; j < (y + 1) * k && j < o->rows; j++)
        for (int i = x * k; i < (x + 1) * k && i < o->cols; i++) {
            const float z = o->heights[(size_t)j * (size_t)o->cols + (size_t)i];
            if (isnan(z))
                continue;
            sum += (double)z;
            count++;
        }
    return count > 0 ? (float)(sum / count) : ter_not_a_number();
}

/** Fill gaps from a raster of half the size, recursively. Returns false when there is no memory. */
static bool fill_gaps(float *z, int width, int height)
{
    bool has_gaps = false;
    for (size_t n = 0; n < (size_t)width * (size_t)height && !has_gaps; n++)
        has_gaps = isnan(z[n]);
    if (!has_gaps)
        return true;
    const int w = (width + 1) / 2, h = (height + 1) / 2;
    float *half = malloc((size_t)w * (size_t)h * sizeof *half);
    if (!half)
        return false;
    const ter_guide_options pixels = {.heights = z, .cols = width, .rows = height};
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++)
            half[(size_t)y * (size_t)w + (size_t)x] = mean_of(&pixels, 2, x, y);
    const bool is_filled = fill_gaps(half, w, h);
    for (int y = 0; y < height && is_filled; y++)
        for (int x = 0; x < width; x++)
            if (isnan(z[(size_t)y * (size_t)width + (size_t)x]))
                z[(size_t)y * (size_t)width + (size_t)x] = half[(size_t)(y / 2) * (size_t)w + (size_t)(x / 2)];
    free(half);
    return is_filled;
}

/** Replace each pixel of a line by the mean of 2 r + 1 pixels, fewer at its ends. Sums are integers, so they are exact.
 * step: between pixels
 */
static void blur_line(float *z, int count, size_t step, int r, float *scratch)
{
    int64_t sum = 0;
    int n = 0;
    for (int k = 0; k < count; k++)
        scratch[k] = z[(size_t)k * step];
    for (int k = -r; k < count; k++) {
        if (k + r < count) {
            sum += (int64_t)rintf(scratch[k + r] * 256.0f);
            n++;
        }
        if (k - r - 1 >= 0) {
            sum -= (int64_t)rintf(scratch[k - r - 1] * 256.0f);
            n--;
        }
        if (k >= 0)
            z[(size_t)k * step] = (float)sum / (float)n * (1.0f / 256.0f);
    }
}

/** Two box filters in each direction. Returns false when there is no memory. */
static bool blur(float *z, int width, int height, int r)
{
    float *scratch = malloc((size_t)at_least(width, height) * sizeof *scratch);
    if (!scratch)
        return false;
    for (int round = 0; round < 2; round++) {
        for (int y = 0; y < height; y++)
            blur_line(z + (size_t)y * (size_t)width, width, 1, r, scratch);
        for (int x = 0; x < width; x++)
            blur_line(z + x, height, (size_t)width, r, scratch);
    }
    free(scratch);
    return true;
}

/** Index n of a line of `count` pixels, mirrored into the line as often as needed. */
static int mirrored(int n, int count)
{
    const int period = 2 * count;
    n = (n % period + period) % period;
    return n < count ? n : period - 1 - n;
}

static int clamped(int n, int count)
{
    return n < 0 ? 0 : n < count ? n : count - 1;
}

/** Distance of pixel n from a line of `count` pixels; 0 inside the line. */
static int beyond(int n, int count)
{
    return n < 0 ? -n : n < count ? 0 : n - count + 1;
}

/** Set the heights of all pixels. known: the guide, without gaps; trend: the same, smoothed; both width x height. fade:
 * pixels over which the mirrored detail fades */
static void extend(const float *known, const float *trend, int width, int height, float fade, guide_raster *r)
{
    for (int y = 0; y < r->height; y++) {
        const int south = beyond(y - r->pad, height);
        const size_t near_row = (size_t)clamped(y - r->pad, height) * (size_t)width;
        const size_t mirror_row = (size_t)mirrored(y - r->pad, height) * (size_t)width;
        float *out = r->z + (size_t)y * (size_t)r->width;
        for (int x = 0; x < r->width; x++) {
            const int east = beyond(x - r->pad, width), far = east > south ? east : south;
            const size_t near_at = near_row + (size_t)clamped(x - r->pad, width);
            const size_t mirror_at = mirror_row + (size_t)mirrored(x - r->pad, width);
            const float share = ter_max(1.0f - (float)far / fade, 0.0f);
            out[x] = far == 0 ? known[near_at] : trend[near_at] + share * (known[mirror_at] - trend[mirror_at]);
        }
    }
}

static void lower_distance(uint16_t *at, const uint16_t *beside, int more)
{
    if (*beside + more < *at)
        *at = (uint16_t)(*beside + more);
}

void guide_spread_distances(uint16_t *away, int width, int height)
{
    const int w = width, h = height;
    for (int pass = 0; pass < 2; pass++)
        for (int n = 0; n < w * h; n++) {
            const int k = pass ? w * h - 1 - n : n, x = k % w, y = k / w, step = pass ? 1 : -1;
            const bool has_row = y + step >= 0 && y + step < h;
            uint16_t *at = away + k;
            if (x + step >= 0 && x + step < w)
                lower_distance(at, at + step, GUIDE_AWAY_UNIT);
            for (int dx = -1; dx <= 1 && has_row; dx++)
                if (x + dx >= 0 && x + dx < w)
                    lower_distance(at, at + step * w + dx, dx == 0 ? GUIDE_AWAY_UNIT : 7);
        }
}

/** Set distances to 0 at pixels with data, and to a large number elsewhere. means: the guide's pixels, with gaps */
static void begin_distances(const float *means, int width, int height, guide_raster *r)
{
    for (size_t n = 0; n < (size_t)r->width * (size_t)r->height; n++)
        r->away[n] = UINT16_MAX - 7;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            if (!isnan(means[(size_t)y * (size_t)width + (size_t)x]))
                r->away[(size_t)(y + r->pad) * (size_t)r->width + (size_t)(x + r->pad)] = 0;
}

/** Fill the raster from the guide's means. known, trend: width * height floats each */
static bool fill_raster(float *known, float *trend, int width, int height, const guide_raster_plan *plan,
                        guide_raster *out)
{
    const size_t bytes = (size_t)width * (size_t)height * sizeof *known;
    const int r = at_least((int)(plan->blur / out->spacing), 1);
    begin_distances(known, width, height, out);
    guide_spread_distances(out->away, out->width, out->height);
    if (!fill_gaps(known, width, height))
        return false;
    memcpy(trend, known, bytes);
    if (!blur(trend, width, height, r))
        return false;
    extend(known, trend, width, height, (float)(plan->fade / out->spacing), out);
    return true;
}

ter_status guide_raster_make(const ter_guide_options *o, const float *values, const guide_raster_plan *plan,
                             guide_raster *out)
{
    const ter_guide_options pixels = {.heights = values, .cols = o->cols, .rows = o->rows};
    const int k = at_least((int)(plan->finest / plan->spacing), 1);
    const int width = (o->cols + k - 1) / k, height = (o->rows + k - 1) / k;
    *out = (guide_raster){.spacing = plan->spacing * k, .x = plan->x, .y = plan->y};
    out->x += (int64_t)rint(0.5 * (k - 1) * plan->spacing);
    out->y += (int64_t)rint(0.5 * (k - 1) * plan->spacing);
    out->pad = (int)(plan->pad / out->spacing) + 4;
    out->width = width + 2 * out->pad;
    out->height = height + 2 * out->pad;
    const size_t count = (size_t)width * (size_t)height, padded = (size_t)out->width * (size_t)out->height;
    float *known = malloc(count * sizeof *known), *trend = malloc(count * sizeof *trend);
    out->z = malloc(padded * sizeof *out->z);
    out->away = malloc(padded * sizeof *out->away);
    bool is_made = known && trend && out->z && out->away;
    if (is_made) {
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                known[(size_t)y * (size_t)width + (size_t)x] = mean_of(&pixels, k, x, y);
        is_made = fill_raster(known, trend, width, height, plan, out);
    }
    free(known);
    free(trend);
    if (!is_made)
        guide_raster_free(out);
    return is_made ? TER_OK : ter_fail(TER_ENOMEM, "no memory for a guide of %d x %d pixels", width, height);
}

void guide_raster_free(guide_raster *raster)
{
    free(raster->z);
    free(raster->away);
    raster->z = NULL;
    raster->away = NULL;
}
