// terrain_vertices.comp - a grid over one tile or a part of one, geomorphed into the next coarser level by distance (Strugar 2010): one
// thread for each vertex, one row of work groups for each tile. Vertices are made here since some GPUs run vertex shaders on few of their
// processors.
layout(local_size_x = 64) in;
#include "frame.glsl"
#include "pages.glsl"
#include "terrain_vertices.glsl"

// A tile, or a part of one; struct quadtree_tile of src/program/stream/tile.h.
struct Tile {
    int x, z;     // north-west corner from the camera's cell, lattice steps
    uint shape;   // bytes: lod, part, column, row
    int slot;
    uint coarser; // bytes: by how many levels the north, west, south and east edges are drawn coarser
    float shown;  // share of the mesh's own detail
};
layout(std430, binding = 2) readonly buffer Tiles { Tile tiles[]; };

// Levels by which the edges that a vertex lies on are drawn coarser, and which of them is the coarsest: 0 north, 1 west, 2 south, 3 east.
int coarser_at(Tile tile, ivec2 vertex, int quads, out int side)
{
    int most = 0;
    bvec4 is_on = bvec4(vertex.y == 0, vertex.x == 0, vertex.y == quads, vertex.x == quads);
    side = 0;
    for (int n = 0; n < 4; n++) {
        int levels = is_on[n] ? int(tile.coarser >> (8 * n) & 255u) : 0;
        if (levels > most) {
            most = levels;
            side = n;
        }
    }
    return most;
}

// Distance from which on a mesh becomes the next coarser one; below 0 are levels of parts of tiles of lod 0.
Morph morph_of(int level)
{
    return level < 0 ? frame_part_morph[-level] : frame_morph[level];
}

// Where a vertex of a tile is in the picture, before the division. A vertex moves from one sample to another with distance; both are
// samples of the tile, counted from its corner.
vec4 vertex_of(Tile tile, int number)
{
    int lod = int(tile.shape & 255u), part = int(tile.shape >> 8 & 255u), quads = QUADS / frame_mesh_step, step = frame_mesh_step >> part;
    ivec2 vertex = ivec2(number % (quads + 1), number / (quads + 1));
    ivec2 corner = ivec2(tile.shape >> 16 & 255u, tile.shape >> 24) * (QUADS >> part);
    ivec2 fine = corner + vertex * step, coarse = corner + (vertex & ~1) * step;
    int side, coarser = tile.coarser == 0u ? 0 : coarser_at(tile, vertex, quads, side);
    float hidden = 1.0 - tile.shown;
    if (coarser > 0) { // along the edge the coarser mesh has these vertices
        bool is_along_x = (side & 1) == 0;
        int width = step << coarser, along = is_along_x ? fine.x : fine.y;
        ivec2 edge = ivec2(along & ~(width - 1), along & ~(2 * width - 1));
        fine = is_along_x ? ivec2(edge.x, fine.y) : ivec2(fine.x, edge.x);
        coarse = is_along_x ? ivec2(edge.y, fine.y) : ivec2(fine.x, edge.y);
        hidden = 0.0;
    }
    Morph morph = morph_of(lod - part + coarser);
    ivec2 origin = ivec2(tile.x, tile.z) - (corner << lod);
    vec2 fine_place = vec2(origin + (fine << lod)) * frame_spacing - frame_camera.xz;
    float morphing = max(clamp((length(vec3(fine_place, frame_lod_height)) - morph.start) * morph.rate, 0.0, 1.0), hidden);
    vec2 place = mix(fine_place, vec2(origin + (coarse << lod)) * frame_spacing - frame_camera.xz, morphing);
    float height = tile_height(tile.slot, fine);
    if (morphing > 0.0)
        height = mix(height, tile_height(tile.slot, coarse), morphing);
    return frame_view_projection * vec4(place.x, height - frame_camera.y - drop(place), place.y, 1.0);
}

void main()
{
    int number = int(gl_GlobalInvocationID.x), tile = int(gl_WorkGroupID.y), count = vertices_of_tile();
    if (number < count)
        vertices[tile * count + number] = vertex_of(tiles[tile], number);
}
