/* contact_sheet.c - opens one flight, and places its camera at each view in turn. */
#include "program/viewer/flight/contact_sheet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/picture/picture.h"
#include "program/render/gl.h"
#include "program/render/read_back.h"
#include "program/viewer/flight/flight.h"
#include "program/viewer/flight/frame.h"

enum { COLUMNS_MAX = 4, GAP_PX = 4 };
static const double FRAME_S = 1.0 / 60.0;
static const float LABEL_PX = 6.0f;

/** The sheet that is being made. */
typedef struct contact_sheet {
    uint8_t *pixels;
    int columns, width, height; /* pixels of the sheet */
} contact_sheet;

/** Place the camera at a view. */
static result go_to(flight *f, const char *view)
{
    fly_request r = *f->request;
    r.view = view;
    travel_end(&f->travel);
    f->travel = (travel){0};
    result res = travel_place(&f->travel, &r);
    if (res.kind == RESULT_DONE)
        res = travel_begin(&f->travel, &r, ter_generator_backend(f->generator), &f->terrain.land,
                           f->terrain.waits_for_tiles);
    f->view_builder.lod_height_m = f->travel.pilot.height_m;
    return res;
}

static void place_picture(const contact_sheet *s, const fly_request *r, int number, const uint8_t *pixels)
{
    const int left = number % s->columns * (r->width + GAP_PX), top = number / s->columns * (r->height + GAP_PX);
    for (int row = 0; row < r->height; row++)
        memcpy(s->pixels + ((size_t)(top + row) * (size_t)s->width + (size_t)left) * 3,
               pixels + (size_t)row * (size_t)r->width * 3, (size_t)r->width * 3);
}

static result draw_view(flight *f, const contact_sheet *s, int number, const char *view)
{
    const fly_request *r = f->request;
    uint8_t *pixels = NULL;
    char label[16];
    result res = go_to(f, view);
    if (res.kind == RESULT_DONE)
        res = frame_load_land(f, r->width, r->height);
    if (res.kind == RESULT_DONE)
        res = frame_draw(f, r->width, r->height, FRAME_S);
    if (res.kind == RESULT_DONE && f->events->is_interrupted())
        res = result_of(RESULT_INTERRUPTED, "interrupted");
    if (res.kind != RESULT_DONE)
        return res;
    snprintf(label, sizeof label, "%d", number + 1);
    renderer_text(f->renderer, label, LABEL_PX, LABEL_PX);
    res = read_back_colors(renderer_framebuffer(f->renderer), r->width, r->height, &pixels);
    if (res.kind == RESULT_DONE)
        place_picture(s, r, number, pixels);
    free(pixels);
    return res;
}

static result draw_views(flight *f, const contact_sheet *s, const char *const *views, int count)
{
    result res = result_done();
    for (int n = 0; n < count && res.kind == RESULT_DONE; n++) {
        f->events->show_progress("sheet", (double)n / count);
        res = draw_view(f, s, n, views[n]);
    }
    return res.kind == RESULT_DONE ? gl_check_errors() : res;
}

result contact_sheet_write(const fly_request *r, const fly_events *events, ter_world *world, ter_generator *generator,
                           const char *const *views, int count, const char *file)
{
    const int columns = count < COLUMNS_MAX ? count : COLUMNS_MAX, rows = (count + columns - 1) / columns;
    contact_sheet s = {.columns = columns,
                       .width = columns * (r->width + GAP_PX) - GAP_PX,
                       .height = rows * (r->height + GAP_PX) - GAP_PX};
    const picture_output output = {.may_replace = r->may_replace, .is_interrupted = events->is_interrupted};
    flight *f = calloc(1, sizeof *f);
    s.pixels = calloc((size_t)s.width * (size_t)s.height, 3);
    if (!f || !s.pixels) {
        ter_world_destroy(world);
        free(f);
        free(s.pixels);
        return result_of(RESULT_FAILED, "out of memory");
    }
    result res = flight_open(f, r, events, world, generator);
    if (res.kind == RESULT_DONE)
        res = draw_views(f, &s, views, count);
    flight_close(f);
    if (res.kind == RESULT_DONE)
        res = picture_write(file, s.pixels, s.width, s.height, &output);
    free(f);
    free(s.pixels);
    return res;
}
