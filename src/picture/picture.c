/* picture.c - pixels as PNG files, by libpng. */
#include "picture/picture.h"

#include <png.h>
#include <stdlib.h>

#include "file/output_file.h"

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
