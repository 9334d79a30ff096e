/* travel.c - places the camera and moves it step by step. */
#include "program/viewer/camera/travel.h"

#include <math.h>

static bool has_path(const travel *t)
{
    return t->path.count > 0;
}

result travel_place(travel *t, const fly_request *r)
{
    path_point view;
    result res = result_done();
    camera_place(&t->camera, r->at[0], r->at[1]);
    camera_turn(&t->camera, r->heading_deg, r->pitch_deg);
    if (r->path)
        res = path_read(r->path, &t->path);
    if (res.kind == RESULT_DONE && r->view)
        res = path_parse_view(r->view, &view);
    if (res.kind == RESULT_DONE && r->view)
        path_point_place(&view, &t->camera);
    if (res.kind == RESULT_DONE && r->path)
        path_point_place(&t->path.points[0], &t->camera);
    return res;
}

result travel_begin(travel *t, const fly_request *r, ter_backend backend, const landscape *land, bool waits_for_answers)
{
    const result res = terrain_probe_create(backend, land, &t->camera, waits_for_answers, &t->probe);
    if (res.kind != RESULT_DONE)
        return res;
    const double ground_m = terrain_probe_highest(&t->probe, 0.0);
    if (r->view || r->path)
        t->camera.altitude_m = fmax(t->camera.altitude_m, ground_m + r->min_clearance_m);
    else
        t->camera.altitude_m = ground_m + fmax(r->altitude_m, r->min_clearance_m);
    t->pilot = (pilot){.is_autopilot = true,
                       .speed = r->speed,
                       .height_m = t->camera.altitude_m - ground_m,
                       .min_clearance_m = r->min_clearance_m};
    camera_course(&t->camera, r->speed, t->camera.velocity);
    t->start = t->camera;
    t->start_speed = r->speed;
    return res;
}

void travel_end(travel *t)
{
    terrain_probe_destroy(&t->probe);
    path_free(&t->path);
}

void travel_reset(travel *t)
{
    t->camera = t->start;
    t->pilot.is_autopilot = true;
    t->pilot.speed = t->start_speed;
}

void travel_steer(travel *t, const surface_input *input, double elapsed_s)
{
    const camera before = t->camera;
    pilot_steer(&t->pilot, &t->camera, input, elapsed_s);
    t->is_turned = before.heading_deg != t->camera.heading_deg || before.pitch_deg != t->camera.pitch_deg;
}

/** Time on the path for a time of the flight. */
static double path_time_s(const travel *t, double time_s)
{
    return t->path.points[0].time_s + time_s;
}

static void follow_path(travel *t, const travel_step *step)
{
    path_point at;
    camera *c = &t->camera;
    const double before[3] = {camera_x(c), c->altitude_m, camera_z(c)};
    path_at(&t->path, path_time_s(t, step->time_s), &at);
    path_point_place(&at, c);
    if (step->passed_s > 0) {
        c->velocity[0] = (camera_x(c) - before[0]) * step->spacing_m / step->passed_s;
        c->velocity[1] = (c->altitude_m - before[1]) / step->passed_s;
        c->velocity[2] = (camera_z(c) - before[2]) * step->spacing_m / step->passed_s;
    }
    pilot_clear_ground(&t->pilot, c, &t->probe, step->passed_s);
}

void travel_move(travel *t, const surface_input *input, const travel_step *step)
{
    if (has_path(t))
        follow_path(t, step);
    else if (!step->is_paused)
        pilot_move(&t->pilot, &t->camera, &t->probe, input, step->spacing_m, step->passed_s);
}

result travel_watch_ground(travel *t, const travel_step *step, int lod, float coarser, uint64_t frame)
{
    const probe_moment moment = {
        .camera = &t->camera, .lod = lod, .coarser = coarser, .elapsed_s = step->elapsed_s, .frame = frame};
    const result res = terrain_probe_update(&t->probe, &moment);
    if (!step->is_paused)
        pilot_clear_ground(&t->pilot, &t->camera, &t->probe,
                           step->elapsed_s); /* an answer may have come within this call */
    terrain_probe_note_altitude(&t->probe, &t->camera, frame);
    return res;
}

double travel_path_s(const travel *t)
{
    return has_path(t) ? t->path.points[t->path.count - 1].time_s - t->path.points[0].time_s : 0.0;
}

bool travel_is_over(const travel *t, double time_s)
{
    return has_path(t) && path_time_s(t, time_s) >= t->path.points[t->path.count - 1].time_s;
}

double travel_height_m(const travel *t)
{
    return t->camera.altitude_m - terrain_probe_highest(&t->probe, 0.0);
}
