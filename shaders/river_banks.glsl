// river_banks.glsl - the ground beside and under rivers and lakes: gravel and sand between the water and the plants, wet where the water
// reaches.
const float NO_WATER = -1.0e9;

// Mean level of the water on a ring of eight samples; NO_WATER where all are dry.
float water_on_ring(int slot, ivec2 at, int reach)
{
    const ivec2 around[8] = ivec2[](ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0), ivec2(0, -1), ivec2(1, 1), ivec2(-1, 1), ivec2(-1, -1), ivec2(1, -1));
    float sum = 0.0, count = 0.0;
    for (int n = 0; n < 8; n++) {
        float w = tile_water(slot, at + around[n] * reach);
        if (!isnan(w)) {
            sum += w;
            count += 1.0;
        }
    }
    return count > 0.0 ? sum / count : NO_WATER;
}

// Level of the water near a place of a level's tile: there, on a ring around it, or up to three samples of four times the spacing away.
float water_near(int lod, int slot, vec2 p, vec2 place)
{
    ivec2 at = ivec2(p + 0.5);
    float level = tile_water(slot, at);
    if (isnan(level))
        level = water_on_ring(slot, at, 2);
    if (level > NO_WATER || lod > 2)
        return level;
    vec2 wide;
    int wider = slot_at(min(lod + 2, frame_coarsest_lod), place, wide);
    if (wider < 0)
        return level;
    at = ivec2(wide + 0.5);
    level = water_on_ring(wider, at, 1);
    return level > NO_WATER ? level : water_on_ring(wider, at, 3);
}

// Put gravel and water's traces over ground at an altitude over the datum.
void add_river_banks(int lod, int slot, vec2 p, float altitude, vec2 position, float footprint, inout Ground ground)
{
    vec2 place = position + frame_pattern;
    float level = water_near(lod, slot, p, position);
    if (level < frame_sea_level + 0.3)
        return;
    vec3 stones = faded_noise(place + 7.0, 0.5, footprint) + 0.5 * faded_noise(place + 3.0, 0.25, footprint);
    float patches = faded_noise(place, 16.0, footprint).x, over = altitude - level, broken = 0.45 * patches + 0.2 * faded_noise(place, 2.0, footprint).x;
    float bar = 1.0 - smoothstep(0.45, 1.3, over + broken);
    vec3 gravel = mix(mix(color(COLOR_ROCK), color(COLOR_SOIL), 0.35), color(COLOR_SAND), clamp(0.4 + 0.5 * patches, 0.0, 0.8)) * (0.85 + 0.3 * stones.x);
    gravel = mix(gravel, color(COLOR_BED), smoothstep(0.5, 4.0, -over));
    ground.albedo = mix(ground.albedo, gravel, bar);
    ground.bumps = mix(ground.bumps, stones.yz * 0.35, bar * step(0.0, over + 1.0));
    float wet = 1.0 - smoothstep(0.05, 0.4, over + 0.3 * broken);
    ground.albedo *= 1.0 - 0.4 * wet;
    ground.gloss = max(ground.gloss, 0.3 * wet * bar);
}
