// impostors.comp - draws distant plants as squares that face the camera. A work group draws the pixels of one plant.
layout(local_size_x = 64) in;
#include "frame.glsl"
#include "noise.glsl"
#include "plants.glsl"
#include "plant_lists.glsl"
#include "picture.glsl"
#include "plant_raster.glsl"
#include "impostor.glsl"

// The square of a plant.
struct Square {
    vec3 middle, eye, right, up; // middle: of the plant; eye: direction to the camera
    float nearer;                // factor on the drawn distance, so that the square hides what is inside the crown
};

ivec4 pixels_of(Square s, float height)
{
    vec2 low = vec2(1.0e9), high = vec2(-1.0e9);
    for (int n = 0; n < 4; n++) {
        vec3 at = in_picture(s.middle + ((n & 1) == 0 ? -s.right : s.right) * (IMPOSTOR_RADIUS * height) +
                             (n < 2 ? -s.up : s.up) * (IMPOSTOR_RADIUS * height));
        if (at.z == 0.0)
            return ivec4(0, 0, -1, -1);
        low = min(low, at.xy);
        high = max(high, at.xy);
    }
    return pixels_between(low, high);
}

void draw_pixel(ivec2 pixel, Plant p, Square s, float tint, float wide)
{
    vec3 ray = ray_of(pixel);
    float away = dot(s.middle, s.eye) / dot(ray, s.eye), depth = 1.0 / (away * s.nearer);
    vec3 offset = (ray * away - s.middle) / p.height;
    float radius = max(abs(dot(offset, s.right)), abs(dot(offset, s.up)));
    if (radius > IMPOSTOR_RADIUS || !is_kept(pixel, p.dither_range, tint))
        return;
    int open = open_samples(pixel, (1 << PIXEL_SAMPLES) - 1, depth);
    if (open == 0)
        return;
    vec4 seen = impostor_at(kind_of(p), turned(s.eye, -p.yaw), turned(offset, -p.yaw), wide,
                            frame_pixel_width * length(ray) * away / p.height,
                                vec2(dither(pixel, 2u), dither(pixel, 3u)));
    open &= seen.a < 0.02 ? 0 : covered_samples(pixel, seen.a);
    if (open == 0)
        return;
    int kind = kind_of(p);
    bool is_of_bark = is_bark(seen);
    seen.rgb /= seen.a;
    leave(pixel, open, depth,
          pack_plant(turned(from_octahedral(seen.xy * 2.0 - 1.0), p.yaw),
                     is_of_bark ? seen.b * 4.0 : (seen.b - 0.25) / 0.75, tint,
                     is_of_bark ? BARK + int(plant_kinds[kind].look.y) : kind));
}

void main()
{
    List list = lists[LIST_IMPOSTORS];
    for (uint k = gl_WorkGroupID.x; k < list.count; k += gl_NumWorkGroups.x) {
        Plant p = scattered[list.first + k];
        float tint = fract(p.look), wide = impostor_width(p);
        Square s;
        s.middle = p.foot + vec3(0.0, 0.5 * p.height, 0.0);
        s.eye = -normalize(s.middle);
        s.right = right_of(s.eye);
        s.up = cross(s.eye, s.right);
        s.nearer = 1.0 - min(0.25 * p.height / length(s.middle), 0.5);
        ivec4 box = pixels_of(s, p.height);
        int width = box.z - box.x + 1, count = max(width, 0) * max(box.w - box.y + 1, 0);
        for (int n = int(gl_LocalInvocationID.x); n < count; n += 64)
            draw_pixel(box.xy + ivec2(n % width, n / width), p, s, tint, wide);
    }
}
