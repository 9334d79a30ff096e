// sea.glsl - waves, foam and light of the sea.

// Noise stretched along the wind, about -1..1. stretch: ratio of length to width of the features, 4 to 16; size: width
// of the features, m, multiplied by the square root of 5. The axes are whole numbers, (2, 1) and (-1, 2), so the
// pattern repeats seamlessly.
float drawn_out(vec2 broad, float stretch, float size, float footprint)
{
    float keep = 1.0 - smoothstep(0.15, 0.5, footprint / size);
    return keep > 0.0 ? keep * noise_in(vec2((2.0 * broad.x + broad.y) / stretch, 2.0 * broad.y - broad.x), size,
                                        BROAD_PATTERN / stretch).x : 0.0;
}

// Relative strength of the wind at a position, about 1: variation over tens of kilometres, long streaks of ripples
// (cat's paws), narrow slicks of smooth water between the streaks, and drifting gusts.
float wind_at(vec2 position, float footprint)
{
    vec2 broad = position + frame_broad_pattern;
    float sum = 0.04 * faded_noise(position + frame_pattern + frame_cloud_drift, 512.0, footprint).x;
#if QUALITY == 0
    sum += 0.14 * drawn_out(broad, 4.0, 65536.0, footprint);
    float streak = drawn_out(broad, 16.0, 1024.0, footprint);
#else
    sum += 0.10 * drawn_out(broad, 4.0, 131072.0, footprint) + 0.08 * drawn_out(broad, 4.0, 32768.0, footprint);
    sum += 0.04 * drawn_out(broad, 8.0, 2048.0, footprint);
    float streak = drawn_out(broad, 16.0, 512.0, footprint);
#endif
    return 1.0 + sum + 0.05 * streak - 0.06 * smoothstep(0.30, 0.60, -streak);
}

// White share of breaking waves, from the local stretch of the surface (wider, see Sea_surface). Waves smaller than the
// footprint stretch the surface at random, with a normal distribution. Source: Dupuy and Bruneton, "Real-time animation
// and rendering of ocean whitecaps", 2012.
float whitecaps(vec2 position, float wider, float lost, float wind, float footprint)
{
    float middle = wider + 0.50 - 0.25 * (wind - 1.0), width = sqrt(2.0 * lost + 0.0012);
    if (middle - 0.12 > 2.0 * width)
        return 0.0;
    vec2 place = position + frame_pattern;
    float broken = 0.6 * faded_noise(place, 2.0, footprint).x + 0.4 * faded_noise(place, 0.5, footprint).x;
    return 0.5 - 0.5 * tanh(1.2 * (middle + 0.12 * broken) / width);
}

// Wind waves where a ray meets water.
struct Blown {
    vec2 place;      // position, m from the camera
    float footprint; // width of the pixel on the mean surface, m
    float wind;      // relative strength
    Sea_surface sea; // waves of the open sea; on rivers and lakes only the short cascades
};

Blown blown_at(vec3 d, Water water, bool is_sea)
{
    Blown b;
    b.place = place_of((d * water.t).xz);
    b.footprint = water.t * frame_pixel_width / max(abs(dot(d, up_at(d * water.t))), 0.03);
    b.wind = wind_at(b.place, b.footprint);
    b.sea = sea_surface(is_sea ? 0 : 2, b.place, b.footprint * 0.7, is_sea ? water.depth : 1000.0);
    return b;
}

// Foam as lace, whose holes widen when there is less foam. share: white share of the surface as seen from afar
float lace(vec2 position, float share, float footprint)
{
    vec2 place = position + frame_pattern;
    if (share <= 0.003)
        return share;
    float web = 1.0;
    for (int n = 0; n < TURNS(3); n++) {
        float size = n == 0 ? 2.0 : n == 1 ? 0.5 : 0.125, share_of_web = n == 0 ? 1.0 : n == 1 ? 0.5 : 0.3;
        web -= share_of_web * abs(faded_noise(place, size, footprint).x);
    }
    float seen = 1.0 - smoothstep(0.3, 1.0, footprint / 2.0);
    return mix(share, smoothstep(1.0 - 1.3 * share, 1.25 - share, web) * (0.4 + 0.6 * share), seen);
}

// The sea, which a ray meets after t metres. bed: distance to the land below, negative: no land was drawn
Water sea_water(vec3 d, float t, float bed)
{
    return Water(t, bed > 0.0 ? max((bed - t) * max(-climb_at(d, t), 0.02), 0.0) : 200.0, 0.0, 1.0, true, 0.0, 1.0);
}

// Waves and surf of the sea. Surf retreats from the shore and leaves wet sand. behind: light from the bed
Waves sea_waves(Blown b, float bed, inout Water water, inout vec3 behind)
{
    Surf surf = MAY_BE_COAST && bed > 0.0 ? surf_at(b.place, water.t, water.depth, b.footprint) : NO_SURF;
    float lost = b.sea.lost * b.wind * b.wind + surf.lost;
    // calm areas have fewer short waves
    float foam = whitecaps(b.place, b.sea.wider * b.wind, max(lost - sea_shorter, 0.0), b.wind, b.footprint);
    float edge = bed > 0.0 ? 0.5 * smoothstep(0.15, 0.6, surf.open) *
                 (1.0 - smoothstep(0.0, 0.3, water.depth - surf.run)) * (1.0 - smoothstep(1500.0, 6000.0, water.t))
                 : 0.0;
    foam = max(foam, lace(b.place - 0.4 * b.sea.slope, max(surf.foam, edge), b.footprint));
    // wet sand
    behind *= mix(0.6, 1.0, smoothstep(0.0, 0.05, water.depth) * smoothstep(surf.run - 0.05, surf.run, 0.0));
    water.depth = max(water.depth - surf.run, 0.0);
    return Waves(b.sea.slope * b.wind + surf.slope, b.sea.height + surf.height, lost, foam);
}
