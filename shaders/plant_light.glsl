// plant_light.glsl - reads the shadow maps of plants.
#if HAS_PLANTS
layout(std140, binding = 1) uniform PlantLight {
    mat4 plants_to_shadow[2];
    int has_plants, has_plant_shadows;
};
layout(binding = 17) uniform usampler2DArray plant_shadows; // bits of depth

const float SHADOW_DEPTH = PLANT_SHADOW_DEPTH_M;
const float AT_ONCE = 1.0e4; // extinction of light for a sharp edge, 1/m

// Share of the key light that reaches a depth, interpolated between the four texels around a position of a map. aside:
// offset, texels; fading: extinction of light behind the depth of a texel, 1/m
float lit_texels(vec2 place, vec2 aside, int map, float depth, float fading)
{
    float side = float(textureSize(plant_shadows, 0).x);
    vec2 at = place * side + aside, t = fract(at - 0.5);
    vec4 nearest = uintBitsToFloat(textureGather(plant_shadows, vec3((floor(at - 0.5) + 1.0) / side, float(map))));
    vec4 lit = exp(-fading * SHADOW_DEPTH * max(depth - nearest, vec4(0.0))); // of (0, 1), (1, 1), (1, 0), (0, 0)
    return mix(mix(lit.w, lit.z, t.x), mix(lit.x, lit.y, t.x), t.y);
}

// Share of the key light that plants let through to a position. over: offset towards the light against self-shadowing,
// m; fading: extinction of light behind a plant's depth, 1/m: small inside crowns, AT_ONCE on the ground
float plant_shadow(vec3 position, float over, float fading)
{
    if (has_plant_shadows == 0)
        return 1.0;
    float lit = 1.0;
    for (int n = 0; n < 2; n++) {
        vec3 at = (plants_to_shadow[n] * vec4(position + frame_key * over, 1.0)).xyz;
        float edge = max(abs(at.x), abs(at.y));
        if (edge > 0.98)
            continue;
        float open = 0.0;
        for (int k = 0; k < 4; k++)
            // depths of a map end at 1
            open += 0.25 * lit_texels(at.xy * 0.5 + 0.5, (vec2(k & 1, k >> 1) - 0.5) * 1.5, n, min(at.z, 1.0), fading);
        return mix(open, 1.0, smoothstep(n == 0 ? 2.0 : 0.7, n == 0 ? 3.0 : 0.98, edge));
    }
    return lit;
}

// Factor on the light of the sky under leaves, which make it darker and greener. lit: share of the key light that the
// leaves transmit
vec3 under_leaves(float lit)
{
    return mix(vec3(0.76, 0.84, 0.62), vec3(1.0), lit);
}

// Share of the key light that plants let through to the ground. Some light passes every crown, between leaves and by
// scattering: a tenth to a fifth in woods of Europe (Ellenberg and Leuschner, "Vegetation Mitteleuropas", 2010).
float shadow_of_plants(vec3 position)
{
    return mix(0.15, 1.0, plant_shadow(position, 0.3, AT_ONCE));
}
#else
float shadow_of_plants(vec3 position) { return 1.0; }
vec3 under_leaves(float lit) { return vec3(1.0); }
#endif
