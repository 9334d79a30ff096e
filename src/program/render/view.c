/* view.c - computes rotation, projection and frustum of a view. */
#include "program/render/view.h"

#include <cglm/cglm.h>
#include <math.h>
#include <string.h>

const char *const render_layer_names[LAYERS] = {"terrain", "water", "sky", "clouds", "shadows", "hud", "trees"};

static const float NEAR_M = 0.25f;

/** Rotation of a view, rows right, up, backward. */
static void view_rotation(const render_view *v, mat4 m)
{
    glm_mat4_identity(m);
    for (int n = 0; n < 3; n++) {
        m[n][0] = v->right[n];
        m[n][1] = v->up[n];
        m[n][2] = -v->forward[n];
    }
}

/** Projection of a view. A part of a picture is stretched over the frame. */
static void projection(const render_view *v, int width, int height, mat4 m)
{
    const render_part *part = &v->part;
    const float f = 1.0f / tanf(glm_rad(v->fov_deg) * 0.5f);
    const bool is_part = part->width > 0.0;
    const float aspect = is_part ? (float)part->aspect : (float)width / (float)height;
    const float wide = is_part ? (float)(1.0 / part->width) : 1.0f, tall = is_part ? (float)(1.0 / part->height) : 1.0f;
    glm_mat4_zero(m);
    m[0][0] = wide * f / aspect;
    m[1][1] = tall * f;
    m[2][3] = -1.0f;
    m[3][2] = NEAR_M;
    if (is_part) { /* move the middle of the part to the middle of the frame; -z becomes the coordinate w */
        m[2][0] = wide * (float)(2.0 * part->left + part->width - 1.0);
        m[2][1] = -tall * (float)(2.0 * part->top + part->height - 1.0);
    }
}

void render_view_projection(const render_view *v, int width, int height, float out[4][4])
{
    mat4 rotation, project, both;
    view_rotation(v, rotation);
    projection(v, width, height, project);
    glm_mat4_mul(project, rotation, both);
    memcpy(out, both, sizeof both);
}

void render_frustum(const render_view *v, double aspect, double planes[5][4])
{
    const double tall = tan(glm_rad(v->fov_deg) * 0.5), wide = tall * aspect;
    const double sides[5][3] = {
        {1, 0, wide}, {-1, 0, wide}, {0, 1, tall}, {0, -1, tall}, {0, 0, 1}}; /* along right, up, forward */
    for (int p = 0; p < 5; p++) {
        for (int n = 0; n < 3; n++)
            planes[p][n] = sides[p][0] * (double)v->right[n] + sides[p][1] * (double)v->up[n] +
                           sides[p][2] * (double)v->forward[n];
        planes[p][3] = 0.0;
    }
}
