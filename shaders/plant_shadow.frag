// plant_shadow.frag - depth of plants as the light sees them.
#include "frame.glsl"
#include "noise.glsl"
#include "plants.glsl"
#include "impostor.glsl"

layout(location = 0) in vec3 q;
layout(location = 1) flat in vec3 from;
layout(location = 2) flat in vec4 look;

void main()
{
    if (impostor_at(int(look.x), from, q, vec2(0.5)).a < 0.4 || look.w < 0.5)
        discard;
}
