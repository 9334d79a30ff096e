/* shader_bar.h - what a window shows while shaders are compiled: a bar, and their number in its title. */
#ifndef TERRANE_PROGRAM_VIEWER_WINDOW_SHADER_BAR_H
#define TERRANE_PROGRAM_VIEWER_WINDOW_SHADER_BAR_H

#include "program/viewer/window/screen.h"

/** From now on a window shows the bar, which grows with every shader; nothing without a window. One at a time. */
void shader_bar_begin(surface *surface);

/** No longer. Returns whether the user wants to close the window. */
bool shader_bar_end(void);

/** Show the bar once more, after its end, with so many shaders more: others are compiled while land is made. */
void shader_bar_go_on(surface *surface, int n_shaders);

#endif
