/* frame_block.h - fills the uniform block of frame.glsl for a frame. Calls no OpenGL. */
#ifndef TERRANE_PROGRAM_RENDER_FRAME_BLOCK_H
#define TERRANE_PROGRAM_RENDER_FRAME_BLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "program/render/quality.h"
#include "program/render/view.h"
#include "program/stream/quadtree.h"

/** Distances at which a level of detail morphs to the next coarser one; Morph in frame.glsl. */
typedef struct frame_morph {
    float start, rate, end;
    float padding;
} frame_morph;

/** Mapping from positions to a level's page table; Level in frame.glsl. */
typedef struct frame_level {
    float place[2], samples_a_metre;
    float padding;
} frame_level;

/** The std140 layout of the uniform block. frame.glsl has the same members and explains them. */
typedef struct frame_block {
    float view_projection[4][4], inverse_view_projection[4][4];
    float camera[3], time;
    float sun[3], haze;
    float key[3], key_irradiance;
    float moon[3], night;
    float spacing, sea_level, lod_height, highest;
    float pattern[2], broad_pattern[2];
    float curvature, air_radius, pixel_width, far;
    float picture_size[2], pixel_size[2];
    float cloud_drift[2], elapsed, tree_range;
    float tree_line, snow_line, aridity, strata;
    float cloud_cover, cloud_base, cloud_depth, air_density;
    float mark_from[2], mark_to[2];
    float colors[LOOK_COLORS][4];
    int32_t mesh_step, debug_view, quality, layers;
    int32_t coarsest_lod, light_side, is_plain, has_rivers;
    frame_morph morph[TILE_LODS], part_morph[QUADTREE_PARTS_MAX + 1];
    frame_level levels[TILE_LODS];
    int32_t weather_cell[2];
    float weather_place[2];
    uint32_t weather_seeds[2];
    float weather_share, weather_texel;
    int32_t is_unfolding, fine_lods, means_lod;
    float season;
    float climate_place[2], climate_scale, padding;
    float climate[CLIMATE_MAP_SIDE * CLIMATE_MAP_SIDE][4];
    float rays[CRATER_RAYS_MAX][4];
    float lava[2];
    int32_t n_rays, has_craters;
    float canopy[CANOPY_MOISTS][CANOPY_HEATS][8]; /* of plant_canopy; renderer.c uploads it once */
} frame_block;

/* std140 aligns vec3, arrays and structs to 16 bytes and vec2 to 8. A scalar may follow a vec3 within its 16 bytes. */
#define FRAME_BLOCK_AT(member, bytes)                                                                                  \
    _Static_assert(offsetof(frame_block, member) == (bytes), "std140 offset of " #member)
FRAME_BLOCK_AT(inverse_view_projection, 64);
FRAME_BLOCK_AT(camera, 128);
FRAME_BLOCK_AT(sun, 144);
FRAME_BLOCK_AT(key, 160);
FRAME_BLOCK_AT(moon, 176);
FRAME_BLOCK_AT(spacing, 192);
FRAME_BLOCK_AT(pattern, 208);
FRAME_BLOCK_AT(curvature, 224);
FRAME_BLOCK_AT(picture_size, 240);
FRAME_BLOCK_AT(cloud_drift, 256);
FRAME_BLOCK_AT(elapsed, 264);
FRAME_BLOCK_AT(tree_range, 268);
FRAME_BLOCK_AT(tree_line, 272);
FRAME_BLOCK_AT(cloud_cover, 288);
FRAME_BLOCK_AT(mark_from, 304);
FRAME_BLOCK_AT(mark_to, 312);
FRAME_BLOCK_AT(colors, 320);
FRAME_BLOCK_AT(mesh_step, 480);
FRAME_BLOCK_AT(coarsest_lod, 496);
FRAME_BLOCK_AT(morph, 512);
FRAME_BLOCK_AT(part_morph, 976);
FRAME_BLOCK_AT(levels, 1040);
FRAME_BLOCK_AT(weather_cell, 1504);
FRAME_BLOCK_AT(weather_seeds, 1520);
FRAME_BLOCK_AT(is_unfolding, 1536);
FRAME_BLOCK_AT(season, 1548);
FRAME_BLOCK_AT(climate_place, 1552);
FRAME_BLOCK_AT(climate, 1568);
FRAME_BLOCK_AT(rays, 1568 + 16 * CLIMATE_MAP_SIDE * CLIMATE_MAP_SIDE);
FRAME_BLOCK_AT(lava, 1568 + 16 * (CLIMATE_MAP_SIDE * CLIMATE_MAP_SIDE + CRATER_RAYS_MAX));
FRAME_BLOCK_AT(canopy, 1584 + 16 * (CLIMATE_MAP_SIDE * CLIMATE_MAP_SIDE + CRATER_RAYS_MAX));
_Static_assert(sizeof(frame_block) == 1584 + 16 * (CLIMATE_MAP_SIDE * CLIMATE_MAP_SIDE + CRATER_RAYS_MAX) +
                                          32 * CANOPY_MOISTS * CANOPY_HEATS,
               "std140 size of the block");
#undef FRAME_BLOCK_AT

/** Fill the block, except the canopy, for a view of a quadtree's tiles in a frame of width x height pixels. */
void frame_block_fill(frame_block *block, const render_view *view, const render_quality *quality, const quadtree *tree,
                      int width, int height);

#endif
