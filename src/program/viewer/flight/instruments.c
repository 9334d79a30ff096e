/* instruments.c - makes the lines of text that are drawn over a frame. */
#include "program/viewer/flight/instruments.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "library/core/printf_format.h"

static const float PLACE_PX = 12.0f;

/** Text that grows line by line. */
typedef struct lines {
    char text[4096];
    size_t used;
} lines;

TER_PRINTF(2, 3) static void add(lines *l, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int n = vsnprintf(l->text + l->used, sizeof l->text - l->used, format, arguments);
    va_end(arguments);
    l->used += n > 0 ? (size_t)n : 0;
    l->used = l->used < sizeof l->text ? l->used : sizeof l->text - 1;
}

static void add_place(lines *l, const flight *f)
{
    const camera *c = &f->travel.camera;
    const landscape *land = &f->terrain.land;
    const double *v = c->velocity, speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    add(l, "x %.0f  z %.0f\n", camera_x(c), camera_z(c));
    add(l, "%.0f m over ground, %.0f m over sea\n", travel_height_m(&f->travel),
        c->altitude_m - landscape_sea_m(land, landscape_share(land, c)));
    add(l, "heading %03.0f, %.1f m/s%s%s%s\n", c->heading_deg, speed, f->travel.pilot.is_autopilot ? ", autopilot" : "",
        f->clock.is_paused ? ", paused" : "", f->recording.is_recording ? ", recording a path" : "");
}

static void add_times(lines *l, const flight *f)
{
    bool has_times = false;
    add(l, "%.0f fps, %zu tiles, %llu kilotriangles, %zu late\n", f->frame.seconds > 0 ? 1.0 / f->frame.seconds : 0.0,
        f->terrain.tree.n_tiles, (unsigned long long)(renderer_triangles(f->renderer) / 1000), f->terrain.tree.n_late);
    if (resolution_share(&f->resolution) < 1.0)
        add(l, "resolution %.0f %%\n", 100.0 * resolution_share(&f->resolution));
    add(l, "ms: generation %.2f", f->terrain.generation_ms);
    for (int pass = 0; pass < PASSES; pass++) {
        const double ms = renderer_pass_ms(f->renderer, (render_pass)pass);
        if (ms > 0.0)
            add(l, "%s %s %.2f", has_times ? "" : ", GPU", render_pass_names[pass], ms);
        has_times |= ms > 0.0;
    }
    add(l, "\n");
}

static void add_world(lines *l, const flight *f)
{
    const landscape *land = &f->terrain.land;
    add(l, "seed %llu, backend %s\n", (unsigned long long)ter_world_params(land->next ? land->next : land->world)->seed,
        ter_backend_name(ter_generator_backend(f->generator)));
    if (!f->shaders.is_complete)
        add(l, "compiling shaders: %d of %d are ready\n", f->shaders.n_made, BLOCK_KINDS);
    if (f->terrain.awaited.world)
        add(l, "next land: %.0f %% made\n",
            100.0 * tile_source_share_prepared(f->terrain.source, f->terrain.tree.frame));
    if (!isnan(f->sunlight.time_h))
        add(l, "%02d:%02d\n", (int)f->sunlight.time_h, (int)(fmod(f->sunlight.time_h, 1.0) * 60.0));
}

void instruments_draw(const flight *f)
{
    lines l = {0};
    if (f->is_help) {
        keys_describe(l.text, sizeof l.text);
    } else {
        add_place(&l, f);
        add_times(&l, f);
        add_world(&l, f);
        add(&l, "H help\n");
    }
    renderer_text(f->renderer, l.text, PLACE_PX, PLACE_PX);
}
