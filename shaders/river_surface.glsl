// river_surface.glsl - waves of rivers and lakes: ripples that the current carries, standing waves in fast water, white
// water at falls, and wind waves on still water.
//
// A pattern of ripples moves with the current for FLOW_PERIOD seconds and then restarts. Two patterns, half a period
// apart, are blended so that a pattern has weight 0 when it restarts (after Vlachos, "Water Flow in Portal 2", 2010).
const float FLOW_PERIOD = 4.0;

// Velocity of the surface, m/s, by Manning's formula with the roughness of a gravel bed, 0.035. Stones slow steep
// rivers down more (Jarrett, "Hydraulics of High-Gradient Streams", 1984).
vec2 current_of(River r)
{
    float slope = length(r.fall), depth = clamp(r.depth, 0.05, 6.0);
    float steep = clamp(slope, 1e-6, 0.5), speed = pow(depth, 0.667) * sqrt(steep) / 0.035;
    speed = min(min(speed, 3.17 * pow(depth, 0.83) * pow(steep, 0.12)), 4.0);
    return slope > 1e-6 ? r.fall * (speed / slope) : vec2(0.0);
}

// Ripples of a pattern that has moved with the current for `age` seconds: slope (xy) and noise for foam (z).
vec3 carried_ripples(vec2 place, vec2 current, float age, float seed, float footprint)
{
    vec2 from = place - current * age + seed * vec2(37.0, 91.0);
    vec3 sum = vec3(0.0), large = vec3(0.0), small = vec3(0.0);
    vec2 along = normalize(current + vec2(1e-4, 0.0));
    for (int n = 0; n < TURNS(5); n++) { // large ripples, small ripples, then streaks: mean of noise along the current
        vec2 at = n == 0 ? from : n == 1 ? from + 11.0 : from + along * (0.7 * float(n - 2));
        vec3 o = faded_noise(at, n == 0 ? 4.0 : 1.0, footprint);
        large = n == 0 ? o : large;
        small = n == 1 ? o : small;
        sum.z += n > 1 ? o.x * 0.45 : 0.0;
    }
    sum.xy = large.yz * 0.4 + small.yz * 0.6;
    if (frame_quality == 2)
        sum.xy += faded_noise(from + 5.0, 0.25, footprint).yz * 0.8;
    sum.z += large.x * 0.4;
    return sum;
}

// Blend of two patterns, half a period apart.
vec3 ripples(vec2 place, vec2 current, float footprint)
{
    float turn = frame_time / FLOW_PERIOD + 0.5 * noise(place, 64.0).x, a = fract(turn), b = fract(turn + 0.5);
    float share = abs(2.0 * a - 1.0); // of the second pattern
    vec3 first = vec3(0.0), second = vec3(0.0);
    for (int n = 0; n < TURNS(2); n++) {
        second = carried_ripples(place, current, ((n == 0 ? a : b) - 0.5) * FLOW_PERIOD, float(n), footprint);
        first = n == 0 ? second : first;
    }
    return mix(first, second, share) * inversesqrt(share * share + (1.0 - share) * (1.0 - share)); // keeps the variance
}

// Streaks of falling water along one of 16 directions: about -1..1. All streaks have the same speed; otherwise the
// pattern would shear apart. The axes are whole numbers, so the pattern repeats after PATTERN metres, as positions do,
// and after WAVES_PERIOD seconds, as the time does.
float streaks_along(vec2 place, int direction, float footprint)
{
    const vec2 axes[8] = vec2[](vec2(1, 0), vec2(2, 1), vec2(1, 1), vec2(1, 2), vec2(0, 1), vec2(-1, 2), vec2(-1, 1),
                                vec2(-2, 1));
    const float SPEED = 3.0, LONG = 8.0, PERIOD = 512.0; // m/s; ratio of length to width; m across
    // longer: about the length of the axis
    float sense = (direction & 8) == 0 ? 1.0 : -1.0, longer = (direction & 1) == 0 ? 1.0 : 2.0;
    vec2 down = axes[direction & 7], at = vec2((dot(place, down) - sense * longer * SPEED * frame_time) / LONG,
                                               dot(place, vec2(-down.y, down.x)));
    float sum = 0.0;
    float size = 0.5;
    for (int n = 0; n < TURNS(2); n++, size *= 0.5)
        sum += (size + 0.2) * (1.0 - smoothstep(0.3, 1.0, footprint / size)) * noise_in(at, longer * size, PERIOD).x;
    return sum;
}

// Streaks along a current, blended from the two nearest directions.
float streaks(vec2 place, vec2 current, float footprint)
{
    float turn = atan(current.y, current.x) * (8.0 / PI);
    int direction = int(floor(turn));
    float first = 0.0, second = 0.0;
    for (int n = 0; n < TURNS(2); n++) {
        second = streaks_along(place, direction + n, footprint);
        first = n == 0 ? second : first;
    }
    return mix(first, second, smoothstep(0.3, 0.7, turn - float(direction)));
}

// Waves of a flowing river, added to the waves of the wind (calm).
Waves running_waves(vec2 place, River r, vec2 current, float footprint, Waves calm)
{
    float speed = length(current), slope = length(r.fall), froude = speed * inversesqrt(9.81 * max(r.depth, 0.1));
    float rough = 0.012 * speed + 0.06 * smoothstep(0.6, 1.3, froude), standing = smoothstep(0.4, 1.1, froude);
    vec3 carried = ripples(place, current, footprint), still = faded_noise(place + 23.0, 4.0, footprint);
    Waves w = calm;
    w.slope += rough * (carried.xy + 0.8 * standing * still.yz);
    w.crest += 0.3 * rough * still.x;
    // ripples smaller than the pixel increase its roughness
    w.lost += rough * rough * 0.25 * smoothstep(0.1, 2.0, footprint);
    // Falling water is white in streaks; between the streaks stones and the water's own colour are visible. A slope of
    // more than 5 is a step between two rivers, not a fall.
    float falls = smoothstep(0.06, 0.3, slope) * (1.0 - smoothstep(2.5, 5.0, slope));
    float rapids = min(0.75 * smoothstep(0.5, 1.15, froude) + falls, 1.0);
    float broken = 0.3 * carried.z + 0.1 * still.x +
                   (falls > 0.0 ? 0.8 * falls * streaks(place, current, footprint) : 0.0);
    float white = smoothstep(-0.35, 0.75, broken + 1.1 * rapids - 0.6) * smoothstep(0.0, 0.35, rapids);
    w.foam = white * clamp(0.6 + 0.6 * broken, 0.1, 0.9) * (1.0 - smoothstep(8.0, 16.0, footprint));
    return w;
}

// Sine of the elevation up to which banks hide the sky from the middle of a river: mountains, and trees beside a narrow
// river. The width of a river is estimated from its depth.
float height_of_banks(River r, bool mirrors_land)
{
    float mountains = mirrors_land ? 0.0 : 0.6 * sqrt(max(1.0 - r.open, 0.0)), altitude = r.level - frame_sea_level;
    float trees = 0.3 * (1.0 - smoothstep(1.5, 5.0, r.depth)) *
                  (1.0 - smoothstep(frame_tree_line - 200.0, frame_tree_line, altitude));
    return max(mountains, trees * (1.0 - frame_aridity));
}

Water river_water(vec3 d, float t, River r)
{
    bool mirrors_land = r.cover > 0.9; // in thin rivers reflections of land would be invisible
    return Water(t, r.depth, r.level, r.lit, mirrors_land, height_of_banks(r, mirrors_land), shadow_of_plants(d * t));
}

// Waves of a river or a lake.
Waves river_waves(vec3 d, Blown b, Water water, River r)
{
    float footprint = water.t * frame_pixel_width / max(abs(dot(d, normalize(vec3(r.fall.x, 1.0, r.fall.y)))), 0.03);
    vec2 current = current_of(r);
    // wind in a valley has a short fetch
    float swell = mix(0.10, 0.3, smoothstep(2.0, 20.0, r.depth)) / (1.0 + 2.0 * length(current));
    float strength = (smoothstep(0.0, 3.0, water.depth) * 0.85 + 0.15) * swell * b.wind;
    Waves waves = Waves(b.sea.slope * strength, 0.0, b.sea.lost * strength * strength, 0.0);
    if (footprint < 16.0 && dot(current, current) > 1e-4)
        waves = running_waves(d.xz * water.t + frame_pattern, r, current, footprint, waves);
    float frozen = frozen_at(climate_at(place_of(d.xz * water.t)), r.level - frame_sea_level) *
                   (1.0 - smoothstep(1.0, 2.5, length(current)));
    waves.slope *= 1.0 - frozen;
    waves.foam = mix(waves.foam, 0.95, frozen); // ice with snow on it is as white as foam
    waves.slope -= r.fall * min(1.0, 0.8 / max(length(r.fall), 1e-3)); // slope of the surface as a whole
    return waves;
}
