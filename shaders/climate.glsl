// climate.glsl - the climate at a place, and the colours of plants and soil that follow from it.
//
// The frame has the climate at CLIMATE_MAP_SIDE x CLIMATE_MAP_SIDE points around the camera. Between them it is
// interpolated; it changes over tens of kilometres. src/program/viewer/flight/climate_map.c makes the points.

// Climate of a place, which decides where plants grow and snow lies.
struct Climate {
    float tree_line, snow_line; // metres over the sea; snow of the frame's month
    float lasting_snow;         // snow line of midsummer
    float aridity, strata;      // 0..1
    float warmth;               // mean temperature of the year at the level of the sea, degrees Celsius
};

// Climate at a place, metres from the camera.
Climate climate_at(vec2 place)
{
    vec2 p = clamp(frame_climate_place + place * frame_climate_scale, 0.0, float(CLIMATE_MAP_SIDE) - 1.001);
    ivec2 first = ivec2(p);
    vec2 t = p - vec2(first);
    int n = first.y * CLIMATE_MAP_SIDE + first.x;
    vec4 at = mix(mix(frame_climate[n], frame_climate[n + 1], t.x),
                  mix(frame_climate[n + CLIMATE_MAP_SIDE], frame_climate[n + CLIMATE_MAP_SIDE + 1], t.x), t.y);
    float lasting_snow = frame_snow_line + at.x * (at.x < 0.0 ? 0.65 : 1.0);
    return Climate(frame_tree_line + at.x, frame_snow_line + at.y, lasting_snow, clamp(frame_aridity + at.z, 0.0, 1.0),
                   frame_strata, at.w);
}

// The climate in which trees have grown: the snow of other seasons does not matter to them.
Climate of_trees(Climate c)
{
    c.snow_line = c.lasting_snow;
    return c;
}

// Mean temperature of the frame's month, degrees Celsius: the inverse of snow_m in climate_map.c.
float month_at(Climate c, float over_sea)
{
    float rise = c.snow_line - frame_snow_line;
    return 17.5 + rise * (rise < 0.0 ? 0.01 : 0.0065) - 0.0065 * over_sea;
}

// Share of calm water that is frozen, 0..1: none below the snow line, all from 300 m above it on.
float frozen_at(Climate c, float over_sea)
{
    return smoothstep(0.0, 300.0, over_sea - c.snow_line);
}

// Colours of plants and soil in a climate.
struct Flora {
    vec3 grass, straw, leaves, needles, soil;
    float bare;   // share of leaves that have fallen
    float turned; // share of leaves with the colours of autumn
};

// Flora at a height over the sea.
Flora flora_at(Climate c, float over_sea)
{
    float mean = c.warmth - 0.0065 * over_sea, month = month_at(c, over_sea), humid = 1.0 - c.aridity;
    float hot = smoothstep(15.0, 24.0, mean), cold = 1.0 - smoothstep(-4.0, 6.0, mean);
    bool is_autumn = frame_season > 0.5;
    Flora f;
    f.bare = frame_season == 0.5 ? 0.0 : 1.0 - smoothstep(0.0, 4.0, month);
    f.turned = frame_season == 0.5 || !is_autumn ? 0.0 : 1.0 - smoothstep(7.0, 12.0, month);
    // savanna is gold, rain forest bright green with red soil, tundra brown with dwarf shrubs and lichens
    f.grass = frame_colors[COLOR_GRASS].rgb * mix(vec3(1.0), vec3(0.95, 1.28, 0.80), hot * humid) *
              mix(vec3(1.0), vec3(1.50, 1.02, 1.25), cold);
    f.straw = frame_colors[COLOR_DRY].rgb * mix(vec3(1.0), vec3(1.40, 1.20, 0.95), hot) *
              mix(vec3(1.0), vec3(0.80, 0.80, 0.95), cold);
    f.straw = mix(f.straw, dot(f.straw, vec3(0.40, 0.36, 0.30)) * vec3(0.92, 0.80, 0.58),
                  0.6 * smoothstep(0.45, 0.8, c.aridity)); // bleached by the sun
    f.leaves = frame_colors[COLOR_FOREST].rgb * mix(vec3(1.0), vec3(1.15, 1.40, 0.90), hot * humid);
    f.leaves = mix(f.leaves, mix(frame_colors[COLOR_GRASS].rgb, f.straw, 0.35) * vec3(0.80, 0.78, 0.90),
                   0.8 * smoothstep(0.35, 0.8, c.aridity)); // small grey leaves lose little water
    f.needles = frame_colors[COLOR_FOREST].rgb * mix(vec3(1.0), vec3(0.85, 0.85, 1.10), cold);
    f.soil = frame_colors[COLOR_SOIL].rgb * mix(vec3(1.0), vec3(1.45, 0.85, 0.60),
                                               hot * (1.0 - smoothstep(0.6, 1.0, c.aridity)));
    f.soil = mix(f.soil, mix(frame_colors[COLOR_SAND].rgb, frame_colors[COLOR_SOIL].rgb, 0.45),
                 0.8 * smoothstep(0.6, 0.95, c.aridity));
    // in a cold month grass is dead
    float dormant = frame_season == 0.5 ? 0.0 : 1.0 - smoothstep(2.0, 9.0, month);
    f.grass = mix(f.grass, mix(f.grass, f.straw * vec3(0.80, 0.72, 0.70), 0.75), dormant);
    return f;
}

// Colour of leaves in autumn and winter. leaves: colour in summer; tint: of the plant, 0..1
vec3 fallen(Flora f, vec3 leaves, float tint)
{
    vec3 gold = mix(vec3(0.19, 0.11, 0.018), vec3(0.17, 0.045, 0.016), smoothstep(0.35, 0.8, tint));
    return mix(mix(leaves, gold, f.turned), vec3(0.088, 0.074, 0.062), f.bare);
}
