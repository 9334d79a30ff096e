/* picture_compare.c - picture_compare A.png B.png MEAN: checks that two pictures of the same size look alike.
 *
 * Both are first averaged over squares of 4 x 4 pixels, so that noise and shifts by a pixel do not count. MEAN is the
 * largest allowed mean difference over squares and channels, on a scale of 255. At most one square in a hundred may
 * differ by more than 10 * MEAN. Exit status 0 if they are alike, else 1 with a sentence on stderr. */
#include <png.h>
#include <stdio.h>
#include <stdlib.h>

enum { SQUARE = 4 };

static unsigned char *read(const char *path, png_image *image)
{
    *image = (png_image){.version = PNG_IMAGE_VERSION};
    if (!png_image_begin_read_from_file(image, path)) {
        fprintf(stderr, "%s: %s\n", path, image->message);
        return NULL;
    }
    image->format = PNG_FORMAT_RGB;
    unsigned char *pixels = malloc(PNG_IMAGE_SIZE(*image));
    if (pixels && png_image_finish_read(image, NULL, pixels, 0, NULL))
        return pixels;
    fprintf(stderr, "%s: %s\n", path, image->message);
    free(pixels);
    return NULL;
}

/** Mean of a channel over a square. */
static double mean_of(const unsigned char *pixels, unsigned width, unsigned x, unsigned y, unsigned channel)
{
    unsigned sum = 0;
    for (unsigned row = 0; row < SQUARE; row++)
        for (unsigned column = 0; column < SQUARE; column++)
            sum += pixels[((size_t)(y + row) * width + x + column) * 3 + channel];
    return (double)sum / (SQUARE * SQUARE);
}

int main(int argc, char **argv)
{
    png_image images[2];
    unsigned char *pixels[2] = {NULL, NULL};
    if (argc != 4) {
        fprintf(stderr, "usage: picture_compare A.png B.png MEAN\n");
        return 1;
    }
    for (int n = 0; n < 2; n++)
        pixels[n] = read(argv[1 + n], &images[n]);
    int is_alike = pixels[0] && pixels[1];
    if (is_alike && (images[0].width != images[1].width || images[0].height != images[1].height)) {
        fprintf(stderr, "%s is %u x %u, %s %u x %u\n", argv[1], images[0].width, images[0].height, argv[2],
                images[1].width, images[1].height);
        is_alike = 0;
    }
    const double allowed = atof(argv[3]);
    double sum = 0.0;
    size_t count = 0, n_far = 0;
    for (unsigned y = 0; is_alike && y + SQUARE <= images[0].height; y += SQUARE)
        for (unsigned x = 0; x + SQUARE <= images[0].width; x += SQUARE) {
            double most = 0.0;
            for (unsigned c = 0; c < 3; c++) {
                const double a = mean_of(pixels[0], images[0].width, x, y, c),
                             b = mean_of(pixels[1], images[0].width, x, y, c);
                const double off = a > b ? a - b : b - a;
                sum += off / 3.0;
                most = off > most ? off : most;
            }
            count++;
            n_far += most > 10.0 * allowed;
        }
    free(pixels[0]);
    free(pixels[1]);
    if (!is_alike)
        return 1;
    const double mean = count > 0 ? sum / (double)count : 255.0;
    printf("%s: mean difference %.2f, %zu of %zu squares far off\n", argv[1], mean, n_far, count);
    if (mean <= allowed && n_far * 100 <= count)
        return 0;
    fprintf(stderr,
            "%s and %s differ: %.2f of 255 in the mean, %zu of %zu squares by more than %.0f; allowed are %.2f and one "
            "in 100\n",
            argv[1], argv[2], mean, n_far, count, 10.0 * allowed, allowed);
    return 1;
}
