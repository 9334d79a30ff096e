/* quality.h - the settings of a render quality. */
#ifndef TERRANE_PROGRAM_RENDER_QUALITY_H
#define TERRANE_PROGRAM_RENDER_QUALITY_H

#include <stdbool.h>
#include <stddef.h>

typedef struct render_quality {
    int level;           /* level of shading: 0 low, 1 medium, 2 high */
    int n_samples;       /* samples per pixel */
    int mesh_step;       /* samples per mesh quad */
    int fine_lods;       /* levels of detail below 0 that are drawn near the camera */
    int light_side;      /* light texels per side of a tile, less one */
    int cloud_share;     /* pixels per side of a cloud texel */
    double tree_range_m; /* trees are drawn within this distance; beyond it forest is only a colour of the ground; 0: no
                            trees */
    size_t n_refreshed;  /* number of old tiles whose light each frame recomputes */
    bool is_coarse;      /* smaller tables of air and weather */
    double beyond_m;     /* how far land is drawn beyond the sea's horizon; 0: as far as mountains rise above it */
} render_quality;

#endif
