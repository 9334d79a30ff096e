// river_banks.glsl - changes the ground beside and under rivers and lakes: there are gravel and sand between water and
// plants, the ground near the water is wet, and flat land around it is a marsh.

// Add the weighted water levels (x) and the weights (y) of all samples less than two sample distances from p. Weights
// fall to 0 at this distance, so sums are continuous.
void add_water_around(int slot, vec2 p, inout vec2 sum)
{
    if (!may_be_wet(water_of_tile(slot)))
        return;
    ivec2 first = ivec2(floor(p)) - 1;
    for (int n = 0; n < TURNS(16); n++) {
        ivec2 at = first + ivec2(n & 3, n >> 2);
        float w = tile_water(slot, at), nearness = max(1.0 - 0.5 * distance(p, vec2(at)), 0.0);
        if (!isnan(w))
            sum += nearness * vec2(w, 1.0);
    }
}

// Level of the water near a position of a level's tile (x), and its nearness, 0 to 1 (y). Water counts if it is less
// than two sample distances away, in this level or in the level with four times its sample distance.
vec2 water_near(int lod, int slot, vec2 p, vec2 place)
{
    vec2 sum = vec2(0.0), wide;
    int own = max(lod, frame_fine_lods), own_slot = own > lod ? slot_at(own, place, wide) : -1;
    add_water_around(own_slot < 0 ? slot : own_slot, own_slot < 0 ? p : wide, sum);
    int wider = own <= frame_fine_lods + 1 ? slot_at(min(own + 2, frame_coarsest_lod), place, wide) : -1;
    if (wider >= 0)
        add_water_around(wider, wide, sum);
    return sum.y > 0.0 ? vec2(sum.x / sum.y, min(sum.y, 1.0)) : vec2(0.0);
}

vec3 gravel_color()
{
    return 0.8 * mix(color(COLOR_ROCK), color(COLOR_SOIL), 0.45);
}

// Cover ground at an altitude over the datum with gravel, and wet it. narrow: share of the ground that a narrow river
// covers, see river_cover.glsl; frozen: share of the water that ice and snow hide
void add_river_banks(int lod, int slot, vec2 p, float altitude, vec2 position, float footprint, float narrow,
                     float frozen, inout Ground ground)
{
    if (altitude > frame_sea_level) // a bed of wet stones
        ground.albedo = mix(ground.albedo, 0.5 * mix(gravel_color(), ground.albedo, 0.5),
                            min(narrow, 0.45) * (1.0 - frozen));
    // beside a river narrower than the sample distance, banks would be blotches around its samples
    float step_m = (1.0 + morphing_at(lod, position)) / frame_levels[lod].samples_a_metre,
          far = smoothstep(3.0, 10.0, step_m);
    if (far >= 1.0 || frozen >= 1.0)
        return;
    vec2 place = position + frame_pattern, water = water_near(lod, slot, p, position);
    if (water.y == 0.0 || water.x < frame_sea_level + 0.3)
        return;
    vec3 stones = vec3(0.0);
    float patches = 0.0, bends = 0.0, crumbs = 0.0;
    for (int n = 0; n < TURNS(5); n++) {
        float size = n == 0 ? 0.5 : n == 1 ? 0.25 : n == 2 ? 16.0 : n == 3 ? 128.0 : 2.0;
        vec3 o = faded_noise(n == 0 ? place + 7.0 : n == 1 ? place + 3.0 : place, size, footprint);
        stones = n == 0 ? o : n == 1 ? stones + 0.5 * o : stones;
        patches = n == 2 ? o.x : patches;
        bends = n == 3 ? o.x : bends;
        crumbs = n == 4 ? o.x : crumbs;
    }
    // gravel bars lie on the inner sides of bends; elsewhere plants reach the water
    float over = altitude - water.x;
    over += bars_of(patches, max(-over, 0.0));
    float broken = 0.45 * patches + 0.2 * crumbs;
    broken += (0.7 - 1.8 * bends) * smoothstep(-0.3, 0.2, over);
    // Beside a steep river the nearest water level may be that of water far upstream or downstream. So ground counts as
    // a bank only if it is about as high as this level.
    float bar = (1.0 - smoothstep(0.45, 1.3, max(over, -over - 8.0 * water.y) + broken)) *
                smoothstep(0.0, 0.4, water.y + 0.15 * broken) * ((1.0 - far) * (1.0 - frozen));
    vec3 gravel = mix(gravel_color(), color(COLOR_SAND), clamp(0.2 + 0.5 * patches, 0.0, 0.6)) *
                  (0.65 + 0.3 * stones.x);
    float turf = 0.8 * smoothstep(-0.3, 0.0, over); // elsewhere turf reaches the water
    bar *= 1.0 - turf * smoothstep(0.3, -0.2, patches - 0.8 * bends);
    // stones under water are dark: they are wet, and algae grow on them
    gravel = mix(gravel, 0.5 * mix(gravel_color(), color(COLOR_FOREST), 0.5), smoothstep(-0.1, 0.3, -over));
    gravel = mix(gravel, color(COLOR_BED), smoothstep(0.5, 4.0, -over));
    ground.albedo = mix(ground.albedo, gravel, bar);
    ground.bumps = mix(ground.bumps, stones.yz * 0.35, bar * step(-1.0, over));
    float wet = bar * (1.0 - smoothstep(0.05, 0.4, over + 0.3 * broken));
    ground.albedo *= 1.0 - 0.4 * wet;
    ground.gloss = max(ground.gloss, 0.3 * wet);
}

// Share of marsh at a position: flat ground at most three metres over water that is less than about 30 m away.
float marsh_share(int lod, vec2 place, float altitude, float steep)
{
    vec2 p;
    float flat_share = 1.0 - smoothstep(0.0008, 0.004, steep);
    int level = marsh_lod(lod), slot = flat_share > 0.0 ? slot_at(level, place, p) : -1;
    if (slot < 0 || !may_be_wet(water_of_tile(slot)) || frame_levels[level].samples_a_metre < 1.0 / 20.0)
        return 0.0;
    float level_sum = 0.0, weights = 0.0;
    for (int n = 0; n < TURNS(16); n++) {
        ivec2 at = marsh_sample(p, n);
        float w = tile_water(slot, at), nearness = max(1.0 - distance(p, vec2(at)) / 4.5, 0.0);
        if (!isnan(w) && w > frame_sea_level + 0.3) {
            level_sum += nearness * w;
            weights += nearness;
        }
    }
    return weights > 0.0 ? flat_share * smoothstep(0.0, 0.5, weights) *
                           (1.0 - smoothstep(1.2, 3.2, altitude - level_sum / weights)) : 0.0;
}

// Cover flat ground near water with sedges, moss, and pools of dark water between them.
void add_marsh(int lod, float altitude, float steep, vec2 position, float footprint, Climate c, inout Ground ground)
{
    float marsh = marsh_share(lod, position, altitude, steep) * (1.0 - frozen_at(c, altitude - frame_sea_level)) *
                  (1.0 - smoothstep(0.4, 0.8, c.aridity));
    if (marsh <= 0.0)
        return;
    vec2 place = position + frame_pattern;
    vec3 wide = faded_noise(place, 32.0, footprint), narrow = faded_noise(place + 5.0, 4.0, footprint);
    float kinds = wide.x + 0.5 * narrow.x, pool = smoothstep(0.28, 0.40, -wide.x - 0.35 * narrow.x),
          humps = smoothstep(-0.2, 0.6, narrow.x);
    Flora f = flora_at(c, altitude - frame_sea_level);
    vec3 sedge = mix(f.grass * vec3(0.80, 0.92, 0.60), f.straw * vec3(0.95, 0.85, 0.62), smoothstep(-0.1, 0.5, kinds));
    sedge = mix(sedge, f.grass * vec3(1.0, 1.15, 0.55), 0.5 * smoothstep(0.1, 0.5, wide.y)) * (0.75 + 0.5 * humps);
    ground.albedo = mix(ground.albedo, sedge, 0.8 * marsh);
    ground.albedo = mix(ground.albedo, vec3(0.018, 0.020, 0.014), marsh * pool);
    ground.bumps = mix(ground.bumps, narrow.yz * 0.10, marsh * (1.0 - pool));
    ground.bumps *= 1.0 - marsh * pool;
    ground.gloss = mix(ground.gloss, 1.0, marsh * pool);
}
