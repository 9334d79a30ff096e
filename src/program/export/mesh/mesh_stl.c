/* mesh_stl.c - writes binary STL: a normal and three corners for each triangle. */
#include <math.h>
#include <string.h>

#include "program/export/mesh/mesh_format.h"

enum { HEADER_BYTES = 80, TRIANGLE_BYTES = 50 };

/** Compute the unit normal of a triangle. No triangle of a mesh has area 0. */
static void face_normal(float corners[3][3], float normal[3])
{
    double u[3], v[3], n[3];
    for (int k = 0; k < 3; k++) {
        u[k] = (double)corners[1][k] - (double)corners[0][k];
        v[k] = (double)corners[2][k] - (double)corners[0][k];
    }
    for (int k = 0; k < 3; k++)
        n[k] = u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3];
    const double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int k = 0; k < 3; k++)
        normal[k] = (float)(n[k] / length);
}

result mesh_write_stl(const mesh *m, mesh_sink *sink)
{
    /* must not begin with "solid", which means an STL file of text */
    char header[HEADER_BYTES] = "terrane: binary STL, metres";
    mesh_sink_write(sink, header, sizeof header);
    mesh_sink_write(sink, &m->n_triangles, sizeof m->n_triangles);
    for (uint32_t t = 0; mesh_sink_takes(sink, t, m->n_triangles); t++) {
        uint32_t vertices[3];
        float numbers[4][3]; /* normal, corners */
        unsigned char bytes[TRIANGLE_BYTES] = {0};
        mesh_triangle(m, t, vertices);
        for (int n = 0; n < 3; n++)
            mesh_position(m, mesh_vertex_at(m, vertices[n]).position, numbers[1 + n]);
        face_normal(numbers + 1, numbers[0]);
        memcpy(bytes, numbers, sizeof numbers);
        mesh_sink_write(sink, bytes, sizeof bytes);
    }
    return result_done();
}
