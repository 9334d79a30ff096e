/* first_view.h - estimates how long the CPU needs for the land of a first view from high above. Such a view needs
 * coarse tiles. They are expensive, because each sample needs its own part of the drainage network. */
#ifndef TERRANE_PROGRAM_VIEWER_TILES_FIRST_VIEW_H
#define TERRANE_PROGRAM_VIEWER_TILES_FIRST_VIEW_H

#include "program/viewer/tiles/terrain.h"

/** Count the tiles of a view, time some samples of expensive ones, and report the estimated time if it is long. Does
 * nothing for worlds without water and for other backends than the CPU. Nothing else may use the generator during the
 * call.
 *
 *  Errors  RESULT_FAILED; RESULT_INTERRUPTED
 */
result first_view_forecast(terrain *terrain, const quadtree_view *view, ter_generator *generator,
                           const fly_events *events);

#endif
