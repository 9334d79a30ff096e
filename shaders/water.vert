// water.vert - the sea: one flat quad a tile, at sea level, so that its edges meet at any level of detail.
#include "frame.glsl"

layout(location = 0) in ivec4 tile;

out vec3 position;
out vec2 tile_place;
flat out uint slot;
flat out int lod;

void main()
{
    ivec2 corner = ivec2(gl_VertexID & 1, gl_VertexID >> 1) * 64;
    vec2 place = vec2(tile.xy + (corner << tile.z)) * world.x - camera.xz;
    slot = uint(tile.w);
    lod = tile.z;
    tile_place = vec2(corner);
    position = vec3(place.x, world.y - camera.y, place.y);
    gl_Position = view_projection * vec4(position, 1.0);
}
