// plant.frag - leaves are cut out of cards by pictures of them; bark and rock are whole.
#include "frame.glsl"
#include "noise.glsl"
#include "plants.glsl"
#include "coverage.glsl"

layout(binding = 12) uniform sampler2DArray leaves; // opacity, brightness
layout(location = 0) in vec3 leaf_normal;
layout(location = 1) in vec3 at;
layout(location = 2) flat in vec4 look;
layout(location = 3) flat in int material;

void main()
{
    const int MATERIAL_BARK = 4, MATERIAL_PALE_BARK = 5;
    int kind = int(look.x);
    vec3 n = normalize(leaf_normal);
    float bright = at.z;
    keep_between(look.zw, uint(look.y * 65536.0));
    if (material < MATERIAL_BARK) {
        vec2 leaf = texture(leaves, vec3(at.xy, float(material))).rg;
        bright *= leaf.g / max(leaf.r, 0.02);
        cover(smoothstep(0.15, 0.6, leaf.r));
    } else {
        cover(1.0);
        vec2 grain = material == MATERIAL_BARK ? vec2(at.x * 3.0, at.y * 0.5) : material == MATERIAL_PALE_BARK ? vec2(at.x * 0.4, at.y * 2.0) : at.xy;
        float footprint = length(fwidth(grain));
        float rough = 0.5 * faded_noise(grain, 0.25, footprint).x + 0.5 * faded_noise(grain + 7.0, 0.0625, footprint).x + 0.3 * faded_noise(grain, 1.0, footprint).x;
        bright *= 1.0 + 0.55 * rough;
        n = normalize(n + 0.25 * vec3(rough, 0.0, -rough));
        kind = material == MATERIAL_BARK ? BARK : material == MATERIAL_PALE_BARK ? PALE_BARK : kind;
    }
    packed_plant = pack_plant(n, bright, look.y, kind);
}
