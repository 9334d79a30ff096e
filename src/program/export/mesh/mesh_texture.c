/* mesh_texture.c - colours each sample by height and steepness. */
#include "program/export/mesh/mesh_texture.h"

#include <math.h>
#include <stdlib.h>

#ifdef TER_HAVE_FLY

#include "program/core/tasks.h"
#include "program/export/formats/export_file.h"
#include "program/picture/map_color.h"
#include "program/picture/picture.h"
#include "program/surface/surface_shape.h"

typedef struct texture {
    const mesh *mesh;
    uint8_t *pixels;
    int64_t first; /* first of the rows that are being drawn */
} texture;

static void draw_row(void *user, int64_t n)
{
    const texture *t = user;
    const int64_t row = t->first + n;
    const mesh *m = t->mesh;
    const export_file *f = m->file;
    const layer_window window = {.heights = m->grid.heights + row * m->grid.stride,
                                 .stride = m->grid.stride,
                                 .step_m = export_file_spacing_m(f)};
    for (int64_t column = 0; column < m->grid.width; column++) {
        double east, south, color[3];
        surface_slopes(&window, column, &east, &south);
        const double steep = 1.0 - 1.0 / sqrt(1.0 + east * east + south * south);
        map_color(&f->look, (double)window.heights[column] - f->world.sea, fmin(2.0 * steep, 1.0), color);
        for (int c = 0; c < 3; c++)
            t->pixels[(row * m->grid.width + column) * 3 + c] = map_color_srgb(color[c]);
    }
}

bool mesh_texture_is_possible(void)
{
    return true;
}

static bool goes_on(void *user)
{
    return work_progress_goes_on(user, "texture", 1.0);
}

result mesh_texture_make(const mesh *m, const work_progress *progress, void **bytes, size_t *size)
{
    enum { PIXELS_AT_ONCE = 1 << 18 }; /* between two calls of the progress */
    texture t = {.mesh = m, .pixels = malloc((size_t)m->grid.width * (size_t)m->grid.height * 3)};
    if (!t.pixels)
        return result_of(RESULT_FAILED, "no memory for a texture of %d x %d", m->grid.width, m->grid.height);
    const int64_t height = m->grid.height, at_once = 1 + PIXELS_AT_ONCE / m->grid.width;
    result res = result_done();
    for (; t.first < height && res.kind == RESULT_DONE; t.first += at_once) {
        tasks_run(height - t.first < at_once ? height - t.first : at_once, draw_row, &t);
        if (!work_progress_goes_on(progress, "texture", 0.5 * (double)t.first / (double)height))
            res = result_of(RESULT_INTERRUPTED, "interrupted");
    }
    const picture_progress picture_progress = {goes_on, (void *)progress};
    if (res.kind == RESULT_DONE)
        res = picture_encode("texture", t.pixels, m->grid.width, m->grid.height, &picture_progress, bytes, size);
    free(t.pixels);
    return res;
}

#else

bool mesh_texture_is_possible(void)
{
    return false;
}

result mesh_texture_make(const mesh *m, const work_progress *progress, void **bytes, size_t *size)
{
    (void)m, (void)progress, (void)bytes, (void)size;
    return result_of(RESULT_USAGE, "--texture: this build cannot draw maps (libpng or stb was missing)");
}

#endif
