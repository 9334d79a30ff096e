/* pixels.c - dispatches per-pixel shaders in bands of rows or over lists of blocks. */
#include "program/render/pixels.h"

#include <stdio.h>

enum { LOCATION_FIRST = 0, LOCATION_STRIDE = 8, BLOCK_SIDE = 8 };

void pixels_defines(const render_quality *quality, char *text, size_t size)
{
    snprintf(text, size,
             "#define PIXEL_SAMPLES %d\n#define QUALITY %d\n#define HAS_PLANTS %d\n#define LAND_IS_COMPUTED %d\n",
             quality->n_samples, quality->level, quality->tree_range_m > 0, !gl_is_software());
}

void pixels_clear(GLuint program, GLuint texture, const int size[3], GLuint word)
{
    glUseProgram(program);
    glUniform1ui(0, word);
    glBindImageTexture(0, texture, 0, GL_TRUE, 0, GL_WRITE_ONLY, GL_R32UI);
    glDispatchCompute((GLuint)(size[0] + BLOCK_SIDE - 1) / BLOCK_SIDE, (GLuint)(size[1] + BLOCK_SIDE - 1) / BLOCK_SIDE,
                      (GLuint)size[2]);
}

static int greatest_factor(int a, int b)
{
    return b == 0 ? a : greatest_factor(b, a % b);
}

static GLuint blocks_of(int pixels)
{
    return (GLuint)(pixels + BLOCK_SIDE - 1) / BLOCK_SIDE;
}

/** Let the work groups of the next dispatch process its n rows or blocks in steps of a stride. llvmpipe gives each of
 * its threads an equal share of consecutive groups and waits for the slowest thread. If consecutive groups are spread
 * over the picture, all threads take about as long. A stride near the golden section of n spreads any number of shares
 * evenly. A stride without common factor with n reaches each row once. */
static void set_stride(int n)
{
    int stride = (int)(0.618 * n) | 1;
    while (greatest_factor(n, stride) > 1)
        stride += 2;
    if (gl_is_software())
        glUniform1i(LOCATION_STRIDE, n > 2 ? stride : 1);
}

void pixels_draw_rows(int width, int first, int rows)
{
    glUniform1i(LOCATION_FIRST, first);
    set_stride((int)blocks_of(rows));
    glDispatchCompute(blocks_of(width), blocks_of(rows), 1);
}

void pixels_draw(GLuint program, const pixel_image *image, int (*is_interrupted)(void))
{
    const int height = image->height;
    const int rows = gl_is_software() ? (PIXELS_BAND / image->width + BLOCK_SIDE) / BLOCK_SIDE * BLOCK_SIDE : height;
    glUseProgram(program);
    glBindImageTexture(0, image->texture, 0, GL_FALSE, 0, GL_WRITE_ONLY, image->format);
    for (int first = 0; first < height && !is_interrupted(); first += rows)
        pixels_draw_rows(image->width, first, height - first < rows ? height - first : rows);
    glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT | GL_FRAMEBUFFER_BARRIER_BIT);
}

void pixels_draw_blocks(int first, int count)
{
    glUniform1i(LOCATION_FIRST, first);
    set_stride(count);
    glDispatchCompute((GLuint)count, 1, 1);
}
