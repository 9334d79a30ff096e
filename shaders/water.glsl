// water.glsl - the sea, and the surface of rivers and lakes: where a ray meets it, its waves, what it mirrors, what lies under it.
//
// Waves are sums of sines whose vectors fit a square that repeats far away, deep-water dispersion (omega^2 = g k); waves smaller than a
// pixel count as roughness (after Bruneton, Neyret, Holzschuch 2010).
const vec3 WATER_ABSORPTION = vec3(0.42, 0.075, 0.055); // 1/m, coastal water
const vec3 WATER_SCATTERING = vec3(0.0009, 0.0028, 0.0034);

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

// The land mirrored in the sea: a march over the heights along the mirrored ray. rgb and how much of it.
vec4 mirrored_land(vec3 from, vec3 d, vec3 sunlight)
{
    float t = 8.0 + length(from) * 0.004, highest = frame_highest - frame_camera.y;
    int steps = frame_quality == 2 ? 28 : 14;
    for (int n = 0; n < steps; n++) {
        vec3 at = from + d * t;
        float y = at.y + drop(at.xz);
        if (y > highest)
            break;
        int lod = clamp(int(log2(max(t * 0.02 / frame_spacing, 1.0))), 0, frame_coarsest_lod);
        float over = ground_height(lod, at.xz) - frame_camera.y - y;
        if (over > 0.0) {
            float over_sea_m = y + frame_camera.y - frame_sea_level;
            vec3 albedo = mix(mix(color(COLOR_FOREST), color(COLOR_GRASS), 0.4), color(COLOR_ROCK), smoothstep(frame_tree_line - 400.0, frame_tree_line + 100.0, over_sea_m));
            albedo = mix(albedo, color(COLOR_SNOW), smoothstep(frame_snow_line - 200.0, frame_snow_line + 200.0, over_sea_m));
            float facing = clamp(0.5 - 0.5 * dot(normalize(d.xz + 1e-5), normalize(frame_key.xz + 1e-5)), 0.1, 1.0);
            return vec4(albedo / PI * (sunlight * facing * 0.6 + frame_light.sky.rgb * 0.7), 1.0);
        }
        t *= 1.33;
    }
    return vec4(0.0);
}

// A surface of water that a ray meets.
struct Water {
    float t;     // distance
    float depth; // of the water there, m
    float level; // m over the datum
    float swell; // 1 in the sea, less where the wind has less way
    float white; // share that is white because it falls
    float lit;   // share of the key light that mountains let through
    bool is_sea;
};

// Light from water along d. `behind`: light from the bed, `bed`: distance to it, negative when nothing was drawn there.
vec3 water_light(vec3 d, Water water, vec3 behind, float bed)
{
    float t = water.t, depth = water.depth;
    vec3 position = d * t;
    vec2 place = position.xz + frame_pattern;
    float footprint = t * frame_pixel_width / max(abs(d.y), 0.03), lost;
    float gust = 0.75 + 0.35 * faded_noise(place + frame_cloud_drift, 512.0, footprint).x + 0.25 * faded_broad_noise(position.xz + frame_broad_pattern, 4096.0, footprint);
    vec3 wave = waves(place, footprint * 0.7, lost);
    float calm = (smoothstep(0.0, 3.0, depth) * 0.85 + 0.15) * water.swell;
    wave.xy *= gust * calm;
    lost *= gust * gust * calm * water.swell;
    float choppy = sqrt(lost);
    vec3 n = normalize(vec3(-wave.x, 1.0, -wave.y));
    if (frame_curvature > 0.0)
        n = normalize(n + vec3(2.0 * frame_curvature * position.x, 0.0, 2.0 * frame_curvature * position.z));
    float facing = max(dot(n, -d), 0.0);
    facing = mix(facing, max(facing, 0.35), clamp(choppy * 3.0, 0.0, 0.6)); // waves turn towards the eye what grazes them
    float fresnel = 0.02 + 0.98 * pow(max(1.0 - facing, 0.0), 5.0);

    vec3 r = reflect(d, n);
    r.y += choppy * 0.35;
    r = normalize(vec3(r.x, sqrt(r.y * r.y + 0.002), r.z)); // a wave's back mirrors the next wave, which mirrors the sky
    vec3 sunlight = key_light(position, water.level) * (cloud_shadow(position) * water.lit);
    vec3 mirrored = sky_light(r) + night_light(r);
    if (frame_quality > 0 && t < 3.0e4) {
        vec4 land = mirrored_land(position, r, sunlight);
        mirrored = mix(mirrored, land.rgb, land.a * (1.0 - smoothstep(1.0e4, 3.0e4, t)));
    }
    vec3 half_way = normalize(frame_key - d);
    float cosine = max(dot(n, half_way), 1e-3), variance = lost + 0.00012, tangent = (1.0 - cosine * cosine) / (cosine * cosine);
    float glint = exp(-tangent / (2.0 * variance)) / (2.0 * PI * variance * cosine * cosine * cosine * cosine);
    float mirror = 0.02 + 0.98 * pow(clamp(1.0 - dot(half_way, -d), 0.0, 1.0), 5.0);
    vec3 shine = sunlight * mirror * min(glint, 4000.0) / (4.0 * max(facing, 0.12));

    float path = depth / max(sqrt(1.0 - (1.0 - d.y * d.y) / 1.77), 0.3);
    vec3 passed = exp(-WATER_ABSORPTION * path * 1.4);
    vec3 in_light = sunlight * max(frame_key.y, 0.0) * 0.95 + frame_light.sky.rgb;
    vec3 body = WATER_SCATTERING / (WATER_ABSORPTION * 1.4) * in_light / PI * (1.0 - passed);
    body += vec3(0.0, 0.004, 0.0035) * in_light * smoothstep(0.2, 0.9, wave.z) * (1.0 - smoothstep(40.0, 300.0, t));
    vec3 light = mix(behind * passed * 0.95 + body, mirrored, fresnel) + shine;

    // foam: a line that breathes with the swell, broken by noise, at the coast
    float swell = 0.5 + 0.5 * sin(frame_time * 0.9 + 6.0 * faded_noise(place, 64.0, footprint).x - depth * 2.2);
    float broken = 0.5 + 0.5 * faded_noise(place + vec2(0.4, 0.25) * frame_time, 4.0, footprint).x + 0.35 * faded_noise(place, 1.0, footprint).x;
    float line = (1.0 - smoothstep(0.10, 0.55 + 0.5 * swell, depth)) * smoothstep(0.30, 0.75, broken + 0.25 * swell * (1.0 - smoothstep(0.0, 0.4, depth)));
    float foam = clamp(line, 0.0, 1.0) * step(0.0, bed) * (1.0 - smoothstep(1500.0, 6000.0, t)) * 0.75;
    if (!water.is_sea)
        foam = water.white * (0.55 + 0.45 * broken);
    light = mix(light, in_light * 0.75 / PI, foam);
    return mix(behind, light, bed > 0.0 ? smoothstep(0.0, 0.06, depth) : 1.0);
}

// What a ray that begins under the water brings from `light` at a distance.
vec3 under_water(vec3 light, float distance)
{
    vec3 passed = exp(-WATER_ABSORPTION * 0.6 * distance);
    vec3 in_light = SUN_IRRADIANCE * frame_key_irradiance * max(frame_key.y, 0.0) * transmittance_to(0.0, frame_key.y) + frame_light.sky.rgb;
    return light * passed + WATER_SCATTERING / WATER_ABSORPTION * in_light / PI * (1.0 - passed);
}
