/* screen.h - what a flight is shown on: a GLFW window, or nothing but an OpenGL context. */
#ifndef TERRANE_PROGRAM_VIEWER_WINDOW_SCREEN_H
#define TERRANE_PROGRAM_VIEWER_WINDOW_SCREEN_H

#include <stdbool.h>

#include "program/core/result.h"
#include "program/render/shade_kinds.h"
#include "program/viewer/window/keys.h"

/** What the user did since the last poll. */
typedef struct surface_input {
    double held[HELD_ACTIONS]; /* how far each is held, 0..1 */
    int n_pressed[ACTIONS];    /* presses of each action */
    double look_x, look_y;     /* mouse, pixels, while captured */
    double turn[2];            /* gamepad's right stick, right and up, -1..1 */
    double wheel;              /* notches */
    bool is_closed;
} surface_input;

typedef struct surface surface;

/** Open a window of width x height with an OpenGL 4.5 core context, current on this thread.
 *  Errors  RESULT_MISSING; *has_display tells whether there was a display at all */
result surface_open_window(int width, int height, bool *has_display, surface **out);

/** Open a context without a display. */
result surface_open_headless(int width, int height, surface **out);

void surface_close(surface *surface);

/** A window's second context, for a thread: false without a window, or where the system gives none. Valid until
 * surface_close. */
bool surface_second_context(surface *surface, second_context *out);

/** Take a window from the screen: what follows may last. */
void surface_hide(surface *surface);

bool surface_is_window(const surface *surface);

/** Size to draw at, pixels; 0 x 0 while minimised. */
void surface_size(surface *surface, int *width, int *height);

/** Take the input since the last call. */
void surface_poll(surface *surface, surface_input *input);

/** Show what was drawn into framebuffer 0. */
void surface_show(surface *surface);

/** While minimised: sleep until something happens, at most a tenth of a second. */
void surface_rest(surface *surface);

/** Set the window's title; nothing without a window. */
void surface_title(surface *surface, const char *title);

/** Put a text on the clipboard; nothing without a window. */
void surface_copy(surface *surface, const char *text);

void surface_toggle_fullscreen(surface *surface);

/** Release a captured mouse; false when it was not captured. */
bool surface_release_mouse(surface *surface);

#endif
