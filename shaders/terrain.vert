// terrain.vert - a grid over one tile, geomorphed into the next coarser level by distance (Strugar 2010).
#include "frame.glsl"
#include "tiles.glsl"

layout(location = 0) in ivec4 tile; // north-west corner from the camera's cell, lattice steps; lod; slot

out vec3 position;      // metres, relative to the camera
out vec2 tile_place;    // 0..64 in the tile
out float morphing;
out float altitude;     // metres over the datum
flat out uint slot;
flat out int lod;

vec2 place_of(ivec2 grid)
{
    return vec2(tile.xy + (grid << tile.z)) * world.x - camera.xz;
}

void main()
{
    int quads = 64 / options.x;
    ivec2 vertex = ivec2(gl_VertexID % (quads + 1), gl_VertexID / (quads + 1));
    ivec2 fine = vertex * options.x, coarse = (vertex & ~1) * options.x;
    vec2 fine_place = place_of(fine);
    float distance = length(vec3(fine_place, world.z));
    morphing = clamp((distance - morph[tile.z].x) * morph[tile.z].y, 0.0, 1.0);
    slot = uint(tile.w);
    lod = tile.z;
    vec2 place = mix(fine_place, place_of(coarse), morphing);
    float height = mix(tile_height(slot, fine), tile_height(slot, coarse), morphing);
    tile_place = mix(vec2(fine), vec2(coarse), morphing);
    altitude = height;
    position = vec3(place.x, height - camera.y - drop(place), place.y);
    gl_Position = view_projection * vec4(position, 1.0);
}
