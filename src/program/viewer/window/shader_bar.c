/* shader_bar.c - draws the bar by clearing rectangles, which needs no shader. */
#include "program/viewer/window/shader_bar.h"

#include <stdio.h>

#include "program/core/clock.h"
#include "program/render/gl.h"
#include "program/render/shader.h"

static const double SHOW_S = 0.1; /* least time between two pictures */

static void fill(const float color[4], int x, int y, int width, int height)
{
    glScissor(x, y, width, height);
    glClearBufferfv(GL_COLOR, 0, color);
}

static void draw(shader_bar *bar, double share)
{
    static const float SKY[4] = {0.33f, 0.47f, 0.64f, 1.0f}, BACK[4] = {0.25f, 0.37f, 0.52f, 1.0f},
                       BAR[4] = {0.9f, 0.93f, 0.96f, 1.0f};
    int width, height;
    surface_size(bar->surface, &width, &height);
    const int left = width / 4, length = width / 2, bottom = height / 2 - 3;
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    glEnable(GL_SCISSOR_TEST);
    fill(SKY, 0, 0, width, height);
    fill(BACK, left, bottom, length, 6);
    fill(BAR, left, bottom, (int)(share * length), 6);
    glDisable(GL_SCISSOR_TEST);
    surface_show(bar->surface);
    bar->shown_s = clock_now_s();
}

static void show(shader_bar *bar, double share)
{
    surface_input input;
    draw(bar, share);
    surface_poll(bar->surface, &input);
    bar->is_closed |= input.is_closed || input.n_pressed[ACTION_LEAVE] > 0;
}

static void set_title(const shader_bar *bar, int n_shaders)
{
    char title[64];
    snprintf(title, sizeof title, "Terrane: compiling shaders (%d)", n_shaders);
    surface_title(bar->surface, title);
}

static void count(void *user, int n_shaders)
{
    shader_bar *bar = user;
    bar->n_shaders = n_shaders;
    if (clock_now_s() - bar->shown_s < SHOW_S)
        return;
    set_title(bar, n_shaders);
    show(bar, (double)n_shaders / SHADER_PROGRAMS_MAX);
}

void shader_bar_begin(shader_bar *bar, surface *s)
{
    *bar = (shader_bar){.surface = surface_is_window(s) ? s : NULL};
    if (!bar->surface)
        return;
    show(bar, 0.0);
    shader_watch(count, bar);
}

bool shader_bar_end(shader_bar *bar)
{
    if (!bar->surface)
        return false;
    surface_title(bar->surface, "Terrane");
    shader_watch(NULL, NULL);
    return bar->is_closed;
}

void shader_bar_go_on(shader_bar *bar, int n_shaders)
{
    if (!bar->surface)
        return;
    set_title(bar, bar->n_shaders + n_shaders);
    draw(bar, (double)(bar->n_shaders + n_shaders) / SHADER_PROGRAMS_MAX);
}
