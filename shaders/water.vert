// water.vert - the sea: a coarse grid a tile at sea level, fine enough for the planet's curvature.
#include "frame.glsl"

layout(location = 0) in ivec4 tile;

out vec3 position;
out vec2 tile_place;
flat out uint slot;

void main()
{
    const int QUADS = 8;
    ivec2 corner = ivec2(gl_VertexID % (QUADS + 1), gl_VertexID / (QUADS + 1)) * (64 / QUADS);
    vec2 place = vec2(tile.xy + (corner << tile.z)) * world.x - camera.xz;
    slot = uint(tile.w);
    tile_place = vec2(corner);
    position = vec3(place.x, world.y - camera.y - drop(place), place.y);
    gl_Position = view_projection * vec4(position, 1.0);
}
