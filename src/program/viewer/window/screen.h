/* screen.h - the surface of a flight: a GLFW window with an OpenGL context, or only an OpenGL context. */
#ifndef TERRANE_PROGRAM_VIEWER_WINDOW_SCREEN_H
#define TERRANE_PROGRAM_VIEWER_WINDOW_SCREEN_H

#include <stdbool.h>

#include "program/core/result.h"
#include "program/render/shade_kinds.h"
#include "program/viewer/window/keys.h"

/** Input since the last poll. */
typedef struct surface_input {
    double held[HELD_ACTIONS]; /* 0 released .. 1 fully pressed; more if a key and a stick are used together */
    int n_pressed[ACTIONS];    /* presses of each action */
    double look_x, look_y;     /* movement of the mouse while it is captured, pixels */
    double turn[2];            /* right stick of the gamepad, right and up, -1..1 */
    double wheel;              /* mouse wheel, notches */
    bool is_closed;
} surface_input;

typedef struct surface surface;

/** Open a window of width x height with an OpenGL 4.5 core context, current on this thread.
 *  Errors  RESULT_MISSING no display (*has_display becomes false), or no such context; RESULT_FAILED */
result surface_open_window(int width, int height, bool *has_display, surface **out);

/** Open a context without a display. Errors RESULT_MISSING no such context; RESULT_FAILED */
result surface_open_headless(int width, int height, surface **out);

void surface_close(surface *surface);

/** Get a second context of a window, for a thread. It is valid until surface_close. Returns false without a window or
 * if the system gives no second context. */
bool surface_second_context(surface *surface, second_context *out);

/** Hide a window, because the next steps may take long. */
void surface_hide(surface *surface);

bool surface_is_window(const surface *surface);

/** Size of the picture, pixels; 0 x 0 while minimised. */
void surface_size(surface *surface, int *width, int *height);

/** Get the input since the last call. */
void surface_poll(surface *surface, surface_input *input);

/** Show what was drawn into framebuffer 0. */
void surface_show(surface *surface);

/** Sleep until an event of the window, at most a tenth of a second. */
void surface_rest(surface *surface);

/** Set the window's title. Does nothing without a window. */
void surface_title(surface *surface, const char *title);

/** Put a text on the clipboard. Does nothing without a window. */
void surface_copy(surface *surface, const char *text);

void surface_toggle_fullscreen(surface *surface);

/** Release a captured mouse. Returns false if the mouse was not captured. */
bool surface_release_mouse(surface *surface);

#endif
