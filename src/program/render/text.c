/* text.c - draws each text with one draw call. */
#include "program/render/text.h"

#include <stdlib.h>
#include <string.h>

#include "program/picture/glyphs.h"
#include "program/render/shader.h"

enum { QUADS_MAX = 4096 };
static const float MARGIN = 8.0f;

typedef struct vertex {
    float x, y, s, t;
    float r, g, b, a;
} vertex;

struct text_layer {
    GLuint program, texture, buffer, array;
    glyphs *glyphs;
    vertex vertices[6 * QUADS_MAX];
    int n_vertices;
};

static void make_objects(text_layer *layer)
{
    glCreateTextures(GL_TEXTURE_2D, 1, &layer->texture);
    glTextureStorage2D(layer->texture, 1, GL_R8, GLYPHS_ATLAS, GLYPHS_ATLAS);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTextureSubImage2D(layer->texture, 0, 0, 0, GLYPHS_ATLAS, GLYPHS_ATLAS, GL_RED, GL_UNSIGNED_BYTE,
                        glyphs_pixels(layer->glyphs));
    glTextureParameteri(layer->texture, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glCreateBuffers(1, &layer->buffer);
    glNamedBufferStorage(layer->buffer, sizeof layer->vertices, NULL, GL_DYNAMIC_STORAGE_BIT);
    glCreateVertexArrays(1, &layer->array);
    glVertexArrayVertexBuffer(layer->array, 0, layer->buffer, 0, sizeof(vertex));
    for (GLuint n = 0; n < 2; n++) {
        glEnableVertexArrayAttrib(layer->array, n);
        glVertexArrayAttribFormat(layer->array, n, 4, GL_FLOAT, GL_FALSE, n * 4 * (GLuint)sizeof(float));
        glVertexArrayAttribBinding(layer->array, n, 0);
    }
}

result text_layer_create(float height_px, text_layer **out)
{
    text_layer *layer = calloc(1, sizeof *layer);
    if (!layer)
        return result_of(RESULT_FAILED, "out of memory");
    result res = glyphs_create(height_px, &layer->glyphs);
    if (res.kind == RESULT_DONE)
        res = shader_program("text.vert", "text.frag", &layer->program);
    if (res.kind != RESULT_DONE) {
        text_layer_destroy(layer);
        return res;
    }
    make_objects(layer);
    *out = layer;
    return res;
}

void text_layer_destroy(text_layer *layer)
{
    if (!layer)
        return;
    glDeleteTextures(1, &layer->texture);
    glDeleteBuffers(1, &layer->buffer);
    glDeleteVertexArrays(1, &layer->array);
    shader_delete(&layer->program);
    glyphs_destroy(layer->glyphs);
    free(layer);
}

/** Size of a text's rectangle in pixels. */
static void measure(const text_layer *layer, const char *text, float *width, float *height)
{
    size_t longest = 0, lines = 0;
    for (const char *line = text; *line; lines++) {
        const size_t length = strcspn(line, "\n");
        longest = length > longest ? length : longest;
        line += length + (line[length] == '\n');
    }
    *width = glyphs_advance(layer->glyphs) * (float)longest + 2.0f * MARGIN;
    *height = glyphs_height(layer->glyphs) * (float)lines + 2.0f * MARGIN;
}

static void add_quad(text_layer *layer, const glyph_quad *q, const float ink[4])
{
    const float corners[6][4] = {{q->x0, q->y0, q->s0, q->t0}, {q->x1, q->y0, q->s1, q->t0},
                                 {q->x0, q->y1, q->s0, q->t1}, {q->x1, q->y0, q->s1, q->t0},
                                 {q->x1, q->y1, q->s1, q->t1}, {q->x0, q->y1, q->s0, q->t1}};
    if (layer->n_vertices + 6 > 6 * QUADS_MAX)
        return;
    for (int n = 0; n < 6; n++)
        layer->vertices[layer->n_vertices++] =
            (vertex){corners[n][0], corners[n][1], corners[n][2], corners[n][3], ink[0], ink[1], ink[2], ink[3]};
}

void text_layer_draw(text_layer *layer, const char *text, float x, float y, int width, int height)
{
    static const float paper[4] = {0.02f, 0.03f, 0.05f, 0.55f}, ink[4] = {0.95f, 0.97f, 1.0f, 1.0f};
    float w, h, at_x = x + MARGIN, at_y = y + MARGIN + 0.8f * glyphs_height(layer->glyphs);
    layer->n_vertices = 0;
    measure(layer, text, &w, &h);
    add_quad(layer, &(glyph_quad){.x0 = x, .y0 = y, .x1 = x + w, .y1 = y + h, .s0 = -1, .t0 = -1, .s1 = -1, .t1 = -1},
             paper);
    for (const char *c = text; *c; c++) {
        glyph_quad q;
        if (*c == '\n') {
            at_x = x + MARGIN;
            at_y += glyphs_height(layer->glyphs);
        } else if (glyphs_quad(layer->glyphs, *c, &at_x, at_y, &q)) {
            add_quad(layer, &q, ink);
        }
    }
    glNamedBufferSubData(layer->buffer, 0, (GLsizeiptr)layer->n_vertices * (GLsizeiptr)sizeof(vertex), layer->vertices);
    glUseProgram(layer->program);
    glProgramUniform2f(layer->program, 0, (float)width, (float)height);
    glBindTextureUnit(0, layer->texture);
    glBindVertexArray(layer->array);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
    glDrawArrays(GL_TRIANGLES, 0, layer->n_vertices);
    glDisable(GL_BLEND);
}
