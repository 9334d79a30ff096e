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
#include "ground.glsl"
#include "plants.glsl"
#include "plant_lists.glsl"
#include "philox.glsl"

layout(location = 0) uniform ivec2 camera_cell; // the cell of the grid that holds the camera, modulo 2^32
layout(location = 1) uniform vec2 camera_in_cell; // m
layout(location = 2) uniform float cell_size;   // m
layout(location = 3) uniform float reach;       // m
layout(location = 4) uniform int layer;         // OF_TREES, OF_BUSHES or OF_GRASS
// level of detail whose heights decide about plants, wherever the camera is
layout(location = 5) uniform int placing_lod;

const float SHELTERED = TREE_HOLLOW_MAX;
const int OF_TREES = 0, OF_BUSHES = 1, OF_GRASS = 2;

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
             vec2(1.0));
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

int tree_kind(Site s, Grain g, Climate c, bool is_at_water, vec4 random)
{
    float cool = cool_for_trees(s, g, c), dry = dry_for_trees(s);
    if (dry * 0.8 > random.x)
        return random.y < 0.25 + 0.5 * cool ? PINE : c.aridity > 0.35 && random.y > 0.6 ? DRY_BUSH : OAK;
    if (is_at_water && random.y < 0.8)
        return BIRCH;
    if (random.x < cool)
        return random.y < 0.86 ? SPRUCE : PINE;
    return random.y < 0.20 + 0.25 * smoothstep(-0.2, 0.5, g.medium) ? BIRCH
           : cool > 0.02 && random.y > 0.93 ? SPRUCE : OAK;
}

// Height of a tree. A quarter of the trees are young.
float tree_height(int kind, float random)
{
    const float LEAST[IMPOSTOR_KINDS] = float[](PLANT_HEIGHTS_LEAST_M),
                MORE[IMPOSTOR_KINDS] = float[](PLANT_HEIGHTS_MORE_M);
    float old = fract(random * 4.0), young = random < 0.25 && kind < SHRUB ? 0.35 + 0.5 * old : 1.0;
    return (LEAST[kind] + MORE[kind] * old) * young;
}

void draw_tree(Plant p, int kind, float range, float random, float distance)
{
    float far = 1.0 - clamp((distance - range * 0.88) / (range * 0.12), 0.0, 1.0), share = p.dither_range.y;
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
        append(kind, p);
    }
    p.dither_range = vec2(far, share);
    if (far < share && kind < IMPOSTOR_KINDS)
        append(LIST_IMPOSTORS, p);
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
    bool is_at_water = water_around(min(placing_lod, frame_coarsest_lod), place, 2) > -1.0e5;
    if (is_at_water)
        wooded = max(wooded, ground_river_trees(s, g, c));
    if (a.z >= wooded)
        return;
    float height = drawn_height(place, lod);
    if (!is_dry(place, height, lod))
        return;
    int kind = tree_kind(s, g, c, is_at_water, b);
    float alone = 1.0 - smoothstep(0.2, 0.7, wooded);
    float tall = tree_height(kind, a.w) * (1.0 - ground_stunted(s, g, c)) * (1.0 - 0.25 * alone * (1.0 - s.wetness)) *
                 (TREE_GROWTH_LEAST + TREE_GROWTH_MORE * clamp(0.5 + g.medium, 0.0, 1.0));
    vec3 foot = vec3(place.x, height - frame_camera.y - drop(place), place.y);
    draw_tree(Plant(foot, tall, 2.0 * PI * fract(b.z * 61.0), float(kind) + 0.98 * b.z, vec2(0.0, share)), kind,
              mesh_range(b.w), b.w, length(foot));
}

// Place bushes, and boulders where stones come to rest.
void place_bush(vec2 place, vec4 a, vec4 b)
{
    Site s;
    Grain g;
    int lod;
    Climate c = climate_at(place);
    float distance = length(place), share = clamp((1.0 - distance / reach) * 6.0 - 2.0 * b.w, 0.0, 1.0);
    if (share <= 0.0 || !look_at_ground(place, c, s, g))
        return;
    float bushes = bush_chance(s, g, c);
    float bouldery = 0.16 * ground_scree(s, g, c) + 0.05 * ground_rock(s, g, c) +
                     0.010 * ground_alpine_height(s, g, c) + 0.0012;
    bouldery *= 1.0 - smoothstep(0.16, 0.30, s.steep);
    bool is_bush = a.z < bushes;
    if (!is_bush && a.z >= bushes + bouldery)
        return;
    float height = drawn_height(place, lod);
    if (!is_dry(place, height, lod))
        return;
    int kind = !is_bush ? BOULDER : b.x < c.aridity * 1.2 ? DRY_BUSH : SHRUB;
    float tall = is_bush ? tree_height(kind, a.w) * (0.5 + 0.6 * a.w) : 0.25 + 1.9 * a.w * a.w * a.w;
    float sunk = is_bush ? 0.05 * tall : 0.3 * tall;
    vec3 foot = vec3(place.x, height - frame_camera.y - drop(place) - sunk, place.y);
    draw_tree(Plant(foot, tall, 2.0 * PI * fract(b.z * 61.0), float(kind) + 0.98 * b.z, vec2(0.0, share)), kind,
              is_bush ? 55.0 : 1.0e4, b.w, length(foot));
}

// Place tufts of grass and stones.
void place_tuft(vec2 place, vec4 a, vec4 b)
{
    Site s;
    Grain g;
    int lod;
    Climate c = climate_at(place);
    float distance = length(place), share = clamp((1.0 - distance / reach) * 4.0 - 2.0 * b.w, 0.0, 1.0);
    if (share <= 0.0 || !is_seen(vec3(place.x, -frame_lod_height, place.y), 20.0) || !look_at_ground(place, c, s, g))
        return;
    float bare = max(max(ground_rock(s, g, c), ground_scree(s, g, c)), ground_snow(s, g, c));
    float green = (0.25 + 0.75 * ground_grass(s, g, c)) * (1.0 - 0.9 * ground_soil(s, g, c)) * (1.0 - bare) *
                  ground_over_shore(s, g, c);
    float wooded = ground_closed_forest(s, g, c) * ground_place_for_trees(s, g, c);
    green *= (1.0 - 0.8 * wooded) * (1.0 - 0.7 * c.aridity);
    float stony = (0.30 * ground_scree(s, g, c) + 0.10 * ground_rock(s, g, c) + 0.05 * ground_soil(s, g, c) + 0.012) *
                  (1.0 - ground_snow(s, g, c)) * (1.0 - smoothstep(0.16, 0.30, s.steep));
    bool is_stone = a.z < stony;
    if (!is_stone && a.z >= stony + green)
        return;
    float height = drawn_height(place, lod);
    if (!is_dry(place, height, lod))
        return;
    float dry = 1.0 - ground_grass(s, g, c), alpine = ground_alpine(s, g, c);
    float tall = is_stone ? 0.05 + 0.30 * a.w * a.w * a.w * a.w
                 : (0.16 + 0.30 * a.w) * (1.0 - 0.5 * alpine) * (0.8 + 0.5 * clamp(g.medium, -0.5, 0.8)) *
                 (0.3 + 0.7 * share);
    float straw = 0.55 * smoothstep(0.10, 0.65, turf_dryness(s, g)),
          tint = is_stone ? b.z : clamp(max(dry, straw) + 0.6 * alpine + 0.25 * (b.z - 0.5), 0.0, 1.0);
    vec3 foot = vec3(place.x, height - frame_camera.y - drop(place) - (is_stone ? 0.3 : 0.04) * tall, place.y);
    Plant p = Plant(foot, tall, 2.0 * PI * fract(b.z * 61.0), float(is_stone ? STONE : TUFT) + 0.98 * tint,
                    vec2(0.0, share));
    if (is_seen(foot, 2.0 * tall))
        append(is_stone ? STONE : TUFT, p);
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
        place_tuft(place, a, b);
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
