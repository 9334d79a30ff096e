/* pilot.c - computes the wanted velocity, by hand or by autopilot, and keeps the camera over the ground. */
#include "program/viewer/camera/pilot.h"

#include <math.h>

static const double LOOK_DEG_PER_PIXEL = 0.12;
static const double TURN_DEG_PER_S = 90.0; /* turn by the right stick of the gamepad */
static const double WHEEL_FACTOR = 1.25;
static const double RESPONSE_S = 0.35; /* time constant with which the velocity follows the wanted velocity */

void pilot_steer(pilot *p, camera *c, const surface_input *input, double elapsed_s)
{
    camera_turn(c, input->turn[0] * TURN_DEG_PER_S * elapsed_s, input->turn[1] * TURN_DEG_PER_S * elapsed_s);
    camera_turn(c, input->look_x * LOOK_DEG_PER_PIXEL, -input->look_y * LOOK_DEG_PER_PIXEL);
    p->speed = fmin(fmax(p->speed * pow(WHEEL_FACTOR, input->wheel), PILOT_SPEED_MIN), PILOT_SPEED_MAX);
    if (input->n_pressed[ACTION_AUTOPILOT] % 2)
        p->is_autopilot = !p->is_autopilot;
    for (int n = ACTION_FORWARD; n <= ACTION_DOWN; n++)
        if (input->held[n] > 0.0)
            p->is_autopilot = false;
}

static void wanted_by_hand(const pilot *p, const camera *c, const surface_input *input, double velocity[3])
{
    float right[3], up[3], forward[3];
    camera_axes(c, right, up, forward);
    const double ahead = input->held[ACTION_FORWARD] - input->held[ACTION_BACK];
    const double aside = input->held[ACTION_RIGHT] - input->held[ACTION_LEFT];
    const double rise = input->held[ACTION_UP] - input->held[ACTION_DOWN];
    const double speed = fmin(p->speed * (input->held[ACTION_FASTER] > 0.0 ? 10.0 : 1.0), PILOT_SPEED_MAX);
    for (int n = 0; n < 3; n++)
        velocity[n] = speed * (ahead * (double)forward[n] + aside * (double)right[n] + rise * (n == 1));
}

/** The velocity that the autopilot wants: level flight along the heading, with a climb that begins early enough for the
 * ground ahead and with gentle descents. */
static void wanted_by_autopilot(const pilot *p, const camera *c, const terrain_probe *probe, double velocity[3])
{
    const double safe = fmax(p->min_clearance_m, 0.4 * p->height_m);
    double climb = (terrain_probe_highest(probe, 1.5) + p->height_m - c->altitude_m) / 2.0;
    climb = fmax(climb, -0.35 * p->speed);
    for (int n = 0; n < PROBE_POINTS; n++)
        climb = fmax(climb, (fmax((double)probe->ahead_m[n], (double)probe->tops_m[n]) + safe - c->altitude_m) /
                                fmax(terrain_probe_time(probe, n) * 0.7, 0.25));
    camera_course(c, p->speed, velocity);
    velocity[1] = climb;
}

void pilot_move(const pilot *p, camera *c, const terrain_probe *probe, const surface_input *input, double spacing_m,
                double elapsed_s)
{
    double wanted[3], metres[3];
    if (p->is_autopilot)
        wanted_by_autopilot(p, c, probe, wanted);
    else
        wanted_by_hand(p, c, input, wanted);
    const double share = 1.0 - exp(-elapsed_s / RESPONSE_S);
    for (int n = 0; n < 3; n++) {
        c->velocity[n] += (wanted[n] - c->velocity[n]) * share;
        metres[n] = c->velocity[n] * elapsed_s;
    }
    camera_move(c, metres, spacing_m);
    pilot_clear_ground(p, c, probe, elapsed_s);
}

void pilot_clear_ground(const pilot *p, camera *c, const terrain_probe *probe, double elapsed_s)
{
    const double floor_m = terrain_probe_obstacle(probe, elapsed_s * (2 + probe->latency_frames)) +
                           terrain_probe_roughness(probe) + p->min_clearance_m;
    if (c->altitude_m < floor_m) {
        c->altitude_m = floor_m;
        c->velocity[1] = fmax(c->velocity[1], 0.0);
    }
}
