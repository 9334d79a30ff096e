// shade_sort.comp - which blocks of pixels show sky alone, land too, or water.
layout(local_size_x = 8, local_size_y = 8) in;
#include "frame.glsl"
#include "noise.glsl"
#include "pages.glsl"
#include "air.glsl"
#include "sky.glsl"
#include "frame_light.glsl"
#include "picture.glsl"
#include "clouds.glsl"
#include "ground.glsl"
#include "land.glsl"
#include "water.glsl"
#include "sea.glsl"
#include "rivers.glsl"
#include "shade_blocks.glsl"

shared int most;

bool is_wet(int slot, vec2 p)
{
    ivec2 a = ivec2(p);
    return !isnan(tile_water(slot, a)) || !isnan(tile_water(slot, a + ivec2(1, 0))) || !isnan(tile_water(slot, a + ivec2(0, 1))) ||
           !isnan(tile_water(slot, a + ivec2(1, 1)));
}

// Whether a place may have water of a river or a lake: a sample beside it is wet, of its level or of the next coarser one.
bool may_be_river(vec2 place)
{
    vec2 p;
    int lod = lod_at(place), slot = slot_at(lod, place, p);
    while (slot < 0 && lod < frame_coarsest_lod)
        slot = slot_at(++lod, place, p);
    if (slot < 0)
        return false;
    bool wet = is_wet(slot, p);
    int parent = lod < frame_coarsest_lod ? slot_at(lod + 1, place, p) : -1;
    return wet || (parent >= 0 && is_wet(parent, p));
}

int kind_of(vec3 ray, float depth)
{
    float cover, land = depth > 0.0 ? length(ray) / depth : -1.0, sea = to_sea(normalize(ray), cover);
    bool is_under = frame_camera.y < frame_sea_level, is_sea = sea > 0.0 && (land < 0.0 || sea < land * 1.001 + 1.0);
    if (has_layer(LAYER_WATER) && (is_under || is_sea || (land >= 0.0 && frame_has_rivers != 0 && may_be_river(ray.xz / depth))))
        return BLOCKS_WATER;
    return land >= 0.0 ? BLOCKS_LAND : BLOCKS_SKY;
}

void main()
{
    ivec2 pixel = band_pixel();
    most = BLOCKS_SKY;
    barrier();
    if (all(lessThan(pixel, ivec2(frame_picture_size))))
        for (int n = 0; n < PIXEL_SAMPLES; n++)
            atomicMax(most, kind_of(ray_of(pixel), depth_of(pixel, n)));
    barrier();
    if (gl_LocalInvocationIndex == 0u) {
        int kind = most;
        blocks[kind * block_room() + atomicAdd(block_counts[kind], 1)] = pixel.x / 8 | (pixel.y / 8) << 16;
    }
}
