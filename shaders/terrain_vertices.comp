// terrain_vertices.comp - computes the vertices of a tile or a part of a tile, geomorphed to the next coarser level by
// distance (Strugar 2010).
//
// A thread computes a vertex, and a row of work groups computes a tile. This is a compute shader, because some GPUs run
// vertex shaders on few of their processors.
layout(local_size_x = 64) in;
#include "frame.glsl"
#include "pages.glsl"
#include "terrain_vertices.glsl"

// A tile or a part of a tile; struct quadtree_tile of src/program/stream/tile.h.
struct Tile {
    int x, z;     // north-west corner, lattice steps from the camera's cell
    uint shape;   // bytes: lod, part, column, row
    int slot;
    uint coarser; // bytes: levels by which the north, west, south and east edges are coarser than the mesh
    float shown;  // weight of the tile's own shape, 0..1
};
layout(std430, binding = 2) readonly buffer Tiles { Tile tiles[]; };

// Levels by which the edge of a vertex is coarser than the mesh, and this edge: 0 north, 1 west, 2 south, 3 east. A
// corner belongs to the coarser of its two edges.
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

// Morph distances of a mesh. Levels below 0 are parts of tiles of lod 0.
Morph morph_of(int level)
{
    return level < 0 ? frame_part_morph[-level] : frame_morph[level];
}

// Height of a vertex of the mesh of a level. From lod frame_means_lod on samples are means, and differ from samples of
// the next finer level at the same point. So if a coarser mesh has the vertex, its height is read from a tile of that
// level.
//   p      the sample of the drawn tile at the same point
//   place  m from the camera
float mesh_height(Tile tile, int lod, int level, ivec2 p, vec2 place)
{
    ivec2 q;
    bool is_own = level <= lod || level < frame_means_lod || level > frame_coarsest_lod;
    int slot = is_own ? -1 : slot_of_sample(level, place, q);
    return slot < 0 ? tile_height(tile.slot, p) : tile_height(slot, q);
}

// Clip coordinates of a vertex. With growing distance from the camera, a vertex moves from one sample of the tile
// (fine) to another sample (coarse), which is a vertex of the next coarser level. Once it is there, it moves on like a
// vertex of that level, because a quarter of a tile that is drawn beyond its range may reach into the next level's
// morph.
vec4 vertex_of(Tile tile, int number)
{
    int lod = int(tile.shape & 255u), part = int(tile.shape >> 8 & 255u), quads = QUADS / frame_mesh_step,
        step = frame_mesh_step >> part;
    ivec2 vertex = ivec2(number % (quads + 1), number / (quads + 1));
    ivec2 corner = ivec2(tile.shape >> 16 & 255u, tile.shape >> 24) * (QUADS >> part), at = corner + vertex * step;
    ivec2 width = ivec2(step); // of a quad
    int side, coarser = tile.coarser == 0u ? 0 : coarser_at(tile, vertex, quads, side), level = lod - part + coarser;
    if (coarser > 0) // take the vertices of the coarser mesh along the edge
        width[side & 1] <<= coarser;
    float hidden = coarser > 0 ? 0.0 : 1.0 - tile.shown, morphing = 1.0;
    ivec2 origin = ivec2(tile.x, tile.z) - (corner << lod), fine = at, coarse = at;
    vec2 fine_place, coarse_place;
    for (int n = 0; n < TURNS(LODS) && morphing >= 1.0; n++) {
        if (n > 0) {
            level++;
            width *= 2;
            hidden = 0.0;
        }
        fine = at & ~(width - 1);
        coarse = at & ~(2 * width - 1);
        fine_place = vec2(origin + (fine << lod)) * frame_spacing - frame_camera.xz;
        morphing = max(morphing_by_distance(morph_of(level), fine_place), hidden);
    }
    coarse_place = vec2(origin + (coarse << lod)) * frame_spacing - frame_camera.xz;
    vec2 place = mix(fine_place, coarse_place, morphing);
    float height = mesh_height(tile, lod, level, fine, fine_place);
    if (morphing > 0.0)
        height = mix(height, mesh_height(tile, lod, level + 1, coarse, coarse_place), morphing);
    vec3 position = bent(place);
    return frame_view_projection * vec4(position.x, height - frame_camera.y - position.y, position.z, 1.0);
}

void main()
{
    int number = int(gl_GlobalInvocationID.x), tile = int(gl_WorkGroupID.y), count = vertices_of_tile();
    if (number < count)
        vertices[tile * count + number] = vertex_of(tiles[tile], number);
}
