/* quality.h - how much is spent on a frame. */
#ifndef TERRANE_PROGRAM_RENDER_QUALITY_H
#define TERRANE_PROGRAM_RENDER_QUALITY_H

#include <stdbool.h>
#include <stddef.h>

typedef struct render_quality {
    int level;           /* 0 low, 1 medium, 2 high: shading */
    int n_samples;       /* a pixel */
    int mesh_step;       /* samples a mesh quad */
    int light_side;      /* light texels of a tile's side, less one */
    int cloud_share;     /* pixels a cloud texel's side */
    double tree_range_m; /* trees farther away are part of the canopy; 0: all of them are */
    size_t n_refreshed;  /* tiles lit again in a frame */
    bool is_coarse;      /* smaller tables of the air */
    double beyond_m;     /* land is drawn so far beyond the sea's horizon; 0: as far as mountains rise over it */
} render_quality;

#endif
