// land.comp - computes the light of the ground of every pixel, without air and water.
//
// It is separate from shade.comp, because one program for ground and water would need more registers than a GPU has.
// Each layer of the target is for one sample of the pixels. If all samples of a pixel show one surface, only the first
// layer is written.
layout(local_size_x = 8, local_size_y = 8) in;
#include "frame.glsl"
#include "noise.glsl"
#include "pages.glsl"
#include "air.glsl"
#include "sky.glsl"
#include "frame_light.glsl"
#include "picture.glsl"
#include "shade_kinds.glsl"
#include "weather.glsl"
#include "weather_map.glsl"
#include "plants.glsl"
#include "clouds.glsl"
#include "ground.glsl"
#include "river_cover.glsl"
#include "river_banks.glsl"
#include "plant_light.glsl"
#include "key_light.glsl"
#include "land.glsl"
#include "surfaces.glsl"
#include "sea_level.glsl"

layout(rgba16f, binding = 0) writeonly uniform image2DArray target; // the rows from first_row on

// Whether the sea hides the ground that a ray meets, however high the waves are.
bool is_deep(vec3 d, float land)
{
    float cover, sea = has_layer(LAYER_WATER) && frame_camera.y >= frame_sea_level ? to_sea(d, cover) : -1.0;
    return sea > 0.0 && cover >= 1.0 && (land - sea) * -d.y > WATER_OPAQUE + 2.0 * HIGHEST_WAVE;
}

void main()
{
    ivec2 pixel = band_pixel();
    if (any(greaterThanEqual(pixel, ivec2(frame_picture_size))))
        return;
    int planted = planted_samples(pixel);
    Surfaces surfaces = surfaces_of(pixel, planted);
    vec3 ray = ray_of(pixel), d = normalize(ray);
    for (int n = 0; n < (surfaces.are_one ? 1 : PIXEL_SAMPLES); n++) {
        float depth = surfaces.are_one ? surfaces.depth : (planted >> n & 1) == 0 ? depth_of(pixel, n) : 0.0;
        if (depth > 0.0) {
            float land = to_land(d, length(ray) / depth);
            vec3 light = is_deep(d, land) ? vec3(0.0) : min(land_light(d * land), vec3(6.0e4));
            imageStore(target, ivec3(pixel - ivec2(0, first_row), n), vec4(light, 1.0));
        }
    }
}
