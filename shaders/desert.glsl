// desert.glsl - the ground of dry land: sheets of sand, pavement of stones, pale crusts, and the dry beds of rivers.

// Share of ground that is a desert. Without air there is no wind, and no desert.
float desert_share(Site s, Grain g, Climate c)
{
    return frame_air_density > 0.0 ? ground_bare_soil(s, g, c) * smoothstep(0.6, 0.9, c.aridity) : 0.0;
}

// What the ground of a desert consists of, shares 0..1. The rest is loose sand.
struct Desert {
    float pavement; // stones side by side on old flat ground, from which the wind has taken the sand
    float crust;    // silt and salt on flat ground
    float stony;    // debris on slopes
};

Desert desert_at(Site s, Grain g, Climate c)
{
    float level = 1.0 - smoothstep(0.006, 0.022, s.steep); // dunes are steeper, and have neither pavement nor crusts
    return Desert(level * turf_share(s, 0.0, 0.24, 0.9 * g.spots.z + 0.7 * g.spots.y + 0.35 * g.spots.x +
                                     0.2 * g.detail),
                  level * turf_share(s, 0.26, 0.46, 0.8 * g.spots.y - 0.9 * g.spots.z + 0.4 * g.spots.x),
                  turf_share(s, 0.02, 0.09, s.steep + 0.06 * g.medium + 0.03 * g.detail) *
                      (1.0 - smoothstep(0.93, 1.0, c.aridity)));
}

// Share of loose sand in a desert.
float loose_sand(Desert d)
{
    return (1.0 - d.pavement) * (1.0 - d.crust) * (1.0 - d.stony);
}

// Tint of sand relative to the mean of a desert, in patches. Old sand is red with iron.
vec3 sand_tint(Grain g, float old)
{
    return mix(vec3(1.04, 1.04, 1.06), vec3(0.98, 0.88, 0.80), old) *
           (1.0 + 0.26 * g.spots.y + 0.20 * g.spots.x + 0.10 * g.crowns + 0.12 * g.detail);
}

// Share of ground whose sand and stones are old.
float old_ground(Grain g)
{
    return smoothstep(-0.35, 0.45, g.spots.z + 0.6 * g.broad);
}

// Colour of a desert. Stones that have lain for long have a dark varnish. Crusts are pale, with cracks.
vec3 desert_color(Site s, Grain g, Flora f, Desert d)
{
    float old = old_ground(g), close = 1.0 - smoothstep(0.01, 0.06, s.footprint);
    vec3 sand = mix(f.soil, color(COLOR_SAND), 0.55) * sand_tint(g, old);
    vec3 pale = mix(color(COLOR_SAND), color(COLOR_SAND).ggg, 0.25) * (1.16 + 0.10 * g.spots.x);
    pale *= 1.0 - 0.35 * close * (1.0 - smoothstep(0.02, 0.08, abs(g.detail)));
    vec3 stones = mix(color(COLOR_ROCK_DARK), f.soil, mix(0.60, 0.22, old)) * (1.0 + 0.30 * g.spots.x);
    stones = mix(stones, sand, 0.65 * close * smoothstep(0.0, 0.35, -g.detail)); // gaps between stones
    vec3 albedo = mix(sand, pale, d.crust);
    return mix(albedo, stones * (1.0 + 0.35 * g.detail), 0.80 * max(d.pavement, d.stony));
}

// Cover ground with the dry bed of a river: pale sand that floods have washed, and bars of gravel.
void add_bed(Site s, Grain g, Climate c, inout Ground ground)
{
    if (s.cover.y <= 0.0)
        return;
    float ragged = 0.45 * g.spots.x + 0.35 * g.crowns + 0.25 * g.detail,
          share = mix(s.cover.y, smoothstep(0.05, 0.65, s.cover.y + 0.4 * ragged), smoothstep(0.1, 0.35, s.cover.y)) *
                  smoothstep(0.15, 0.55, c.aridity);
    vec3 sand = mix(color(COLOR_SAND), color(COLOR_SOIL), 0.2) * (1.0 + 0.15 * g.spots.y + 0.15 * g.detail),
         gravel = mix(color(COLOR_ROCK), color(COLOR_SAND), 0.35) * (0.72 + 0.35 * g.detail);
    float bars = turf_share(s, 0.02, 0.30, g.spots.x - 0.6 * g.spots.y);
    ground.albedo = mix(ground.albedo, mix(sand, gravel, 0.5 * bars), 0.85 * share);
    ground.bumps = mix(ground.bumps, g.rough * mix(0.05, 0.16, bars), share);
}

// Add the sand of dunes, also on lee sides, which are as steep as rock.
void add_dunes(Site s, Grain g, inout Ground ground)
{
    float share = s.cover.z > 0.0 ? smoothstep(0.0, 0.5, s.cover.z + 0.15 * g.detail) : 0.0;
    if (share <= 0.0)
        return;
    float lee = smoothstep(0.10, 0.15, s.wall); // sand slides there, and has no ripples
    vec3 albedo = color(COLOR_SAND) * mix(vec3(1.0), sand_tint(g, old_ground(g)), 0.5);
    vec2 bumps = 0.02 * g.fine + (1.0 - lee) * sand_ripples(s.place, g.crowns, g.spots, s.footprint);
    ground.albedo = mix(ground.albedo, albedo, share);
    ground.bumps = mix(ground.bumps, bumps, share);
    ground.gloss = mix(ground.gloss, 0.0, share);
}

// Nearness of a dry bed, 0..1, for plants: their roots reach water below it, but floods take plants in its middle.
float beside_bed(Site s, Grain g)
{
    return smoothstep(0.02, 0.12, s.cover.y) * (1.0 - smoothstep(0.45, 0.8, s.cover.y)) *
           smoothstep(-0.35, 0.20, g.spots.y);
}
