/* mesh_obj.c - writes Wavefront OBJ: positions, normals, faces. */
#include "program/export/formats/export_file.h"
#include "program/export/mesh/mesh_format.h"

result mesh_write_obj(const mesh *m, mesh_sink *sink)
{
    float v[3];
    double place[3];
    export_file_mesh_place(m->file, place);
    mesh_sink_print(sink, "# terrane %s, metres, %s\no terrain\n", ter_version(),
                    m->file->mesh.is_z_up ? "x east, y north, z up" : "x east, y up, z south");
    if (place[0] != 0.0 || place[1] != 0.0 || place[2] != 0.0)
        mesh_sink_print(sink, "# place in its set: %.17g %.17g %.17g\n", place[0], place[1], place[2]);
    for (uint32_t n = 0; mesh_sink_takes(sink, n, m->n_positions); n++) {
        mesh_position(m, n, v);
        mesh_sink_print(sink, "v %.9g %.9g %.9g\n", (double)v[0], (double)v[1], (double)v[2]);
    }
    for (uint32_t n = 0; mesh_sink_takes(sink, n, m->n_normals); n++) {
        mesh_normal(m, n, v);
        mesh_sink_print(sink, "vn %.5g %.5g %.5g\n", (double)v[0], (double)v[1], (double)v[2]);
    }
    for (uint32_t t = 0; mesh_sink_takes(sink, t, m->n_triangles); t++) {
        uint32_t k[3];
        mesh_triangle(m, t, k);
        const mesh_vertex a = mesh_vertex_at(m, k[0]), b = mesh_vertex_at(m, k[1]), c = mesh_vertex_at(m, k[2]);
        mesh_sink_print(sink, "f %u//%u %u//%u %u//%u\n", a.position + 1, a.normal + 1, b.position + 1, b.normal + 1,
                        c.position + 1, c.normal + 1);
    }
    return result_done();
}
