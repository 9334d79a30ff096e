/* ground_cover.h - computes the material of the ground at samples, by the same rules as the viewer. */
#ifndef TERRANE_PROGRAM_SURFACE_GROUND_COVER_H
#define TERRANE_PROGRAM_SURFACE_GROUND_COVER_H

#include "program/surface/layer_window.h"

enum { GROUND_COVER_APRON = 26 }; /* samples needed around a sample to compute how sheltered it is */

/** Chance that a cell has a tree, in the grid of trees of shaders/scatter.comp, on flat and sheltered ground.
 *
 *  x_m, z_m    metres from the world's origin
 *  over_sea_m  height over the sea
 *  *stunted    share of its full height that a tree lacks there, 0..1
 */
double ground_cover_trees(const look *look, double x_m, double z_m, double over_sea_m, double *stunted);

/** Shares of four materials: plants, rock, soil with sand, and snow, as four bytes per sample whose sum is 255. The
 * rules are those of shaders/ground_rules.glsl with the window's look. Samples under water, which includes the sea, are
 * soil.
 */
void derive_splat(const layer_window *window, void *row);

/** Share of forest, one byte per sample: at most the share of plants of derive_splat. */
void derive_forest(const layer_window *window, void *row);

#endif
