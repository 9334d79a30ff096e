// tile_lights.glsl - reads the light of tiles, which tile_light.comp computes.
layout(binding = 1) uniform sampler2DArray tile_lights;

// Tangent of the horizon towards the key light (x) and open share of the sky (y) at a position of a tile.
vec2 light_in(int slot, vec2 p)
{
    int side = frame_light_side, at = slot % (ATLAS_SIDE * ATLAS_SIDE);
    vec2 texel = vec2(at % ATLAS_SIDE, at / ATLAS_SIDE) * float(side + 1) + p * (float(side) / float(QUADS)) + 0.5;
    return textureLod(tile_lights, vec3(texel / float(ATLAS_SIDE * (side + 1)), slot / (ATLAS_SIDE * ATLAS_SIDE)),
                      0.0).rg;
}
