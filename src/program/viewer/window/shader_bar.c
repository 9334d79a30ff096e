/* shader_bar.c - draws the bar by clearing rectangles, which needs no shader. */
#include "program/viewer/window/shader_bar.h"

#include <stdio.h>

#include "program/core/clock.h"
#include "program/render/gl.h"
#include "program/render/shader.h"

static const double SHOW_S = 0.1; /* from picture to picture */

static surface *shown_on;
static double shown_s;
static int n_counted;
static bool is_closed;

static void fill(const float color[4], int x, int y, int width, int height)
{
    glScissor(x, y, width, height);
    glClearBufferfv(GL_COLOR, 0, color);
}

static void draw(surface *s, double share)
{
    static const float SKY[4] = {0.33f, 0.47f, 0.64f, 1.0f}, BACK[4] = {0.25f, 0.37f, 0.52f, 1.0f},
                       BAR[4] = {0.9f, 0.93f, 0.96f, 1.0f};
    int width, height;
    surface_size(s, &width, &height);
    const int left = width / 4, length = width / 2, bottom = height / 2 - 3;
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glEnable(GL_SCISSOR_TEST);
    fill(SKY, 0, 0, width, height);
    fill(BACK, left, bottom, length, 6);
    fill(BAR, left, bottom, (int)(share * length), 6);
    glDisable(GL_SCISSOR_TEST);
    surface_show(s);
    shown_s = clock_now_s();
}

static void show(double share)
{
    surface_input input;
    draw(shown_on, share);
    surface_poll(shown_on, &input);
    is_closed |= input.is_closed || input.n_pressed[ACTION_LEAVE] > 0;
}

static void count(int n_shaders)
{
    char title[64];
    const double share = (double)n_shaders / SHADER_PROGRAMS_MAX;
    n_counted = n_shaders;
    if (clock_now_s() - shown_s < SHOW_S)
        return;
    snprintf(title, sizeof title, "Terrane: compiling shaders (%d)", n_shaders);
    surface_title(shown_on, title);
    show(share);
}

void shader_bar_begin(surface *s)
{
    if (!surface_is_window(s))
        return;
    shown_on = s;
    is_closed = false;
    show(0.0);
    shader_watch(count);
}

bool shader_bar_end(void)
{
    if (!shown_on)
        return false;
    surface_title(shown_on, "Terrane");
    shader_watch(NULL);
    shown_on = NULL;
    return is_closed;
}

void shader_bar_go_on(surface *s, int n_shaders)
{
    const int count = n_counted + n_shaders;
    char title[64];
    snprintf(title, sizeof title, "Terrane: compiling shaders (%d)", count);
    surface_title(s, title);
    draw(s, (double)count / SHADER_PROGRAMS_MAX);
}
