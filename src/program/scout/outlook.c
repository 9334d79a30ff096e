/* outlook.c - measures the shares of a view's picture and scores them. */
#include "program/scout/outlook.h"

#include <math.h>
#include <stdlib.h>

enum {
    HALF_COLUMNS = 7, /* 15 columns are 84 degrees: the width of a 16:9 picture 55 degrees high */
    COLUMNS = 2 * HALF_COLUMNS + 1
};
static const double HALF_HEIGHT_DEG = 27.5;
static const double SKYLINE_AT_DEG = 9.5; /* wanted skyline above the picture's middle: a third of the picture is sky */
static const double DEGREES = 57.295779513082321, PITCH_MIN_DEG = -16.0, PITCH_MAX_DEG = 0.0;

/* Score of a kind of land: it grows with the kind's share of the picture up to `worth` at the share `enough`. */
static const struct {
    double enough, worth;
} worths[LAND_KINDS] = {
    [LAND_PLANTS] = {0.15, 0.3}, [LAND_ROCK] = {0.05, 0.3}, [LAND_SOIL] = {0.05, 0.1}, [LAND_SNOW] = {0.03, 0.8},
    [LAND_RIVER] = {0.006, 1.2}, [LAND_LAKE] = {0.03, 1.2}, [LAND_SEA] = {0.05, 1.4}};
static const double SEEN = 0.002, SEEN_BAND = 0.03; /* least share of a kind and of a distance band that counts */
static const double MOUNTAIN_ENOUGH = 0.14, MOUNTAIN_WORTH = 2.2, SKY_BEST = 0.35, SKY_WORTH = 1.0, BAND_WORTH = 0.2;
static const double FRONT_WORTH = 2.5, FRONT_FREE = 0.35; /* penalty if the nearest band covers more than FRONT_FREE */
static const double TOGETHER[4] = {0.0, 0.0, 0.5, 1.5};   /* bonus for mountains with 0..3 of river, lake and sea */
static const double WATER_MOST = 0.4;                     /* share of water beyond which a picture looks empty */

/** Shares of a view's picture that each kind of land and each distance band covers. */
typedef struct shares {
    double kinds[LAND_KINDS + 1]; /* the last is the sky */
    double bands[PANORAMA_BANDS];
} shares;

static int compare_falling(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/** Mean tangent of a view's skyline, and mean of its highest quarter. */
static void measure_skyline(const panorama *p, int middle, double *mean, double *high)
{
    double tangents[COLUMNS], sum = 0.0;
    const int quarter = COLUMNS / 4;
    for (int n = 0; n < COLUMNS; n++)
        sum += tangents[n] = fmax(p->skyline[(middle + n - HALF_COLUMNS + PANORAMA_COLUMNS) % PANORAMA_COLUMNS], -0.2);
    *mean = sum / COLUMNS;
    qsort(tangents, COLUMNS, sizeof tangents[0], compare_falling);
    *high = 0.0;
    for (int n = 0; n < quarter; n++)
        *high += tangents[n] / quarter;
}

static void add_shares(const panorama *p, int middle, double pitch_deg, shares *s)
{
    const double low = tan((pitch_deg - HALF_HEIGHT_DEG) / DEGREES),
                 high = tan((pitch_deg + HALF_HEIGHT_DEG) / DEGREES);
    const int from = (int)fmax((low - PANORAMA_LOW) / PANORAMA_ROW, 0.0);
    const int to = (int)fmin((high - PANORAMA_LOW) / PANORAMA_ROW, PANORAMA_ROWS);
    const double weight = 1.0 / ((double)COLUMNS * (to - from));
    *s = (shares){{0}};
    for (int n = 0; n < COLUMNS; n++) {
        const int column = (middle + n - HALF_COLUMNS + PANORAMA_COLUMNS) % PANORAMA_COLUMNS;
        for (int row = from; row < to; row++) {
            s->kinds[p->kinds[column][row]] += weight;
            if (p->kinds[column][row] != PANORAMA_SKY)
                s->bands[p->distances[column][row]] += weight;
        }
    }
}

/** Score of the sun's direction: highest if the sun stands at the side and a little behind the camera, lowest in front.
 */
static double worth_of_light(int column, const float sun[3])
{
    double to[2];
    panorama_direction(column, to);
    const double across = sqrt((double)(sun[0] * sun[0] + sun[2] * sun[2]));
    if (sun[1] <= 0.0f || across <= 0.0)
        return 0.0;
    const double towards = (to[0] * (double)sun[0] + to[1] * (double)sun[2]) / across; /* 1: sun in front; -1: behind */
    return 0.9 * (1.0 - fabs(towards + 0.45) / 1.45);
}

static double worth_of(const shares *s, double high)
{
    const double mountain = fmin(fmax(high, 0.0) / MOUNTAIN_ENOUGH, 1.0);
    const int n_waters = (s->kinds[LAND_RIVER] >= SEEN) + (s->kinds[LAND_LAKE] >= SEEN) + (s->kinds[LAND_SEA] >= SEEN);
    double worth = MOUNTAIN_WORTH * mountain + TOGETHER[n_waters] * sqrt(mountain);
    const double water = s->kinds[LAND_SEA] + s->kinds[LAND_LAKE] + s->kinds[LAND_RIVER];
    for (int kind = 0; kind < LAND_KINDS; kind++)
        worth += worths[kind].worth * sqrt(fmin(s->kinds[kind] / worths[kind].enough, 1.0));
    for (int band = 0; band < PANORAMA_BANDS; band++)
        worth += BAND_WORTH * (s->bands[band] >= SEEN_BAND);
    worth += SKY_WORTH * (1.0 - fmin(fabs(s->kinds[PANORAMA_SKY] - SKY_BEST) / SKY_BEST, 1.0));
    worth -= FRONT_WORTH * fmax(s->bands[0] - FRONT_FREE, 0.0) + 4.0 * fmax(water - WATER_MOST, 0.0);
    return worth;
}

void outlook_measure(const panorama *p, int heading, const float sun[3], scout_place *place)
{
    const int middle = heading * (PANORAMA_COLUMNS / OUTLOOK_HEADINGS);
    double mean, high;
    shares s;
    measure_skyline(p, middle, &mean, &high);
    place->heading_deg = heading * 360.0 / OUTLOOK_HEADINGS;
    place->pitch_deg = fmin(fmax(floor(mean * DEGREES - SKYLINE_AT_DEG + 0.5), PITCH_MIN_DEG), PITCH_MAX_DEG);
    add_shares(p, middle, place->pitch_deg, &s);
    place->sky = s.kinds[PANORAMA_SKY];
    place->sea = s.kinds[LAND_SEA];
    place->lake = s.kinds[LAND_LAKE];
    place->river = s.kinds[LAND_RIVER];
    place->snow = s.kinds[LAND_SNOW];
    place->mountain_deg = fmax(high, 0.0) * DEGREES;
    place->n_kinds = place->n_distances = 0;
    for (int kind = 0; kind < LAND_KINDS; kind++)
        place->n_kinds += s.kinds[kind] >= SEEN;
    for (int band = 0; band < PANORAMA_BANDS; band++)
        place->n_distances += s.bands[band] >= SEEN_BAND;
    place->score = worth_of(&s, high) + worth_of_light(middle, sun);
}
