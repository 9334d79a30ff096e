/* shader_bar.h - a window's progress bar while shaders are compiled; the title has their number. */
#ifndef TERRANE_PROGRAM_VIEWER_WINDOW_SHADER_BAR_H
#define TERRANE_PROGRAM_VIEWER_WINDOW_SHADER_BAR_H

#include "program/viewer/window/screen.h"

/** Begin to show the bar, which grows with each compiled shader. Does nothing without a window. Only one surface can
 * have a bar at a time. */
void shader_bar_begin(surface *surface);

/** End it. Returns whether the user wants to close the window. */
bool shader_bar_end(void);

/** Show the bar again after its end, with n_shaders more: further shaders are compiled while land is made. */
void shader_bar_go_on(surface *surface, int n_shaders);

#endif
