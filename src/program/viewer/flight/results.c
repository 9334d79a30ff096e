/* results.c - writes the export command, the picture and the figures. */
#include "program/viewer/flight/results.h"

#include "program/render/gl.h"
#include "program/viewer/flight/frame.h"
#include "program/viewer/flight/screenshot.h"

static result export_view(flight *f)
{
    if (!f->request->is_view_exported)
        return result_done();
    const result res = flight_mark_ground(f);
    f->frame.seconds = 0.0;
    return res.kind == RESULT_DONE ? frame_draw(f, f->frame.width, f->frame.height, 0.0)
                                   : res; /* draw the frame again, with the mark */
}

static result write_screenshot(flight *f)
{
    const fly_request *r = f->request;
    if (!f->screenshot)
        return result_done();
    return r->width <= FLY_FRAME_MAX && r->height <= FLY_FRAME_MAX
               ? screenshot_write(f, f->screenshot, r->may_replace)
               : screenshot_write_large(f, f->screenshot, r->width, r->height);
}

static result write_figures(flight *f)
{
    const fly_request *r = f->request;
    char layer_names[128];
    edge_count edges;
    if (!r->stats)
        return result_done();
    const result res =
        edges_compare(renderer_tiles(f->renderer), &f->terrain.tree, landscape_drains(&f->terrain.land), &edges);
    if (res.kind != RESULT_DONE)
        return res;
    layers_describe(&f->layers, layer_names, sizeof layer_names);
    const flight_facts facts = {.request = r,
                                .counts = &f->terrain.counts,
                                .min_clearance_m = f->travel.probe.min_clearance_m,
                                .altitude_latency_frames = f->travel.probe.latency_max,
                                .backend = ter_backend_name(ter_generator_backend(f->generator)),
                                .interop = tile_source_interop(f->terrain.source),
                                .gl_renderer = gl_describe(),
                                .seed = f->seed,
                                .quality = budget_quality_name(&f->budget),
                                .layers = r->layer_names ? r->layer_names : layer_names,
                                .render_percent = 100.0 * resolution_share(&f->resolution),
                                .n_slots = f->budget.n_slots,
                                .edges = edges,
                                .levels = ter_world_params(f->terrain.land.world)->levels};
    return flight_statistics_write(&f->statistics, &facts);
}

result results_write(flight *f)
{
    result res = export_view(f);
    if (res.kind == RESULT_DONE)
        res = write_screenshot(f);
    if (res.kind == RESULT_DONE)
        res = write_figures(f);
    return res;
}
