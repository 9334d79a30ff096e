// tile_lights.glsl - the light that falls on tiles.
layout(binding = 1) uniform sampler2DArray tile_lights;

// Horizon towards the key light (x) and openness (y) of a level's tile.
vec2 light_in(int slot, vec2 p)
{
    int side = frame_light_side, at = slot % (ATLAS_SIDE * ATLAS_SIDE);
    vec2 texel = vec2(at % ATLAS_SIDE, at / ATLAS_SIDE) * float(side + 1) + p * (float(side) / float(QUADS)) + 0.5;
    return textureLod(tile_lights, vec3(texel / float(ATLAS_SIDE * (side + 1)), slot / (ATLAS_SIDE * ATLAS_SIDE)), 0.0).rg;
}
