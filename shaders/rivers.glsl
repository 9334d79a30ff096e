// rivers.glsl - level and depth of rivers and lakes at a position on the ground.
//
// A tile has the water level at its samples, NaN where they are dry. Between samples the level is interpolated like the
// ground. Beside water, dry samples get a level that is extrapolated from the wet samples around them, along the slope
// of the water there. So the shore lies where the ground meets the water surface, not at a sample.
struct River {
    float level; // m over the datum
    float depth; // m; below 0: the ground is higher than the water
    float cover; // opacity, 0..1: rivers narrower than the sample distance fade
    vec2 fall;   // slope of the surface downstream, to the east and south
    float lit;   // share of the key light that mountains let through
    float open;  // share of the sky that mountains do not hide
};

const River NO_RIVER = River(0.0, 0.0, 0.0, vec2(0.0), 1.0, 1.0);

const float BROOK_DEPTH = 0.5;  // m
const float NARROW_DEPTH = 1.2; // depth of rivers known only by their cover, m

// Height of the ground as a smooth surface that does not pass through the samples (cubic B-spline). A shore diagonal to
// the lattice becomes a line instead of a row of teeth.
float smooth_height_in(int slot, vec2 p)
{
    ivec2 a = ivec2(p) - 1;
    vec2 t = p - floor(p), u = 1.0 - t;
    vec4 along = vec4(u.x * u.x * u.x, 4.0 - 3.0 * t.x * t.x * (2.0 - t.x), 4.0 - 3.0 * u.x * u.x * (2.0 - u.x),
                      t.x * t.x * t.x) / 6.0;
    vec4 down = vec4(u.y * u.y * u.y, 4.0 - 3.0 * t.y * t.y * (2.0 - t.y), 4.0 - 3.0 * u.y * u.y * (2.0 - u.y),
                     t.y * t.y * t.y) / 6.0;
    float sum = 0.0;
    for (int n = 0; n < TURNS(16); n++)
        sum += along[n & 3] * down[n >> 2] * tile_height(slot, a + ivec2(n & 3, n >> 2));
    return sum;
}

// River from the water levels of the samples around a position. near: levels of the cell's four samples
River open_river_in(int slot, vec2 p, float near[4], float samples_a_metre, float narrow)
{
    ivec2 a = ivec2(p);
    vec2 t = p - vec2(a);
    float reference = !isnan(near[0]) ? near[0] : !isnan(near[1]) ? near[1] : !isnan(near[2]) ? near[2] : near[3];
    // at the corners: level; number of wet samples among the 3 x 3 around; share of the variance of their levels that
    // remains after the fit of a plane
    vec4 level, wet, uneven;
    vec2 rise[4];            // slope of the plane fitted to the levels of these wet samples, per sample
    for (int n = 0; n < 4; n++) {
        float sum = 0.0, count = 0.0;
        vec2 middle = vec2(0.0), product = vec2(0.0), square = vec2(0.0);
        float mixed = 0.0, squares = 0.0;
        for (int k = 0; k < TURNS(9); k++) {
            ivec2 aside = ivec2(k % 3, k / 3) - 1;
            float w = tile_water(slot, a + ivec2(n & 1, n >> 1) + aside) - reference;
            if (isnan(w))
                continue;
            vec2 at = vec2(aside);
            sum += w;
            squares += w * w;
            count += 1.0;
            middle += at;
            product += w * at;
            square += at * at;
            mixed += at.x * at.y;
        }
        float share = 1.0 / max(count, 1.0); // count is at least 1: a sample of the cell is wet, and each 3 x 3
                                             // contains all four samples of the cell
        float mean = sum * share;
        middle *= share;
        product -= count * mean * middle;
        // 0.05 regularises the fit: if the samples lie in a line, the plane is level across this line
        square += 0.05 - count * middle * middle;
        mixed -= count * middle.x * middle.y;
        rise[n] = vec2(square.y * product.x - mixed * product.y, square.x * product.y - mixed * product.x) /
                  (square.x * square.y - mixed * mixed);
        level[n] = isnan(near[n]) ? reference + mean - dot(rise[n], middle) : near[n];
        wet[n] = count;
        squares -= count * mean * mean;
        uneven[n] = max(squares - dot(rise[n], product), 0.0) / max(squares, 1e-6);
    }
    float line = mix(mix(wet.x, wet.y, t.x), mix(wet.z, wet.w, t.x), t.y), few = min(4.0 * narrow, 1.0);
    River r;
    r.level = mix(mix(level.x, level.y, t.x), mix(level.z, level.w, t.x), t.y);
    r.depth = r.level - mix(height_in(slot, p), smooth_height_in(slot, p), smoothstep(3.5, 5.5, line));
    // A river one sample wide has three wet samples in 3 x 3. Where the cover draws a narrow river, its wet samples are
    // suppressed: they would look like dots.
    r.cover = smoothstep(mix(1.6, 3.0, few), mix(3.4, 5.0, few), line) * smoothstep(0.0, 0.06, r.depth);
    r.lit = r.open = 1.0;
    r.fall = -samples_a_metre * mix(mix(rise[0], rise[1], t.x), mix(rise[2], rise[3], t.x), t.y);
    // Two rivers that are close to each other before they join have different levels. The step between the levels, a
    // metre or two, is not a waterfall.
    float uneven_mean = mix(mix(uneven.x, uneven.y, t.x), mix(uneven.z, uneven.w, t.x), t.y), slope = length(r.fall);
    r.fall *= 1.0 - smoothstep(0.08, 0.2, uneven_mean) * smoothstep(0.01, 0.05, slope) *
        (1.0 - smoothstep(1.0, 2.0, slope / samples_a_metre));
    return r;
}

// River in a level's tile.
River river_in(int slot, vec2 p, float samples_a_metre)
{
    uint known = water_of_tile(slot);
    if (!may_be_wet(known))
        return NO_RIVER;
    ivec2 a = ivec2(p);
    float near[4], narrow = narrow_cover(known, slot, p, samples_a_metre);
    bool is_open = false;
    for (int n = 0; n < 4; n++) {
        near[n] = tile_water(slot, a + ivec2(n & 1, n >> 1));
        is_open = is_open || !isnan(near[n]);
    }
    if (!is_open && narrow <= 0.0)
        return NO_RIVER;
    River r = NO_RIVER;
    if (is_open)
        r = open_river_in(slot, p, near, samples_a_metre, narrow);
    if (narrow > r.cover) { // a narrow river lies on the ground: the samples are too far apart to show its bed
        float share = 1.0 - r.cover / narrow;
        r.depth = mix(r.depth, NARROW_DEPTH, share);
        r.level = mix(r.level, height_in(slot, p), share);
        r.fall *= 1.0 - share;
        r.cover = narrow;
    }
    return r;
}

// Result of light_in for the tile two levels coarser than lod, so that steps of the river bed do not cast shadows on
// the water.
vec2 wide_light(int lod, int slot, vec2 p, vec2 place)
{
    vec2 wide;
    int wider = slot_at(min(max(lod, frame_fine_lods) + 2, frame_coarsest_lod), place, wide);
    return wider >= 0 ? light_in(wider, wide) : light_in(slot, p);
}

// River at a position; cover 0: no river, or the sea.
River river_at(vec2 place)
{
    vec2 p, at;
    int lod = lod_at(place), slot = slot_from(lod, place, p), in_slot = slot;
    if (slot < 0)
        return NO_RIVER;
    float morphing = morphing_at(lod, place);
    bool is_morphing = morphing > 0.0 && lod < frame_coarsest_lod;
    River r = NO_RIVER, coarse = NO_RIVER;
    at = p;
    for (int n = 0; n < TURNS(2) && in_slot >= 0; n++) { // the tile, then its parent if ready
        coarse = river_in(in_slot, at, frame_levels[lod + n].samples_a_metre);
        if (n == 0)
            r = coarse;
        in_slot = n == 0 && is_morphing ? slot_at(lod + 1, place, at) : -1;
    }
    if (is_morphing) {
        if (r.cover <= 0.0)
            r = River(coarse.level, coarse.depth, 0.0, coarse.fall, 1.0, 1.0);
        else if (coarse.cover <= 0.0)
            coarse = River(r.level, r.depth, 0.0, r.fall, 1.0, 1.0);
        r = River(mix(r.level, coarse.level, morphing), mix(r.depth, coarse.depth, morphing),
                  mix(r.cover, coarse.cover, morphing),
                  mix(r.fall, coarse.fall, morphing), 1.0, 1.0);
    }
    if (r.level <= frame_sea_level + 0.01)
        r.cover = 0.0;
    if (r.cover > 0.0) {
        r.depth -= bars_of(faded_noise(place + frame_pattern, 16.0, length(place) * frame_pixel_width).x, r.depth);
        r.cover *= smoothstep(0.0, 0.12, r.depth);
        vec2 seen = wide_light(lod, slot, p, place);
        if (is_morphing)
            seen = mix(seen, wide_light(lod + 1, slot, p, place), morphing);
        r.lit = is_lit(key_up(bent(place)), seen.x);
        r.open = seen.y;
    }
    return r;
}

// Wet share of the surroundings of a position, from the four samples around it and the cover of narrow rivers.
float wet_around(vec2 place)
{
    vec2 p;
    int lod = lod_at(place), slot = slot_from(lod, place, p);
    uint known = slot < 0 ? 0u : water_of_tile(slot);
    if (!may_be_wet(known))
        return 0.0;
    ivec2 a = ivec2(p);
    vec2 t = p - vec2(a);
    vec4 wet;
    for (int n = 0; n < 4; n++)
        wet[n] = tile_water(slot, a + ivec2(n & 1, n >> 1)) > frame_sea_level + 0.01 ? 1.0 : 0.0; // false for NaN
    return max(mix(mix(wet.x, wet.y, t.x), mix(wet.z, wet.w, t.x), t.y),
               narrow_cover(known, slot, p, frame_levels[lod].samples_a_metre));
}

// Mean wet share of a pixel's positions. Also finds the wettest position; `wettest` keeps its value if all are dry.
float wet_in_pixel(vec3 d, float land, int count, inout vec2 wettest)
{
    float covered = 0.0, most = 0.0;
    for (int n = 0; n < count; n++) {
        vec2 place = place_in_pixel(d, land, n, count);
        float wet = wet_around(place);
        covered += wet / float(count);
        if (wet > most) {
            most = wet;
            wettest = place;
        }
    }
    return covered;
}

// River in a pixel whose ray meets the ground at a distance: taken at the pixel's wettest position, with the mean wet
// share of all positions as cover.
River river_in_pixel(vec3 d, float land)
{
    int count = places_in_pixel(d, land);
    vec2 place = place_of(d.xz * land);
    float covered = count > 1 ? wet_in_pixel(d, land, count, place) : 1.0;
    if (covered <= 0.0)
        return NO_RIVER;
    River r = river_at(place); // only one call, because the function is large
    if (count > 1 && r.cover > 0.0)
        r.cover = covered;
    return r;
}

// Distance at which a ray meets the surface of a river. bed: distance at which it meets the ground
float to_river(vec3 d, float bed, River r)
{
    float s = r.level - frame_camera.y, under = s - drop(d.xz * bed) - d.y * bed, fall = -climb_at(d, bed);
    vec3 m = meeting_of(d, s);
    float root = m.y * m.y - 4.0 * m.x * m.z;
    // The mesh of the ground is coarser than its samples. It may lie over the water, or rise behind the horizon, where
    // a ray cannot meet the river from above.
    if (under <= 0.0 || fall <= 0.0 || s >= 0.0 || d.y >= 0.0 || root < 0.0)
        return bed;
    // The distance is limited, because the level is valid only near the river. Far away a coarse mesh may lie so deep
    // below the water that the ray meets the level kilometres before the river.
    float nearer = min(100.0 * under, max(0.25 * bed, 200.0));
    return clamp(2.0 * m.z / (-m.y + sqrt(root)), max(bed - nearer, 0.0), bed);
}
