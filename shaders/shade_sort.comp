// shade_sort.comp - which blocks of pixels show sky alone, land too, or water.
layout(local_size_x = 8, local_size_y = 8) in;
#include "frame.glsl"
#include "pages.glsl"
#include "river_cover.glsl"
#include "picture.glsl"
#include "shade_blocks.glsl"
#include "sea_level.glsl"

shared int most;

bool is_wet(int lod, int slot, vec2 p)
{
    if (water_of_tile(slot) == IS_DRY)
        return false;
    if (narrow_river(lod, slot, p) > 0.0)
        return true;
    ivec2 a = ivec2(p);
    return !isnan(tile_water(slot, a)) || !isnan(tile_water(slot, a + ivec2(1, 0))) || !isnan(tile_water(slot, a + ivec2(0, 1))) ||
           !isnan(tile_water(slot, a + ivec2(1, 1)));
}

// Whether a place may have water of a river or a lake: a sample beside it is wet or a narrow river is near, of its level or of the next coarser one.
bool may_be_river(vec2 place)
{
    vec2 p;
    int lod = lod_at(place), slot = slot_at(lod, place, p);
    while (slot < 0 && lod < frame_coarsest_lod)
        slot = slot_at(++lod, place, p);
    if (slot < 0)
        return false;
    bool wet = is_wet(lod, slot, p);
    int parent = lod < frame_coarsest_lod ? slot_at(lod + 1, place, p) : -1;
    return wet || (parent >= 0 && is_wet(lod + 1, parent, p));
}

// Whether a ray may meet the sea before the land: a surface as high as waves are, a pixel below the horizon and lower.
bool may_be_sea(vec3 d, float land)
{
    float over = frame_camera.y - frame_sea_level - HIGHEST_WAVE, k = dot(d.xz, d.xz) * frame_curvature, dip = 2.0 * sqrt(k * max(over, 0.0));
    if (over <= 0.0)
        return true;
    if (d.y > frame_pixel_width - dip)
        return false;
    float sea = 2.0 * over / (max(-d.y, 1.0e-6) + sqrt(max(d.y * d.y - dip * dip, 0.0)));
    return land < 0.0 || sea < land;
}

int kind_of(vec3 ray, float depth)
{
    float land = depth > 0.0 ? length(ray) / depth : -1.0;
    bool is_river = land >= 0.0 && frame_has_rivers != 0 && may_be_river(ray.xz / depth);
    if (has_layer(LAYER_WATER) && (is_river || may_be_sea(normalize(ray), land)))
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
