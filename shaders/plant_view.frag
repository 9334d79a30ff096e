// plant_view.frag - writes normal and brightness of a plant to an impostor view; see impostor.glsl.
#include "frame.glsl"
#include "plants.glsl"

layout(binding = 12) uniform sampler2DArray leaves;
layout(location = 0) in vec3 leaf_normal;
layout(location = 1) in vec3 at;
layout(location = 2) flat in int material;
layout(location = 0) out vec4 seen;

void main()
{
    bool is_leaf = material < MATERIAL_BARK;
    vec2 leaf = is_leaf ? texture(leaves, vec3(at.xy, float(material))).rg : vec2(1.0);
    if (leaf.r < 0.3)
        discard;
    float bright = clamp(at.z * leaf.g / max(leaf.r, 0.02), 0.0, 1.0);
    seen = vec4(octahedral(normalize(leaf_normal)) * 0.5 + 0.5,
                is_leaf ? 0.25 + 0.75 * bright : 0.25 * min(bright, 0.9), 1.0);
}
