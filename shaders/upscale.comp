// upscale.comp - scales a frame up to its larger picture by Catmull-Rom interpolation. The 16 texels that a pixel needs
// take only five bilinear reads, because the corners have little weight and are left out (Jimenez, "Filmic SMAA",
// 2016).
layout(local_size_x = 8, local_size_y = 8) in;
#include "frame.glsl"
#include "picture.glsl"

layout(binding = 11) uniform sampler2D frame;
layout(rgba8, binding = 0) writeonly uniform image2D target;

void main()
{
    ivec2 pixel = band_pixel();
    vec2 size = vec2(textureSize(frame, 0)), wide = vec2(imageSize(target));
    if (any(greaterThanEqual(pixel, ivec2(wide))))
        return;
    vec2 at = (vec2(pixel) + 0.5) * size / wide, texel = floor(at - 0.5) + 0.5, t = at - texel;
    vec2 before = t * (-0.5 + t * (1.0 - 0.5 * t)), beyond = t * t * (0.5 * t - 0.5);
    vec2 second = t * (0.5 + t * (2.0 - 1.5 * t)), middle = 1.0 - before - beyond;
    vec2 between = (texel + second / middle) / size, from = (texel - 1.0) / size, to = (texel + 2.0) / size;
    vec4 sum = vec4(texture(frame, between).rgb, 1.0) * (middle.x * middle.y);
    sum += vec4(texture(frame, vec2(between.x, from.y)).rgb, 1.0) * (middle.x * before.y);
    sum += vec4(texture(frame, vec2(between.x, to.y)).rgb, 1.0) * (middle.x * beyond.y);
    sum += vec4(texture(frame, vec2(from.x, between.y)).rgb, 1.0) * (before.x * middle.y);
    sum += vec4(texture(frame, vec2(to.x, between.y)).rgb, 1.0) * (beyond.x * middle.y);
    imageStore(target, pixel, vec4(sum.rgb / sum.a, 1.0));
}
