// plant_shadows.comp - draws the depth of plants into a shadow map, as impostors that face the light. In the map they
// are axis-aligned squares.
layout(local_size_x = 64) in;
#include "frame.glsl"
#include "noise.glsl"
#include "plants.glsl"
#include "plant_lists.glsl"
#include "impostor.glsl"

layout(r32ui, binding = 0) uniform uimage2DArray shadow_depths; // float bits of depth, 1: farthest; a layer per map
layout(location = 0) uniform mat4 to_shadow;                    // from positions to the map, -1..1
layout(location = 4) uniform int map;

void draw(Plant p)
{
    float side = float(imageSize(shadow_depths).x),
          texels_a_metre = 0.5 * side * length(vec3(to_shadow[0].x, to_shadow[1].x, to_shadow[2].x));
    float wide = impostor_width(p), radius = IMPOSTOR_RADIUS * p.height * texels_a_metre;
    vec3 at = (to_shadow * vec4(p.foot + vec3(0.0, 0.5 * p.height, 0.0), 1.0)).xyz, right = right_of(frame_key),
         up = cross(frame_key, right);
    vec2 middle = (at.xy * 0.5 + 0.5) * side;
    ivec2 low = ivec2(clamp(ceil(middle - radius - 0.5), vec2(0.0), vec2(side))),
          high = ivec2(clamp(floor(middle + radius - 0.5), vec2(-1.0), vec2(side - 1.0)));
    int width = high.x - low.x + 1, count = max(width, 0) * max(high.y - low.y + 1, 0);
    vec3 from = turned(frame_key, -p.yaw);
    for (int n = int(gl_LocalInvocationID.x); n < count; n += 64) {
        ivec2 texel = low + ivec2(n % width, n / width);
        vec2 away = (vec2(texel) + 0.5 - middle) / (texels_a_metre * p.height);
        vec3 q = turned(away.x * right + away.y * up, -p.yaw);
        if (impostor_at(kind_of(p), from, q, wide, 1.0 / (texels_a_metre * p.height), vec2(0.5)).a >= 0.4)
            imageAtomicMin(shadow_depths, ivec3(texel, map), floatBitsToUint(clamp(at.z, 0.0, 1.0)));
    }
}

void main()
{
    List list = lists[LIST_SHADOWS + map];
    for (uint k = gl_WorkGroupID.x; k < list.count; k += gl_NumWorkGroups.x)
        if (scattered[list.first + k].dither_range.y >= 0.5)
            draw(scattered[list.first + k]);
}
