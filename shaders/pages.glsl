// pages.glsl - looks up the slot of the tile at a position and a level of detail in the page table, and reads heights
// there.
const int QUADS = TILE_QUADS, SAMPLES = TILE_SAMPLES, APRON = TILE_APRON, TILE_FLOATS = SAMPLES * SAMPLES,
          PAGES = QUADTREE_PAGES, ATLAS_SIDE = LIGHT_ATLAS_SIDE;

layout(std430, binding = 0) readonly buffer Heights { float heights[]; };
// Levels of water, in the same layout as heights; NaN where the ground is dry.
layout(std430, binding = 5) readonly buffer WaterLevels { float water_levels[]; };
// [lod][row][column]; rows and columns are those of tiles, modulo PAGES. An entry has a slot in its low SLOT_BITS bits
// and the weight of the parent's shape, 0..QUADTREE_HIDDEN_MAX, in the bits above; -1: the tile is missing.
layout(std430, binding = 1) readonly buffer Pages { int pages[]; };

const int SLOT_BITS = QUADTREE_SLOT_BITS; // of an entry of the page table

// Entry of the page table for the tile at a position (metres from the camera), and the position in the tile (p), in
// samples 0..QUADS.
int page_at(int lod, vec2 place, out vec2 p)
{
    vec2 u = frame_levels[lod].place + place * frame_levels[lod].samples_a_metre;
    ivec2 cell = ivec2(floor(u)), tile = (cell >> TILE_BITS) & (PAGES - 1);
    p = vec2(cell & (QUADS - 1)) + (u - vec2(cell));
    return pages[(lod * PAGES + tile.y) * PAGES + tile.x];
}

// Slot of the tile at a position; -1: the tile is missing.
int slot_at(int lod, vec2 place, out vec2 p)
{
    int page = page_at(lod, place, p);
    return page < 0 ? -1 : page & ((1 << SLOT_BITS) - 1);
}

// Slot of the tile at a position at a level of detail, or of the first coarser tile that is ready: finer tiles may be
// late, and rounding may move a position over the edge of the ready tiles. If no coarser tile is ready, the slot of the
// next finer tile: when the view begins to reach farther, tiles of a new coarsest level may be late. -1: all are
// missing. lod becomes the level of the tile that is returned
int slot_from(inout int lod, vec2 place, out vec2 p)
{
    int wanted = lod, slot = slot_at(lod, place, p);
    while (slot < 0 && lod < frame_coarsest_lod)
        slot = slot_at(++lod, place, p);
    if (slot < 0 && wanted > 0) {
        lod = wanted - 1;
        slot = slot_at(lod, place, p);
    }
    return slot;
}

// Slot of a ready tile of a level that has the sample nearest to a position, and this sample (p). A sample on an edge
// belongs to the tiles on both sides. -1: no such tile is ready
int slot_of_sample(int lod, vec2 place, out ivec2 p)
{
    ivec2 cell = ivec2(round(frame_levels[lod].place + place * frame_levels[lod].samples_a_metre)),
          in_tile = cell & (QUADS - 1);
    for (int n = 0; n < 4; n++) {
        ivec2 back = ivec2(n & 1, n >> 1); // to the tile in the west, in the north
        if ((back.x == 1 && in_tile.x != 0) || (back.y == 1 && in_tile.y != 0))
            continue;
        ivec2 tile = ((cell >> TILE_BITS) - back) & (PAGES - 1);
        int page = pages[(lod * PAGES + tile.y) * PAGES + tile.x];
        p = in_tile + back * QUADS;
        if (page >= 0)
            return page & ((1 << SLOT_BITS) - 1);
    }
    return -1;
}

// Weight of the parent's shape in the tile of a level at a position. A tile that was missing unfolds: for a moment its
// shape changes from that of its parent to its own.
float hidden_at(int lod, vec2 place)
{
    vec2 p;
    int page = page_at(lod, place, p);
    return page < 0 ? 0.0 : float(page >> SLOT_BITS) / QUADTREE_HIDDEN_MAX;
}

float tile_height(int slot, ivec2 p)
{
    return heights[slot * TILE_FLOATS + (p.y + APRON) * SAMPLES + p.x + APRON];
}

// Level of the water at a sample, m over the datum; NaN where the ground is dry.
float tile_water(int slot, ivec2 p)
{
    return water_levels[slot * TILE_FLOATS + (p.y + APRON) * SAMPLES + p.x + APRON];
}

float height_in(int slot, vec2 p)
{
    ivec2 a = ivec2(p);
    vec2 t = p - vec2(a);
    return mix(mix(tile_height(slot, a), tile_height(slot, a + ivec2(1, 0)), t.x),
               mix(tile_height(slot, a + ivec2(0, 1)), tile_height(slot, a + ivec2(1, 1)), t.x), t.y);
}

// Height of the ground at a position from the finest ready level, not finer than `lod`; -1e6 where no tile is ready.
float ground_height(int lod, vec2 place)
{
    vec2 p;
    for (; lod <= frame_coarsest_lod; lod++) {
        int slot = slot_at(lod, place, p);
        if (slot >= 0)
            return height_in(slot, p);
    }
    return -1.0e6;
}

// Slopes to the east and south in a level's tile: central differences, interpolated bilinearly.
vec2 slopes_in(int lod, int slot, vec2 p)
{
    ivec2 a = ivec2(p);
    vec2 t = p - vec2(a);
    float h[12];
    const ivec2 around[12] = ivec2[](ivec2(0, -1), ivec2(1, -1), ivec2(-1, 0), ivec2(0, 0), ivec2(1, 0), ivec2(2, 0),
                                     ivec2(-1, 1), ivec2(0, 1), ivec2(1, 1), ivec2(2, 1), ivec2(0, 2), ivec2(1, 2));
    for (int n = 0; n < 12; n++)
        h[n] = tile_height(slot, a + around[n]);
    float east = mix(mix(h[4] - h[2], h[5] - h[3], t.x), mix(h[8] - h[6], h[9] - h[7], t.x), t.y);
    float south = mix(mix(h[7] - h[0], h[8] - h[1], t.x), mix(h[10] - h[3], h[11] - h[4], t.x), t.y);
    return vec2(east, south) * 0.5 * frame_levels[lod].samples_a_metre;
}

// Level of detail drawn at a position: the finest level that has not completed its morph to the next coarser level.
int lod_at(vec2 place)
{
    float distance = length(vec3(place, frame_lod_height));
    int lod = 0;
    while (lod < frame_coarsest_lod && distance >= frame_morph[lod].end)
        lod++;
    return lod;
}

// Lattice step of the world, m.
float lattice_step()
{
    return frame_spacing * exp2(float(frame_fine_lods));
}

// Weight of the next coarser level in the shape at a position, 0..1, from the position's distance from the camera.
float morphing_by_distance(Morph morph, vec2 place)
{
    return clamp((length(vec3(place, frame_lod_height)) - morph.start) * morph.rate, 0.0, 1.0);
}

// The same, but at least the weight of the parent's shape if the tile at the position is unfolding (hidden_at).
float morphing_at(int lod, vec2 place)
{
    float morphing = morphing_by_distance(frame_morph[lod], place);
    return frame_is_unfolding == 0 ? morphing : max(morphing, hidden_at(lod, place));
}

// Distance at which a ray meets the land, computed from the distance at which it meets the mesh. From space the mesh is
// so much coarser than the samples, and so deep below the sphere between its vertices, that low land would lie in the
// sea.
float to_land(vec3 d, float mesh)
{
    float share = smoothstep(2.0e4, 6.0e4, frame_lod_height);
    vec2 place = place_of(d.xz * mesh), p;
    int lod = lod_at(place), slot = share > 0.0 ? slot_from(lod, place, p) : -1;
    if (slot < 0)
        return mesh;
    float height = height_in(slot, p), morphing = morphing_at(lod, place);
    int parent = morphing > 0.0 && lod < frame_coarsest_lod ? slot_at(lod + 1, place, p) : -1;
    if (parent >= 0)
        height = mix(height, height_in(parent, p), morphing);
    vec3 m = meeting_of(d, height - frame_camera.y);
    float under = m.y * m.y - 4.0 * m.x * m.z;
    if (under < 0.0 || m.y >= 0.0)
        return mesh;
    return mix(mesh, clamp(2.0 * m.z / (-m.y + sqrt(under)), 0.9 * mesh, 1.1 * mesh), share);
}
