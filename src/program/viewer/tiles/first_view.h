/* first_view.h - how long the land of a first view takes where a CPU makes it from far above: each sample of coarse
 * land lies over a drainage network of its own. */
#ifndef TERRANE_PROGRAM_VIEWER_TILES_FIRST_VIEW_H
#define TERRANE_PROGRAM_VIEWER_TILES_FIRST_VIEW_H

#include "program/viewer/tiles/terrain.h"

/** Count the tiles that a view will need, time some samples of those that are dear, and tell the user how long all of
 * them take, if that is more than some seconds. The generator is the caller's meanwhile, and nothing is kept.
 *
 *  Errors  RESULT_FAILED; RESULT_INTERRUPTED
 */
result first_view_forecast(terrain *terrain, const quadtree_view *view, ter_generator *generator,
                           const fly_events *events);

#endif
