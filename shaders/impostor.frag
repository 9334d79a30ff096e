// impostor.frag - what a view of the plant shows.
#include "frame.glsl"
#include "noise.glsl"
#include "plants.glsl"
#include "coverage.glsl"
#include "impostor.glsl"

layout(location = 0) in vec3 q;
layout(location = 1) flat in vec3 from;
layout(location = 2) flat in vec4 look;
layout(location = 3) flat in float yaw;

void main()
{
    int kind = int(look.x);
    keep_between(look.zw, uint(look.y * 65536.0));
    vec4 seen = impostor_at(kind, from, q, vec2(dither(2u), dither(3u)));
    if (seen.a < 0.02)
        discard;
    cover(seen.a);
    seen.rgb /= seen.a;
    vec3 n = turned(from_octahedral(seen.xy * 2.0 - 1.0), yaw);
    bool is_bark = seen.b < 0.25;
    packed_plant = pack_plant(n, is_bark ? seen.b * 4.0 : (seen.b - 0.25) / 0.75, look.y, is_bark ? kind == BIRCH ? PALE_BARK : BARK : kind);
}
