/* screenshot.c - writes the last frame, or draws a larger picture in parts. */
#include "program/viewer/flight/screenshot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/picture/picture.h"
#include "program/render/gl.h"
#include "program/render/read_back.h"

static result write_picture(const flight *f, const char *file, const uint8_t *pixels, int width, int height,
                            bool may_replace)
{
    char text[1200];
    const picture_output output = {.may_replace = may_replace, .is_interrupted = f->events->is_interrupted};
    result res = gl_check_errors(); /* after an error the picture may be wrong */
    if (res.kind == RESULT_DONE)
        res = picture_write(file, pixels, width, height, &output);
    snprintf(text, sizeof text, "picture: %s", file);
    if (res.kind == RESULT_DONE)
        f->events->report(text);
    return res;
}

result screenshot_write(const flight *f, const char *file, bool may_replace)
{
    uint8_t *pixels = NULL;
    const int width = f->frame.width, height = f->frame.height;
    if (width <= 0)
        return result_of(RESULT_FAILED, "no picture for '%s': no frame was drawn", file);
    result res = read_back_colors(renderer_framebuffer(f->renderer), width, height, &pixels);
    if (res.kind == RESULT_DONE)
        res = write_picture(f, file, pixels, width, height, may_replace);
    free(pixels);
    return res;
}

/** A picture that is made of parts. */
typedef struct mosaic {
    uint8_t *pixels; /* width * height * 3 bytes */
    int width, height;
} mosaic;

/** A rectangle of a mosaic, pixels. */
typedef struct mosaic_part {
    int x, y, width, height;
} mosaic_part;

static void place_part(const mosaic *m, const mosaic_part *p, const uint8_t *pixels)
{
    const size_t row_bytes = (size_t)p->width * 3;
    for (int row = 0; row < p->height; row++)
        memcpy(m->pixels + ((size_t)(p->y + row) * (size_t)m->width + (size_t)p->x) * 3,
               pixels + (size_t)row * row_bytes, row_bytes);
}

static result draw_part(const flight *f, render_view *view, const mosaic *m, const mosaic_part *p)
{
    uint8_t *pixels = NULL;
    const target_size size = {p->width, p->height, p->width, p->height};
    result res = renderer_resize(f->renderer, &size);
    view->part = (render_part){.left = (double)p->x / m->width,
                               .top = (double)p->y / m->height,
                               .width = (double)p->width / m->width,
                               .height = (double)p->height / m->height,
                               .aspect = (double)m->width / m->height};
    if (res.kind != RESULT_DONE)
        return res;
    res = renderer_draw(f->renderer, view, &f->terrain.tree, f->terrain.pool);
    if (res.kind != RESULT_DONE)
        return res;
    if (f->events->is_interrupted())
        return result_of(RESULT_INTERRUPTED, "interrupted");
    res = read_back_colors(renderer_framebuffer(f->renderer), p->width, p->height, &pixels);
    if (res.kind == RESULT_DONE)
        place_part(m, p, pixels);
    free(pixels);
    return res;
}

static int at_most(int left, int most)
{
    return left < most ? left : most;
}

static result draw_parts(const flight *f, render_view *view, const mosaic *m)
{
    result res = result_done();
    for (int y = 0; y < m->height && res.kind == RESULT_DONE; y += FLY_FRAME_MAX)
        for (int x = 0; x < m->width && res.kind == RESULT_DONE; x += FLY_FRAME_MAX) {
            const mosaic_part part = {x, y, at_most(m->width - x, FLY_FRAME_MAX),
                                      at_most(m->height - y, FLY_FRAME_MAX)};
            const double rows_done = (double)y / m->height, of_row = (double)part.height / m->height;
            f->events->show_progress("picture", rows_done + of_row * x / m->width);
            res = draw_part(f, view, m, &part);
        }
    return res;
}

result screenshot_write_large(flight *f, const char *file, int width, int height)
{
    frame_view view;
    const frame_moment moment = {.time_s = f->clock.time_s, .elapsed_s = 0.0};
    const mosaic m = {.pixels = malloc((size_t)width * (size_t)height * 3), .width = width, .height = height};
    if (!m.pixels)
        return result_of(RESULT_FAILED, "no memory for a picture of %d x %d", width, height);
    f->terrain.tree.detail = view_builder_detail(&f->view_builder, height);
    view_builder_make(&f->view_builder, width, height, &moment, &view);
    view.render.is_exposed = true; /* all parts use the exposure of the last frame */
    result res = terrain_complete(&f->terrain, &view.tree, f->events);
    if (res.kind == RESULT_DONE)
        res = draw_parts(f, &view.render, &m);
    if (res.kind == RESULT_DONE)
        res = write_picture(f, file, m.pixels, width, height, f->request->may_replace);
    free(m.pixels);
    return res;
}
