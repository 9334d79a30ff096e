// scatter.comp - places plants and stones: one thread for each cell of a grid that is fixed in the world.
//
// A cell has one candidate for a plant or stone. Its position follows from random numbers of the cell. These numbers
// and the ground decide whether the candidate is placed, and which kind and shape it has. Blocks of cells are processed
// in rings around the camera, so near plants tend to be drawn first. The picture does not depend on the order.
layout(local_size_x = 8, local_size_y = 8) in;
#include "frame.glsl"
#include "noise.glsl"
#include "pages.glsl"
#include "tile_lights.glsl"
#include "river_cover.glsl"
#include "ground.glsl"
#include "plants.glsl"
#include "plant_lists.glsl"
#include "philox.glsl"
#include "plant_choice.glsl"

layout(location = 0) uniform ivec2 camera_cell; // the cell of the grid that holds the camera, modulo 2^32
layout(location = 1) uniform vec2 camera_in_cell; // m
layout(location = 2) uniform float cell_size;   // m
layout(location = 3) uniform float reach;       // m
layout(location = 4) uniform int layer;         // OF_TREES, OF_BUSHES or OF_GRASS
// level of detail whose heights decide about plants, wherever the camera is
layout(location = 5) uniform int placing_lod;

const float SHELTERED = TREE_HOLLOW_MAX;
const float GALLERY_MOST = 0.85; // greatest result of gallery_chance: ground_river_trees is at most 0.65
const float SAND_OVER_STONES = 0.4; // sand this thick, as in ground_cover, hides stones and has no trees and bushes
const int OF_TREES = 0, OF_BUSHES = 1, OF_GRASS = 2;
const float BUSH_RANGE = float(BUSH_MESH_RANGE_M), AGE_HEIGHTS[AGES] = float[](PLANT_AGE_HEIGHTS);

void append(int list, Plant p)
{
    scattered[lists[list].first + atomicAdd(lists[list].count, 1u)] = p;
}

// Block n in an enumeration of rings of blocks around (0, 0).
ivec2 block_of(int n)
{
    if (n == 0)
        return ivec2(0);
    int ring = int(ceil((sqrt(float(n + 1)) - 1.0) * 0.5 - 1.0e-4)), k = n - (2 * ring - 1) * (2 * ring - 1),
        side = 2 * ring;
    int along = k % side - ring;
    return k < side ? ivec2(along, -ring) : k < 2 * side ? ivec2(ring, along) : k < 3 * side ? ivec2(-along, ring)
           : ivec2(-ring, -along);
}

// Whether a sphere may intersect the view frustum.
bool is_seen(vec3 middle, float radius)
{
    mat4 rows = transpose(frame_view_projection);
    for (int n = 0; n < 4; n++) {
        vec4 plane = rows[3] + ((n & 1) == 0 ? 1.0 : -1.0) * rows[n >> 1];
        if (dot(plane, vec4(middle, 1.0)) < -radius * length(plane.xyz))
            return false;
    }
    return true;
}

// Height of the ground as it is drawn, and the level of detail that is drawn (lod); -1e6 where no tile is ready.
float drawn_height(vec2 place, out int lod)
{
    vec2 p;
    lod = lod_at(place);
    int slot = slot_from(lod, place, p);
    if (slot < 0)
        return -1.0e6;
    float height = height_in(slot, p), morphing = morphing_at(lod, place);
    if (morphing > 0.0 && lod < frame_coarsest_lod) {
        int parent = slot_at(lod + 1, place, p);
        height = parent >= 0 ? mix(height, height_in(parent, p), morphing) : height;
    }
    return height;
}

// Highest water level at 4 x 4 points around a position, `samples` samples apart; -1e6 if all are dry, or if there is
// no tile.
float water_around(int lod, vec2 place, int samples)
{
    vec2 p;
    float highest = -1.0e6;
    int slot = slot_at(lod, place, p);
    if (frame_has_rivers == 0 || slot < 0)
        return highest;
    for (int n = 0; n < 16; n++) {
        ivec2 at = ivec2(p) + (ivec2(n & 3, n >> 2) - 1) * samples;
        at = clamp(at, ivec2(-APRON), ivec2(QUADS + APRON - 1));
        float level = water_levels[slot * TILE_FLOATS + (at.y + APRON) * SAMPLES + at.x + APRON];
        highest = isnan(level) ? highest : max(highest, level);
    }
    return highest;
}

// Site and noise at a position, from the heights of one level, so that they do not depend on the camera. False where no
// tile is ready.
bool look_at_ground(vec2 place, Climate c, out Site s, out Grain g)
{
    vec2 p;
    int lod = placing_lod, slot = slot_from(lod, place, p);
    if (slot < 0)
        return false;
    vec2 slopes = slopes_in(lod, slot, p);
    float steep = 1.0 - inversesqrt(1.0 + dot(slopes, slopes)),
          hollow = clamp((1.0 - light_in(slot, p).y) * 2.0, 0.0, SHELTERED);
    s = Site(height_in(slot, p) - frame_sea_level, steep, steep, hollow, 2.0, 0.0, 0.0, place + frame_pattern, slopes,
             vec2(1.0), frame_has_rivers > 1 ? ground_cover(water_of_tile(slot), slot, p) : vec3(0.0));
    g = grain_at(place + frame_pattern, place + frame_broad_pattern, 2.0);
    s.wetness = ground_wetness(s, g, c);
    s.patches = ground_patches(s, g, c);
    return true;
}

// Whether a plant can stand at a height: above the sea, and above the water around at the drawn level of detail (lod)
// and at placing_lod.
bool is_dry(vec2 place, float height, int lod)
{
    if (height < frame_sea_level + 0.8)
        return false;
    return height > max(water_around(lod, place, 1), water_around(min(placing_lod, frame_coarsest_lod), place, 1)) +
           0.4;
}

// A plant at a place. kept: share of its pixels that are drawn
Plant plant_at(vec2 place, float foot, float height, int kind, int age, float tint, float kept)
{
    vec3 from_camera = vec3(place.x, foot - frame_camera.y - drop(place), place.y);
    return Plant(from_camera, height, 2.0 * PI * fract(tint * 61.0), float(kind * AGES + age) + 0.98 * tint,
                 vec2(0.0, kept));
}

void append_mesh(Plant p)
{
    append(int(plant_meshes[int(p.look)].z), p);
}

// Share of a plant's pixels that are drawn because of the camera: a plant that the camera is inside of disappears.
float kept_away(Plant p)
{
    float wide = plant_kinds[kind_of(p)].habit.w * p.height, above = -p.foot.y - p.height,
          near = max(length(p.foot.xz) - 0.35 * wide, above);
    return smoothstep(0.8, 3.0, near);
}

// Add a plant to the lists. range: distance at which it becomes an impostor
void draw_plant(Plant p, float range)
{
    float distance = length(p.foot), far = 1.0 - clamp((distance - range * 0.88) / (range * 0.12), 0.0, 1.0),
          share = p.dither_range.y * kept_away(p);
    int kind = kind_of(p);
    if (kind < IMPOSTOR_KINDS) {
        if (distance < SHADOW_REACH[0] * 1.5)
            append(LIST_SHADOWS, p);
        if (distance < SHADOW_REACH[1])
            append(LIST_SHADOWS + 1, p);
    }
    if (!is_seen(p.foot + vec3(0.0, 0.5 * p.height, 0.0), p.height * IMPOSTOR_RADIUS))
        return;
    if (far > 0.0) {
        p.dither_range = vec2(0.0, min(far, share));
        append_mesh(p);
    }
    p.dither_range = vec2(far, share);
    if (far < share && kind < IMPOSTOR_KINDS)
        append(LIST_IMPOSTORS, p);
}

// Width of the wood along a river at a place, in samples; 0: there is none. The wood is wide in some bends, and it has
// gaps.
int gallery_width(Grain g)
{
    return int(clamp(3.0 + 5.0 * g.medium + 5.0 * g.spots.z, 0.0, 6.0));
}

// Nearness of water, 0..1, for plants that need it.
float water_for_trees(vec2 place, Grain g)
{
    int width = gallery_width(g), lod = min(placing_lod, frame_coarsest_lod);
    if (water_around(lod, place, 1) > -1.0e5)
        return 1.0;
    return width >= 2 && water_around(lod, place, width) > -1.0e5 ? 0.7 : 0.0;
}

// Chance that a tree stands in a cell beside water. water: see water_for_trees
float gallery_chance(Site s, Grain g, Climate c, float water)
{
    float thick = smoothstep(-0.25, 0.30, g.spots.y + 0.6 * g.spots.x + 0.5 * g.medium);
    return water > 0.0 ? ground_river_trees(s, g, c) * thick * (water < 1.0 ? 1.3 : 0.6) : 0.0;
}

void place_tree(vec2 place, vec4 a, vec4 b)
{
    Site s;
    Grain g;
    int lod;
    Climate c = of_trees(climate_at(place));
    float distance = length(place);
    // each tree fades out at its own distance, within a band in which its pixels disappear one after another
    float share = clamp((planted_share(distance) - 0.9 * b.w) * 12.0, 0.0, 1.0);
    if (share <= 0.0 || !look_at_ground(place, c, s, g))
        return;
    float wooded = ground_trees(s, g, c);
    if (a.z >= max(wooded, GALLERY_MOST))
        return;
    float water = water_for_trees(place, g);
    wooded = max(wooded, gallery_chance(s, g, c, water));
    wooded = max(wooded, 0.10 * c.aridity * (1.1 - c.aridity) * beside_bed(s, g));
    if (a.z >= wooded)
        return;
    float height = drawn_height(place, lod);
    if (!is_dry(place, height, lod) || s.cover.x > 0.0 || s.cover.z > SAND_OVER_STONES)
        return;
    float open = 1.0 - smoothstep(0.2, 0.7, wooded);
    Stand stand = stand_at(s, g, c, water, max(open, ground_clearings(s, g, c)));
    bool is_scrub = c.aridity > 0.35 && b.y > 0.6;
    int kind = is_scrub ? choose_kind(TREE_KINDS, IMPOSTOR_KINDS, stand, b.x)
               : choose_kind(0, TREE_KINDS, stand, b.x);
    if (kind < 0)
        return;
    int age = tree_age(g, fract(a.w * 7.0));
    float tall = full_height(kind, fract(a.w * 13.0)) * (1.0 - ground_stunted(s, g, c)) *
                 (1.0 - 0.25 * open * (1.0 - s.wetness)) *
                 (TREE_GROWTH_LEAST + TREE_GROWTH_MORE * clamp(0.5 + g.medium, 0.0, 1.0));
    if (!is_scrub && fract(b.y * 31.0) < dead_share(g) && stand.heat_and_moist.x < 0.6)
        kind = dead_kind(kind);
    tall *= age == AGES - 1 && fract(b.y * 57.0) < 0.03 ? 1.3 : 1.0; // a giant
    tall = min(tall * AGE_HEIGHTS[age], 58.0);
    draw_plant(plant_at(place, height, tall, kind, age, b.z, share), is_scrub ? BUSH_RANGE : mesh_range(b.w));
}

// Choose what stands in a cell of bushes; -1: nothing. wooded: chance of trees; random: 0..1
int low_kind(Site s, Grain g, Climate c, float wooded, float bushes, Stand stand, float random, vec4 b)
{
    float under = wooded * (0.03 + 0.10 * smoothstep(0.0, 0.5, g.spots.y - g.spots.x)) * (1.0 - ground_snow(s, g, c)),
          dead = wooded * (0.004 + 0.12 * dead_share(g));
    float bouldery = 0.16 * ground_scree(s, g, c) + 0.05 * ground_rock(s, g, c) +
                     0.010 * ground_alpine_height(s, g, c) + 0.0012;
    bouldery *= 1.0 - smoothstep(0.16, 0.30, s.steep);
    if (random < bushes)
        return choose_kind(TREE_KINDS, IMPOSTOR_KINDS, stand, b.x);
    random -= bushes;
    if (random < under) // young trees and bushes in the shade of a wood
        return b.y < 0.6 ? choose_kind(0, TREE_KINDS, stand, b.x)
               : choose_kind(TREE_KINDS, IMPOSTOR_KINDS, stand, b.x);
    random -= under;
    return random < dead ? (b.y < 0.75 ? LOG : STUMP) : random < dead + bouldery ? BOULDER : -1;
}

// Place bushes, young trees and dead wood, and boulders where stones come to rest.
void place_bush(vec2 place, vec4 a, vec4 b)
{
    Site s;
    Grain g;
    int lod;
    Climate c = climate_at(place);
    float distance = length(place), share = clamp((1.0 - distance / reach) * 6.0 - 2.0 * b.w, 0.0, 1.0);
    if (share <= 0.0 || !look_at_ground(place, c, s, g))
        return;
    float wooded = ground_closed_forest(s, g, c) * ground_place_for_trees(s, g, c), bushes = bush_chance(s, g, c);
    if (a.z >= bushes + 0.2 * wooded + 0.25)
        return;
    int kind = low_kind(s, g, c, wooded, bushes, stand_at(s, g, c, 0.0, 1.0 - wooded), a.z, b);
    if (kind < 0)
        return;
    float height = drawn_height(place, lod);
    if (!is_dry(place, height, lod) || (kind != BOULDER && s.cover.x > 0.0) || s.cover.z > SAND_OVER_STONES)
        return;
    int age = clamp(int(fract(a.w * 7.0) * float(AGES)), 0, AGES - 1);
    float size = fract(a.w * 13.0), tall = kind == BOULDER ? 0.25 + 1.9 * a.w * a.w * a.w
                                           : kind == LOG ? 6.0 + 12.0 * size
                                           : kind == STUMP ? 0.4 + 0.5 * size : full_height(kind, size);
    if (kind < TREE_KINDS)
        age = 0;
    if (kind < IMPOSTOR_KINDS)
        tall *= kind < TREE_KINDS ? AGE_HEIGHTS[0] * (0.4 + 0.6 * size) : 0.55 + 0.11 * float(age);
    float sunk = kind == BOULDER ? 0.3 * tall : kind == LOG ? 0.012 * tall : 0.05 * min(tall, 3.0);
    Plant p = plant_at(place, height - sunk, tall, kind, age, b.z, share);
    if (kind == LOG) // logs come to rest across the slope
        p.yaw = atan(s.slopes.x, s.slopes.y) + (b.x - 0.5) * (0.6 + 3.0 * exp(-40.0 * s.steep));
    draw_plant(p, kind < IMPOSTOR_KINDS ? BUSH_RANGE : 1.0e4);
}

// Shares of cells of grass that have a stone, reeds, a fern, flowers, a tussock or grass.
struct Turf {
    float stone, reed, fern, flowers, tussock, grass;
};

// Nearness of the water's level to the ground at a flat shore, 0..1.
float marsh_at(vec2 place, Site s)
{
    float over = s.over_sea + frame_sea_level - (s.steep < 0.03 ? water_around(placing_lod, place, 1) : -1.0e6);
    return 1.0 - smoothstep(0.5, 1.3, over);
}

Turf turf_at(vec2 place, Site s, Grain g, Climate c)
{
    Turf t;
    float snow = ground_snow(s, g, c);
    snow = snow > 0.0 ? snow * (1.0 - 0.8 * worn_snow(s, g)) : 0.0;
    float bare = max(max(ground_rock(s, g, c), ground_scree(s, g, c)), snow),
          wooded = ground_closed_forest(s, g, c) * ground_place_for_trees(s, g, c);
    float green = (0.25 + 0.75 * ground_grass(s, g, c)) * (1.0 - 0.9 * ground_soil(s, g, c)) * (1.0 - bare) *
                  ground_over_shore(s, g, c) * (1.0 - 0.7 * c.aridity);
    Patches p = patches_at(s, g);
    t.stone = (0.30 * ground_scree(s, g, c) + 0.10 * ground_rock(s, g, c) + 0.05 * ground_soil(s, g, c) + 0.012) *
              (1.0 - snow) * (1.0 - smoothstep(0.16, 0.30, s.steep));
    float sandy = desert_share(s, g, c);
    if (sandy > 0.0) {
        Desert d = desert_at(s, g, c);
        t.stone = mix(t.stone, 0.004 + 0.22 * d.pavement + 0.14 * d.stony, sandy);
    }
    t.reed = 0.45 * marsh_at(place, s) * smoothstep(-0.1, 0.4, g.spots.y + 0.7 * g.spots.x) * (1.0 - bare);
    t.fern = 0.10 * wooded * smoothstep(0.35, 0.7, s.wetness) * smoothstep(-0.2, 0.5, g.spots.y - g.spots.x) *
             (1.0 - bare);
    green *= (1.0 - 0.8 * wooded) * (1.0 - 0.9 * p.worn);
    t.flowers = 0.22 * green * flower_drift(s, g, c, p);
    t.tussock = green * (0.06 + 0.30 * p.parched + 0.35 * p.moist * ground_alpine(s, g, c));
    t.grass = green;
    return t;
}

int turf_kind(Turf t, float random)
{
    float sums[6] = float[](t.stone, t.reed, t.fern, t.flowers, t.tussock, t.grass), sum = 0.0;
    const int KINDS_OF_TURF[6] = int[](STONE, REED, FERN, FLOWERS, TUSSOCK, TUFT);
    for (int n = 0; n < 6; n++) {
        sum += sums[n];
        if (random < sum)
            return KINDS_OF_TURF[n];
    }
    return -1;
}

// Height of a low plant or stone, m. share: grass becomes lower with the distance. random: 0..1
float turf_height(int kind, Site s, Grain g, Climate c, float share, float random)
{
    if (kind == STONE)
        return 0.05 + 0.30 * random * random * random * random;
    if (kind == REED)
        return 1.1 + 1.1 * random;
    if (kind == FERN)
        return 0.25 + 0.35 * random;
    float grass = (0.16 + 0.30 * random) * (1.0 - 0.5 * ground_alpine(s, g, c)) *
                  (0.8 + 0.5 * clamp(g.medium, -0.5, 0.8)) * (0.3 + 0.7 * share) * (1.0 + 1.3 * savanna(s, g, c)) *
                  (1.0 + 0.6 * clamp(g.spots.y + 0.8 * g.spots.x, -0.6, 1.0));
    return kind == TUSSOCK ? 1.25 * grass : kind == FLOWERS ? 0.9 * grass : grass;
}

// Place grass and other low plants, and stones.
void place_turf(vec2 place, vec4 a, vec4 b)
{
    Site s;
    Grain g;
    int lod;
    Climate c = climate_at(place);
    float distance = length(place), share = clamp((1.0 - distance / reach) * 4.0 - 2.0 * b.w, 0.0, 1.0);
    if (share <= 0.0 || !is_seen(vec3(place.x, -frame_lod_height, place.y), 20.0) || !look_at_ground(place, c, s, g))
        return;
    int kind = turf_kind(turf_at(place, s, g, c), a.z);
    if (kind < 0)
        return;
    float height = drawn_height(place, lod);
    if ((kind != REED && !is_dry(place, height, lod)) || (kind != STONE && s.cover.x > 0.0) ||
        (kind == STONE && s.cover.z > SAND_OVER_STONES))
        return;
    float dry = 1.0 - ground_grass(s, g, c),
          straw = max(0.55 * smoothstep(0.10, 0.65, turf_dryness(s, g)), 0.75 * savanna(s, g, c)),
          tint = kind == STONE ? b.z
                 : kind == FLOWERS ? (g.spots.z > 0.12 ? 0.1 : g.spots.z > -0.12 ? 0.5 : 0.9)
                 : clamp((kind == FERN ? 0.0 : max(dry, straw) + 0.6 * ground_alpine(s, g, c)) + 0.25 * (b.z - 0.5),
                         0.0, 1.0);
    float tall = turf_height(kind, s, g, c, share, a.w);
    Plant p = plant_at(place, height - (kind == STONE ? 0.3 : 0.04) * tall, tall, kind, int(b.x * float(AGES)), tint,
                       share);
    p.yaw = 2.0 * PI * fract(b.z * 61.0);
    if (is_seen(p.foot, 2.0 * tall))
        append_mesh(p);
}

void main()
{
    ivec2 from_camera = block_of(int(gl_WorkGroupID.x)) * 8 + ivec2(gl_LocalInvocationID.xy) - 4;
    uvec2 cell = uvec2(camera_cell + from_camera);
    uvec4 random = philox(uvec4(cell, uint(layer), 0u), uvec2(0x54726565u, 0x53746e64u));
    vec4 a = units(random), b = units(philox(uvec4(cell, uint(layer), 1u), uvec2(0x54726565u, 0x53746e64u)));
    vec2 place = (vec2(from_camera) + 0.08 + 0.84 * a.xy) * cell_size - camera_in_cell;
    if (length(place) > reach)
        return;
    float around = layer == OF_TREES ? 2.0 * cell_size + 40.0 : 20.0;
    // Trees out of view are needed, too: their shadows fall into the picture, and the flight keeps clear of them.
    bool is_shadowing = length(place) < (has_layer(LAYER_SHADOWS) && layer == OF_TREES ? SHADOW_REACH[1]
                                         : SHADOW_REACH[0] * 1.5);
    if (layer == OF_GRASS)
        place_turf(place, a, b);
    else if (is_shadowing || is_seen(vec3(place.x,
                                          ground_height(frame_coarsest_lod < placing_lod ? frame_coarsest_lod
                                                        : placing_lod, place) - frame_camera.y - drop(place), place.y),
                                                        around)) {
        if (layer == OF_TREES)
            place_tree(place, a, b);
        else
            place_bush(place, a, b);
    }
}
