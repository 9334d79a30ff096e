/* ground_cover.h - what the ground is of at a sample: the viewer's own description of it, as shares of four materials.
 */
#ifndef TERRANE_PROGRAM_SURFACE_GROUND_COVER_H
#define TERRANE_PROGRAM_SURFACE_GROUND_COVER_H

#include "program/surface/layer_window.h"

enum { GROUND_COVER_APRON = 26 }; /* samples around one that its shelter is looked for in */

/** The chance that a cell of the grid of trees of shaders/scatter.comp has one, were the place flat and sheltered;
 * stunted: share of its height that a tree there lacks. Metres from the world's origin and over the sea. */
double ground_cover_trees(const look *look, double x_m, double z_m, double over_sea_m, double *stunted);

/** Shares of plants, rock, soil with sand, and snow, as four channels whose sum is 255. The rules are those of
 *  shaders/ground_rules.glsl, by the file's look. Under water, of which these know the sea alone, there is the bed:
 * soil and sand.
 */
void derive_splat(const layer_window *window, void *row);

/** Of the share of plants that derive_splat gives, what is forest: one channel, 0 to 255, at most as much. */
void derive_forest(const layer_window *window, void *row);

#endif
