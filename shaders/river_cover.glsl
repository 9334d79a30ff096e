// river_cover.glsl - rivers that are narrower than the samples of their tile are apart, and whether a tile has water at all.
const int COVER_WORDS = TILE_FLOATS / 4 + 1; // of a slot: a byte a sample, and one of these
const uint IS_DRY = 0u, IS_WET = 1u;         // anything else: water may have changed, and no cover is known

layout(std430, binding = 4) readonly buffer RiverCover { uint river_cover[]; };

uint water_of_tile(int slot)
{
    return river_cover[slot * COVER_WORDS + TILE_FLOATS / 4];
}

// Share of a sample's surroundings that such a river covers.
float sample_cover(int slot, ivec2 p)
{
    int n = (p.y + APRON) * SAMPLES + p.x + APRON;
    return float(river_cover[slot * COVER_WORDS + n / 4] >> (8 * (n & 3)) & 255u) / 255.0;
}

// The same between samples.
float narrow_cover_in(int slot, vec2 p)
{
    if (water_of_tile(slot) != IS_WET)
        return 0.0;
    ivec2 a = ivec2(p);
    vec2 t = p - vec2(a);
    return mix(mix(sample_cover(slot, a), sample_cover(slot, a + ivec2(1, 0)), t.x),
               mix(sample_cover(slot, a + ivec2(0, 1)), sample_cover(slot, a + ivec2(1, 1)), t.x), t.y);
}
