/* picture.c - glReadPixels and libpng. */
#include "render/picture.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

#include "output_file.h"

outcome picture_read(GLuint framebuffer, int width, int height, uint8_t **pixels)
{
    const size_t row = (size_t)width * 3;
    uint8_t *bottom_up = malloc(row * (size_t)height), *top_down = malloc(row * (size_t)height);
    if (!bottom_up || !top_down) {
        free(bottom_up);
        free(top_down);
        return outcome_of(OUTCOME_FAILED, "no memory for a picture of %d x %d", width, height);
    }
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, bottom_up);
    for (int y = 0; y < height; y++)
        memcpy(top_down + (size_t)y * row, bottom_up + (size_t)(height - 1 - y) * row, row);
    free(bottom_up);
    *pixels = top_down;
    return outcome_done();
}

outcome picture_encode(const char *name, const uint8_t *pixels, int width, int height, void **bytes, size_t *size)
{
    png_image image = {
        .version = PNG_IMAGE_VERSION, .width = (png_uint_32)width, .height = (png_uint_32)height, .format = PNG_FORMAT_RGB};
    png_alloc_size_t needed = 0;
    if (!png_image_write_get_memory_size(image, needed, 0, pixels, 0, NULL))
        return outcome_of(OUTCOME_FAILED, "'%s': %s", name, image.message);
    *bytes = malloc(needed);
    if (!*bytes || !png_image_write_to_memory(&image, *bytes, &needed, 0, pixels, 0, NULL)) {
        free(*bytes);
        *bytes = NULL;
        return outcome_of(OUTCOME_FAILED, "'%s': %s", name, *image.message ? image.message : "out of memory");
    }
    *size = needed;
    return outcome_done();
}

outcome picture_write(const char *path, const uint8_t *pixels, int width, int height)
{
    void *bytes = NULL;
    size_t size = 0;
    output_file file;
    outcome o = picture_encode(path, pixels, width, height, &bytes, &size);
    if (o.kind != OUTCOME_DONE)
        return o;
    o = output_file_open(&file, path, size, true);
    if (o.kind == OUTCOME_DONE)
        o = output_file_write(&file, bytes, size);
    free(bytes);
    if (o.kind == OUTCOME_DONE)
        return output_file_commit(&file);
    output_file_discard(&file);
    return o;
}
