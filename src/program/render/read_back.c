/* read_back.c - reads pixels and reverses the order of their rows, because OpenGL's first row is the lowest. */
#include "program/render/read_back.h"

#include <stdlib.h>
#include <string.h>

result read_back_colors(GLuint framebuffer, int width, int height, uint8_t **pixels)
{
    const size_t row = (size_t)width * 3;
    uint8_t *bottom_up = malloc(row * (size_t)height), *top_down = malloc(row * (size_t)height);
    if (!bottom_up || !top_down) {
        free(bottom_up);
        free(top_down);
        return result_of(RESULT_FAILED, "no memory for a picture of %d x %d", width, height);
    }
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, bottom_up);
    for (int y = 0; y < height; y++)
        memcpy(top_down + (size_t)y * row, bottom_up + (size_t)(height - 1 - y) * row, row);
    free(bottom_up);
    *pixels = top_down;
    return result_done();
}
