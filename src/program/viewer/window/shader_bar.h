/* shader_bar.h - a window's progress bar while shaders are compiled; the window's title shows their number. */
#ifndef TERRANE_PROGRAM_VIEWER_WINDOW_SHADER_BAR_H
#define TERRANE_PROGRAM_VIEWER_WINDOW_SHADER_BAR_H

#include "program/viewer/window/screen.h"

/** The bar of a window. */
typedef struct shader_bar {
    surface *surface; /* NULL: there is no window */
    double shown_s;   /* time of the last picture */
    int n_shaders;    /* number of shaders compiled so far */
    bool is_closed;   /* the user wants to close the window */
} shader_bar;

/** Begin to show the bar, which grows with each compiled shader, until shader_bar_end. Does nothing without a window.
 * Only one bar can grow at a time. *bar must stay at its address. */
void shader_bar_begin(shader_bar *bar, surface *surface);

/** End the bar. Returns whether the user wants to close the window. */
bool shader_bar_end(shader_bar *bar);

/** Show the bar again after shader_bar_end, for shaders that are compiled while land is made. n_shaders: number of
 * these that are ready */
void shader_bar_go_on(shader_bar *bar, int n_shaders);

#endif
