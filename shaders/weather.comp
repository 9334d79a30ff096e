// weather.comp - computes one level of the weather map around the camera.
layout(local_size_x = 8, local_size_y = 8) in;
#include "frame.glsl"
#include "noise.glsl"
#include "weather.glsl"
#include "weather_map.glsl"

layout(location = 0) uniform int level;
layout(rgba16f, binding = 0) writeonly uniform image2DArray low;  // cover, upright, base, top
layout(rg8, binding = 1) writeonly uniform image2DArray high;     // cirrus, middle

void main()
{
    ivec3 texel = ivec3(gl_GlobalInvocationID.xy, level);
    float size = weather_texel(level);
    Place p = Place(frame_weather_cell, (floor(frame_weather_place / size) + vec2(texel.xy - imageSize(low).xy / 2) +
                                         0.5) * size);
    Weather w = weather_of(p, size, hash(frame_weather_seeds.x));
    vec4 a = vec4(w.cover, w.upright, w.base, w.top), b = vec4(w.cirrus, w.middle, 0.0, 0.0);
    if (frame_weather_share > 0.0) {
        w = weather_of(p, size, hash(frame_weather_seeds.y));
        a = mix(a, vec4(w.cover, w.upright, w.base, w.top), frame_weather_share);
        b = mix(b, vec4(w.cirrus, w.middle, 0.0, 0.0), frame_weather_share);
    }
    imageStore(low, texel, a);
    imageStore(high, texel, b);
}
