/* ocean_spectrum.h - the waves of the sea as a sum of sines: which there are, and how steep what a filter takes of them
 * is. Calls no OpenGL.
 *
 * A cascade is a square patch of sea that repeats. No wave is in two of them: each has those of a ring of wave numbers.
 * A patch is turned so that its sides are whole steps of the pattern of frame.glsl, (east, south) and (-south, east) of
 * its 65536: it repeats with it, and no two patches lie alike.
 */
#ifndef TERRANE_PROGRAM_RENDER_OCEAN_SPECTRUM_H
#define TERRANE_PROGRAM_RENDER_OCEAN_SPECTRUM_H

#include <stdint.h>

enum { OCEAN_CASCADES_MAX = 4, OCEAN_LEVELS = 12 };
static const double OCEAN_PERIOD_S = 4096.0; /* all waves come again after it; WAVES_PERIOD in sea_block.glsl */

/** The waves of one quality. */
typedef struct ocean_waves {
    int side;       /* samples of a patch's side, a power of four */
    int n_cascades; /* used */
    int turn[OCEAN_CASCADES_MAX]
            [2]; /* (east, south) of each: the patch repeats 65536 / |turn| metres along it, and across */
} ocean_waves;

/** A wave of a patch: amplitude (complex) of the one that runs along its vector, conjugate of that of the one against
 * it. */
typedef struct ocean_mode {
    float along[2], against[2];
    int32_t turns; /* in OCEAN_PERIOD_S; deep water, omega^2 = g k */
    int32_t padding;
} ocean_mode;

/** What waves leave out that are averaged over 1 << level samples, mean square slope; and of all waves. */
typedef struct ocean_steepness {
    float lost[OCEAN_CASCADES_MAX][OCEAN_LEVELS];
    float wave_number[OCEAN_CASCADES_MAX]; /* of the heights of a cascade, mean, 1/m */
    float shorter;                         /* of waves that are shorter than those of all cascades */
    float highest;                         /* metres: waves are hardly ever higher over the mean */
} ocean_steepness;

/** Waves for a quality level, 0 to 2. */
ocean_waves ocean_waves_of(int quality_level);

/** Metres of a patch's side. */
double ocean_patch_m(const ocean_waves *waves, int cascade);

/** Modes of all cascades, [cascade][row][column], side * side each; column and row count waves along the patch's sides,
 * those over side / 2 run backwards. The same on every machine but for the last bits of libm. Source: spectra:
 * Hasselmann et al. 1973 (JONSWAP); directions: Donelan, Hamilton, Hui 1985, Banner 1990, as Horvath, "Empirical
 *  directional wave spectra for computer graphics", 2015 writes them; amplitudes: Tessendorf, "Simulating ocean water",
 * 2001.
 */
void ocean_fill(const ocean_waves *waves, ocean_mode *modes, ocean_steepness *steepness);

#endif
