// display.comp - converts light to the 8-bit picture: exposure, filmic curve (Narkowicz 2015, fitted to ACES), sRGB.
// Draws the marked ground. Pixels without light, which no pass has drawn, are pure magenta.
layout(local_size_x = 8, local_size_y = 8) in;
#include "frame.glsl"
#include "noise.glsl"
#include "frame_light.glsl"
#include "picture.glsl"
#include "mark.glsl"

layout(binding = 11) uniform sampler2D light;
layout(rgba8, binding = 0) writeonly uniform image2D target;

// Tint marked ground, and draw a line along the edge of the mark.
vec3 over_mark(vec3 x, ivec2 pixel)
{
    const vec3 color = vec3(1.0, 0.66, 0.12);
    bool is_inside = is_marked(pixel);
    bool is_edge = is_marked(pixel + ivec2(1, 0)) != is_inside || is_marked(pixel + ivec2(0, 1)) != is_inside ||
                   is_marked(pixel - ivec2(1, 0)) != is_inside || is_marked(pixel - ivec2(0, 1)) != is_inside;
    return is_edge ? color : is_inside ? mix(x, color, 0.12) : x;
}

void main()
{
    ivec2 pixel = band_pixel();
    if (any(greaterThanEqual(pixel, ivec2(frame_picture_size))))
        return;
    vec4 c = texelFetch(light, pixel, 0);
    vec3 x = c.rgb * frame_light.exposure;
    float luminance = luminance_of(x);
    // the eye sees few colours at night
    x = mix(vec3(luminance), x, mix(1.0, 0.55, frame_night * (1.0 - smoothstep(0.0, 0.3, luminance))));
    x = clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0);
    x = mix(12.92 * x, 1.055 * pow(x, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, x));
    if (frame_mark_from.x < frame_mark_to.x && c.a > 0.0)
        x = over_mark(x, pixel);
    x += (hash_unit(uint(pixel.x) + 8192u * uint(pixel.y)) - 0.5) / 255.0;
    imageStore(target, pixel, vec4(c.a > 0.0 ? x : vec3(1.0, 0.0, 1.0), 1.0));
}
