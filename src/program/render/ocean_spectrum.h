/* ocean_spectrum.h - computes the amplitudes of the sea's waves, a sum of sines, and the variance of slopes that
 * mipmaps lose. Calls no OpenGL.
 *
 * A cascade is a square patch of sea that repeats. Each cascade has the waves of its own ring of wave numbers, so no
 * wave is in two cascades. The wave vectors of a patch are multiples of (east, south) and (-south, east) / 65536 m, for
 * whole numbers east and south. So the patch is turned against the axes, differently in each cascade, and it repeats
 * with the pattern of frame.glsl, whose period is 65536 m. */
#ifndef TERRANE_PROGRAM_RENDER_OCEAN_SPECTRUM_H
#define TERRANE_PROGRAM_RENDER_OCEAN_SPECTRUM_H

#include <constants.glsl>
#include <stdint.h>

enum { OCEAN_CASCADES_MAX = WAVE_CASCADES_MAX, OCEAN_LEVELS = WAVE_LEVELS };
static const double OCEAN_PERIOD_S = WAVES_PERIOD_S; /* period of all waves */

/** The waves of one quality. */
typedef struct ocean_waves {
    int side;                        /* samples per side of a patch, a power of four */
    int n_cascades;                  /* number of cascades in use */
    int turn[OCEAN_CASCADES_MAX][2]; /* (east, south) of each cascade; a patch is 65536 / |turn| metres wide */
} ocean_waves;

/** Two waves of a patch with opposite directions: complex amplitude of the wave along the wave vector, and conjugate
 * amplitude of the wave against it. */
typedef struct ocean_mode {
    float along[2], against[2];
    int32_t turns; /* oscillations in OCEAN_PERIOD_S; deep water, omega^2 = g k */
    int32_t padding;
} ocean_mode;

/** Mean square slopes of waves that are not resolved. */
typedef struct ocean_steepness {
    float lost[OCEAN_CASCADES_MAX][OCEAN_LEVELS]; /* slope lost by averaging over 1 << level samples */
    float wave_number[OCEAN_CASCADES_MAX];        /* mean wave number of a cascade, weighted by variance, 1/m */
    float shorter;                                /* mean square slope of waves shorter than those of all cascades */
    float highest;                                /* height that waves hardly ever exceed, m over the mean level */
} ocean_steepness;

/** Waves of a quality level, 0 to 2. */
ocean_waves ocean_waves_of(int quality_level);

/** Width of a patch, metres. */
double ocean_patch_m(const ocean_waves *waves, int cascade);

/** Compute the modes and the steepness of all cascades. Results on two machines differ at most in the last bits,
 * because of libm.
 *
 *  modes   [cascade][row][column], side * side for each cascade. Column and row are the numbers of waves along the
 *          patch's sides; from side / 2 on, column n stands for the negative number n - side, and rows likewise.
 *  Source  spectra: Hasselmann et al. 1973 (JONSWAP); directions: Donelan, Hamilton, Hui 1985 and Banner 1990, in the
 *          form of Horvath, "Empirical directional wave spectra for computer graphics", 2015; amplitudes: Tessendorf,
 *          "Simulating ocean water", 2001
 */
void ocean_fill(const ocean_waves *waves, ocean_mode *modes, ocean_steepness *steepness);

#endif
