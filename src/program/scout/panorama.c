/* panorama.c - marches over heights in each direction, in steps that grow with the distance. */
#include "program/scout/panorama.h"

#include <math.h>
#include <string.h>

static const double NEAREST_M = 80.0, STEP_MIN_M = 80.0, STEP_SHARE = 0.035, FARTHEST_M = 80.0e3, SKYLINE_M = 2000.0;
static const double PLANET_RADIUS_M = 6371.0e3;
const double panorama_bands[PANORAMA_BANDS - 1] = {800.0, 3000.0, 10.0e3, 25.0e3};

/* Uses a table of sines and cosines of the first eighth of the circle, in steps of 5.625 degrees, and symmetry. It
 * calls no sin or cos of the C library, so every machine computes the same bits. */
void panorama_direction(int column, double to[2])
{
    static const double sines[9] = {0.0,
                                    0.098017140329560602,
                                    0.19509032201612827,
                                    0.29028467725446236,
                                    0.38268343236508977,
                                    0.47139673682599764,
                                    0.55557023301960222,
                                    0.63439328416364549,
                                    0.70710678118654752};
    static const double cosines[9] = {1.0,
                                      0.99518472667219689,
                                      0.98078528040323044,
                                      0.95694033573220887,
                                      0.92387953251128676,
                                      0.88192126434835503,
                                      0.83146961230254524,
                                      0.77301045336273696,
                                      0.70710678118654752};
    const int quarter = column / 16 % 4, n = column % 16;
    const double s = n <= 8 ? sines[n] : cosines[16 - n], c = n <= 8 ? cosines[n] : sines[16 - n];
    const double all[4][2] = {{s, -c}, {c, s}, {-s, c}, {-c, -s}};
    to[0] = all[quarter][0];
    to[1] = all[quarter][1];
}

static int band_of(double distance_m)
{
    int band = 0;
    while (band < PANORAMA_BANDS - 1 && distance_m > panorama_bands[band])
        band++;
    return band;
}

/** The lowest row above a tangent of elevation. */
static int row_over(double tangent)
{
    const double row = ceil((tangent - PANORAMA_LOW) / PANORAMA_ROW - 0.5);
    return row < 0.0 ? 0 : row > PANORAMA_ROWS ? PANORAMA_ROWS : (int)row;
}

/** Fill the rows of a column up to a tangent. */
static void fill_rows(panorama *p, int column, int *row, double tangent, land_kind kind, double distance_m)
{
    for (const int end = row_over(tangent); *row < end; ++*row) {
        p->kinds[column][*row] = (uint8_t)kind;
        p->distances[column][*row] = (uint8_t)band_of(distance_m);
    }
}

static void look_along(const land *near, const land *far, const panorama_camera *c, int column, panorama *p)
{
    double to[2], highest = PANORAMA_LOW, d = NEAREST_M;
    int row = 0;
    const double steps_a_metre = near->step / near->step_m;
    panorama_direction(column, to);
    p->skyline[column] = PANORAMA_LOW;
    while (d < FARTHEST_M) {
        const double x = c->x + to[0] * d * steps_a_metre, z = c->z + to[1] * d * steps_a_metre;
        const land *l = near;
        int64_t at = land_index(near, x, z);
        if (at < 0) {
            l = far;
            at = land_index(far, x, z);
        }
        if (at < 0)
            break;
        const double tangent = ((double)l->surface[at] - c->altitude_m) / d - 0.5 * d / PLANET_RADIUS_M;
        if (tangent > highest) {
            highest = tangent;
            fill_rows(p, column, &row, tangent, (land_kind)l->kinds[at], d);
            if (d > SKYLINE_M)
                p->skyline[column] = tangent;
        }
        d += fmax(STEP_MIN_M, STEP_SHARE * d);
    }
}

void panorama_make(const land *near, const land *far, const panorama_camera *camera, panorama *out)
{
    memset(out->kinds, PANORAMA_SKY, sizeof out->kinds);
    memset(out->distances, PANORAMA_BANDS - 1, sizeof out->distances);
    for (int column = 0; column < PANORAMA_COLUMNS; column++)
        look_along(near, far, camera, column, out);
}
