// ground.glsl - computes colour and roughness of the ground from height, slope, hollows, climate and noise.
#define LOOK_COLOR(constant, name, number) const int constant = number;
#include "look_colors.glsl"
#include "climate.glsl"
#include "rock.glsl"
#include "ripples.glsl"

struct Ground {
    vec3 albedo;
    vec2 bumps;   // slopes of detail that is finer than the samples of the heights, to the east and south
    float gloss;  // share of mirror reflection; more than 0 on wet sand and gravel
};

vec3 color(int n)
{
    return frame_colors[n].rgb;
}

// Colour of bare rock: blotches, and strata that follow the height with distortions.
vec3 rock_color(float over_sea, vec2 place, float medium, float detail, float footprint)
{
    vec3 rock = mix(color(COLOR_ROCK_DARK), color(COLOR_ROCK), clamp(0.5 + 0.5 * medium + 0.45 * detail, 0.0, 1.0));
    if (frame_strata > 0.0) {
        float warp = over_sea + 14.0 * faded_noise(place, 512.0, footprint).x +
                     5.0 * faded_noise(place, 64.0, footprint).x + 2.5 * detail;
        float broad = sin(warp * 0.085) + 0.6 * sin(warp * 0.213 + 1.7),
              fine = sin(warp * 0.71) + 0.6 * sin(warp * 1.63 + 0.5);
        fine *= 1.0 - smoothstep(0.6, 3.0, footprint);
        broad *= 1.0 - smoothstep(8.0, 40.0, footprint);
        float bands = 0.5 + 0.28 * broad + 0.16 * fine;
        vec3 layers = mix(color(COLOR_ROCK_DARK), color(COLOR_ROCK), smoothstep(0.25, 0.75, bands));
        layers = mix(layers, color(COLOR_SAND), 0.55 * smoothstep(0.78, 0.98, bands));
        rock = mix(rock, layers, frame_strata);
    }
    return rock;
}

// A site on the ground.
struct Site {
    float over_sea, steep, wall; // metres; steepness of the surroundings and of the site itself, 0..1
    float hollow;                // 0..1
    float footprint;             // width of a pixel on the ground, metres
    float wetness, patches;      // 0..1
    vec2 place;                  // modulo PATTERN metres
    vec2 slopes;                 // of the land, to the east and south
    vec2 planted;                // shares of trees (x) and bushes (y) that are drawn as plants; the ground has the
                                 // colour of the others
    vec3 cover;                  // ice (x), dry bed (y) and sand (z), see ground_cover
};

// Noise at a site: a member for each size of features.
struct Grain {
    float region, broad, medium, detail;   // tens of kilometres, kilometres, tens of metres, metres and less
    float crowns;                          // the size of crowns of trees
    vec3 spots;                            // patches of turf: about 5 m, 50 m and 500 m wide
    vec2 medium_slope, rough, fine, canopy; // slopes
};

#define GROUND_SUM(name, sum) float name(Site s, Grain g, Climate c) { return clamp(sum, 0.0, 1.0); }
#define GROUND_RULE(name, from, to, of) float name(Site s, Grain g, Climate c) { return smoothstep(from, to, of); }
#define GROUND_SHARE(name, share) float name(Site s, Grain g, Climate c) { return share; }
#define GROUND_COVER(color, share)
#define GROUND_PLAIN_COVER(color, share)
#include "ground_rules.glsl"

Ground plain_ground(Site s, Grain g, Climate c) // land has one of three colours, by height: green, grey or white;
                                                // shores are sand
{
    vec3 albedo = mix(color(COLOR_GRASS), color(COLOR_ROCK), ground_plain_rock(s, g, c));
    albedo = mix(albedo, color(COLOR_SNOW), ground_plain_snow(s, g, c));
    return Ground(mix(albedo, color(COLOR_SAND), 1.0 - ground_plain_dry(s, g, c)), vec2(0.0), 0.0);
}

Grain grain_at(vec2 place, vec2 broad_place, float footprint)
{
    Grain g;
    vec3 medium = vec3(0.0), trees = vec3(0.0), broad = vec3(0.0);
    g.region = g.broad = 0.0;
    for (int n = 0; n < TURNS(4); n++) {
        float size = n == 0 ? 64.0 : n == 1 ? 8.0 : n == 2 ? 65536.0 : 4096.0;
        vec3 o = faded_noise_in(n < 2 ? place : broad_place, size, n < 2 ? PATTERN : BROAD_PATTERN, footprint);
        medium = n == 0 ? o : medium;
        trees = n == 1 ? o : trees;
        broad = n == 3 ? o : broad;
        g.region = n == 2 ? o.x * 0.6 : g.region;
        g.broad = n == 3 ? o.x * 0.6 : g.broad;
    }
    g.medium = 0.55 * medium.x + 0.35 * trees.x;
    g.medium_slope = medium.yz;
    g.crowns = trees.x;
    // a slope of noise does not depend on its value, so it serves as further noise
    g.spots = vec3(0.45 * trees.y, 0.45 * medium.y, 0.35 * (broad.y + medium.z));
    g.detail = 0.0;
    g.rough = g.fine = g.canopy = vec2(0.0);
    if (frame_quality == 0)
        return g;
    g.region += faded_broad_noise(broad_place, 16384.0, footprint) * 0.4;
    g.broad += faded_broad_noise(broad_place, 1024.0, footprint) * 0.4;
    vec3 wide = faded_noise(place, 256.0, footprint), narrow = faded_noise(place, 32.0, footprint),
         thickets = faded_noise(place + 3.0, 16.0, footprint);
    g.medium += wide.x * 0.35 + narrow.x * 0.3;
    g.spots = vec3(0.35 * trees.y + 0.9 * thickets.x, 0.35 * medium.y + 0.3 * narrow.y,
                   0.35 * wide.y + 0.2 * broad.y + 0.2 * medium.z);
    g.canopy = trees.yz * 0.8 + thickets.yz * 0.5;
    // samples are closer together near the camera, where pixels are small
    float samples_m = clamp(4.0 * footprint, frame_spacing, lattice_step());
    float strength = 0.5, spacing = max(samples_m, 0.25);
    for (float size = 4.0; size >= (frame_quality == 2 ? 0.03 : 0.2); size *= 0.5) {
        float keep = 1.0 - smoothstep(0.3, 1.0, footprint / size);
        if (keep <= 0.0)
            break;
        vec3 o = keep * noise(place + 17.0 * size, size);
        g.detail += strength * o.x;
        g.rough += o.yz * (size > 2.0 * spacing ? 0.25 : 1.0);
        g.fine += size < 0.6 ? o.yz : vec2(0.0);
        strength *= 0.86;
    }
    g.detail = clamp(g.detail, -1.0, 1.0);
    return g;
}

// Coolness of a site for trees, 0..1: oaks and birches grow at 0, spruces at 1.
float cool_for_trees(Site s, Grain g, Climate c)
{
    float mean = c.warmth - 0.0065 * s.over_sea, climate = 0.7 * smoothstep(5.5, -1.0, mean) -
                                                          0.7 * smoothstep(14.0, 21.0, mean);
    return smoothstep(0.15, 0.62, s.over_sea / max(c.tree_line, 1.0) + 0.22 * g.broad + 0.12 * g.medium + climate);
}

// Heat of a site for trees: -1 at the tree line, 0 in temperate lowlands, 1 in the tropics.
float heat_for_trees(Site s, Grain g, Climate c)
{
    return smoothstep(11.0, 24.0, c.warmth - 0.0065 * s.over_sea) - cool_for_trees(s, g, c);
}

const vec3 CANOPY_LIGHT = vec3(1.02, 1.0, 0.82);

// Colour of distant woods: the mean of the trees that grow at the site. Their table is interpolated. The factors make
// it equal to the mean colour of trees nearby.
vec3 canopy_color(Site s, Grain g, Climate c, Flora f)
{
    vec2 at = vec2(heat_for_trees(s, g, c) * 0.5 + 0.5, s.wetness) * vec2(CANOPY_HEATS - 1, CANOPY_MOISTS - 1);
    at = clamp(at, vec2(0.0), vec2(CANOPY_HEATS, CANOPY_MOISTS) - 1.001);
    ivec2 first = ivec2(at);
    vec2 t = at - vec2(first);
    int n = 2 * (first.y * CANOPY_HEATS + first.x), below = n + 2 * CANOPY_HEATS;
    vec4 kinds = mix(mix(frame_canopy[n], frame_canopy[n + 2], t.x),
                     mix(frame_canopy[below], frame_canopy[below + 2], t.x), t.y);
    vec3 tone = mix(mix(frame_canopy[n + 1], frame_canopy[n + 3], t.x),
                    mix(frame_canopy[below + 1], frame_canopy[below + 3], t.x), t.y).rgb;
    vec3 green = mix(mix(f.leaves, f.needles, kinds.x), f.grass, kinds.w),
         mean = mix(green, fallen(f, green, 0.5 + 0.5 * g.spots.y), kinds.z);
    // groups of trees differ
    vec3 group = vec3(1.0 + 0.22 * g.spots.y, 1.0 + 0.10 * g.spots.z, 1.0 - 0.15 * g.spots.y);
    return mean * tone * group * CANOPY_LIGHT;
}

// Dryness of turf at a site, about -1..1, from patches, exposure to the sun, and hollows, which gather water.
float turf_dryness(Site s, Grain g)
{
    return dot(g.spots, vec3(0.75, 0.8, 0.8)) + 0.25 * g.medium - 1.6 * clamp(s.slopes.y, -0.25, 0.25) -
           0.9 * s.hollow;
}

// Share of a kind of turf: 0 if `of` is at most `from`, 1 if it is at least `to`. Where pixels are wider than patches,
// it approaches the mean over patches.
float turf_share(Site s, float from, float to, float of)
{
    float lost = 0.16 * smoothstep(1.5, 8.0, s.footprint) + 0.22 * smoothstep(15.0, 60.0, s.footprint) +
                 0.22 * smoothstep(80.0, 250.0, s.footprint);
    return smoothstep(from - lost, to + lost, of);
}

// Patches of low plants: shares of their kinds.
struct Patches {
    float parched, moist, heath, worn;
};

Patches patches_at(Site s, Grain g)
{
    float dryness = turf_dryness(s, g) + 0.25 * g.detail;
    return Patches(turf_share(s, 0.0, 0.62, dryness), turf_share(s, 0.0, 0.65, -dryness),
                   turf_share(s, 0.05, 0.50, g.spots.z - 0.5 * g.spots.y + 0.2 * g.spots.x + 0.2 * g.detail),
                   turf_share(s, 0.34, 0.62, 0.8 * g.spots.x - 0.7 * g.spots.y + 0.3 * g.detail));
}

// Share of a meadow of high mountains: a belt just over the tree line, where grass is rich and full of flowers.
float alpine_meadow(Site s, Grain g, Climate c)
{
    return ground_over_trees(s, g, c) * (1.0 - smoothstep(0.35, 0.9, ground_alpine_height(s, g, c))) *
           (1.0 - c.aridity);
}

// Share of the tall dry grass of savannas.
float savanna(Site s, Grain g, Climate c)
{
    return smoothstep(0.25, 0.65, heat_for_trees(s, g, c)) * smoothstep(0.68, 0.40, s.wetness + 0.25 * g.spots.z);
}

// Share of turf in a drift of flowers.
float flower_drift(Site s, Grain g, Climate c, Patches p)
{
    float drifts = g.spots.y + 0.35 * g.spots.x - 0.5 * p.parched + 0.30 * alpine_meadow(s, g, c);
    return turf_share(s, 0.25, 0.60, drifts) * ground_grass(s, g, c) * (1.0 - p.heath) * (1.0 - c.aridity);
}

// Colour of turf: dry grass, meadow, tall herbs on moist ground, heath, straw, bare soil, and drifts of flowers.
vec3 turf(Site s, Grain g, Climate c, Flora f, Patches p)
{
    float meadow = alpine_meadow(s, g, c), gold = savanna(s, g, c), grass = ground_grass(s, g, c) * (1.0 - 0.65 * gold);
    vec3 green = f.grass * mix(vec3(1.0), vec3(1.02, 1.16, 0.80), meadow), straw = f.straw, soil = f.soil;
    vec3 albedo = mix(straw, green, grass);
    albedo = mix(albedo, green * vec3(0.66, 0.80, 0.66), p.moist * (0.35 + 0.5 * grass));
    albedo = mix(albedo, mix(mix(straw, green, 0.25), soil, 0.25), 0.80 * p.parched);
    albedo = mix(albedo, mix(soil, green, 0.55) * vec3(0.80, 0.68, 0.72), 0.60 * p.heath);
    albedo = mix(albedo, soil * (0.85 + 0.3 * g.detail), 0.60 * p.worn);
    // kinds of grass stand in patches of some metres, and where wild animals graze the turf is short and pale
    float kinds = g.crowns + 0.8 * g.spots.x, grazed = turf_share(s, 0.10, 0.45, 0.8 * g.spots.x + 0.9 * g.spots.z);
    albedo *= vec3(1.0 + 0.20 * kinds, 1.0 + 0.10 * kinds, 1.0 - 0.12 * kinds) * (1.0 + 0.10 * g.spots.y);
    albedo = mix(albedo, mix(green, straw, 0.45) * 1.15, 0.40 * grazed * grass);

    // each drift has one kind of flower; far away its flowers only tint the grass
    float drift = flower_drift(s, g, c, p),
          near = 1.0 - smoothstep(0.03, 0.25, s.footprint),
          blooms = mix(0.10, smoothstep(0.30, 0.55, g.detail) * 0.55, near);
    vec3 flowers = g.spots.z > 0.12 ? vec3(0.50, 0.40, 0.04) : g.spots.z > -0.12 ? vec3(0.55, 0.55, 0.50)
                   : vec3(0.26, 0.13, 0.36);
    return mix(albedo, flowers, drift * blooms);
}

// Colour of land over the trees: sedge in moist places, pale lichens on dry ones, dwarf shrubs, and gravel that frost
// has moved.
vec3 alpine(Grain g, Flora f, Patches p)
{
    vec3 albedo = mix(color(COLOR_ALPINE), f.grass * vec3(0.72, 0.80, 0.62), 0.60 * p.moist);
    albedo = mix(albedo, mix(color(COLOR_DRY), color(COLOR_ROCK), 0.55), 0.40 * p.parched);
    albedo = mix(albedo, mix(f.leaves, f.soil, 0.45) * vec3(0.95, 0.74, 0.78), 0.50 * p.heath);
    return mix(albedo, mix(color(COLOR_ROCK), f.soil, 0.5) * (0.9 + 0.4 * g.detail), 0.50 * p.worn);
}

#include "desert.glsl"

// Chance that a cell of the grid of bushes has one: at the edges of woods, near the tree line, in thickets on meadows,
// and as scrub in semi-deserts.
float bush_chance(Site s, Grain g, Climate c)
{
    float edge = ground_trees_grow(s, g, c),
          krummholz = ground_over_trees(s, g, c) * (1.0 - ground_alpine_height(s, g, c) * 0.8);
    float open = (1.0 - ground_snow(s, g, c)) * (1.0 - ground_too_steep_for_trees(s, g, c)) *
                 ground_over_shore(s, g, c);
    float thickets = smoothstep(0.25, 0.60, g.spots.x + 0.8 * g.spots.y) *
                     (smoothstep(0.15, 0.35, s.wetness) + smoothstep(0.35, 0.55, c.aridity)) *
                     (1.0 - smoothstep(0.80, 0.97, c.aridity));
    float scrub = smoothstep(0.40, 0.60, c.aridity) * (1.0 - smoothstep(0.88, 0.99, c.aridity)) *
                  smoothstep(-0.3, 0.4, g.spots.z + 0.4 * g.spots.x);
    float at_beds = s.cover.y > 0.0 ? beside_bed(s, g) * smoothstep(0.25, 0.5, c.aridity) : 0.0;
    return (0.16 * edge * (1.0 - edge) * 4.0 + 0.02 * edge + 0.20 * krummholz * edge + 0.02 * ground_groves(s, g, c) +
            0.05 * thickets + 0.05 * scrub + 0.22 * at_beds + 0.06 * edge * ground_clearings(s, g, c)) * open;
}

// Share of the ground that is hidden by bushes too far away to be drawn, and by their shadows.
float far_bushes(Site s, Grain g, Climate c)
{
    float chance = bush_chance(s, g, c), lost = smoothstep(2.0, 7.0, s.footprint);
    return (1.0 - s.planted.y) * mix(smoothstep(0.0, 0.25, g.crowns + 0.3 * g.detail - 0.80 + 2.6 * chance),
                                     0.7 * chance, lost);
}

// Chance of trees, as the mean over a pixel. Far away the noise of groves is lost, and without it no tree would grow
// where only the best spots have trees.
float mean_trees(Site s, Grain g, Climate c)
{
    float lost = 0.14 * smoothstep(3.0, 10.0, s.footprint) + 0.14 * smoothstep(12.0, 50.0, s.footprint);
    if (lost == 0.0)
        return ground_trees(s, g, c);
    g.medium += lost;
    float more = ground_trees(s, g, c);
    g.medium -= 2.0 * lost;
    return 0.5 * (more + ground_trees(s, g, c));
}

const float CROWNS_WITHOUT_SNOW = 0.55; // share of a wood in snow that stays dark

// Ground with plants: turf, soil, forest, and alpine grass above the trees.
// canopy: share of the ground that crowns hide which are not drawn as plants
Ground plants(Site s, Grain g, Climate c, out float canopy)
{
    Flora f = flora_at(c, s.over_sea);
    Patches p = patches_at(s, g);
    vec3 albedo = turf(s, g, c, f, p);
    // near the camera soil shows between blades of grass, and dead blades lie on it
    float close = 1.0 - smoothstep(0.01, 0.12, s.footprint);
    float gap = smoothstep(0.05, 0.75, g.detail), straw = smoothstep(0.05, 0.7, -g.detail);
    albedo = mix(albedo, 0.8 * f.soil, 0.5 * close * gap);
    albedo = mix(albedo, 1.25 * f.straw, 0.35 * close * straw);
    albedo *= 1.0 + 0.40 * g.detail + 0.15 * g.medium; // tussocks
    albedo = mix(albedo, f.soil * (1.0 + 0.25 * g.detail), ground_soil(s, g, c));

    float sandy = desert_share(s, g, c), loose = 0.0;
    if (sandy > 0.0) {
        Desert d = desert_at(s, g, c);
        albedo = mix(albedo, desert_color(s, g, f, d), sandy);
        loose = loose_sand(d) * sandy;
    }

    // crowns hide each other's gaps
    float gaps = 1.0 - mean_trees(s, g, of_trees(c)),
          wooded = mix(1.0 - gaps * gaps, ground_forest(s, g, c), s.planted.x),
          crown = clamp(0.62 + 0.45 * g.crowns + 0.3 * g.detail, 0.2, 1.4);
    vec3 floor_of_needles = mix(mix(f.soil, f.leaves, 0.50) * 0.80, albedo, 0.30) *
                            (1.0 + 0.3 * g.detail);
    canopy = wooded * (1.0 - s.planted.x);
    vec3 leaves = vec3(0.0);
    if (canopy > 0.0)
        leaves = canopy_color(s, g, c, f) * (crown * (1.0 + 0.35 * g.broad));
    albedo = mix(albedo, mix(leaves, floor_of_needles, s.planted.x), wooded);
    float high = ground_alpine(s, g, c);
    if (high > 0.0)
        albedo = mix(albedo, alpine(g, f, p) * (1.0 + 0.3 * g.detail + 0.15 * g.medium), high);
    if (s.planted.y < 1.0 && frame_air_density > 0.0)
        albedo = mix(albedo, mix(f.leaves, albedo, 0.3) * 0.7, far_bushes(s, g, c) * (1.0 - canopy));
    vec2 bumps = g.fine * (0.07 + 0.10 * close) + g.rough * 0.12;
    if (loose > 0.0)
        bumps = mix(bumps, 0.3 * bumps + sand_ripples(s.place, g.crowns, g.spots, s.footprint), loose);
    return Ground(albedo, mix(bumps, g.canopy + 0.15 * g.rough, canopy), 0.0);
}

// Share of bare rock at a point of a face, from the share in the surroundings of the point (bare). Ribs, and the steep
// risers between ledges, are bare first. Plants and snow stay in gullies and on ledges.
float on_ribs(float bare, RockFace face)
{
    return clamp(bare + 14.0 * bare * (1.0 - bare) * (face.height - MEAN_HEIGHT - 0.25 * face.level), 0.0, 1.0);
}

// Add scree below walls, and rock on walls.
void add_rock(Site s, Grain g, Climate c, inout RockFace face, inout Ground ground)
{
    float scree = ground_scree(s, g, c), bare = ground_rock(s, g, c);
    vec3 stones = mix(color(COLOR_ROCK), color(COLOR_SOIL), 0.35) * (0.95 + 0.35 * g.detail);
    ground.albedo = mix(ground.albedo, stones, scree * 0.8);
    ground.bumps = mix(ground.bumps, g.rough * 0.14, scree);
    if (frame_quality == 0 || frame_air_density <= 0.0) { // without air nothing erodes gullies
        ground.albedo = mix(ground.albedo, rock_color(s.over_sea, s.place, g.medium, g.detail, s.footprint), bare);
        ground.bumps = mix(ground.bumps, g.rough * 0.26, bare);
    } else if (bare > 0.0) {
        face = rock_face(s.place, s.over_sea, s.slopes, mix(0.55, 1.0, c.strata), s.footprint);
        bare = on_ribs(bare, face);
        ground.albedo = mix(ground.albedo, face.tone *
                            rock_color(s.over_sea, s.place, 0.5 * g.medium + face.height - MEAN_HEIGHT, face.grain,
                                       s.footprint), bare);
        ground.bumps = mix(ground.bumps, face.bumps, bare);
    }
}

#include "glacier.glsl"
#include "snow.glsl"

// Colour of a beach: fine and coarse sand in patches, pebbles, and lines of weed that high waves have left.
vec3 beach_color(Site s, Grain g, Climate c)
{
    vec3 sand = color(COLOR_SAND) * (1.0 + 0.12 * g.detail + 0.16 * g.spots.x + 0.14 * g.spots.y);
    float pebbles = turf_share(s, 0.12, 0.50, g.spots.y - 0.5 * g.spots.x + 0.35 * g.detail),
          line = s.over_sea / ground_beach_top(s, g, c) + 0.25 * g.crowns + 0.2 * g.spots.x,
          weed = (1.0 - smoothstep(0.02, 0.07, abs(fract(2.2 * line) - 0.5))) * smoothstep(-0.1, 0.5, g.detail) *
                 (1.0 - smoothstep(0.5, 3.0, s.footprint));
    sand = mix(sand, mix(color(COLOR_ROCK), color(COLOR_SAND), 0.35) * (0.8 + 0.4 * g.detail), 0.6 * pebbles);
    return mix(sand, 0.5 * color(COLOR_BED), 0.6 * weed);
}

// Add beaches, wet sand, rock that waves keep bare, and the bed of the sea, which is dark with weed where no sand lies.
void add_shore(Site s, Grain g, Climate c, inout Ground ground)
{
    float beach = ground_beach(s, g, c);
    float wet = has_layer(LAYER_WATER) ? 1.0 - smoothstep(-0.2, 0.9, s.over_sea + 0.4 * g.medium + 0.15 * g.detail)
                : 0.0;
    float rock = ground_shore_rock(s, g, c);
    ground.albedo = mix(ground.albedo, color(COLOR_ROCK_DARK) * (0.8 + 0.3 * g.detail), rock);
    ground.bumps = mix(ground.bumps, g.rough * 0.26, rock);
    if (beach > 0.0)
        ground.albedo = mix(ground.albedo, beach_color(s, g, c), beach);
    ground.bumps = mix(ground.bumps, g.fine * 0.10, beach);
    ground.albedo = mix(ground.albedo, color(COLOR_BED) *
                        ((1.0 + 0.25 * g.medium) * mix(0.45, 1.0, ground_sandy(s, g, c))), ground_bed(s, g, c));
    ground.albedo *= 1.0 - 0.45 * wet;
    ground.gloss = mix(ground.gloss, 0.35 * wet, beach);
}

// Ground at a position. n: normal of the land; steep: steepness of the surroundings; open: visible share of the sky,
// smaller in hollows; planted: see Site; cover: see ground_cover
Ground ground_at(float over_sea, vec3 n, float steep, float open, vec2 place, vec2 broad_place, float footprint,
                 vec2 planted, vec3 cover, Climate c)
{
    Site site = Site(over_sea, steep, 1.0 - n.y, clamp((1.0 - open) * 2.0, 0.0, 1.0), footprint, 0.0, 0.0, place,
                     -n.xz / n.y, planted, cover);
    if (frame_is_plain == 1)
        return plain_ground(site, Grain(0.0, 0.0, 0.0, 0.0, 0.0, vec3(0.0), vec2(0.0), vec2(0.0), vec2(0.0),
                                        vec2(0.0)), c);
    Grain grain = grain_at(place, broad_place, footprint);
    site.wetness = ground_wetness(site, grain, c);
    site.patches = ground_patches(site, grain, c);
    float canopy;
    Ground ground = plants(site, grain, c, canopy);
    RockFace face = NO_FACE;
    add_rock(site, grain, c, face, ground);
    add_bed(site, grain, c, ground);
    add_dunes(site, grain, ground);
    add_glacier(site, grain, ground);
    add_snow(site, grain, c, face, cover.x > 0.0 ? 0.0 : canopy, ground);
    add_shore(site, grain, c, ground);
    ground.albedo = max(ground.albedo, vec3(0.005));
    return ground;
}
