/* screenshot.h - writes single pictures of a flight. */
#ifndef TERRANE_PROGRAM_VIEWER_FLIGHT_SCREENSHOT_H
#define TERRANE_PROGRAM_VIEWER_FLIGHT_SCREENSHOT_H

#include "program/viewer/flight/flight.h"

/** Write the last frame as PNG. Errors RESULT_FAILED no frame was drawn, or its drawing failed; RESULT_FILE;
 * RESULT_INTERRUPTED */
result screenshot_write(const flight *flight, const char *file, bool may_replace);

/** Draw a picture of any size from the camera and write it. Large pictures are drawn in parts of at most FLY_FRAME_MAX
 * pixels. Errors RESULT_FAILED, RESULT_FILE, RESULT_INTERRUPTED */
result screenshot_write_large(flight *flight, const char *file, int width, int height);

#endif
