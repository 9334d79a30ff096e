/* screen.c - GLFW windows and EGL contexts behind one interface. */
#include "program/viewer/window/screen.h"

#include <stdlib.h>
#include <string.h>

#include "program/render/gl.h"
#include "program/render/headless.h"

#ifdef TER_HAVE_WINDOW
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#endif

struct surface {
    int width, height;         /* size of a surface without a window */
    headless_context *context; /* NULL: there is a window */
#ifdef TER_HAVE_WINDOW
    GLFWwindow *window, *second; /* second: a hidden window, which owns the second context */
    surface_input input;
    double mouse_x, mouse_y;
    bool is_captured;
    unsigned char buttons[GLFW_GAMEPAD_BUTTON_LAST + 1]; /* state at the last poll */
    int windowed[4];                                     /* position and size to restore after full screen */
#endif
};

result surface_open_headless(int width, int height, surface **out)
{
    surface *s = calloc(1, sizeof *s);
    if (!s)
        return result_of(RESULT_FAILED, "out of memory");
    s->width = width;
    s->height = height;
    const result res = headless_create(&s->context);
    if (res.kind != RESULT_DONE)
        free(s);
    else
        *out = s;
    return res;
}

#ifdef TER_HAVE_WINDOW

/* ---- window ---- */

static void on_key(GLFWwindow *window, int key, int scancode, int state, int modifiers)
{
    surface *s = glfwGetWindowUserPointer(window);
    (void)scancode, (void)modifiers;
    for (size_t n = 0; n < key_bindings_count; n++) {
        const key_binding *b = &key_bindings[n];
        if (b->code != key && !(b->action == ACTION_FASTER && key == GLFW_KEY_RIGHT_SHIFT))
            continue;
        if (state == GLFW_PRESS)
            s->input.n_pressed[b->action]++;
        if (b->action < HELD_ACTIONS && state != GLFW_REPEAT)
            s->input.held[b->action] = state == GLFW_PRESS;
    }
}

static void capture_mouse(surface *s, bool capture)
{
    s->is_captured = capture;
    glfwSetInputMode(s->window, GLFW_CURSOR, capture ? GLFW_CURSOR_DISABLED : GLFW_CURSOR_NORMAL);
    glfwGetCursorPos(s->window, &s->mouse_x, &s->mouse_y); /* mouse movement is measured from here */
}

static void on_button(GLFWwindow *window, int button, int state, int modifiers)
{
    (void)button, (void)modifiers;
    if (state == GLFW_PRESS)
        capture_mouse(glfwGetWindowUserPointer(window), true);
}

static void on_mouse(GLFWwindow *window, double x, double y)
{
    surface *s = glfwGetWindowUserPointer(window);
    if (s->is_captured) {
        s->input.look_x += x - s->mouse_x;
        s->input.look_y += y - s->mouse_y;
    }
    s->mouse_x = x;
    s->mouse_y = y;
}

static void on_wheel(GLFWwindow *window, double x, double y)
{
    surface *s = glfwGetWindowUserPointer(window);
    (void)x;
    s->input.wheel += y;
}

static void on_focus(GLFWwindow *window, int has_focus)
{
    surface *s = glfwGetWindowUserPointer(window);
    if (!has_focus) {
        capture_mouse(s, false);
        memset(s->input.held, 0, sizeof s->input.held);
    }
}

static result glfw_problem(const char *what)
{
    const char *text = NULL;
    glfwGetError(&text);
    return result_of(RESULT_MISSING, "%s: %s", what, text ? text : "no reason given");
}

static void ask_for_core(int major, int minor)
{
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, major);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, minor);
    glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
}

/** Say why there is no window, and which OpenGL the display has: that of a hidden window with any core version. */
static result no_window(void)
{
    const result res = glfw_problem("no window with OpenGL 4.5");
    char found[200];
    glfwDefaultWindowHints();
    ask_for_core(3, 2);
    glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE); /* macOS has no other core contexts */
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    GLFWwindow *window = glfwCreateWindow(16, 16, "Terrane", NULL, NULL);
    if (!window)
        return res;
    glfwMakeContextCurrent(window);
    gl_describe_any(found, sizeof found);
    glfwDestroyWindow(window);
    return result_of(RESULT_MISSING, "no window with OpenGL 4.5; the display has %s", found);
}

result surface_open_window(int width, int height, bool *has_display, surface **out)
{
    *has_display = false;
    if (!glfwInit())
        return glfw_problem("no display");
    *has_display = true;
    surface *s = calloc(1, sizeof *s);
    if (!s) {
        glfwTerminate();
        return result_of(RESULT_FAILED, "out of memory");
    }
    ask_for_core(4, 5);
    glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, GLFW_TRUE);
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_CONTEXT_ROBUSTNESS, GLFW_LOSE_CONTEXT_ON_RESET);
    s->window = glfwCreateWindow(width, height, "Terrane", NULL, NULL);
    if (!s->window) {
        const result res = no_window();
        free(s);
        glfwTerminate();
        return res;
    }
    glfwMakeContextCurrent(s->window);
    glfwSwapInterval(1);
    glfwSetWindowUserPointer(s->window, s);
    glfwSetKeyCallback(s->window, on_key);
    glfwSetMouseButtonCallback(s->window, on_button);
    glfwSetCursorPosCallback(s->window, on_mouse);
    glfwSetScrollCallback(s->window, on_wheel);
    glfwSetWindowFocusCallback(s->window, on_focus);
    const result res = gl_load();
    if (res.kind != RESULT_DONE)
        surface_close(s);
    else
        *out = s;
    return res;
}

bool surface_is_window(const surface *s)
{
    return s->window != NULL;
}

void surface_size(surface *s, int *width, int *height)
{
    *width = s->width;
    *height = s->height;
    if (s->window)
        glfwGetFramebufferSize(s->window, width, height);
}

static void take_second(void *user)
{
    const surface *s = user;
    glfwMakeContextCurrent(s->second);
}

static void leave_second(void *user)
{
    (void)user;
    glfwMakeContextCurrent(NULL);
}

bool surface_second_context(surface *s, second_context *out)
{
    if (!s->window)
        return false;
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
    s->second = glfwCreateWindow(16, 16, "Terrane's shaders", NULL, s->window);
    glfwWindowHint(GLFW_VISIBLE, GLFW_TRUE);
    *out = (second_context){take_second, leave_second, s};
    return s->second != NULL;
}

void surface_hide(surface *s)
{
    if (!s->window)
        return;
    glfwHideWindow(s->window);
    glfwPollEvents();
}

static double without_dead_zone(float axis)
{
    const double dead_zone = 0.15, a = (double)axis;
    return a > dead_zone    ? (a - dead_zone) / (1.0 - dead_zone)
           : a < -dead_zone ? (a + dead_zone) / (1.0 - dead_zone)
                            : 0.0;
}

static void hold(surface_input *input, action negative, action positive, double axis)
{
    input->held[axis < 0 ? negative : positive] += axis < 0 ? -axis : axis;
}

/** Add the first gamepad's sticks, triggers and buttons. */
static void add_gamepad(surface *s, surface_input *input)
{
    GLFWgamepadstate pad;
    int n = GLFW_JOYSTICK_1;
    while (n <= GLFW_JOYSTICK_LAST && !glfwJoystickIsGamepad(n))
        n++;
    if (n > GLFW_JOYSTICK_LAST || !glfwGetGamepadState(n, &pad))
        return;
    hold(input, ACTION_LEFT, ACTION_RIGHT, without_dead_zone(pad.axes[GLFW_GAMEPAD_AXIS_LEFT_X]));
    hold(input, ACTION_FORWARD, ACTION_BACK, without_dead_zone(pad.axes[GLFW_GAMEPAD_AXIS_LEFT_Y]));
    const float triggers[2] = {pad.axes[GLFW_GAMEPAD_AXIS_LEFT_TRIGGER], pad.axes[GLFW_GAMEPAD_AXIS_RIGHT_TRIGGER]};
    hold(input, ACTION_DOWN, ACTION_UP, 0.5 * (double)(triggers[1] - triggers[0]));
    input->turn[0] = without_dead_zone(pad.axes[GLFW_GAMEPAD_AXIS_RIGHT_X]);
    input->turn[1] = -without_dead_zone(pad.axes[GLFW_GAMEPAD_AXIS_RIGHT_Y]);
    for (size_t k = 0; k < key_bindings_count; k++) {
        const key_binding *b = &key_bindings[k];
        if (b->button < 0 || pad.buttons[b->button] != GLFW_PRESS)
            continue;
        if (b->action < HELD_ACTIONS)
            input->held[b->action] = 1.0;
        else
            input->n_pressed[b->action] += s->buttons[b->button] != GLFW_PRESS;
    }
    memcpy(s->buttons, pad.buttons, sizeof s->buttons);
}

void surface_rest(surface *s)
{
    if (s->window)
        glfwWaitEventsTimeout(0.1);
}

void surface_copy(surface *s, const char *text)
{
    if (s->window)
        glfwSetClipboardString(s->window, text);
}

void surface_poll(surface *s, surface_input *input)
{
    *input = (surface_input){0};
    if (!s->window)
        return;
    glfwPollEvents();
    *input = s->input;
    add_gamepad(s, input);
    input->is_closed = glfwWindowShouldClose(s->window);
    memset(s->input.n_pressed, 0, sizeof s->input.n_pressed);
    s->input.look_x = s->input.look_y = s->input.wheel = 0.0;
}

void surface_show(surface *s)
{
    if (s->window)
        glfwSwapBuffers(s->window);
}

void surface_title(surface *s, const char *title)
{
    if (s->window)
        glfwSetWindowTitle(s->window, title);
}

void surface_toggle_fullscreen(surface *s)
{
    if (!s->window)
        return;
    if (glfwGetWindowMonitor(s->window)) {
        glfwSetWindowMonitor(s->window, NULL, s->windowed[0], s->windowed[1], s->windowed[2], s->windowed[3],
                             GLFW_DONT_CARE);
        return;
    }
    GLFWmonitor *monitor = glfwGetPrimaryMonitor();
    const GLFWvidmode *mode = monitor ? glfwGetVideoMode(monitor) : NULL;
    if (!mode)
        return;
    glfwGetWindowPos(s->window, &s->windowed[0], &s->windowed[1]);
    glfwGetWindowSize(s->window, &s->windowed[2], &s->windowed[3]);
    glfwSetWindowMonitor(s->window, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

bool surface_release_mouse(surface *s)
{
    if (!s->window || !s->is_captured)
        return false;
    capture_mouse(s, false);
    return true;
}

static void close_window(surface *s)
{
    if (!s->window)
        return;
    if (s->second)
        glfwDestroyWindow(s->second);
    glfwDestroyWindow(s->window);
    glfwTerminate();
}

#else

/* ---- no windows in this build ---- */

result surface_open_window(int width, int height, bool *has_display, surface **out)
{
    (void)width, (void)height, (void)out;
    *has_display = false;
    return result_of(RESULT_MISSING, "this build has no windows (GLFW was missing)");
}

bool surface_is_window(const surface *s)
{
    (void)s;
    return false;
}

bool surface_second_context(surface *s, second_context *out)
{
    (void)s, (void)out;
    return false;
}

void surface_hide(surface *s)
{
    (void)s;
}

void surface_size(surface *s, int *width, int *height)
{
    *width = s->width;
    *height = s->height;
}

void surface_poll(surface *s, surface_input *input)
{
    (void)s;
    *input = (surface_input){0};
}

void surface_show(surface *s)
{
    (void)s;
}

void surface_rest(surface *s)
{
    (void)s;
}

void surface_title(surface *s, const char *title)
{
    (void)s, (void)title;
}

void surface_copy(surface *s, const char *text)
{
    (void)s, (void)text;
}

void surface_toggle_fullscreen(surface *s)
{
    (void)s;
}

bool surface_release_mouse(surface *s)
{
    (void)s;
    return false;
}

static void close_window(surface *s)
{
    (void)s;
}

#endif

void surface_close(surface *s)
{
    if (!s)
        return;
    close_window(s);
    headless_destroy(s->context);
    free(s);
}
