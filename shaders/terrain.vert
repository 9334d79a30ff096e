// terrain.vert - a grid over one tile or a part of one, geomorphed into the next coarser level by distance (Strugar 2010). Depth is all
// that is kept: level of detail and tile follow from the place.
#include "frame.glsl"
#include "pages.glsl"

layout(location = 0) in ivec4 tile; // north-west corner from the camera's cell, lattice steps; lod, part, column, row; slot

void main()
{
    int lod = tile.z & 255, part = tile.z >> 8 & 255, quads = QUADS / frame_mesh_step, step = frame_mesh_step >> part;
    ivec2 vertex = ivec2(gl_VertexID % (quads + 1), gl_VertexID / (quads + 1)), corner = ivec2(tile.z >> 16 & 255, tile.z >> 24 & 255);
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
    gl_Position = frame_view_projection * vec4(place.x, height - frame_camera.y - drop(place), place.y, 1.0);
}
