/* picture_check.c - checks a PNG file that a test has drawn: picture_check FILE WIDTH HEIGHT MAGENTA COLOURS
 *
 * The picture must have WIDTH x HEIGHT pixels and at least COLOURS different colours. MAGENTA is the exact number of
 * pure magenta pixels, or "some" for at least one; any other word means 0. A quarter of the pixels must be brighter
 * than black: the sum of red, green and blue is more than 60. Exit status 0 if all this is true, else 1 with a
 * sentence on stderr.
 */
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *a, const void *b)
{
    const unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (argc != 6 || !png_image_begin_read_from_file(&image, argv[1])) {
        fprintf(stderr, "usage: picture_check FILE WIDTH HEIGHT MAGENTA COLOURS (%s)\n", image.message);
        return 1;
    }
    image.format = PNG_FORMAT_RGB;
    unsigned char *pixels = malloc(PNG_IMAGE_SIZE(image));
    const size_t count = (size_t)image.width * image.height;
    unsigned *colors = malloc(count * sizeof *colors);
    if (!pixels || !colors || !png_image_finish_read(&image, NULL, pixels, 0, NULL)) {
        fprintf(stderr, "%s: %s\n", argv[1], image.message);
        return 1;
    }
    size_t magenta = 0, bright = 0, different = 1;
    for (size_t n = 0; n < count; n++) {
        colors[n] = (unsigned)pixels[3 * n] << 16 | (unsigned)pixels[3 * n + 1] << 8 | pixels[3 * n + 2];
        magenta += colors[n] == 0xff00ff;
        bright += pixels[3 * n] + pixels[3 * n + 1] + pixels[3 * n + 2] > 60;
    }
    qsort(colors, count, sizeof *colors, compare);
    for (size_t n = 1; n < count; n++)
        different += colors[n] != colors[n - 1];
    printf("%s: %u x %u, %zu colours, %zu of %zu pixels brighter than black, %zu magenta\n", argv[1], image.width,
           image.height, different, bright, count, magenta);
    free(pixels);
    free(colors);
    const int is_size = image.width == strtoul(argv[2], NULL, 10) && image.height == strtoul(argv[3], NULL, 10);
    const int is_magenta = strcmp(argv[4], "some") == 0 ? magenta > 0 : magenta == strtoul(argv[4], NULL, 10);
    if (!is_size || !is_magenta || different < strtoul(argv[5], NULL, 10) || bright < count / 4) {
        fprintf(stderr, "%s: expected %s x %s pixels, %s magenta, %s colours or more, a quarter brighter than black\n",
                argv[1], argv[2], argv[3], argv[4], argv[5]);
        return 1;
    }
    return 0;
}
