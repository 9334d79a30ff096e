// terrain_vertices.comp - a grid over one tile or a part of one, geomorphed into the next coarser level by distance (Strugar 2010): one
// thread for each vertex, one row of work groups for each tile. Vertices are made here since some GPUs run vertex shaders on few of their
// processors.
layout(local_size_x = 64) in;
#include "frame.glsl"
#include "pages.glsl"
#include "terrain_vertices.glsl"

layout(std430, binding = 2) readonly buffer Tiles { ivec4 tiles[]; }; // north-west corner from the camera's cell, lattice steps; lod, part, column, row; slot

// Where a vertex of a tile is in the picture, before the division.
vec4 vertex_of(ivec4 tile, int number)
{
    int lod = tile.z & 255, part = tile.z >> 8 & 255, quads = QUADS / frame_mesh_step, step = frame_mesh_step >> part;
    ivec2 vertex = ivec2(number % (quads + 1), number / (quads + 1)), corner = ivec2(tile.z >> 16 & 255, tile.z >> 24 & 255);
    ivec2 fine = vertex * step, coarse = (vertex & ~1) * step;
    vec2 fine_place = vec2(tile.xy + (fine << lod)) * frame_spacing - frame_camera.xz;
    float start = part > 0 ? frame_part_morph[part].start : frame_morph[lod].start;
    float rate = part > 0 ? frame_part_morph[part].rate : frame_morph[lod].rate;
    float morphing = clamp((length(vec3(fine_place, frame_lod_height)) - start) * rate, 0.0, 1.0);
    corner *= QUADS >> part;
    vec2 place = mix(fine_place, vec2(tile.xy + (coarse << lod)) * frame_spacing - frame_camera.xz, morphing);
    float height = tile_height(tile.w, corner + fine);
    if (morphing > 0.0)
        height = mix(height, tile_height(tile.w, corner + coarse), morphing);
    return frame_view_projection * vec4(place.x, height - frame_camera.y - drop(place), place.y, 1.0);
}

void main()
{
    int number = int(gl_GlobalInvocationID.x), tile = int(gl_WorkGroupID.y), count = vertices_of_tile();
    if (number < count)
        vertices[tile * count + number] = vertex_of(tiles[tile], number);
}
