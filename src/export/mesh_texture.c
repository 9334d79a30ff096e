/* mesh_texture.c - colours by height and steepness. */
#include "export/mesh_texture.h"

#include <math.h>
#include <stdlib.h>

#ifdef TER_HAVE_FLY

#include "export/export_file.h"
#include "picture/map_color.h"
#include "export/surface_shape.h"
#include "picture/picture.h"
#include "program/tasks.h"

typedef struct texture {
    const mesh *mesh;
    uint8_t *pixels;
} texture;

static void draw_row(void *user, int64_t row)
{
    const texture *t = user;
    const mesh *m = t->mesh;
    const export_file *f = m->file;
    const layer_window window = {
        .heights = m->grid.heights + row * m->grid.stride, .stride = m->grid.stride, .step_m = export_file_spacing_m(f)};
    for (int64_t n = 0; n < m->grid.width; n++) {
        double east, south, color[3];
        surface_slopes(&window, n, &east, &south);
        const double steep = 1.0 - 1.0 / sqrt(1.0 + east * east + south * south);
        map_color(&f->look, (double)window.heights[n] - f->world.sea, fmin(2.0 * steep, 1.0), color);
        for (int c = 0; c < 3; c++)
            t->pixels[(row * m->grid.width + n) * 3 + c] = map_color_srgb(color[c]);
    }
}

bool mesh_texture_is_possible(void)
{
    return true;
}

static bool goes_on(void *user)
{
    return export_pulse_goes_on(user, "texture", 1.0);
}

outcome mesh_texture_make(const mesh *m, const export_pulse *pulse, void **bytes, size_t *size)
{
    texture t = {m, malloc((size_t)m->grid.width * (size_t)m->grid.height * 3)};
    if (!t.pixels)
        return outcome_of(OUTCOME_FAILED, "no memory for a texture of %d x %d", m->grid.width, m->grid.height);
    tasks_run(m->grid.height, draw_row, &t);
    const picture_pulse asks = {goes_on, (void *)pulse};
    const outcome o = picture_encode("texture", t.pixels, m->grid.width, m->grid.height, &asks, bytes, size);
    free(t.pixels);
    return o;
}

#else

bool mesh_texture_is_possible(void)
{
    return false;
}

outcome mesh_texture_make(const mesh *m, const export_pulse *pulse, void **bytes, size_t *size)
{
    (void)m, (void)pulse, (void)bytes, (void)size;
    return outcome_of(OUTCOME_USAGE, "--texture: this build cannot draw maps (libpng or stb was missing)");
}

#endif
