/* screenshot.h - single pictures of a flight as files. */
#ifndef TERRANE_PROGRAM_VIEWER_FLIGHT_SCREENSHOT_H
#define TERRANE_PROGRAM_VIEWER_FLIGHT_SCREENSHOT_H

#include "program/viewer/flight/flight.h"

/** Write the last frame. Errors RESULT_FAILED none was drawn; RESULT_FILE */
result still_write(const flight *flight, const char *file, bool may_replace);

/** Draw a picture of any size from where the camera is, in parts where it is larger than a framebuffer should be, and
 * write it. Errors RESULT_FAILED, RESULT_FILE, RESULT_INTERRUPTED */
result still_write_large(flight *flight, const char *file, int width, int height);

#endif
