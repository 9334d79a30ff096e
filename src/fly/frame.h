/* frame.h - a frame of a flight: what the camera sees, the tiles for it, the drawing. */
#ifndef TERRANE_FLY_FRAME_H
#define TERRANE_FLY_FRAME_H

#include "fly/flight.h"

/** Wait until the land of the first frame is complete, so that a flight does not begin with it unfolding. */
outcome frame_load_land(flight *flight, int width, int height);

/** Lift the camera out of the trees that stand where the flight begins; their land is there. */
outcome frame_clear_trees(flight *flight, int width, int height);

/** Stream tiles and draw; elapsed_s of the flight have passed since the last frame. */
outcome frame_draw(flight *flight, int width, int height, double elapsed_s);

#endif
