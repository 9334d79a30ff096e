/* picture_steps.c - picture_steps FILE...: prints a line for each PNG file: the mean difference from the picture before
 * it, over pixels and channels on a scale of 255, and the number of pixels that show the viewer's background, which is
 * magenta. The difference of the first picture is 0. Exit status 1 if a file cannot be read, or has another size than
 * the first. */
#include <png.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct picture {
    png_image image;
    unsigned char *pixels; /* red, green, blue; NULL if the file could not be read */
} picture;

static picture read_picture(const char *path)
{
    picture p = {.image = {.version = PNG_IMAGE_VERSION}};
    if (png_image_begin_read_from_file(&p.image, path)) {
        p.image.format = PNG_FORMAT_RGB;
        p.pixels = malloc(PNG_IMAGE_SIZE(p.image));
        if (p.pixels && png_image_finish_read(&p.image, NULL, p.pixels, 0, NULL))
            return p;
    }
    fprintf(stderr, "picture_steps: %s: %s\n", path, p.image.message);
    png_image_free(&p.image);
    free(p.pixels);
    p.pixels = NULL;
    return p;
}

static bool have_same_size(const picture *a, const picture *b)
{
    return a->image.width == b->image.width && a->image.height == b->image.height;
}

static double difference(const picture *a, const picture *b)
{
    const size_t count = PNG_IMAGE_SIZE(a->image);
    double sum = 0.0;
    for (size_t n = 0; n < count; n++)
        sum += abs(a->pixels[n] - b->pixels[n]);
    return sum / (double)count;
}

static size_t background(const picture *p)
{
    size_t count = 0;
    for (size_t n = 0; n < PNG_IMAGE_SIZE(p->image); n += 3)
        count += p->pixels[n] == 255 && p->pixels[n + 1] == 0 && p->pixels[n + 2] == 255;
    return count;
}

int main(int argc, char **argv)
{
    picture before = {.pixels = NULL};
    int status = argc < 2;
    for (int n = 1; n < argc && status == 0; n++) {
        picture now = read_picture(argv[n]);
        if (!now.pixels || (before.pixels && !have_same_size(&before, &now))) {
            if (now.pixels)
                fprintf(stderr, "picture_steps: %s has another size than the first picture\n", argv[n]);
            status = 1;
        } else {
            printf("%s %.6f %zu\n", argv[n], before.pixels ? difference(&before, &now) : 0.0, background(&now));
        }
        free(before.pixels);
        before = now;
    }
    free(before.pixels);
    if (argc < 2)
        fputs("usage: picture_steps FILE...\n", stderr);
    return status;
}
