// water.glsl - light from a surface of water: what it mirrors, what lies under it, the sun's glint, foam. sea.glsl and rivers.glsl say where
// the surface is and what waves stand in it. Waves smaller than a pixel count as roughness (after Bruneton, Neyret, Holzschuch 2010).
const vec3 WATER_ABSORPTION = vec3(0.42, 0.075, 0.055); // 1/m, coastal water
const vec3 WATER_SCATTERING = vec3(0.0009, 0.0028, 0.0034);

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
    float lit;   // share of the key light that mountains let through
};

// Its waves where the ray meets it.
struct Waves {
    vec2 slope;  // rise to the east and to the south
    float crest; // height over the mean, m
    float lost;  // mean square slope of what is too small for the pixel
    float foam;  // share that is white
};

// Light from water along d. `behind`: light from the bed, `bed`: distance to it, negative when nothing was drawn there.
vec3 water_light(vec3 d, Water water, Waves waves, vec3 behind, float bed)
{
    float t = water.t, depth = water.depth;
    vec3 position = d * t;
    float choppy = sqrt(waves.lost);
    vec3 n = normalize(vec3(-waves.slope.x, 1.0, -waves.slope.y));
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
    float cosine = max(dot(n, half_way), 1e-3), variance = waves.lost + 0.00012, tangent = (1.0 - cosine * cosine) / (cosine * cosine);
    float glint = exp(-tangent / (2.0 * variance)) / (2.0 * PI * variance * cosine * cosine * cosine * cosine);
    float mirror = 0.02 + 0.98 * pow(clamp(1.0 - dot(half_way, -d), 0.0, 1.0), 5.0);
    vec3 shine = sunlight * mirror * min(glint, 4000.0) / (4.0 * max(facing, 0.12));

    float path = depth / max(sqrt(1.0 - (1.0 - d.y * d.y) / 1.77), 0.3);
    vec3 passed = exp(-WATER_ABSORPTION * path * 1.4);
    vec3 in_light = sunlight * max(frame_key.y, 0.0) * 0.95 + frame_light.sky.rgb;
    vec3 body = WATER_SCATTERING / (WATER_ABSORPTION * 1.4) * in_light / PI * (1.0 - passed);
    body += vec3(0.0, 0.004, 0.0035) * in_light * smoothstep(0.2, 0.9, waves.crest) * (1.0 - smoothstep(40.0, 300.0, t));
    vec3 light = mix(behind * passed * 0.95 + body, mirrored, fresnel) + shine;

    light = mix(light, in_light * 0.75 / PI, waves.foam);
    return mix(behind, light, bed > 0.0 ? smoothstep(0.0, 0.06, depth) : 1.0);
}

// What a ray that begins under the water brings from `light` at a distance.
vec3 under_water(vec3 light, float distance)
{
    vec3 passed = exp(-WATER_ABSORPTION * 0.6 * distance);
    vec3 in_light = SUN_IRRADIANCE * frame_key_irradiance * max(frame_key.y, 0.0) * transmittance_to(0.0, frame_key.y) + frame_light.sky.rgb;
    return light * passed + WATER_SCATTERING / WATER_ABSORPTION * in_light / PI * (1.0 - passed);
}
