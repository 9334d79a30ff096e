/* Exact levels of detail and windows: every layer, every pair of levels, shifted windows. Prints differences; exit 1 if there is
 * one. */
#include "fluvial.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAYERS = 8, N = 96 };

typedef struct {
    int w, h;
    float *a[LAYERS];
} sheet;

static sheet fill(uint64_t seed, int lod, int64_t i, int64_t j, int w, int h)
{
    sheet s = {w, h, {0}};
    fluvial_work work = {0};
    for (int k = 0; k < LAYERS; k++)
        s.a[k] = malloc(sizeof(float) * (size_t)(w * h));
    fluvial_layers l = {s.a[0], s.a[1], s.a[2], s.a[3], s.a[4], s.a[5], s.a[6], s.a[7]};
    fluvial_fill(seed, lod, i, j, w, h, &l, &work);
    return s;
}

static void drop(sheet *s)
{
    for (int k = 0; k < LAYERS; k++)
        free(s->a[k]);
}

/* b lies at (x, y) of a, every q-th sample of a */
static long differences(const sheet *a, const sheet *b, int x, int y, int q)
{
    long n = 0;
    for (int k = 0; k < LAYERS; k++)
        for (int r = 0; r < b->h; r++)
            for (int c = 0; c < b->w; c++) {
                float u = a->a[k][(y + r * q) * a->w + x + c * q], v = b->a[k][r * b->w + c];
                n += memcmp(&u, &v, sizeof u) != 0;
            }
    return n;
}

int main(void)
{
    static const struct {
        uint64_t seed;
        int64_t x, z;
    } place[] = {{1, -262144, -262144},
                 {1, -30000, 10000},
                 {1, -557056, 196608},
                 {3, 70000, -1200000},
                 {7, (int64_t)1 << 31, -((int64_t)1 << 20)},
                 {2, (int64_t)1 << 45, -((int64_t)1 << 45)}};
    long bad = 0;
    for (size_t p = 0; p < sizeof place / sizeof *place; p++)
        for (int lod = 0; lod < 12; lod++) {
            int n = lod > 8 ? 32 : N;
            int64_t i = (place[p].x >> lod) & ~(int64_t)1, j = (place[p].z >> lod) & ~(int64_t)1;
            sheet a = fill(place[p].seed, lod, i, j, n, n), b = fill(place[p].seed, lod + 1, i / 2, j / 2, n / 2, n / 2),
                  c = fill(place[p].seed, lod, i + 13, j + 7, n - 20, n - 11);
            long d = differences(&a, &b, 0, 0, 2), e = differences(&a, &c, 13, 7, 1);
            if (d || e)
                printf("place %zu lod %d: %ld values differ from lod %d, %ld from a shifted window\n", p, lod, d, lod + 1, e);
            bad += d + e;
            drop(&a);
            drop(&b);
            drop(&c);
        }
    printf("%ld differences\n", bad);
    return bad != 0;
}
