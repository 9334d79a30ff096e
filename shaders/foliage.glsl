// foliage.glsl - light from plants and stones.

// The plants that a pixel shows: means over its samples with plants.
struct Foliage {
    int samples;    // bits of the samples that show plants
    float cover;    // share of the pixel
    float distance; // in units of the near plane's distance: reciprocal of depth
    vec3 albedo, normal;
    float depth; // position in the crown: 0 at its middle, 1 at its surface
    float open;  // share of ambient light that the plant itself does not block
    float leaf;  // share of leaves, which transmit light
    float low;   // share of low plants, which are lit like the ground: 1 for tufts, less for bushes
    float snowy; // share of snow on the ground around
};

// Colour of a plant or stone. tint: of this plant, 0..1; rock: colour of pale stones
vec3 plant_albedo(int kind, float tint, Flora f, vec3 rock)
{
    const vec3 BARKS[4] = vec3[](vec3(0.085, 0.066, 0.050), vec3(0.36, 0.34, 0.31), vec3(0.150, 0.082, 0.048),
                                 vec3(0.150, 0.140, 0.128));
    if (kind >= BARK)
        return BARKS[kind - BARK];
    float varied = tint - 0.5, other = fract(tint * 23.0) - 0.5;
    if (kind == BOULDER || kind == STONE)
        return mix(color(COLOR_ROCK_DARK), rock, 0.65 + 0.7 * varied);
    if (kind == FLOWERS)
        return tint < 0.34 ? vec3(0.60, 0.44, 0.03) : tint < 0.67 ? vec3(0.62, 0.60, 0.56) : vec3(0.34, 0.14, 0.46);
    vec4 tone = plant_kinds[kind].tone;
    int leaves = int(plant_kinds[kind].look.x);
    if (leaves == LEAVES_OWN)
        return tone.rgb * (1.0 + 0.3 * varied);
    if (leaves == LEAVES_GRASS)
        return tone.rgb * mix(f.grass, f.straw, tint);
    vec3 base = leaves == LEAVES_NEEDLES ? f.needles : f.leaves;
    // a few plants are sick, and yellow
    float grass = clamp(tone.a * (1.0 + 1.2 * varied), 0.0, 0.8), sick = smoothstep(0.46, 0.50, other);
    vec3 green = mix(base, mix(f.grass, f.straw, max(0.8 * other, 0.0) + 0.3 * sick), max(grass, 0.35 * sick)) *
                 tone.rgb * (1.10 + 0.55 * varied) * vec3(1.0 + 0.30 * other, 1.0, 1.0 - 0.25 * other);
    return leaves == LEAVES_FALLING ? fallen(f, green, tint) : green;
}

// Share of the sky side of a plant or stone that snow covers where snow lies all around. Crowns keep a part of it,
// bushes are nearly covered.
float snow_on(int kind)
{
    return kind < TREE_KINDS ? 1.0 - CROWNS_WITHOUT_SNOW : kind < IMPOSTOR_KINDS ? 0.8 : kind <= STONE ? 1.0 : 0.0;
}

bool is_leaf(int kind)
{
    return kind == FLOWERS || (kind < BARK && plant_kinds[kind].look.x < float(LEAVES_OWN));
}

bool is_low(int kind)
{
    return kind >= TUFT && kind < KINDS;
}

// Share of ambient light that reaches a part of a plant, estimated from the part's brightness. Limbs inside a crown get
// less than leaves. Trunks get at most about half, because the crown hides the sky. Blades of grass shade each other
// least.
float open_share(int kind, float brightness)
{
    return is_leaf(kind) ? mix(is_low(kind) ? 0.7 : 0.42, 1.0, min(1.4 * brightness, 1.0))
           : kind >= BARK ? mix(0.10, 0.55, smoothstep(0.05, 0.75, brightness)) : mix(0.38, 1.0, brightness);
}

// Share of the key light that reaches a point inside a crown. The crown is a ball of leaves in which light fades along
// its path from the surface. outside: distance from the middle in radii, 0..1; facing: cosine between the directions to
// the light and outwards
float through_crown(float outside, float facing)
{
    float along = outside * facing, path = sqrt(max(1.0 - outside * outside + along * along, 0.0)) - along; // radii
    return exp(-0.75 * path);
}

// Plants of a pixel: the mean of its samples with plants.
Foliage foliage_of(ivec2 pixel, vec3 ray)
{
    Foliage f = Foliage(0, 0.0, 0.0, vec3(0.0), vec3(0.0), 0.0, 0.0, 0.0, 0.0, 0.0);
    f.samples = planted_samples(pixel);
    if (f.samples == 0)
        return f;
    vec3 at = ray / uintBitsToFloat(texelFetch(plant_nearest, ivec3(pixel, findLSB(f.samples)), 0).r);
    Climate climate = climate_at(place_of(at.xz));
    float over_sea = at.y + frame_camera.y + drop(at.xz) - frame_sea_level,
          snowy = smoothstep(-100.0, 200.0, over_sea - climate.snow_line);
    Flora flora = flora_at(climate, over_sea);
    // stones come from all strata, and a crust darkens them
    vec3 rock = mix(color(COLOR_ROCK), 0.9 * color(COLOR_ROCK_DARK), 0.9 * frame_strata);
    for (int n = 0; n < PIXEL_SAMPLES; n++) {
        if ((f.samples >> n & 1) == 0)
            continue;
        uint bits = texelFetch(plant_shown, ivec3(pixel, n), 0).r;
        int kind = packed_kind(bits);
        f.cover += 1.0;
        f.distance += 1.0 / uintBitsToFloat(texelFetch(plant_nearest, ivec3(pixel, n), 0).r);
        vec3 normal = packed_normal(bits);
        f.albedo += mix(plant_albedo(kind, packed_tint(bits), flora, rock), color(COLOR_SNOW),
                        snowy * snow_on(kind) * smoothstep(0.2, 0.6, normal.y));
        f.normal += normal;
        float brightness = packed_brightness(bits);
        f.depth += min(1.5 * brightness, 0.95);
        f.open += open_share(kind, brightness);
        f.leaf += is_leaf(kind) ? 1.0 : 0.0;
        f.low += is_low(kind) ? 1.0 : kind >= TREE_KINDS && kind < IMPOSTOR_KINDS ? 0.4 : 0.0;
    }
    float share = 1.0 / max(f.cover, 1.0);
    return Foliage(f.samples, f.cover / float(PIXEL_SAMPLES), f.distance * share, f.albedo * share,
                   normalize(f.normal + vec3(0.0, 1.0e-4, 0.0)), f.depth * share, f.open * share, f.leaf * share,
                   f.low * share, snowy);
}

// Light from plants towards the camera, without the effect of the air. d: direction of the ray
vec3 foliage_light(vec3 d, float distance, Foliage f)
{
    vec3 position = d * distance;
    vec2 place = position.xz, seen = light_at(place);
    float altitude = position.y + frame_camera.y + drop(place), up = key_up(position),
          facing = dot(f.normal, frame_key);
    float shadow = plant_shadow(position, mix(0.25, 1.2, f.leaf) + 0.002 * distance, mix(AT_ONCE, 0.35, f.leaf));
    float below_clouds = light_below_clouds(position).y;
    vec3 in_the_open = key_light(position, altitude), unshadowed = in_the_open * (is_lit(up, seen.x) * below_clouds);
    vec3 open_sky = sky_below_clouds(position, in_the_open);
    // leaves reflect more than the crown as a whole
    vec3 direct = unshadowed * (max(shadow, 0.03) * mix(1.0, 1.4 * through_crown(f.depth, facing), f.leaf));
    // leaves face all directions, so everywhere some face the light, and they transmit light
    float front = mix(max(facing, 0.0), max(0.62 * facing + 0.38, 0.08), f.leaf);
    float through = f.leaf * (0.30 * max(-facing, 0.0) + 0.45 * pow(max(dot(d, frame_key), 0.0), 5.0)) *
                    (0.35 + 0.65 * f.depth);
    // In sunlight, light scatters from leaf to leaf, so the shaded side of a crown is dim, not dark, even in the shadow
    // of mountains. At dusk and under clouds leaves get no more light than the ground. Blades of grass get as much
    // light from the sky as the ground.
    float by_key = in_the_open.g * max(frame_key.y, 0.0) * below_clouds,
          crown = (f.leaf - f.low) * by_key / (by_key + 0.3 * open_sky.g + 1e-6);
    vec3 sky = open_sky * (seen.y * mix(1.0, 2.4, crown) * (0.68 + 0.32 * f.normal.y)) *
               mix(under_leaves(shadow), vec3(1.0), 0.5 * f.leaf);
    // leaves and the land around reflect light onto each other; snow reflects four times as much as other ground
    vec3 around = in_the_open * (max(frame_key.y, 0.0) * lit_around(below_clouds) * seen.y *
                                 mix((0.18 - 0.12 * f.normal.y) * (1.0 + 3.0 * f.snowy), 0.15 + 0.08 * shadow, f.leaf) *
                                 (1.0 - 0.5 * f.low));
    vec3 below = open_sky * (mix(mix(0.16, 0.30, f.leaf), 0.75, crown) - 0.15 * f.low) + around +
                 unshadowed * (f.leaf * (0.04 + 0.04 * shadow));
    vec3 shone = f.albedo * vec3(1.25, 1.35, 0.55) * through;
    return (f.albedo * (direct * front + sky + below) * f.open + shone * direct) / PI;
}
