/* fluvial X Z WIDTH HEIGHT LOD SEED OUT: raw float32 layers OUT.r32, OUT-water.r32, ...; X, Z north-west corner in m. */
#include "fluvial.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int save(const char *name, const char *layer, const float *a, size_t n)
{
    char path[4096];
    snprintf(path, sizeof path, "%s%s.r32", name, layer);
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(a, sizeof *a, n, f) != n || fclose(f)) {
        perror(path);
        return 0;
    }
    return 1;
}

enum { TILE = 256, LAYERS = 8 };

int main(int argc, char **argv)
{
    static const char *const name[LAYERS] = {"", "-water", "-flow", "-shore", "-relief", "-alpine", "-plateau", "-plain"};
    if (argc < 8) {
        fprintf(stderr, "usage: fluvial X Z WIDTH HEIGHT LOD SEED OUT [TILE]\n");
        return 2;
    }
    int64_t x = atoll(argv[1]), z = atoll(argv[2]);
    int w = atoi(argv[3]), h = atoi(argv[4]), lod = atoi(argv[5]), tile = argc > 8 ? atoi(argv[8]) : TILE;
    uint64_t seed = strtoull(argv[6], NULL, 10);
    if (w < 1 || h < 1 || lod < 0 || lod > 16 || tile < 1) {
        fprintf(stderr, "fluvial: size or level out of range\n");
        return 2;
    }
    size_t n = (size_t)w * (size_t)h;
    float *all[LAYERS], *part[LAYERS];
    for (int k = 0; k < LAYERS; k++) {
        all[k] = malloc(n * sizeof(float));
        part[k] = malloc((size_t)tile * (size_t)tile * sizeof(float));
        if (!all[k] || !part[k]) {
            fprintf(stderr, "fluvial: not enough memory\n");
            return 1;
        }
    }
    fluvial_work work = {0};
    for (int b = 0; b < h; b += tile)
        for (int a = 0; a < w; a += tile) {
            int tw = w - a < tile ? w - a : tile, th = h - b < tile ? h - b : tile;
            fluvial_layers l = {part[0], part[1], part[2], part[3], part[4], part[5], part[6], part[7]};
            fluvial_fill(seed, lod, (x >> lod) + a, (z >> lod) + b, tw, th, &l, &work);
            for (int k = 0; k < LAYERS; k++)
                for (int r = 0; r < th; r++)
                    memcpy(all[k] + (size_t)(b + r) * (size_t)w + (size_t)a, part[k] + (size_t)r * (size_t)tw,
                           sizeof(float) * (size_t)tw);
        }
    for (int k = 0; k < LAYERS; k++)
        if (!save(argv[7], name[k], all[k], n))
            return 3;
    for (int k = 0; k < LAYERS; k++)
        free(all[k]), free(part[k]);
    fprintf(stderr,
            "per sample: nodes %.3f  points %.3f  candidates %.2f  culled %.2f  kernel points %.3f  cells %.3f   ns: network %.0f "
            "ground %.0f gullies %.0f fine %.0f\n",
            (double)work.nodes / (double)n, (double)work.points / (double)n, (double)work.candidates / (double)n,
            (double)work.culled / (double)n, (double)work.kernels / (double)n, (double)work.cells / (double)n,
            1e9 * work.t_network / (double)n, 1e9 * work.t_ground / (double)n, 1e9 * work.t_gullies / (double)n,
            1e9 * work.t_fine / (double)n);
    return 0;
}
