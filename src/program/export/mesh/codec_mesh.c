/* codec_mesh.c - the codecs of meshes: `write` collects heights, `finish` makes and writes the whole mesh. */
#include <stdlib.h>

#include "program/export/mesh/codec_mesh.h"
#include "program/export/mesh/mesh_format.h"

typedef struct mesh_codec {
    mesh mesh;
    mesh_sink sink;
} mesh_codec;

static result create(const export_file *file, void **state)
{
    mesh_codec *c = calloc(1, sizeof *c);
    *state = c;
    return c ? mesh_begin(file, &c->mesh) : result_of(RESULT_FAILED, "no memory for a mesh");
}

static result codec_open(const export_file *file, output_file *out, void **state)
{
    const result res = create(file, state);
    if (*state)
        mesh_sink_open(&((mesh_codec *)*state)->sink, out);
    return res;
}

static result open_comparison(const export_file *file, const char *path, void **state)
{
    const result res = create(file, state);
    return res.kind == RESULT_DONE ? mesh_sink_open_comparison(&((mesh_codec *)*state)->sink, path) : res;
}

static result codec_write(void *state, const block *block)
{
    mesh_take(&((mesh_codec *)state)->mesh, block);
    return result_done();
}

static result finish(mesh_codec *c, const work_progress *progress, result (*write)(const mesh *mesh, mesh_sink *sink))
{
    c->sink.progress = progress;
    result res = mesh_build(&c->mesh, progress);
    if (res.kind == RESULT_DONE)
        res = write(&c->mesh, &c->sink);
    return res.kind == RESULT_DONE ? mesh_sink_finish(&c->sink) : res;
}

static result finish_glb(void *state, const work_progress *progress)
{
    return finish(state, progress, mesh_write_glb);
}

static result finish_stl(void *state, const work_progress *progress)
{
    return finish(state, progress, mesh_write_stl);
}

static result finish_obj(void *state, const work_progress *progress)
{
    return finish(state, progress, mesh_write_obj);
}

static void codec_close(void *state)
{
    mesh_codec *c = state;
    if (!c)
        return;
    mesh_free(&c->mesh);
    mesh_sink_close(&c->sink);
    free(c);
}

#define MESH_CODEC(name)                                                                                               \
    const codec codec_##name = {.rows_multiple = 1,                                                                    \
                                .open = codec_open,                                                                    \
                                .write = codec_write,                                                                  \
                                .finish = finish_##name,                                                               \
                                .close = codec_close,                                                                  \
                                .open_comparison = open_comparison}
MESH_CODEC(glb);
MESH_CODEC(stl);
MESH_CODEC(obj);
