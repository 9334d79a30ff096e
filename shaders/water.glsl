// water.glsl - light from a water surface: reflections, light from below, glint of the sun, foam.
//
// sea.glsl and rivers.glsl find the surface and its waves. Waves smaller than a pixel are treated as roughness (after
// Bruneton, Neyret, Holzschuch 2010).
const vec3 WATER_ABSORPTION = vec3(0.42, 0.075, 0.055); // 1/m, coastal water
const vec3 WATER_SCATTERING = vec3(0.0009, 0.0028, 0.0034);

// Light from land that a reflected ray meets, which depends on the land's height over the sea. sky: irradiance of the
// full sky on level ground
vec3 light_of_banks(vec3 d, float over_sea_m, vec3 sunlight, vec3 sky)
{
    vec3 albedo = mix(mix(color(COLOR_FOREST), color(COLOR_GRASS), 0.4), color(COLOR_ROCK),
                      smoothstep(frame_tree_line - 400.0, frame_tree_line + 100.0, over_sea_m));
    albedo = mix(albedo, color(COLOR_SNOW), smoothstep(frame_snow_line - 200.0, frame_snow_line + 200.0, over_sea_m));
    float facing = clamp(0.5 - 0.5 * dot(normalize(d.xz + 1e-5), normalize(frame_key.xz + 1e-5)), 0.1, 1.0);
    return albedo / PI * (sunlight * facing * 0.6 + sky * 0.7);
}

// Land reflected in water: light (rgb) and its share of the reflection (a), by marching over heights along the
// reflected ray. A rough surface reflects a bundle of rays. The share of rays that meet land grows with the height of
// the land over the middle ray. rough: standard deviation of the slopes of the waves; behind: reflection without land,
// into which far land fades
vec4 mirrored_land(vec3 from, vec3 d, float rough, vec3 sunlight, vec3 sky, vec3 behind)
{
    float t = 8.0 + length(from) * 0.004, highest = frame_highest - frame_camera.y, width = 2.0 * rough + 0.02;
    int steps = frame_quality == 2 ? 28 : 14;
    float share = 0.0, over_sea_m = 0.0, distance = 0.0;
    for (int n = 0; n < steps; n++) {
        vec3 at = from + d * t;
        float y = at.y + drop(at.xz);
        if (y - width * t > highest)
            break;
        // not finer than the level drawn at the position: finer tiles are missing there, and their entries of the page
        // table belong to other tiles
        vec2 place = place_of(at.xz);
        int lod = clamp(int(log2(max(t * 0.02 / frame_spacing, 1.0))), lod_at(place), frame_coarsest_lod);
        float ground = ground_height(lod, place), over = (ground - frame_camera.y - y) / t;
        float seen = ground > frame_sea_level ? smoothstep(-width, width, over) : 0.0;
        if (seen > share) {
            share = seen;
            distance = t;
            over_sea_m = min(ground, y + frame_camera.y + width * t) - frame_sea_level;
        }
        t *= 1.33;
    }
    return vec4(mix(behind, light_of_banks(d, over_sea_m, sunlight, sky), exp(-distance * 5e-5 * frame_haze)), share);
}

// A water surface that a ray meets.
struct Water {
    float t;     // distance along the ray
    float depth; // of the water, m
    float level; // m over the datum
    float lit;   // share of the key light that mountains let through
    bool mirrors_land; // whether mirrored_land is computed
    float banks; // sine of the elevation up to which banks hide the sky, in addition to mirrored_land; 0: none
    float through; // share of the key light that plants let through
};

// Waves where the ray meets the water.
struct Waves {
    vec2 slope;  // rise to the east and to the south
    float crest; // height over the mean, m
    float lost;  // mean square slope of waves smaller than the pixel
    float foam;  // white share
};

// Slopes of a rough surface that are visible from a direction: mean projected area of the visible slopes (x) and their
// mean slope towards the eye (y). cosine: cosine of the angle between the direction and the normal. Slopes are normally
// distributed; slopes that face the eye have a larger visible area. Source: Smith 1967; Ross, Dion, Potvin 2005.
vec2 seen_slopes(float cosine, float rough)
{
    float c = max(cosine, 0.0), sine = sqrt(max(1.0 - c * c, 1e-6)), x = min(c / (sine * rough), 20.0);
    float below = 0.5 + 0.5 * tanh(x * (0.797885 + 0.035677 * x * x)), at_x = 0.398942 * exp(-0.5 * x * x);
    return vec2(max(c, sine * rough * (x * below + at_x)), rough * below / (x * below + at_x));
}

// Reflected light of the sky. Roughness spreads the reflection upwards and downwards.
vec3 mirrored_sky(vec3 r, float rough)
{
#if QUALITY == 0
    return sky_light(r) + night_light(r);
#else
    vec3 up = normalize(vec3(r.x, r.y + 1.6 * rough, r.z)),
         down = normalize(vec3(r.x, max(r.y - 1.2 * rough, 0.01), r.z));
    return 0.5 * (sky_light(up) + night_light(up) + sky_light(down) + night_light(down));
#endif
}

// Reflection of the key light towards the eye, relative to the irradiance of the light. seen: seen_slopes(...).x
float glint_of(vec3 n, vec3 d, vec3 key, float rough, float seen)
{
    vec3 half_way = normalize(key - d);
    float cosine = max(dot(n, half_way), 1e-3), square = cosine * cosine, variance = rough * rough;
    // Gusts: slopes are normally distributed where the wind is even, but on a third of the water they are twice as
    // large.
    vec2 spread = 2.0 * variance * vec2(1.0, 4.0),
         parts = exp(min((1.0 - 1.0 / square) / spread, 0.0)) / (PI * spread * square * square);
    float density = mix(parts.x, parts.y, 0.33);
    float mirror = 0.02 + 0.98 * pow(clamp(1.0 - dot(half_way, -d), 0.0, 1.0), 5.0);
    float up = max(dot(n, key), 0.0), lit = up / max(seen_slopes(up, rough).x, 1e-3);
    return mirror * min(density, 4000.0) * lit / (4.0 * max(seen, 0.02));
}

// Light from water along a ray. behind: light from the bed; bed: distance to the bed, negative: no bed was drawn
vec3 water_light(vec3 ray, Water water, Waves waves, vec3 behind, float bed)
{
    float t = water.t, depth = water.depth;
    vec3 position = ray * t, vertical = up_at(position), d = local_direction(ray, vertical),
         key = local_direction(frame_key, vertical);
    float rough = sqrt(0.5 * waves.lost + 0.0003);
    vec3 n = normalize(vec3(-waves.slope.x, 1.0, -waves.slope.y));
    float facing = max(dot(n, -d), 0.0);
    vec2 seen = seen_slopes(facing, rough);
    // Fresnel of a rough surface: Bruneton, Neyret, Holzschuch 2010
    float fresnel = 0.02 + 0.98 * pow(1.0 - facing, 5.0 * exp(-2.69 * rough)) / (1.0 + 22.7 * rough * sqrt(rough));

    vec3 aside = -d - n * dot(n, -d), towards = normalize(n + seen.y * aside / max(length(aside), 1e-3)),
         r = reflect(d, towards);
    // the back of a wave reflects the next wave, which reflects the sky
    r = normalize(vec3(r.x, sqrt(r.y * r.y + 0.002), r.z));
    vec2 through_clouds = light_below_clouds(position);
    float below_clouds = through_clouds.y;
    vec3 unshadowed = key_light(position, water.level), sunlight = unshadowed * (below_clouds * water.lit);
    vec3 open_sky = sky_below_clouds(position, unshadowed),
         mirrored = mix(mirrored_sky(r, rough), sky_at(position) / PI, in_space());
    vec4 clouds_there = mirrored_clouds(position, r, rough);
    mirrored = mix(mirrored, clouds_there.rgb, clouds_there.a);
#if QUALITY > 0
    if (water.mirrors_land && t < 3.0e4) {
        vec4 land = mirrored_land(position, r, rough + 0.3 * length(waves.slope), sunlight, open_sky, mirrored);
        mirrored = mix(mirrored, land.rgb, land.a * (1.0 - smoothstep(1.0e4, 3.0e4, t)));
    }
#endif
    if (water.banks > 0.0) {
        float hidden = 1.0 - smoothstep(0.5 * water.banks, 1.5 * water.banks + rough, r.y);
        mirrored = mix(mirrored, light_of_banks(r, water.level - frame_sea_level, sunlight, open_sky), hidden);
    }
    sunlight *= water.through; // plants shade this position, not the reflected objects
    vec3 shine = unshadowed * (through_clouds.x * water.lit * water.through) * glint_of(n, d, key, rough, seen.x);

    float path = depth / max(sqrt(1.0 - (1.0 - d.y * d.y) / 1.77), 0.3);
    vec3 passed = exp(-WATER_ABSORPTION * path * 1.4);
    vec3 in_light = sunlight * max(key.y, 0.0) * 0.95 + open_sky;
    vec3 body = WATER_SCATTERING / (WATER_ABSORPTION * 1.4) * in_light / PI * (1.0 - passed);
    // light transmitted by crests, most of it towards a viewer who looks towards the light
    float through = 0.35 + 0.65 * pow(0.5 + 0.5 * dot(d, key), 2.0);
    body += vec3(0.0003, 0.006, 0.005) * in_light *
        (through * smoothstep(0.1, 1.4, waves.crest) * (1.0 - smoothstep(300.0, 1500.0, t)));
    vec3 light = mix(behind * passed * 0.95 + body, mirrored, fresnel) + shine;

    // foam is lit by the sun, by the sky that banks do not hide, and by light from the banks
    float beside = min(2.0 * water.banks, 1.0);
    vec3 on_foam = sunlight * max(dot(n, key), 0.0) + open_sky * (1.0 - 0.5 * beside);
    on_foam += unshadowed * (0.12 * beside * lit_around(below_clouds) * max(key.y, 0.0));
    light = mix(light, on_foam * 0.6 / PI, waves.foam);
    return mix(behind, light, bed > 0.0 ? smoothstep(0.0, 0.06, depth) : 1.0);
}

// Light that reaches a camera under water if `light` starts at a distance.
vec3 under_water(vec3 light, float distance)
{
    vec3 passed = exp(-WATER_ABSORPTION * 0.6 * distance);
    vec3 key = key_light(vec3(0.0), 0.0);
    vec3 in_light = key * (light_below_clouds(vec3(0.0)).y * max(frame_key.y, 0.0)) + sky_below_clouds(vec3(0.0), key);
    return light * passed + WATER_SCATTERING / WATER_ABSORPTION * in_light / PI * (1.0 - passed);
}
