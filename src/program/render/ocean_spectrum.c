/* ocean_spectrum.c - distributes the waves of a JONSWAP spectrum and of a swell to cascades. */
#include "program/render/ocean_spectrum.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#include "library/fractal/height.h"

#include <constants.glsl>

static const double PI = 3.14159265358979323846, GRAVITY = 9.81, PATTERN_M = NOISE_PATTERN_M;
static const double WIND_SPEED = 8.0, FETCH_M = 1.0e5; /* m/s, 10 m above the sea; distance over which the wind blows */
static const double WIND[2] = {WIND_EAST, WIND_SOUTH}; /* direction of travel */
static const double SWELL[2] = {0.9701425001, -0.2425356250};     /* direction of travel, (4, -1) */
static const double SWELL_PERIOD_S = 10.5, SWELL_DEVIATION = 0.2; /* standard deviation of heights, m */
static const double SHORTEST = 370.0; /* wave number, 1/m; surface tension damps shorter waves */
static const double RING = 0.43;      /* waves per sample of a cascade, at most; at 0.5 slopes would show steps */

ocean_waves ocean_waves_of(int quality_level)
{
    if (quality_level == 0)
        return (ocean_waves){.side = 64, .n_cascades = 3, .turn = {{49, 22}, {281, -73}, {1201, 907}}};
    return (ocean_waves){.side = 256, .n_cascades = 4, .turn = {{23, 11}, {167, -43}, {887, 691}, {7013, -2311}}};
}

double ocean_patch_m(const ocean_waves *waves, int cascade)
{
    return PATTERN_M / hypot(waves->turn[cascade][0], waves->turn[cascade][1]);
}

/** Wave number of the longest wave of a cascade, 1/m. */
static double longest_of(const ocean_waves *w, int cascade)
{
    return cascade > 0 ? 2.0 * PI * RING * w->side / ocean_patch_m(w, cascade - 1)
                       : 2.0 * PI * 4.0 / ocean_patch_m(w, 0);
}

/** Wave number of the shortest wave of a cascade, 1/m. */
static double shortest_of(const ocean_waves *w, int cascade)
{
    return 2.0 * PI * RING * w->side / ocean_patch_m(w, cascade);
}

/** Directional distribution of waves of a frequency, 1/radian; off: angle to the main direction. Source: Donelan,
 * Hamilton, Hui 1985, eq. 8.2; Banner 1990. */
static double spread(double beta, double off)
{
    const double c = 1.0 / cosh(beta * off);
    return beta / (2.0 * tanh(beta * PI)) * c * c;
}

static double spread_of_wind_sea(double ratio, double off)
{
    const double r = fmax(ratio, 0.56);
    const double beta = r < 0.95  ? 2.61 * pow(r, 1.3)
                        : r < 1.6 ? 2.28 * pow(r, -1.3)
                                  : pow(10.0, -0.4 + 0.8393 * exp(-0.567 * log(r * r)));
    return spread(beta, off);
}

static double angle_between(const double a[2], double x, double z)
{
    return atan2(a[0] * z - a[1] * x, a[0] * x + a[1] * z);
}

/** Spectrum of the wind sea: variance of heights per angular frequency. Source: Hasselmann et al. 1973. */
static double wind_sea(double omega, double *peak)
{
    *peak = 22.0 * cbrt(GRAVITY * GRAVITY / (WIND_SPEED * FETCH_M));
    const double alpha = 0.076 * pow(WIND_SPEED * WIND_SPEED / (FETCH_M * GRAVITY), 0.22);
    const double width = (omega <= *peak ? 0.07 : 0.09) * *peak, off = (omega - *peak) / width;
    const double sharp = pow(3.3, exp(-0.5 * off * off));
    return alpha * GRAVITY * GRAVITY * pow(omega, -5.0) * exp(-1.25 * pow(*peak / omega, 4.0)) * sharp;
}

/** Spectrum of wind sea and swell: variance of heights per area of wave vectors, m^4. */
static double density(double kx, double kz)
{
    const double k = hypot(kx, kz), omega = sqrt(GRAVITY * k), a_wave_number = 0.5 * sqrt(GRAVITY / k) / k;
    double peak;
    const double sea = wind_sea(omega, &peak) * spread_of_wind_sea(omega / peak, angle_between(WIND, kx, kz));
    const double middle = 2.0 * PI / SWELL_PERIOD_S, width = 0.06 * middle, off = (omega - middle) / width;
    const double swell = SWELL_DEVIATION * SWELL_DEVIATION * exp(-0.5 * off * off) / (width * sqrt(2.0 * PI));
    return (sea + swell * spread(7.0, angle_between(SWELL, kx, kz))) * a_wave_number;
}

/** Two normally distributed random numbers. Source: Box and Muller 1958. */
static double complex normal_pair(int cascade, int column, int row)
{
    uint32_t key[TER_PHILOX_ROUNDS][2];
    for (uint32_t n = 0; n < TER_PHILOX_ROUNDS; n++) {
        key[n][0] = n * UINT32_C(0x9E3779B9);
        key[n][1] = n * UINT32_C(0xBB67AE85);
    }
    const ter_words words = ter_philox(key, (uint32_t)column, (uint32_t)row, (uint32_t)cascade, 0);
    const double radius = sqrt(-2.0 * log(((double)words.w[0] + 0.5) / 4294967296.0)),
                 turn = 2.0 * PI * (double)words.w[1] / 4294967296.0;
    return radius * cos(turn) + I * radius * sin(turn);
}

static int signed_index(int n, int side)
{
    return n < side / 2 ? n : n - side;
}

/** Complex amplitude of a wave of a cascade, and its wave number *k. 0 if the wave belongs to another cascade. */
static double complex amplitude(const ocean_waves *w, int cascade, int column, int row, double *k)
{
    const double a_step = 2.0 * PI / PATTERN_M, a = w->turn[cascade][0], b = w->turn[cascade][1];
    const double kx = a_step * (column * a - row * b), kz = a_step * (column * b + row * a),
                 step = 2.0 * PI / ocean_patch_m(w, cascade);
    *k = hypot(kx, kz);
    if (*k < longest_of(w, cascade) || *k >= shortest_of(w, cascade))
        return 0.0;
    return normal_pair(cascade, column, row) * 0.5 * sqrt(density(kx, kz)) * step;
}

/** Share of a wave's variance that remains after averaging over 1 << level samples. The direction of the wave
 * changes it little and is ignored. turns: waves per sample */
static double remaining_variance(double turns, int level)
{
    const double x = PI * turns * (1 << level);
    const double left = x < PI ? sin(x) / (x > 1e-6 ? x : 1.0) + (x > 1e-6 ? 0.0 : 1.0) : 0.0;
    return left * left;
}

static void fill_cascade(const ocean_waves *w, int cascade, ocean_mode *modes, ocean_steepness *s, double *variance)
{
    const double patch_m = ocean_patch_m(w, cascade);
    double lost[OCEAN_LEVELS] = {0}, heights = 0.0, by_number = 0.0;
    for (int row = 0; row < w->side; row++)
        for (int column = 0; column < w->side; column++) {
            const int m = signed_index(column, w->side), n = signed_index(row, w->side);
            double k;
            const double complex along = amplitude(w, cascade, m, n, &k),
                                 against = conj(amplitude(w, cascade, -m, -n, &k));
            modes[row * w->side + column] =
                (ocean_mode){.along = {(float)creal(along), (float)cimag(along)},
                             .against = {(float)creal(against), (float)cimag(against)},
                             .turns = (int32_t)(sqrt(GRAVITY * k) * OCEAN_PERIOD_S / (2.0 * PI) + 0.5)};
            const double power = 2.0 * (creal(along) * creal(along) + cimag(along) * cimag(along));
            heights += power;
            by_number += power * k;
            for (int level = 0; level < OCEAN_LEVELS && power > 0.0; level++)
                lost[level] += power * k * k * (1.0 - remaining_variance(k * patch_m / (2.0 * PI * w->side), level));
        }
    for (int level = 0; level < OCEAN_LEVELS; level++)
        s->lost[cascade][level] = (float)lost[level];
    s->wave_number[cascade] = (float)(by_number / heights);
    *variance += heights;
}

void ocean_fill(const ocean_waves *waves, ocean_mode *modes, ocean_steepness *steepness)
{
    double variance = 0.0;
    memset(steepness, 0, sizeof *steepness);
    for (int c = 0; c < waves->n_cascades; c++)
        fill_cascade(waves, c, modes + (size_t)c * (size_t)(waves->side * waves->side), steepness, &variance);
    /* Waves beyond the last cascade: the tail of the spectrum is alpha / 2 / k^3. */
    const double alpha = 0.076 * pow(WIND_SPEED * WIND_SPEED / (FETCH_M * GRAVITY), 0.22);
    steepness->shorter = (float)(0.5 * alpha * log(SHORTEST / shortest_of(waves, waves->n_cascades - 1)));
    steepness->highest = (float)(4.0 * sqrt(variance));
}
