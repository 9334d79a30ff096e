/* picture_repeat.c - picture_repeat A.png X Y: measures how similar a picture is to itself when it is shifted by X
 * pixels to the right and Y pixels down.
 *
 * It prints the largest correlation of brightness, -1 to 1, within 3 pixels of that shift. The mean over a square of
 * 31 x 31 pixels around each pixel is subtracted first, so that light and shade over large areas do not count. Exit
 * status 1 if the picture cannot be read or is too small. */
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>

enum { AROUND = 15, SEARCH = 3 };

/** Brightness of each pixel minus the mean around it; 0 near the edges of the picture. */
static float *detail_of(const unsigned char *pixels, int width, int height)
{
    float *detail = calloc((size_t)width * (size_t)height, sizeof *detail);
    for (int y = AROUND; detail && y < height - AROUND; y++)
        for (int x = AROUND; x < width - AROUND; x++) {
            long sum = 0;
            for (int j = y - AROUND; j <= y + AROUND; j++)
                for (int i = x - AROUND; i <= x + AROUND; i++)
                    sum += pixels[j * width + i];
            detail[y * width + x] = (float)pixels[y * width + x] - (float)sum / ((2 * AROUND + 1) * (2 * AROUND + 1));
        }
    return detail;
}

static double correlation(const float *detail, int width, int height, int right, int down)
{
    double product = 0.0, first = 0.0, shifted = 0.0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            const int i = x + right, j = y + down;
            if (i < 0 || j < 0 || i >= width || j >= height)
                continue;
            const double a = (double)detail[y * width + x], b = (double)detail[j * width + i];
            product += a * b;
            first += a * a;
            shifted += b * b;
        }
    return first * shifted > 0.0 ? product / sqrt(first * shifted) : 0.0;
}

int main(int argc, char **argv)
{
    png_image image = {.version = PNG_IMAGE_VERSION};
    if (argc != 4 || !png_image_begin_read_from_file(&image, argv[1])) {
        fprintf(stderr, "usage: picture_repeat A.png X Y\n");
        return 1;
    }
    image.format = PNG_FORMAT_GRAY;
    unsigned char *pixels = malloc(PNG_IMAGE_SIZE(image));
    const int right = atoi(argv[2]), down = atoi(argv[3]), width = (int)image.width, height = (int)image.height;
    float *detail = NULL;
    double most = -1.0;
    if (pixels && png_image_finish_read(&image, NULL, pixels, 0, NULL) && 2 * abs(right) < width &&
        2 * abs(down) < height)
        detail = detail_of(pixels, width, height);
    for (int y = -SEARCH; detail && y <= SEARCH; y++)
        for (int x = -SEARCH; x <= SEARCH; x++)
            most = fmax(most, correlation(detail, width, height, right + x, down + y));
    printf("%.3f\n", most);
    free(pixels);
    const int status = detail ? 0 : 1;
    free(detail);
    return status;
}
