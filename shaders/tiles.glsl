// tiles.glsl - heights of all tile slots. Sample (x, y) of a tile's own 65 x 65 stands APRON samples in.
const int SAMPLES = 72, APRON = 4, TILE_FLOATS = SAMPLES * SAMPLES, NORMALS = 65, ATLAS_SIDE = 8;

layout(std430, binding = 0) readonly buffer Heights { float heights[]; };

float tile_height(uint slot, ivec2 p)
{
    return heights[int(slot) * TILE_FLOATS + (p.y + APRON) * SAMPLES + p.x + APRON];
}

// Texel of a tile's first normal in its atlas layer, and the layer.
ivec3 tile_texel(uint slot)
{
    int place = int(slot) % (ATLAS_SIDE * ATLAS_SIDE);
    return ivec3(place % ATLAS_SIDE * NORMALS, place / ATLAS_SIDE * NORMALS, int(slot) / (ATLAS_SIDE * ATLAS_SIDE));
}
