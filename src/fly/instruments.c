/* instruments.c - position, speed, frame times; or the keys. */
#include <math.h>
#include <stdio.h>

#include "fly/flight.h"

void instruments_draw(flight *f, double frame_s)
{
    char text[4096];
    const camera *c = &f->camera;
    const double speed = sqrt(c->velocity[0] * c->velocity[0] + c->velocity[1] * c->velocity[1] + c->velocity[2] * c->velocity[2]);
    const double sea_m = landscape_sea_m(&f->land, landscape_share(&f->land, c));
    size_t used =
        (size_t)snprintf(text, sizeof text,
                         "x %.0f  z %.0f\n%.0f m over ground, %.0f m over sea\nheading %03.0f, %.1f m/s%s%s%s\n%.0f fps, %zu "
                         "tiles, %llu kilotriangles, "
                         "%zu late\nms: generation %.2f, GPU",
                         camera_x(c), camera_z(c), c->altitude_m - ground_highest(&f->ground, 0.0), c->altitude_m - sea_m,
                         c->heading_deg, speed, f->pilot.is_autopilot ? ", autopilot" : "", f->is_paused ? ", paused" : "",
                         f->is_recording ? ", recording a path" : "", frame_s > 0 ? 1.0 / frame_s : 0.0, f->tree.n_tiles,
                         (unsigned long long)(renderer_triangles(f->renderer) / 1000), f->tree.n_late, f->generation_ms);
    for (int pass = 0; pass < PASSES; pass++)
        used += (size_t)snprintf(text + used, sizeof text - used, " %s %.2f", render_pass_names[pass],
                                 renderer_pass_ms(f->renderer, (render_pass)pass));
    used += (size_t)snprintf(text + used, sizeof text - used, "\nseed %llu, backend %s\n",
                             (unsigned long long)ter_world_params(f->land.next ? f->land.next : f->land.world)->seed,
                             ter_backend_name(ter_generator_backend(f->generator)));
    if (!isnan(f->time_h))
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%02d:%02d\n", (int)f->time_h, (int)(fmod(f->time_h, 1.0) * 60.0));
    snprintf(text + used, sizeof text - used, "H help\n");
    if (f->is_help)
        keys_describe(text, sizeof text);
    renderer_text(f->renderer, text, 12.0f, 12.0f);
}
