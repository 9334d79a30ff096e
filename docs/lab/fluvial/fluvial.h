/* The fluvial form: ground and layers on the lattice of a level of detail, a pure function of seed and place. */
#ifndef FLUVIAL_H
#define FLUVIAL_H

#include <stdint.h>

typedef struct {
    float *height;                            /* m */
    float *water;                             /* level of the water surface, m; NaN where dry */
    float *flow;                              /* drainage area of the channel whose side this is, m2 */
    float *shore;                             /* distance to it, m */
    float *relief, *alpine, *plateau, *plain; /* province values, 0..1 but relief */
} fluvial_layers;

typedef struct {
    uint64_t nodes, points, candidates, culled, kernels, cells;
    double t_network, t_ground, t_gullies, t_fine;
} fluvial_work;

/* w x h samples at (i, j) .. of spacing 2^lod m; a layer that is NULL is not written. */
void fluvial_fill(uint64_t seed, int lod, int64_t i, int64_t j, int w, int h, const fluvial_layers *out, fluvial_work *work);

#endif
