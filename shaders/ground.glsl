// ground.glsl - what the ground is made of, by height over the sea, slope, hollows, climate and noise with soft, broken borders.
const int COLOR_GRASS = 0, COLOR_DRY = 1, COLOR_FOREST = 2, COLOR_ALPINE = 3, COLOR_SOIL = 4, COLOR_ROCK = 5, COLOR_ROCK_DARK = 6,
          COLOR_SAND = 7, COLOR_SNOW = 8, COLOR_BED = 9;

struct Ground {
    vec3 albedo;
    vec2 bumps;   // slope of what is smaller than the height function's samples, east and south
    float gloss;  // of wet sand, ice: share of a mirror
};

vec3 color(int n)
{
    return colors[n].rgb;
}

// Bare rock: layers that follow the height, warped, and blotches.
vec3 rock_color(float over_sea, vec2 place, float medium, float detail, float footprint)
{
    vec3 rock = mix(color(COLOR_ROCK_DARK), color(COLOR_ROCK), clamp(0.5 + 0.5 * medium + 0.45 * detail, 0.0, 1.0));
    if (climate.w > 0.0) {
        float warp = over_sea + 14.0 * faded_noise(place, 512.0, footprint).x + 5.0 * faded_noise(place, 64.0, footprint).x + 2.5 * detail;
        float broad = sin(warp * 0.085) + 0.6 * sin(warp * 0.213 + 1.7), fine = sin(warp * 0.71) + 0.6 * sin(warp * 1.63 + 0.5);
        fine *= 1.0 - smoothstep(0.6, 3.0, footprint);
        broad *= 1.0 - smoothstep(8.0, 40.0, footprint);
        float bands = 0.5 + 0.28 * broad + 0.16 * fine;
        vec3 layers = mix(color(COLOR_ROCK_DARK), color(COLOR_ROCK), smoothstep(0.25, 0.75, bands));
        layers = mix(layers, color(COLOR_SAND), 0.55 * smoothstep(0.78, 0.98, bands));
        rock = mix(rock, layers, climate.w);
    }
    return rock;
}

Ground talk_ground(float over_sea, vec3 n) // the talk's colours: green, grey, white
{
    vec3 albedo = mix(color(COLOR_GRASS), color(COLOR_ROCK), smoothstep(650.0, 1000.0, over_sea));
    albedo = mix(albedo, color(COLOR_SNOW), smoothstep(1500.0, 1800.0, over_sea));
    return Ground(mix(albedo, color(COLOR_SAND), 1.0 - smoothstep(4.0, 30.0, over_sea)), vec2(0.0), 0.0);
}

// n: the land's normal; steep: how steep it is, more widely; open: share of the sky it sees, less in hollows; footprint: width of a pixel on the ground, m.
Ground ground_at(float over_sea, vec3 n, float steep, float open, vec2 place, vec2 broad_place, float footprint)
{
    if (more.z == 1)
        return talk_ground(over_sea, n);
    float hollow = clamp((1.0 - open) * 2.0, 0.0, 1.0);
    float region = faded_broad_noise(broad_place, 65536.0, footprint) * 0.6;
    float broad = faded_broad_noise(broad_place, 4096.0, footprint) * 0.6;
    vec3 medium_noise = faded_noise(place, 64.0, footprint);
    float medium = 0.55 * medium_noise.x, detail = 0.0;
    vec2 rough = vec2(0.0), fine = vec2(0.0), canopy_bumps = vec2(0.0);
    vec3 tree_noise = faded_noise(place, 8.0, footprint);
    medium += 0.35 * tree_noise.x;
    if (options.z > 0) {
        region += faded_broad_noise(broad_place, 16384.0, footprint) * 0.4;
        broad += faded_broad_noise(broad_place, 1024.0, footprint) * 0.4;
        medium += faded_noise(place, 256.0, footprint).x * 0.35 + faded_noise(place, 32.0, footprint).x * 0.3;
        float strength = 0.5;
        float spacing = max(world.x, 0.25);
        for (float size = 4.0; size >= (options.z == 2 ? 0.03 : 0.2); size *= 0.5) {
            float keep = 1.0 - smoothstep(0.3, 1.0, footprint / size);
            if (keep <= 0.0)
                break;
            vec3 o = keep * noise(place + 17.0 * size, size);
            detail += strength * o.x;
            rough += o.yz * (size > 2.0 * spacing ? 0.25 : 1.0);
            if (size < 0.6)
                fine += o.yz;
            strength *= 0.86;
        }
        vec3 crowns = faded_noise(place + 3.0, 16.0, footprint);
        canopy_bumps = tree_noise.yz * 0.8 + crowns.yz * 0.5;
    }
    detail = clamp(detail, -1.0, 1.0);
    float wetness = clamp(0.55 + 0.5 * region + 0.25 * hollow - climate.z, 0.0, 1.0);
    float patches = clamp(0.5 + 0.45 * broad + 0.3 * medium + 0.25 * detail, 0.0, 1.0);

    // meadow, dry grass, soil
    vec3 albedo = mix(color(COLOR_DRY), color(COLOR_GRASS), smoothstep(0.02, 0.55, wetness + 0.40 * (patches - 0.5)));
    albedo *= 1.0 + 0.22 * detail + 0.10 * medium;
    float bare_soil = smoothstep(0.55, 0.95, climate.z + 0.35 * (patches - 0.5) - 0.3 * hollow);
    albedo = mix(albedo, color(COLOR_SOIL) * (1.0 + 0.25 * detail), max(bare_soil, 0.35 * smoothstep(0.62, 0.9, patches)));
    vec2 bumps = fine * 0.07 + rough * 0.035;

    // forest
    float wooded = smoothstep(0.40, 0.56, wetness * 0.78 + 0.25 * (0.5 + broad * 0.8 + 0.4 * medium) + 0.05 * detail) *
                   (1.0 - smoothstep(climate.x - 260.0, climate.x, over_sea + 220.0 * medium + 160.0 * broad)) *
                   (1.0 - smoothstep(0.16, 0.34, steep)) * smoothstep(3.0, 12.0, over_sea + 4.0 * medium);
    float crown = clamp(0.62 + 0.45 * tree_noise.x + 0.3 * detail, 0.2, 1.4);
    albedo = mix(albedo, color(COLOR_FOREST) * crown * (1.0 + 0.35 * broad), wooded);
    bumps = mix(bumps, canopy_bumps + 0.15 * rough, wooded);

    // above the trees: alpine grass, then scree and rock
    float alpine = smoothstep(climate.x - 250.0, climate.x + 250.0, over_sea + 260.0 * (patches - 0.5));
    albedo = mix(albedo, color(COLOR_ALPINE) * (1.0 + 0.3 * detail + 0.15 * medium), alpine * (1.0 - bare_soil));
    float scree = smoothstep(0.10, 0.20, steep + 0.07 * medium + 0.05 * detail) *
                  smoothstep(climate.x - 300.0, climate.x + 500.0, over_sea + 300.0 * broad);
    vec3 rock = rock_color(over_sea, place, medium, detail, footprint);
    albedo = mix(albedo, mix(color(COLOR_ROCK), color(COLOR_SOIL), 0.35) * (0.95 + 0.35 * detail), scree * 0.8);
    bumps = mix(bumps, rough * 0.14, scree);
    float bare = smoothstep(0.17, 0.31, steep + 0.10 * medium + 0.06 * detail + 0.00005 * max(over_sea - climate.x, 0.0) + 0.10 * climate.w);
    albedo = mix(albedo, rock, bare);
    bumps = mix(bumps, rough * 0.26, bare);

    // snow lies in hollows and not on walls
    float cold = over_sea + 220.0 * broad + 90.0 * medium + 30.0 * detail + 300.0 * hollow * smoothstep(0.02, 0.1, steep) - climate.y;
    float white = smoothstep(-150.0, 250.0, cold) * (1.0 - smoothstep(0.30, 0.46, mix(steep, 1.0 - n.y, 0.35) + 0.05 * detail + 0.04 * medium - 0.00010 * max(cold, 0.0)));
    albedo = mix(albedo, color(COLOR_SNOW) * (1.0 + 0.04 * detail), white);
    bumps = mix(bumps, fine * 0.05 + medium_noise.yz * 0.05, white);

    // shore and sea bed
    float beach = (1.0 - smoothstep(1.5, 6.0, over_sea + 3.0 * medium + 1.0 * detail)) * (1.0 - smoothstep(0.08, 0.22, steep)) *
                  (1.0 - 0.75 * smoothstep(20.0, 150.0, footprint));
    albedo = mix(albedo, color(COLOR_SAND) * (1.0 + 0.12 * detail), beach);
    bumps = mix(bumps, fine * 0.10, beach);
    float wet = 1.0 - smoothstep(-0.2, 0.9, over_sea + 0.4 * medium + 0.15 * detail);
    if (!has_layer(LAYER_WATER))
        wet = 0.0;
    albedo = mix(albedo, color(COLOR_BED) * (1.0 + 0.25 * medium), 1.0 - smoothstep(-6.0, -0.5, over_sea));
    albedo *= 1.0 - 0.45 * wet;
    return Ground(max(albedo, vec3(0.005)), bumps, 0.35 * wet * beach);
}
