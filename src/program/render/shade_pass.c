/* shade_pass.c - runs two programs on GPUs, or one program for each kind of block on the CPU. */
#include "program/render/shade_pass.h"

#include <stdio.h>
#include <stdlib.h>

#include "program/core/clock.h"
#include "program/render/pixels.h"
#include "program/render/shader.h"

#include <constants.glsl>

enum { BLOCK_SIDE = 8, BUFFER_BLOCKS = 2, UNIT_LAND_LIGHTS = 23, SPLIT_PIXELS = 1 << 21 };

struct shade_pass {
    bool is_sorted; /* rendering on the CPU */
    int n_samples;
    GLuint land, rest;       /* programs of GPUs */
    GLuint land_lights;      /* texture that `land` writes and `rest` reads: light of the ground, a layer per sample */
    int lit_width, lit_rows; /* size of land_lights */
    GLuint sort;             /* program of the CPU */
    shade_kinds *kinds;      /* programs of the CPU, one for each kind of block */
    GLuint blocks;           /* buffer: number and list of the blocks of each kind */
    int n_blocks;            /* capacity of each list in `blocks` */
    bool is_announced;       /* the time of a slow frame was reported */
};

static result make_sorted(shade_pass *p, const char *defines, const second_context *second)
{
    const result res = shader_compute("shade_sort.comp", defines, &p->sort);
    /* Shaders of a folder are rebuilt on this thread when they change, so they are compiled on this thread, too. */
    return res.kind == RESULT_DONE ? shade_kinds_create(defines, shader_has_folder() ? NULL : second, &p->kinds) : res;
}

static result make_split(shade_pass *p, const char *defines)
{
    const shader_file files[] = {{"land.comp", defines, &p->land}, {"shade.comp", defines, &p->rest}};
    return shader_compute_all(files, sizeof files / sizeof files[0]);
}

result shade_pass_create(const render_quality *quality, const second_context *second, shade_pass **out)
{
    char defines[PIXELS_DEFINES];
    shade_pass *p = calloc(1, sizeof *p);
    if (!p)
        return result_of(RESULT_FAILED, "out of memory");
    p->is_sorted = gl_is_software();
    pixels_defines(quality, defines, sizeof defines);
    p->n_samples = quality->n_samples;
    const result res = p->is_sorted ? make_sorted(p, defines, second) : make_split(p, defines);
    if (res.kind == RESULT_DONE)
        *out = p;
    else
        shade_pass_destroy(p);
    return res;
}

void shade_pass_destroy(shade_pass *p)
{
    if (!p)
        return;
    shader_delete(&p->land);
    shader_delete(&p->rest);
    glDeleteTextures(1, &p->land_lights);
    shader_delete(&p->sort);
    shade_kinds_destroy(p->kinds);
    glDeleteBuffers(1, &p->blocks);
    free(p);
}

/** Empty the lists of blocks. Recreates their buffer when the number of blocks of the picture has changed. */
static void clear_blocks(shade_pass *p, int n_blocks)
{
    static const GLint none[BLOCK_COUNTS] = {0};
    if (n_blocks != p->n_blocks) {
        glDeleteBuffers(1, &p->blocks);
        glCreateBuffers(1, &p->blocks);
        glNamedBufferStorage(p->blocks, (BLOCK_COUNTS + (GLsizeiptr)BLOCK_KINDS * n_blocks) * (GLsizeiptr)sizeof(GLint),
                             NULL, GL_DYNAMIC_STORAGE_BIT);
        p->n_blocks = n_blocks;
    }
    glNamedBufferSubData(p->blocks, 0, sizeof none, none);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, BUFFER_BLOCKS, p->blocks);
}

/** Report the expected time of a slow frame, extrapolated from the `done` blocks drawn since start_s to the `left`
 * blocks that remain. */
static void announce(shade_pass *p, const pixel_image *image, const shade_watch *watch, double start_s, int done,
                     int left)
{
    static const double LONG_S = 5.0;
    char text[96];
    glFinish();
    const double now_s = clock_now_s(), frame_s = now_s - watch->start_s + (now_s - start_s) / done * left;
    if (frame_s < LONG_S)
        return;
    snprintf(text, sizeof text, "drawing a frame of %d x %d takes about %.0f s", image->width, image->height, frame_s);
    watch->report(text);
    p->is_announced = true;
}

/** Draw the blocks of a kind in bands, and check for interruption between bands. left: blocks of this kind and of all
 * later kinds */
static void draw_kind(shade_pass *p, const pixel_image *image, const shade_watch *watch, int kind, int n_blocks,
                      int left)
{
    static const int BAND = PIXELS_BAND / (BLOCK_SIDE * BLOCK_SIDE);
    for (int first = 0; first < n_blocks && !watch->is_interrupted(); first += BAND) {
        const int n = n_blocks - first < BAND ? n_blocks - first : BAND;
        const double start_s = clock_now_s();
        pixels_draw_blocks(kind * p->n_blocks + first, n);
        if (watch->report && !p->is_announced)
            announce(p, image, watch, start_s, n, left - first - n);
    }
}

static result draw_sorted(shade_pass *p, const pixel_image *image, bool has_land, const shade_watch *watch)
{
    GLint counts[BLOCK_COUNTS] = {0}; /* stays 0 if there is no memory for the blocks */
    GLuint programs[BLOCK_KINDS];
    bool are_ready;
    int left = 0;
    clear_blocks(p, (image->width + BLOCK_SIDE - 1) / BLOCK_SIDE * ((image->height + BLOCK_SIDE - 1) / BLOCK_SIDE));
    pixels_draw(p->sort, image, watch->is_interrupted);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    glGetNamedBufferSubData(p->blocks, 0, sizeof counts, counts);
    for (int kind = 0; kind < BLOCK_KINDS; kind++)
        left += counts[kind];
    if (has_land) /* without land the counts do not tell which kinds the view will need */
        shade_kinds_set_counts(p->kinds, counts);
    const result res = shade_kinds_programs(p->kinds, counts, programs, &are_ready);
    for (int kind = 0; kind < BLOCK_KINDS && are_ready; kind++) {
        if (counts[kind] == 0)
            continue;
        glUseProgram(programs[kind]);
        draw_kind(p, image, watch, kind, counts[kind], left);
        left -= counts[kind];
    }
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
    return res;
}

/** Recreate the texture for the light of the ground if its size has changed. */
static void reserve_land_lights(shade_pass *p, int width, int rows)
{
    if (width == p->lit_width && rows == p->lit_rows)
        return;
    glDeleteTextures(1, &p->land_lights);
    glCreateTextures(GL_TEXTURE_2D_ARRAY, 1, &p->land_lights);
    glTextureStorage3D(p->land_lights, 1, GL_RGBA16F, width, rows, p->n_samples);
    p->lit_width = width;
    p->lit_rows = rows;
}

/** Run the two programs of GPUs. Large pictures are drawn in bands of rows to limit the memory of land_lights. */
static void draw_split(shade_pass *p, const pixel_image *image, int (*is_interrupted)(void))
{
    const int most = (SPLIT_PIXELS / image->width + BLOCK_SIDE) / BLOCK_SIDE * BLOCK_SIDE;
    const int rows = image->height < most ? image->height : most;
    reserve_land_lights(p, image->width, rows);
    glBindTextureUnit(UNIT_LAND_LIGHTS, p->land_lights);
    for (int first = 0; first < image->height && !is_interrupted(); first += rows) {
        const int n = image->height - first < rows ? image->height - first : rows;
        glUseProgram(p->land);
        glBindImageTexture(0, p->land_lights, 0, GL_TRUE, 0, GL_WRITE_ONLY, GL_RGBA16F);
        pixels_draw_rows(image->width, first, n);
        glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
        glUseProgram(p->rest);
        glBindImageTexture(0, image->texture, 0, GL_FALSE, 0, GL_WRITE_ONLY, image->format);
        pixels_draw_rows(image->width, first, n);
        glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
    }
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
}

result shade_pass_draw(shade_pass *p, const targets *t, bool has_land, const shade_watch *watch)
{
    const pixel_image image = {t->light, GL_RGBA16F, t->size.width, t->size.height};
    if (p->is_sorted)
        return draw_sorted(p, &image, has_land, watch);
    draw_split(p, &image, watch->is_interrupted);
    return result_done();
}

void shade_pass_begin(shade_pass *p, const targets *t)
{
    if (!p->is_sorted)
        return;
    glBindImageTexture(0, t->light, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA16F);
    shade_kinds_read_bindings(p->kinds);
}

result shade_pass_progress(shade_pass *p, shade_progress *out)
{
    *out = (shade_progress){.n_made = BLOCK_KINDS, .is_complete = true, .is_frame_shaded = true};
    return p->is_sorted ? shade_kinds_progress(p->kinds, out) : result_done();
}
