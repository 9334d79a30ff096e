/* surface.h - what a flight is shown on: a GLFW window, or nothing but an OpenGL context. */
#ifndef TERRANE_FLY_SURFACE_H
#define TERRANE_FLY_SURFACE_H

#include <stdbool.h>

#include "fly/keys.h"
#include "outcome.h"

/** What the user did since the last poll. */
typedef struct surface_input {
    bool is_held[HELD_ACTIONS];
    int n_pressed[ACTIONS]; /* presses of each action */
    double look_x, look_y;  /* mouse, pixels, while captured */
    double wheel;           /* notches */
    bool is_closed;
} surface_input;

typedef struct surface surface;

/** Open a window of width x height with an OpenGL 4.5 core context, current on this thread.
 *  Errors  OUTCOME_MISSING; *has_display tells whether there was a display at all */
outcome surface_open_window(int width, int height, bool *has_display, surface **out);

/** Open a context without a display. */
outcome surface_open_headless(int width, int height, surface **out);

void surface_close(surface *surface);

bool surface_is_window(const surface *surface);

/** Size to draw at, pixels; 0 x 0 while minimised. */
void surface_size(surface *surface, int *width, int *height);

/** Take the input since the last call. */
void surface_poll(surface *surface, surface_input *input);

/** Show what was drawn into framebuffer 0. */
void surface_show(surface *surface);

void surface_toggle_fullscreen(surface *surface);

/** Release a captured mouse; false when it was not captured. */
bool surface_release_mouse(surface *surface);

#endif
