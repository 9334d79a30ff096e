/* mesh_glb.c - writes binary glTF: one scene with one node and one mesh; the texture is a PNG file in the binary chunk.
 */
#include <stdlib.h>
#include <string.h>

#include "program/export/formats/export_file.h"
#include "program/export/mesh/mesh_format.h"
#include "program/export/mesh/mesh_texture.h"

enum { JSON_MAX = 4096, FLOAT_BYTES = sizeof(float) };

/** Lengths of the parts of the binary chunk, bytes. Each part begins at a multiple of 4. */
typedef struct glb_layout {
    uint64_t indices, positions, normals, texture_places;
    uint64_t image, padding;
} glb_layout;

static uint64_t padding_of(uint64_t bytes)
{
    return (4 - bytes % 4) % 4;
}

static glb_layout layout_of(const mesh *m, size_t image_bytes)
{
    glb_layout l = {.indices = (uint64_t)m->n_triangles * 3 * sizeof(uint32_t),
                    .positions = (uint64_t)m->n_vertices * 3 * FLOAT_BYTES,
                    .normals = (uint64_t)m->n_vertices * 3 * FLOAT_BYTES};
    if (image_bytes > 0)
        l.texture_places = (uint64_t)m->n_vertices * 2 * FLOAT_BYTES;
    l.image = image_bytes;
    l.padding = padding_of(image_bytes);
    return l;
}

static uint64_t chunk_bytes(const glb_layout *l)
{
    return l->indices + l->positions + l->normals + l->texture_places + l->image + l->padding;
}

/* ---- the JSON chunk ---- */

/** Print the translation of a tile in its set, which viewers apply, and the set's place in the world, which is for
 * programs. */
static int print_place(const export_file *f, char *text, size_t size)
{
    double place[3];
    int n = 0;
    export_file_mesh_place(f, place);
    if (place[0] != 0.0 || place[2] != 0.0)
        n = snprintf(text, size, "\"translation\":[%.17g,%.17g,%.17g],", place[0], place[1], place[2]);
    return n +
           snprintf(text + n, size - (size_t)n,
                    "\"extras\":{\"generator\":\"terrane\",\"origin_x\":%.17g,\"origin_z\":%.17g,\"spacing_m\":%.17g,"
                    "\"sea_m\":%.17g}",
                    f->mesh.origin_x, f->mesh.origin_z, f->world.spacing, f->world.sea);
}

static int print_accessors(const mesh *m, bool has_texture, char *text, size_t size)
{
    float low[3], high[3];
    mesh_bounds(m, low, high);
    int n =
        snprintf(text, size,
                 "\"accessors\":[{\"bufferView\":0,\"componentType\":5125,\"count\":%u,\"type\":\"SCALAR\"},"
                 "{\"bufferView\":1,\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\",\"min\":[%.9g,%.9g,%.9g],"
                 "\"max\":[%.9g,%.9g,%.9g]},{\"bufferView\":2,\"componentType\":5126,\"count\":%u,\"type\":\"VEC3\"}",
                 3 * m->n_triangles, m->n_vertices, (double)low[0], (double)low[1], (double)low[2], (double)high[0],
                 (double)high[1], (double)high[2], m->n_vertices);
    if (has_texture)
        n += snprintf(text + n, size - (size_t)n,
                      ",{\"bufferView\":3,\"componentType\":5126,\"count\":%u,\"type\":\"VEC2\"}", m->n_vertices);
    return n + snprintf(text + n, size - (size_t)n, "]");
}

static int print_views(const glb_layout *l, char *text, size_t size)
{
    enum { ARRAY_BUFFER = 34962, ELEMENT_ARRAY_BUFFER = 34963 };
    const uint64_t bytes[] = {l->indices, l->positions, l->normals, l->texture_places, l->image};
    uint64_t offset = 0;
    int n = snprintf(text, size, "\"bufferViews\":[");
    for (int k = 0; k < 5 && bytes[k] > 0; offset += bytes[k], k++) {
        n += snprintf(text + n, size - (size_t)n, "%s{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%llu",
                      k ? "," : "", (unsigned long long)offset, (unsigned long long)bytes[k]);
        if (k < 4)
            n += snprintf(text + n, size - (size_t)n, ",\"target\":%d", k == 0 ? ELEMENT_ARRAY_BUFFER : ARRAY_BUFFER);
        n += snprintf(text + n, size - (size_t)n, "}");
    }
    return n + snprintf(text + n, size - (size_t)n, "]");
}

/** Print the material: rough and not metallic. The texture does not repeat. */
static int print_material(bool has_texture, char *text, size_t size)
{
    static const char textured[] =
        "\"materials\":[{\"name\":\"ground\",\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":0},"
        "\"metallicFactor\":0,"
        "\"roughnessFactor\":1}}],\"textures\":[{\"sampler\":0,\"source\":0}],\"samplers\":[{\"magFilter\":9729,"
        "\"minFilter\":9987,"
        "\"wrapS\":33071,\"wrapT\":33071}],\"images\":[{\"bufferView\":4,\"mimeType\":\"image/png\"}]";
    static const char plain[] =
        "\"materials\":[{\"name\":\"ground\",\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.35,0.32,0.27,1],"
        "\"metallicFactor\":0,\"roughnessFactor\":1}}]";
    return snprintf(text, size, "%s", has_texture ? textured : plain);
}

/** Print the JSON chunk, padded with spaces to a multiple of 4 bytes. Returns its length. */
static uint32_t print_json(const mesh *m, const glb_layout *l, char text[JSON_MAX])
{
    const bool has_texture = l->image > 0;
    int n = snprintf(
        text, JSON_MAX,
        "{\"asset\":{\"version\":\"2.0\",\"generator\":\"terrane %s\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],"
        "\"nodes\":[{\"name\":\"terrain\",\"mesh\":0,",
        ter_version());
    n += print_place(m->file, text + n, JSON_MAX - (size_t)n);
    n +=
        snprintf(text + n, JSON_MAX - (size_t)n,
                 "}],\"meshes\":[{\"name\":\"terrain\",\"primitives\":[{\"attributes\":{\"POSITION\":1,\"NORMAL\":2%s},"
                 "\"indices\":0,\"material\":0,\"mode\":4}]}],",
                 has_texture ? ",\"TEXCOORD_0\":3" : "");
    n += print_material(has_texture, text + n, JSON_MAX - (size_t)n);
    n += snprintf(text + n, JSON_MAX - (size_t)n, ",\"buffers\":[{\"byteLength\":%llu}],",
                  (unsigned long long)chunk_bytes(l));
    n += print_views(l, text + n, JSON_MAX - (size_t)n);
    n += snprintf(text + n, JSON_MAX - (size_t)n, ",");
    n += print_accessors(m, has_texture, text + n, JSON_MAX - (size_t)n);
    n += snprintf(text + n, JSON_MAX - (size_t)n, "}");
    while (n % 4)
        text[n++] = ' ';
    return (uint32_t)n;
}

/* ---- the binary chunk ---- */

static void write_indices(const mesh *m, mesh_sink *sink)
{
    for (uint32_t t = 0; mesh_sink_takes(sink, t, m->n_triangles); t++) {
        uint32_t vertices[3];
        mesh_triangle(m, t, vertices);
        mesh_sink_write(sink, vertices, sizeof vertices);
    }
}

static void write_vertices(const mesh *m, bool has_texture, mesh_sink *sink)
{
    float v[3];
    for (uint32_t k = 0; mesh_sink_takes(sink, k, m->n_vertices); k++) {
        mesh_position(m, mesh_vertex_at(m, k).position, v);
        mesh_sink_write(sink, v, sizeof v);
    }
    for (uint32_t k = 0; mesh_sink_takes(sink, k, m->n_vertices); k++) {
        mesh_normal(m, mesh_vertex_at(m, k).normal, v);
        mesh_sink_write(sink, v, sizeof v);
    }
    for (uint32_t k = 0; has_texture && mesh_sink_takes(sink, k, m->n_vertices); k++) {
        mesh_texture_place(m, mesh_vertex_at(m, k).position, v);
        mesh_sink_write(sink, v, 2 * sizeof *v);
    }
}

static void write_chunk_header(mesh_sink *sink, uint32_t bytes, const char kind[4])
{
    mesh_sink_write(sink, &bytes, sizeof bytes);
    mesh_sink_write(sink, kind, 4);
}

result mesh_write_glb(const mesh *m, mesh_sink *sink)
{
    enum { HEADER_BYTES = 12, CHUNK_HEADER_BYTES = 8 };
    static const uint32_t version = 2;
    static const char zeros[4] = {0};
    char json[JSON_MAX];
    void *image = NULL;
    size_t image_bytes = 0;
    const result res =
        m->file->mesh.is_textured ? mesh_texture_make(m, sink->progress, &image, &image_bytes) : result_done();
    if (res.kind != RESULT_DONE)
        return res;
    const glb_layout l = layout_of(m, image_bytes);
    const uint32_t json_bytes = print_json(m, &l, json), binary_bytes = (uint32_t)chunk_bytes(&l),
                   all_bytes = HEADER_BYTES + 2 * CHUNK_HEADER_BYTES + json_bytes + binary_bytes;
    mesh_sink_write(sink, "glTF", 4);
    mesh_sink_write(sink, &version, sizeof version);
    mesh_sink_write(sink, &all_bytes, sizeof all_bytes);
    write_chunk_header(sink, json_bytes, "JSON");
    mesh_sink_write(sink, json, json_bytes);
    write_chunk_header(sink, binary_bytes, "BIN\0");
    write_indices(m, sink);
    write_vertices(m, image_bytes > 0, sink);
    mesh_sink_write(sink, image, image_bytes);
    mesh_sink_write(sink, zeros, l.padding);
    free(image);
    return result_done();
}
