// cloud_sheets.glsl - clouds of middle height and cirrus. They are thin, so a ray meets each sheet at one point.

// Heights of the sheets, m. MIDDLE_HEIGHT: over the base of low clouds, but at most 7500 m over the sea. CIRRUS_HEIGHT:
// over the sea, but at least 800 m over the ceiling of low clouds.
const float MIDDLE_HEIGHT = 2600.0, CIRRUS_HEIGHT = 9500.0;
const float MIDDLE_DEPTH = 300.0; // m

struct Sheet {
    float t;       // distance along the ray; negative: the ray misses the sheet
    float height;  // m over the sea
    float depth;   // vertical optical depth
    float opacity; // opacity along the ray, 0..1
    float share;   // share of the pixel in which the sheet is visible
    float reached; // share of the key light that reaches the sheet through neighbouring cells
    bool is_passed; // the march along the ray has passed the sheet
};

// Density of small cells of middle height, 0..1. share: share of the sky that the cells cover
float middle_at(vec2 place, float share, float footprint)
{
    vec2 at = (place + frame_pattern + frame_cloud_drift + 1.7 * weather_push(place)) / 16384.0;
    float lod = log2(max(footprint * float(textureSize(cloud_cells, 0).x) / 16384.0, 1.0));
    float cells = textureLod(cloud_cells, at, lod).b;
#if QUALITY > 0
    float frays = textureLod(cloud_cells, 5.0 * at.yx, lod + log2(5.0)).a +
                  textureLod(cloud_cells, 7.0 * at, lod + log2(7.0)).b;
    cells += 0.35 * (frays - 1.0);
#endif
    cells = mix(cells, 0.5, smoothstep(400.0, 1600.0, footprint)); // hides the repetition
    return clamp((cells - 1.0 + 1.2 * share) / 0.6, 0.0, 1.0);
}

// Density of fibres of ice along the wind, at two scales.
float cirrus_at(vec2 place, float share, float footprint)
{
    vec2 p = frame_weather_place + place + 3.0 * weather_push(place), along = vec2(2.0 * p.x + p.y, 2.0 * p.y - p.x);
    float side = float(textureSize(cloud_cells, 0).x);
    float broad = textureLod(cloud_cells, along / vec2(262144.0, 131072.0),
                             log2(max(footprint * side / 58000.0, 1.0))).a;
    float fine = textureLod(cloud_cells, along.yx / vec2(32768.0, 65536.0).yx,
                            log2(max(footprint * side / 14600.0, 1.0))).a;
    return clamp((0.65 * broad + 0.35 * fine - 1.0 + share) / 0.8, 0.0, 1.0) * share;
}

// Light that reaches the camera from a sheet, multiplied by the sheet's share of the pixel.
vec3 sheet_light(vec3 d, Sheet sheet, vec2 pixel)
{
    if (sheet.share <= 0.0)
        return vec3(0.0);
    vec3 position = d * max(sheet.t, 1.0), up = up_at(position);
    float c = dot(d, frame_key), mu = dot(frame_key, up), is_thin = 1.0 - smoothstep(0.3, 1.1, sheet.depth);
    float lit = -mu * dot(d, up) > 0.0 ? 1.0 : exp(-0.5 * sheet.depth / max(abs(mu), 0.2));
    float sent = (mix(1.2, 0.8, is_thin) * phase_cloud(c, 1.0) + 0.15 * lit) * mix(0.75, 1.0, is_thin) * sheet.reached;
    vec3 light = sent * key_in_clouds(position, sheet.height);
    light += 0.6 / PI * sky_in_clouds(position, sheet.height);
    return sheet.share * through_air(light, pixel, max(sheet.t, 1.0), 0.0, clouded_way(d, sheet.t));
}

// Share of the key light that reaches a position in a cell of middle height through the cell itself and its neighbours
// towards the light. Cells are MIDDLE_DEPTH high.
float reached_at(vec2 place, vec2 to_key, float mu, float share, float footprint)
{
    float step_length = 0.5 * MIDDLE_DEPTH / max(abs(mu), 0.25), depth = 0.0;
    for (int n = 1; n <= 2; n++)
        depth += middle_at(place + to_key * (step_length * float(n)), share, max(footprint, 0.5 * step_length));
    return mix(0.35, 1.0, exp(-1.1 * depth * (1.0 - abs(mu))));
}

// The sheet of middle height (kind 0) or of cirrus (kind 1) along a ray. end: distance at which the ray ends
Sheet sheet_at(vec3 d, float end, int kind)
{
    float height = kind == 0 ? min(frame_cloud_base + MIDDLE_HEIGHT, 7500.0)
                   : max(CIRRUS_HEIGHT, cloud_ceiling() + 800.0);
    float t = to_surface(d, height + frame_sea_level - frame_camera.y), footprint = t * frame_pixel_width;
    vec3 up = up_at(d * t);
    vec2 place = place_of(d.xz * max(t, 0.0)), shares = weather_at(weather_high, place).xy;
    // The cosine is limited, because fibres of ice have gaps even for a ray along the sheet.
    float facing = max(abs(dot(d, up)), kind == 0 ? 0.12 : 0.35);
    footprint = max(footprint, 0.0) / facing;
    float depth = kind == 0 ? 1.1 * middle_at(place, shares.y, footprint) * smoothstep(0.0, 0.1, shares.y)
                            : 0.4 * cirrus_at(place, shares.x, footprint);
    bool is_met = t >= 0.0 && t <= end && depth > 0.002;
    float reached = 1.0;
#if QUALITY > 0
    if (kind == 0 && is_met)
        reached = reached_at(place, normalize(local_direction(frame_key, up).xz + 1.0e-6), dot(frame_key, up), shares.y,
                             footprint);
#endif
    return Sheet(is_met ? t : -1.0, height, depth, is_met ? 1.0 - exp(-depth / facing) : 0.0, 0.0, reached, false);
}
