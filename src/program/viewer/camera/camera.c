/* camera.c - moves and turns the camera. */
#include "program/viewer/camera/camera.h"

#include <math.h>

#include "terrane/terrane.h"

static const double RADIANS = 0.017453292519943295;
static const int64_t LIMIT = CAMERA_COORDINATE_MAX;

void camera_place(camera *c, int64_t x, int64_t z)
{
    c->cell_x = x > LIMIT ? LIMIT : x < -LIMIT ? -LIMIT : x;
    c->cell_z = z > LIMIT ? LIMIT : z < -LIMIT ? -LIMIT : z;
    c->offset_x = c->offset_z = 0.0;
}

static void move_axis(int64_t *cell, double *offset, double steps)
{
    *offset += steps;
    const double whole = floor(*offset);
    *offset -= whole;
    *cell += (int64_t)whole;
    if (*cell > LIMIT || *cell < -LIMIT) {
        *cell = *cell > 0 ? LIMIT : -LIMIT;
        *offset = 0.0;
    }
}

void camera_move(camera *c, const double metres[3], double spacing_m)
{
    move_axis(&c->cell_x, &c->offset_x, metres[0] / spacing_m);
    move_axis(&c->cell_z, &c->offset_z, metres[2] / spacing_m);
    c->altitude_m += metres[1];
}

double camera_x(const camera *c)
{
    return (double)c->cell_x + c->offset_x;
}

double camera_z(const camera *c)
{
    return (double)c->cell_z + c->offset_z;
}

void camera_axes(const camera *c, float right[3], float up[3], float forward[3])
{
    const double h = c->heading_deg * RADIANS, p = c->pitch_deg * RADIANS;
    const double f[3] = {sin(h) * cos(p), sin(p), -cos(h) * cos(p)};
    const double r[3] = {cos(h), 0.0, sin(h)};
    const double u[3] = {-sin(h) * sin(p), cos(p), cos(h) * sin(p)};
    for (int n = 0; n < 3; n++) {
        forward[n] = (float)f[n];
        right[n] = (float)r[n];
        up[n] = (float)u[n];
    }
}

void camera_course(const camera *c, double speed, double velocity[3])
{
    velocity[0] = speed * sin(c->heading_deg * RADIANS);
    velocity[2] = -speed * cos(c->heading_deg * RADIANS);
}

void camera_turn(camera *c, double heading_deg, double pitch_deg)
{
    c->heading_deg = fmod(c->heading_deg + heading_deg + 720.0, 360.0);
    c->pitch_deg = fmin(fmax(c->pitch_deg + pitch_deg, -CAMERA_PITCH_MAX_DEG), CAMERA_PITCH_MAX_DEG);
}
