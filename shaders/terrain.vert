// terrain.vert - a grid over one tile or a part of one, geomorphed into the next coarser level by distance (Strugar 2010). Depth is all
// that is kept: level of detail and tile follow from the place.
#include "frame.glsl"
#include "pages.glsl"

layout(location = 0) in ivec4 tile; // north-west corner from the camera's cell, lattice steps; lod, part, column, row; slot

void main()
{
    int lod = tile.z & 255, part = tile.z >> 8 & 255, quads = QUADS / options.x, step = options.x >> part;
    ivec2 vertex = ivec2(gl_VertexID % (quads + 1), gl_VertexID / (quads + 1)), corner = ivec2(tile.z >> 16 & 255, tile.z >> 24 & 255);
    ivec2 fine = vertex * step, coarse = (vertex & ~1) * step;
    vec2 fine_place = vec2(tile.xy + (fine << lod)) * world.x - camera.xz, range = part > 0 ? part_morph[part].xy : morph[lod].xy;
    float morphing = clamp((length(vec3(fine_place, world.z)) - range.x) * range.y, 0.0, 1.0);
    corner *= QUADS >> part;
    vec2 place = mix(fine_place, vec2(tile.xy + (coarse << lod)) * world.x - camera.xz, morphing);
    float height = tile_height(tile.w, corner + fine);
    if (morphing > 0.0)
        height = mix(height, tile_height(tile.w, corner + coarse), morphing);
    gl_Position = view_projection * vec4(place.x, height - camera.y - drop(place), place.y, 1.0);
}
