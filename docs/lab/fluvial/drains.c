/* The forest drains: every node of the last level, followed downstream, falls (or lies in a lake) until it leaves the window or
   ends at a sink below the sea or in a lake; areas never fall, lake levels never rise downstream. Prints counts; exit 1 if one is
   wrong. */
#include "network.h"
#include <stdio.h>
#include <stdlib.h>

static const int DX[8] = {1, 1, 0, -1, -1, -1, 0, 1}, DY[8] = {0, 1, 1, 1, 0, -1, -1, -1};

int main(int argc, char **argv)
{
    int side = argc > 1 ? atoi(argv[1]) : 400;
    static const struct {
        uint64_t seed;
        int64_t x, y;
    } at[] = {{1, 0, 0},
              {1, -2700, 600},
              {2, 3000, -1000},
              {3, 1 << 20, 5},
              {4, (int64_t)1 << 23, -((int64_t)1 << 23)},
              {5, (int64_t)1 << 37, (int64_t)1 << 37}};
    long bad = 0;
    for (size_t p = 0; p < sizeof at / sizeof *at; p++) {
        network *n = network_make(at[p].seed, (window){at[p].x, at[p].y, side, side});
        int w = n->nodes_at.w, h = n->nodes_at.h;
        long edges = 0, up = 0, none = 0, area = 0, lake = 0, crossed = 0, dry = 0, sinks = 0;
        for (int y = 2; y < h - 2; y++)
            for (int x = 2; x < w - 2; x++) {
                const node *a = n->nodes + y * w + x;
                if (a->to == SINK) {
                    sinks++;
                    none += a->z > 0 && a->lake < -1e8f;
                    continue;
                }
                const node *b = a + DY[a->to] * w + DX[a->to];
                edges++;
                up += b->z > a->z && maxf(a->lake, b->lake) < b->z - 1e-3f;
                area += b->area < a->area;
                lake += (b->lake > a->z + 1e-3f && a->lake < b->lake - 1e-3f) ||
                        (a->lake > a->z && b->lake < -1e8f && b->z < a->lake - 1e-3f);
                dry += a->lake > -1e8f && b->lake > a->lake + 1e-3f;
                if (a->to & 1) {
                    const node *c = a + DX[a->to], *d = a + DY[a->to] * w;
                    crossed += (c->to != SINK && c + DY[c->to] * w + DX[c->to] == d) ||
                               (d->to != SINK && d + DY[d->to] * w + DX[d->to] == c);
                }
            }
        printf("seed %llu: %ld edges, uphill %ld, area falls %ld, open lakes %ld, lake rises %ld, edges of heads that cross %ld, "
               "sinks %ld, dry sinks %ld\n",
               (unsigned long long)at[p].seed, edges, up, area, lake, dry, crossed, sinks, none);
        bad += up + area + lake + dry + none;
        network_free(n);
    }
    printf("%ld wrong\n", bad);
    return bad != 0;
}
