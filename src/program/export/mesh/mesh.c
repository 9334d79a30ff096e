/* mesh.c - computes positions, normals, vertices and triangles of a mesh from its heights.
 *
 * They are numbered in this order:
 *
 *     positions   land; lower ends of the walls, one for each border vertex; middle of a solid's bottom
 *     normals     land, also for skirts; the four walls of a solid; its bottom
 *     vertices    land; lower ends of a skirt
 *                 land; upper and lower ends of a solid's walls; bottom of the solid
 *
 * At each corner of a solid two walls meet; each has its own vertices there, because their normals differ. */
#include "program/export/mesh/mesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "program/export/formats/export_file.h"
#include "program/surface/surface_shape.h"

enum { APRON = 1, SIDES = 4 };

/* ---- heights ---- */

result mesh_begin(const export_file *file, mesh *m)
{
    const size_t width = (size_t)file->width + 2 * APRON, height = (size_t)file->height + 2 * APRON;
    *m = (mesh){.file = file, .samples = malloc(width * height * sizeof *m->samples)};
    m->grid = (height_grid){m->samples ? m->samples + APRON * width + APRON : NULL, (ptrdiff_t)width,
                            (int32_t)file->width, (int32_t)file->height};
    return m->samples ? result_done()
                      : result_of(RESULT_FAILED, "no memory for a mesh of %lld x %lld samples", (long long)file->width,
                                  (long long)file->height);
}

void mesh_take(mesh *m, const block *b)
{
    const size_t bytes = (size_t)m->grid.stride * sizeof *m->samples;
    for (int64_t row = -APRON; row < b->rows + APRON; row++) /* blocks overlap by their aprons, with equal heights */
        memcpy(m->samples + (b->row + row + APRON) * m->grid.stride,
               b->first + row * b->stride - APRON * (ptrdiff_t)sizeof *m->samples, bytes);
}

void mesh_free(mesh *m)
{
    triangulation_free(&m->land);
    free(m->samples);
    *m = (mesh){0};
}

/* ---- counts ---- */

static bool is_solid(const mesh *m)
{
    return m->file->mesh.base_m > 0.0;
}

static bool has_walls(const mesh *m)
{
    return is_solid(m) || m->file->mesh.skirt_m > 0.0;
}

static bool is_reduced(const mesh *m)
{
    return m->land.places != NULL;
}

/** List the border vertices of a grid in which all samples are vertices. */
static result list_border(mesh *m)
{
    const uint32_t w = (uint32_t)m->grid.width, h = (uint32_t)m->grid.height;
    triangulation *land = &m->land;
    land->n_border = 2 * (w + h) - 4;
    land->border = malloc(land->n_border * sizeof *land->border);
    if (!land->border)
        return result_of(RESULT_FAILED, "no memory for the border of a mesh");
    memcpy(land->sides, (const uint32_t[]){0, w - 1, w + h - 2, 2 * w + h - 3, land->n_border}, sizeof land->sides);
    for (uint32_t n = 0; n < land->n_border; n++)
        land->border[n] = n < land->sides[1]   ? n
                          : n < land->sides[2] ? (n - land->sides[1] + 1) * w - 1
                          : n < land->sides[3] ? w * h - 1 - (n - land->sides[2])
                                               : w * (h - 1 - (n - land->sides[3]));
    return result_done();
}

result mesh_build(mesh *m, const work_progress *progress)
{
    const mesh_shape *shape = &m->file->mesh;
    triangulation *land = &m->land;
    const uint32_t w = (uint32_t)m->grid.width, h = (uint32_t)m->grid.height;
    const result res =
        shape->max_error_m >= 0.0 ? triangulation_make(&m->grid, shape->max_error_m, progress, land) : list_border(m);
    if (res.kind != RESULT_DONE)
        return res;
    m->n_land = is_reduced(m) ? land->n_vertices : w * h;
    m->n_triangles = is_reduced(m) ? land->n_triangles : 2 * (w - 1) * (h - 1);
    m->n_vertices = m->n_positions = m->n_normals = m->n_land;
    if (!has_walls(m))
        return res;
    m->n_triangles += 2 * land->n_border;
    m->n_positions += land->n_border;
    m->n_vertices += land->n_border;
    if (!is_solid(m))
        return res;
    m->n_triangles += land->n_border; /* the bottom */
    m->n_positions++;
    m->n_vertices += 1 + 2 * (land->n_border + SIDES);
    m->n_normals += SIDES + 1;
    return res;
}

/* ---- vertices ---- */

/** Number of the first vertex of a wall, counted from the walls' first vertex. Vertices of walls are numbered wall by
 * wall; along a wall, from its first corner to its second, upper and lower vertices alternate. */
static uint32_t wall_begin(const mesh *m, uint32_t side)
{
    return 2 * (m->land.sides[side] + side);
}

static mesh_vertex wall_vertex(const mesh *m, uint32_t k)
{
    uint32_t side = 0;
    while (k >= wall_begin(m, side + 1))
        side++;
    const uint32_t n = (m->land.sides[side] + (k - wall_begin(m, side)) / 2) % m->land.n_border;
    return (mesh_vertex){k % 2 == 0 ? m->land.border[n] : m->n_land + n, m->n_land + side};
}

mesh_vertex mesh_vertex_at(const mesh *m, uint32_t k)
{
    const uint32_t walls = m->n_land + 2 * (m->land.n_border + SIDES);
    if (k < m->n_land)
        return (mesh_vertex){k, k};
    if (!is_solid(m))
        return (mesh_vertex){k, m->land.border[k - m->n_land]};
    if (k < walls)
        return wall_vertex(m, k - m->n_land);
    return (mesh_vertex){m->n_land + (k - walls), m->n_land + SIDES};
}

/** Find column and row of a land vertex. */
static void land_place(const mesh *m, uint32_t vertex, int64_t *column, int64_t *row)
{
    const uint32_t place = is_reduced(m) ? m->land.places[vertex] : vertex;
    *column = place % (uint32_t)m->grid.width;
    *row = place / (uint32_t)m->grid.width;
}

/** Find column and row of any position. The middle of the bottom may lie between samples. */
static void position_place(const mesh *m, uint32_t position, double *column, double *row)
{
    int64_t x, y;
    if (position == m->n_land + m->land.n_border) {
        *column = (m->grid.width - 1) / 2.0;
        *row = (m->grid.height - 1) / 2.0;
        return;
    }
    land_place(m, position < m->n_land ? position : m->land.border[position - m->n_land], &x, &y);
    *column = (double)x;
    *row = (double)y;
}

/** Altitude of a position, metres. */
static float altitude_of(const mesh *m, uint32_t position)
{
    const mesh_shape *shape = &m->file->mesh;
    int64_t column, row;
    if (position >= m->n_land && is_solid(m))
        return (float)shape->bottom_m;
    land_place(m, position < m->n_land ? position : m->land.border[position - m->n_land], &column, &row);
    const float height = m->grid.heights[row * m->grid.stride + column];
    return position < m->n_land ? height : (float)export_file_below(height, shape->skirt_m);
}

/** Convert east, up and south to the file's axes. */
static void to_axes(const mesh *m, double east, double up, double south, float out[3])
{
    const bool is_z_up = m->file->mesh.is_z_up;
    out[0] = (float)east;
    out[1] = (float)(is_z_up ? 0.0 - south : up);
    out[2] = (float)(is_z_up ? up : south);
}

void mesh_position(const mesh *m, uint32_t position, float out[3])
{
    const double spacing = export_file_spacing_m(m->file);
    double column, row;
    position_place(m, position, &column, &row);
    to_axes(m, column * spacing, (double)altitude_of(m, position), row * spacing, out);
}

void mesh_normal(const mesh *m, uint32_t normal, float out[3])
{
    static const double walls[SIDES + 1][3] = {{0, 0, -1}, {1, 0, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}};
    if (normal >= m->n_land) {
        const double *n = walls[normal - m->n_land];
        to_axes(m, n[0], n[1], n[2], out);
        return;
    }
    int64_t column, row;
    double east, south;
    land_place(m, normal, &column, &row);
    const layer_window window = {.heights = m->grid.heights + row * m->grid.stride,
                                 .stride = m->grid.stride,
                                 .step_m = export_file_spacing_m(m->file)};
    surface_slopes(&window, column, &east, &south);
    const double length = sqrt(1.0 + east * east + south * south);
    to_axes(m, -east / length, 1.0 / length, -south / length, out);
}

void mesh_texture_place(const mesh *m, uint32_t position, float out[2])
{
    double column, row;
    position_place(m, position, &column, &row);
    out[0] = (float)((column + 0.5) / m->grid.width);
    out[1] = (float)((row + 0.5) / m->grid.height);
}

/* ---- triangles ---- */

static void land_triangle(const mesh *m, uint32_t t, uint32_t v[3])
{
    if (is_reduced(m)) {
        memcpy(v, m->land.corners + (size_t)t * 3, 3 * sizeof *v);
        return;
    }
    const uint32_t w = (uint32_t)m->grid.width, quad = t / 2, nw = quad / (w - 1) * w + quad % (w - 1);
    v[0] = nw + t % 2; /* t even: north-west, south-west, north-east; t odd: north-east, south-west, south-east */
    v[1] = nw + w;
    v[2] = nw + 1 + t % 2 * w;
}

/** Make triangle t of the walls. Two triangles lie between each border vertex, the next one, and their lower ends. */
static void wall_triangle(const mesh *m, uint32_t t, uint32_t v[3])
{
    const triangulation *land = &m->land;
    const uint32_t n = t / 2, after = (n + 1) % land->n_border;
    uint32_t upper = land->border[n], lower = m->n_land + n, next_upper = land->border[after],
             next_lower = m->n_land + after;
    if (is_solid(m)) {
        uint32_t side = 0;
        while (n >= land->sides[side + 1])
            side++;
        upper = m->n_land + wall_begin(m, side) + 2 * (n - land->sides[side]);
        lower = upper + 1;
        next_upper = upper + 2;
        next_lower = upper + 3;
    }
    v[0] = t % 2 ? next_upper : upper;
    v[1] = t % 2 ? next_lower : next_upper;
    v[2] = lower;
}

/** Make triangle t of the bottom, from the middle to the border. */
static void bottom_triangle(const mesh *m, uint32_t t, uint32_t v[3])
{
    const uint32_t n_border = m->land.n_border, first = m->n_land + 2 * (n_border + SIDES);
    v[0] = first + n_border;
    v[1] = first + t;
    v[2] = first + (t + 1) % n_border;
}

void mesh_triangle(const mesh *m, uint32_t t, uint32_t v[3])
{
    const uint32_t n_border = m->land.n_border,
                   walls = is_reduced(m) ? m->land.n_triangles
                                         : 2 * (uint32_t)(m->grid.width - 1) * (uint32_t)(m->grid.height - 1);
    if (t < walls)
        land_triangle(m, t, v);
    else if (t < walls + 2 * n_border)
        wall_triangle(m, t - walls, v);
    else
        bottom_triangle(m, t - walls - 2 * n_border, v);
}

void mesh_bounds(const mesh *m, float low[3], float high[3])
{
    for (uint32_t k = 0; k < m->n_positions; k++) {
        float at[3];
        mesh_position(m, k, at);
        for (int n = 0; n < 3; n++) {
            low[n] = k == 0 || at[n] < low[n] ? at[n] : low[n];
            high[n] = k == 0 || at[n] > high[n] ? at[n] : high[n];
        }
    }
}
