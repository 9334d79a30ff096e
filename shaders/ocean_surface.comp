// ocean_surface.comp - computes the surface of a cascade of waves at the positions of its patch (sea_block.glsl).
//
// The transform of ocean_fft.comp gives the displacement of the water from each position. This shader finds by
// iteration the water that has moved to a position. This makes crests narrow and troughs wide.
layout(local_size_x = 8, local_size_y = 8) in;
#include "sea_block.glsl"

layout(binding = 14) uniform sampler2DArray fields;
layout(rgba16f, binding = 0) writeonly uniform image2DArray surfaces;

void main()
{
    ivec3 at = ivec3(gl_GlobalInvocationID);
    vec2 turn = sea_cascades[at.z].turn, place = (vec2(at.xy) + 0.5) / float(OCEAN_SIDE), from = place;
    vec4 shifted = vec4(0.0);
    for (int n = 0; n < 4; n++) {
        shifted = textureLod(fields, vec3(from, 2 * at.z), 0.0);
        from = place - vec2(dot(turn, shifted.zw), turn.x * shifted.w - turn.y * shifted.z);
    }
    vec4 rise = textureLod(fields, vec3(from, 2 * at.z + 1), 0.0);
    vec2 wider = 1.0 + rise.zw;
    float area = max(wider.x * wider.y - shifted.y * shifted.y, 0.25);
    vec2 slope = vec2(wider.y * rise.x - shifted.y * rise.y, wider.x * rise.y - shifted.y * rise.x) / area;
    imageStore(surfaces, at, vec4(clamp(slope, -1.5, 1.5), shifted.x, wider.x * wider.y - shifted.y * shifted.y - 1.0));
}
