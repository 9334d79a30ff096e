// sea.glsl - the sea: where a ray meets it, its waves and its foam.
//
// Waves are sums of sines whose vectors fit a square that repeats far away, deep-water dispersion (omega^2 = g k).

// Distance at which a ray meets the sea, from above or from under it; negative when it does not. `cover`: share of the pixel that is sea
// where the horizon passes through it.
float to_sea(vec3 d, out float cover)
{
    float s = frame_sea_level - frame_camera.y, k = dot(d.xz, d.xz) * frame_curvature;
    cover = 1.0;
    if (s > 0.0)
        return d.y > 0.0 ? 2.0 * s / (d.y + sqrt(d.y * d.y + 4.0 * k * s)) : -1.0;
    float dip = 2.0 * sqrt(k * -s), over = (-d.y - dip) / frame_pixel_width;
    if (d.y >= 0.0 || over <= -0.5)
        return -1.0;
    cover = clamp(over + 0.5, 0.0, 1.0);
    float root = sqrt(max(d.y * d.y - dip * dip, 0.0));
    return 2.0 * -s / (-d.y + root);
}

// Slopes (xy) and crest height (z) of the waves at a place; what is too small for the footprint adds to `lost`, mean square slope.
vec3 waves(vec2 place, float footprint, out float lost)
{
    const float PERIODS[3] = float[](8192.0, 1024.0, 128.0), BASE[3] = float[](24.0, 24.0, 20.0);
    vec3 sum = vec3(0.0);
    int count = frame_quality == 0 ? 3 : frame_quality == 1 ? 6 : 9;
    lost = 0.0;
    for (int band = 0; band < 3; band++) {
        vec2 at = mod(place, PERIODS[band]);
        for (int n = 0; n < count; n++) {
            uint h = hash(uint(band * 64 + n * 7 + 5));
            float angle = 0.55 + (float(h & 255u) / 255.0 - 0.5) * (1.9 + 0.9 * float(band));
            float turns = BASE[band] * (1.0 + float(n) * 5.5 / float(count)) * (1.0 + 0.25 * float(h >> 8 & 255u) / 255.0);
            vec2 k = floor(vec2(cos(angle), sin(angle)) * turns + 0.5) * (2.0 * PI / PERIODS[band]);
            float number = length(k), wavelength = 2.0 * PI / number;
            float steep = (band == 0 ? 0.008 : band == 1 ? 0.030 : 0.065) * sqrt(9.0 / float(count));
            float keep = 1.0 - smoothstep(0.06, 0.3, footprint / wavelength);
            lost += (1.0 - keep * keep) * steep * steep * 0.5;
            if (keep <= 0.0)
                continue;
            float turn = 4096.0 / (2.0 * PI), omega = floor(sqrt(9.81 * number) * turn + 0.5) / turn; // time repeats after 4096 s
            float phase = dot(k, at) - omega * frame_time + float(h >> 16) * 1e-4;
            sum.xy += keep * steep * normalize(k) * cos(phase);
            sum.z += keep * steep / number * sin(phase);
        }
    }
    return sum;
}

// Waves that the wind makes at a place of a surface. swell: 1 in the sea, less where the wind has less way; white: share that is white
// because it falls
Waves wind_waves(vec3 d, Water water, float swell, float white)
{
    vec3 position = d * water.t;
    vec2 place = position.xz + frame_pattern;
    float footprint = water.t * frame_pixel_width / max(abs(d.y), 0.03), lost;
    float gust = 0.75 + 0.35 * faded_noise(place + frame_cloud_drift, 512.0, footprint).x + 0.25 * faded_broad_noise(position.xz + frame_broad_pattern, 4096.0, footprint);
    vec3 wave = waves(place, footprint * 0.7, lost);
    float calm = (smoothstep(0.0, 3.0, water.depth) * 0.85 + 0.15) * swell;
    return Waves(wave.xy * (gust * calm), wave.z, lost * gust * gust * calm * swell, white);
}

// A line of foam that breathes with the swell, broken by noise, at the coast.
float coast_foam(vec3 d, Water water)
{
    vec2 place = d.xz * water.t + frame_pattern;
    float footprint = water.t * frame_pixel_width / max(abs(d.y), 0.03), depth = water.depth;
    float swell = 0.5 + 0.5 * sin(frame_time * 0.9 + 6.0 * faded_noise(place, 64.0, footprint).x - depth * 2.2);
    float broken = 0.5 + 0.5 * faded_noise(place + vec2(0.4, 0.25) * frame_time, 4.0, footprint).x + 0.35 * faded_noise(place, 1.0, footprint).x;
    float line = (1.0 - smoothstep(0.10, 0.55 + 0.5 * swell, depth)) * smoothstep(0.30, 0.75, broken + 0.25 * swell * (1.0 - smoothstep(0.0, 0.4, depth)));
    return clamp(line, 0.0, 1.0) * (1.0 - smoothstep(1500.0, 6000.0, water.t)) * 0.75;
}

// Light from the sea, met after t metres. bed: distance to the land under it, negative when nothing was drawn there
vec3 sea_light(vec3 d, float t, vec3 behind, float bed)
{
    Water water = Water(t, bed > 0.0 ? max((bed - t) * max(-d.y, 0.02), 0.0) : 200.0, 0.0, 1.0);
    return water_light(d, water, wind_waves(d, water, 1.0, bed >= 0.0 ? coast_foam(d, water) : 0.0), behind, bed);
}
