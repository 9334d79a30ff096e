/* frame.h - a frame of a flight: what the camera sees, the tiles for it, the drawing. */
#ifndef TERRANE_PROGRAM_VIEWER_FLIGHT_FRAME_H
#define TERRANE_PROGRAM_VIEWER_FLIGHT_FRAME_H

#include "program/viewer/flight/flight.h"

/** Wait until the land of the first frame is complete, so that a flight does not begin with it unfolding. */
result frame_load_land(flight *flight, int width, int height);

/** Lift the camera out of the trees that stand where the flight begins; their land is there. */
result frame_clear_trees(flight *flight, int width, int height);

/** Stream tiles and draw; elapsed_s of the flight have passed since the last frame. */
result frame_draw(flight *flight, int width, int height, double elapsed_s);

/** Bring in the land of the flight's first view for at least `most_s` seconds, see terrain_load. */
result frame_load_some_land(flight *flight, int width, int height, double most_s, bool *is_done);

/** Draw that view as far as its land is there, with a text over it. is_shown: whether there is a shader for it, so that
 * it may be.
 */
result frame_draw_loading(flight *flight, int width, int height, const char *text, bool *is_shown);

#endif
