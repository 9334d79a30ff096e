// snow.glsl - snow on the ground: crusts and ridges that the wind has made, soft snow in the lee, and ground that comes
// through where snow is thin.

// Relief of snow that the wind has packed.
struct SnowRelief {
    float crust;  // share of hard crust, 0..1; the rest is soft
    float height; // about -1..1
    vec2 bumps;   // slopes to the east and south
};

// Noise with features that are four times as long along the wind, (2, 1), as across it (x), and its slopes to the east
// and south, 1/m (yz). The axes are whole numbers, so it repeats like other noise. wide: of features, m, a power of two
vec3 blown_noise(vec2 place, float wide, float footprint)
{
    float size = 8.0 * wide, keep = 1.0 - smoothstep(0.3, 1.0, footprint / wide);
    if (keep <= 0.0)
        return vec3(0.0);
    vec3 o = keep * noise(vec2(2.0 * place.x + place.y, 8.0 * place.y - 4.0 * place.x), size);
    return vec3(o.x, vec2(2.0 * o.y - 4.0 * o.z, o.y + 8.0 * o.z) / size);
}

SnowRelief packed_snow(Site s, Grain g)
{
    vec3 sheets = blown_noise(s.place + 5.0, 32.0, s.footprint), tongues = blown_noise(s.place, 8.0, s.footprint),
         ridges = blown_noise(s.place + 29.0, 2.0, s.footprint);
    float crust = turf_share(s, -0.06, 0.10, 0.8 * sheets.x + 0.8 * tongues.x + 0.5 * g.spots.z + 0.15 * ridges.x),
          tall = mix(0.25, 1.0, crust) * (0.5 + smoothstep(0.0, 0.4, ridges.x)); // crests are sharp
    SnowRelief p;
    p.crust = crust;
    p.height = 0.4 * sheets.x + 0.5 * tongues.x + 0.8 * tall * ridges.x + 0.2 * g.crowns;
    p.bumps = 3.0 * sheets.yz + 1.4 * tongues.yz + 0.45 * tall * ridges.yz + 0.15 * g.medium_slope;
    return p;
}

// Share of snow through which stones and turf come: on ridges, on knolls, and where the wind takes snow away.
float worn_snow(Site s, Grain g)
{
    float knolls = max(g.crowns, 0.0) * smoothstep(0.15, 0.55, g.detail + 0.6 * g.spots.x);
    float thin = 0.6 * g.spots.y + 0.45 * g.spots.x + 0.4 * g.detail + 0.35 * knolls + 0.25 * g.medium +
                 2.5 * (s.steep - 0.10) + 0.14 * smoothstep(0.03, 0.12, s.steep) - 0.6 * s.hollow;
    return turf_share(s, 0.32, 0.58, thin);
}

// Colour of snow: soft snow is white, crusts are a little darker, old patches are grey with dust, and hollows are blue.
vec3 snow_color(Site s, Grain g, SnowRelief p)
{
    float dusty = turf_share(s, 0.10, 0.55, 0.7 * g.spots.z + 0.3 * g.spots.x + 0.6 * p.height),
          low = clamp(s.hollow + 0.7 * smoothstep(0.1, -0.5, p.height) + 0.2 * smoothstep(0.0, -0.5, g.spots.y), 0.0,
                      1.0);
    vec3 tone = mix(vec3(1.0), vec3(0.66, 0.80, 1.0), low);
    tone *= mix(vec3(1.0), vec3(0.76, 0.81, 0.87), p.crust) * mix(vec3(1.0), vec3(0.84, 0.79, 0.72), 0.4 * dusty);
    return color(COLOR_SNOW) * tone * (1.0 + 0.08 * g.detail * p.crust);
}

// The site as snow sees it: walls that are only a few metres high do not let snow slide off.
Site snowy_site(Site s)
{
    s.wall = min(s.wall, s.steep + 0.06 + 0.10 * s.steep);
    return s;
}

// Add snow. Hollows are deep. Rock faces keep some snow on their ledges. Crowns keep a part of the snow.
// Glaciers are bare at their edges. canopy: see plants
void add_snow(Site s, Grain g, Climate c, RockFace face, float canopy, inout Ground ground)
{
    float falls = ground_snow_falls(s, g, c);
    if (falls <= 0.0)
        return;
    float worn = s.cover.x > 0.0 ? 0.8 * (1.0 - smoothstep(0.2, 0.9, 1.6 * s.cover.x + 0.5 * g.spots.x))
                 : 0.9 * worn_snow(s, g),
          lies = ground_snow(snowy_site(s), g, c), snow = lies * (1.0 - worn),
          dusted = 0.38 * falls * (0.7 + 0.3 * face.level) * (1.0 - smoothstep(0.5, 0.8, s.steep)),
          white = max(1.0 - on_ribs(1.0 - snow, face), dusted) * (1.0 - CROWNS_WITHOUT_SNOW * canopy);
    SnowRelief relief = packed_snow(s, g);
    ground.albedo = mix(ground.albedo, snow_color(s, g, relief), white);
    ground.bumps = mix(ground.bumps, g.fine * 0.05 + relief.bumps, white * smoothstep(0.0, 0.4, lies));
    // sun and wind leave a film of ice on some crusts
    ground.gloss = mix(ground.gloss, 0.35 * relief.crust * turf_share(s, 0.0, 0.40, 0.9 * g.spots.x + 0.6 * g.spots.z),
                       lies * white);
}
