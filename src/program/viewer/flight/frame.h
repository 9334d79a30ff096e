/* frame.h - draws a frame of a flight, and loads the land of the first frame. */
#ifndef TERRANE_PROGRAM_VIEWER_FLIGHT_FRAME_H
#define TERRANE_PROGRAM_VIEWER_FLIGHT_FRAME_H

#include "program/viewer/flight/flight.h"

/** Wait until the land of the first frame is complete, then load land that may be needed soon. Without this wait, the
 * flight would begin with coarse land, whose detail grows while the user looks at it. */
result frame_load_land(flight *flight, int width, int height);

/** Lift the camera out of trees at the start of the flight. The land there must be loaded. */
result frame_clear_trees(flight *flight, int width, int height);

/** Stream tiles and draw a frame. elapsed_s: time of the flight since the last frame. */
result frame_draw(flight *flight, int width, int height, double elapsed_s);

/** Load land of the flight's first view for about `most_s` seconds, see terrain_load. */
result frame_load_some_land(flight *flight, int width, int height, double most_s, bool *is_done);

/** Draw the loaded part of the first view, with a text over it. *is_shown becomes false if there is no picture, because
 * the shaders of the frame are not ready. */
result frame_draw_loading(flight *flight, int width, int height, const char *text, bool *is_shown);

#endif
