// clouds.glsl - density and shadow of the low clouds.
//
// A cloud fills a column between a flat base, where vapour condenses, and a crest, which is higher towards the middle
// of the cloud. Noise erodes both. Source: Schneider and Vos, "The Real-time Volumetric Cloudscapes of Horizon: Zero
// Dawn", 2015 (profiles by type, erosion), Schneider 2022 (crests by a map).
layout(binding = 10) uniform sampler3D cloud_noise; // r: heaps, g: their fine edges; repeats
layout(binding = 22) uniform sampler2D cloud_cells; // r: cumulus, g: layers, b: middle height, a: cirrus; repeats

const float CLOUD_EXTINCTION = 0.05; // 1/m, inside a cloud
const float HEAPS = 4096.0, EDGES = 1024.0, CELLS = 32768.0; // m, periods of the textures
const float SINGLE_CLOUD = 1500.0; // width of a cloud, m; clouds smaller than a pixel blend into a veil

// The clouds over a position.
struct Column {
    float filled;  // 0 at the edge of a cloud, 1 inside; in a veil, the cover
    float base;    // m over the sea
    float crest;   // m over the sea
    float top;     // upper bound of crests in this weather, m over the sea
    float heaped;  // 0: layers; 1: heaps
    float veil;    // 0: single clouds; 1: a veil, the mean of distant clouds
    vec2 push;     // displacement of cloud shapes, m; see weather_push
};

// Height of a position over the curved sea level.
float over_sea(vec3 position)
{
    return position.y + drop(position.xz) + frame_camera.y - frame_sea_level;
}

// Zenith cosine of the key light at a position.
float key_up(vec3 position)
{
    return dot(frame_key, up_at(position));
}

bool has_clouds()
{
    return has_layer(LAYER_CLOUDS) && frame_cloud_cover > 0.0;
}

// Distance along a ray to the curved surface `rise` metres over its origin; negative: the ray misses it. d.y: cosine of
// the angle between the ray and the vertical at its origin
float to_surface(vec3 d, float rise)
{
    vec3 m = meeting_of(d, rise);
    float under = m.y * m.y - 4.0 * m.x * m.z;
    if (rise > 0.0)
        return m.y > 0.0 || m.x > 0.0 ? -2.0 * m.z / (m.y + sqrt(under)) : -1.0;
    return m.y < 0.0 && under > 0.0 ? 2.0 * m.z / (-m.y + sqrt(under)) : -1.0;
}

// Share of single clouds that have blended into a veil, because pixels or steps are about as large as clouds.
float veil_of(float footprint)
{
    return smoothstep(0.1, 0.8, footprint / SINGLE_CLOUD);
}

// Values of distant cells: their mean, 0.5. From space, where pixels are wider than clouds, groups of clouds get the
// shapes of single clouds. place: m from the camera; lod: of the texture of single clouds
vec3 far_cells(vec2 place, float lod, float footprint)
{
    const float WIDER = 16.0; // WIDER periods are half of WEATHER_CELL, and WIDER^2 periods are eight times
                              // WEATHER_CELL
    vec2 at = (vec2(frame_weather_cell & 7) * WEATHER_CELL + frame_weather_place + place) / CELLS;
    vec3 cells = vec3(0.5);
    for (int n = 2; n > 0 && in_space() > 0.0; n--) {
        float times = n == 1 ? WIDER : WIDER * WIDER;
        vec3 wide = textureLod(cloud_cells, (n == 1 ? at : at.yx) / times, max(lod - log2(times), 0.0)).rgb;
        cells = mix(wide, cells, smoothstep(0.5, 2.0, footprint / (SINGLE_CLOUD * times)));
    }
    return mix(vec3(0.5), cells, in_space());
}

// The column at a position with known weather. footprint: width of the region that the column stands for, m; features
// smaller than it are replaced by their mean
Column column_of(vec2 place, vec4 weather, float footprint)
{
    vec2 push = weather_push(place);
    vec2 at = (place + frame_pattern + frame_cloud_drift + push) / CELLS;
    float lod = log2(max(footprint * float(textureSize(cloud_cells, 0).x) / CELLS, 1.0));
    // far away the mean replaces the texture, because its repetition would be visible
    vec3 cells = mix(textureLod(cloud_cells, at, lod).rgb, far_cells(place + push, lod, footprint),
                     smoothstep(0.5, 2.0, footprint / SINGLE_CLOUD));
    Column c;
    c.base = weather.z;
    c.top = weather.w;
    float tall = smoothstep(1500.0, 4500.0, weather.w - c.base);
    float merged = 0.9 * smoothstep(0.7, 1.0, weather.x) * (1.0 - tall); // heaps side by side
    c.heaped = smoothstep(0.2, 0.5, weather.y) * (1.0 - merged);
    c.veil = veil_of(footprint);
    c.push = push;
    float cover = weather.x + 0.25 * smoothstep(0.6, 1.0, weather.x) - 0.15 * c.veil * in_space();
    float cell = mix(cells.y, cells.x, c.heaped), inside = cell - 1.0 + cover;
    c.filled = clamp(inside / mix(mix(0.5, 0.4, c.heaped), 1.0, c.veil) + 0.5 * c.veil, 0.0, 1.0) *
               smoothstep(0.0, 0.02, weather.x);
    // cells of a layer contain smaller cells; thick cells have lower bases
    float thick = clamp(cell + 0.6 * (cells.z - 0.5), 0.2, 1.0);
    c.base += 0.15 * (1.0 - c.heaped) * (1.0 - c.veil) * (1.0 - thick) * (weather.w - weather.z);
    // small heaps are wider than tall, and the edges of all clouds are flat
    float dome = c.filled * mix(0.35 + 0.65 * c.filled, c.filled * (3.0 - 2.0 * c.filled), tall);
    float rise = mix((0.15 + 0.25 * c.filled + 0.6 * thick) * mix(0.3, 1.0, smoothstep(0.0, 0.8, c.filled)),
                     dome * mix(0.7 + 0.3 * cell, 0.25 + 0.75 * cell, tall), c.heaped);
    c.crest = c.base + (weather.w - c.base) * mix(rise, 0.45 + 0.5 * cell, c.veil);
    return c;
}

Column column_at(vec2 place, float footprint)
{
    return column_of(place, weather_at(weather_low, place), footprint);
}

// Noise without features smaller than two footprints, which would be aliased.
vec2 noise_at(vec3 at, float footprint, float period)
{
    float texels = float(textureSize(cloud_noise, 0).x);
    return textureLod(cloud_noise, at.xzy / period, log2(max(2.0 * footprint * texels / period, 1.0))).rg;
}

// Erosion of a cloud by fine edges, 0..1.
float edges_at(vec2 noise, vec3 at, float heaps, float footprint)
{
#if QUALITY == 0
    float cell = noise.y;
#else
    float cell = noise_at(at, footprint, EDGES).y;
    if (footprint < 15.0)
        cell = mix(cell, noise_at(at, footprint, 0.2 * EDGES).y, 0.3);
#endif
    return mix(cell, 1.0 - cell, heaps);
}

const int WITH_EDGES = 0, WITH_HEAPS = 1, SMOOTH = 2; // detail of a cloud's shape
const float FLAT_BASE = 110.0;                         // height over which a base fades in, m

// How deep a height of a column lies inside the cloud's smooth hull: 0 at the hull, below 0 outside it, about 1 at the
// depth of heaps and creases.
float hull_at(float height, Column c)
{
    float over = height - c.base, under = c.crest - height,
          soft = clamp(0.4 * (0.6 * c.top + 0.4 * c.crest - c.base), 60.0, 450.0);
    return min(min(over / FLAT_BASE, under / soft), min(c.filled * mix(mix(1.5, 2.4, c.heaped), 2.4, c.veil), 1.5));
}

// Factor on the density of a column, small at the edge of a cloud, where shreds evaporate.
float left_of_shreds(Column c)
{
    return mix(0.03, 1.0, smoothstep(0.05, 0.6, max(c.filled, c.veil)));
}

// Extinction, 1/m, in a column.
float cloud_extinction(vec3 position, float height, Column c, int shape, float footprint)
{
    float inside = hull_at(height, c), depth = max(c.crest - c.base, 1.0);
    if (inside <= 0.0)
        return 0.0;
    float high = clamp((height - c.base) / depth, 0.0, 1.0), thin = 1.0 - c.filled;
    // noise erodes heaps everywhere and layers at their edges, both less at the base
    float share = (1.0 - c.veil) * mix(mix(0.3, 0.9, thin), 0.9, c.heaped) * mix(0.6, 1.0, max(high, thin));
    if (shape == SMOOTH || share <= 0.0) {
        inside -= 0.66 * share; // mean of the erosion in the other branch
    } else {
        vec3 at = vec3(place_of(position.xz) + frame_pattern + frame_cloud_drift + c.push, height);
        vec2 noise = noise_at(at, footprint, HEAPS);
        inside -= (1.35 - 1.5 * noise.x) * share;
        if (shape == WITH_EDGES && inside > -0.7)
            inside -= share * (1.7 * edges_at(noise, at, smoothstep(0.1, 0.35, high) * smoothstep(-0.4, 0.5, inside),
                                              footprint) - 0.75);
    }
    // contrast of an edge, which is low if a large footprint averages it
    float sharp = mix(clamp(90.0 / footprint, shape == WITH_EDGES ? 3.0 : 1.5, 7.0), 1.0, c.veil);
    float density = clamp(0.5 * (1.0 - c.veil) + (inside - 0.07 * (1.0 - c.veil)) * sharp, 0.0, 1.0);
    density *= left_of_shreds(c);
    // a veil transmits as much as gaps and clouds together; a closed veil as much as a cloud
    float veil = -log(1.0 - c.filled + c.filled * exp(-CLOUD_EXTINCTION * depth)) / depth;
    return density * mix(CLOUD_EXTINCTION, min(1.6 * veil, CLOUD_EXTINCTION), c.veil);
}

// Diffuse transmittance of a cloud of a depth, m: two-stream solution for droplets with asymmetry 0.85 (Bohren 1987).
float diffuse_through_cloud(float depth)
{
    return 1.0 / (1.0 + 0.75 * 0.15 * CLOUD_EXTINCTION * depth);
}

// Shares of the key light that low clouds let through to a position: of the beam (x), and of the beam and the diffuse
// light (y). Single clouds lose a part of the diffuse light at their sides. Below closed clouds the light of the sky
// contains it already.
vec2 light_below_clouds(vec3 position)
{
    float up = key_up(position), height = over_sea(position);
    if (!has_clouds() || up < 0.02 || height > cloud_ceiling())
        return vec2(1.0);
    float rise = max(frame_cloud_base + 0.25 * frame_cloud_depth - height, 0.0);
    vec2 place = place_of(position.xz) + local_direction(frame_key, up_at(position)).xz * (rise / max(up, 0.08));
    float footprint = max(length(position) * frame_pixel_width, 40.0);
    vec4 weather = weather_at(weather_low, place);
    Column c = column_of(place, weather, footprint);
    float depth = max(c.crest - max(c.base, height), 0.0) * left_of_shreds(c) * smoothstep(0.05, 0.3, c.filled);
    float beam = mix(exp(-depth * 0.3 * CLOUD_EXTINCTION), 1.0 - 0.97 * c.filled * step(height, c.crest), c.veil);
    float diffuse = 0.6 * (1.0 - weather.x * weather.x) * diffuse_through_cloud(depth);
    return mix(vec2(1.0), vec2(beam, mix(diffuse, 1.0, beam)), smoothstep(0.02, 0.06, up));
}

// Share of the beam of the key light that low clouds let through to a position.
float cloud_shadow(vec3 position)
{
    return light_below_clouds(position).x;
}

// Share of the key light that reaches the land around a position, estimated from the share that reaches the position
// (below_clouds). Even if clouds shade the position, there are gaps around it.
float lit_around(float below_clouds)
{
    return 0.25 + 0.75 * below_clouds;
}

// Share of the sky over a position that low clouds cover.
float covered_by_clouds(vec3 position)
{
    if (!has_clouds())
        return 0.0;
    vec4 weather = weather_at(weather_low, place_of(position.xz));
    return weather.x * (1.0 - smoothstep(weather.z, weather.w, over_sea(position)));
}

// Share of the path from the camera along d in the shade of clouds, from their mean cover. Shadows of single clouds are
// not visible in air.
float clouded_way(vec3 d, float distance)
{
    return 0.5 * (covered_by_clouds(d * (0.3 * distance)) + covered_by_clouds(d * (0.8 * distance)));
}

// Light below closed clouds. It has little colour, even if the sun is low, because it is scattered many times between
// the clouds and the blue air above them. Source: Lee and Hernandez-Andres 2005, on the colours of overcast skies; the
// numbers are chosen by eye. covered: share of the sky that clouds cover; it is squared, because light passes between
// single clouds
vec3 gray_below_clouds(vec3 light, float covered)
{
    return mix(light, luminance_of(light) * vec3(0.97, 1.0, 1.07), 0.85 * covered * covered);
}

// Irradiance of the sky on level ground below clouds. Clouds hide the blue sky and transmit some sunlight.
vec3 sky_below_clouds(vec3 position, vec3 sunlight)
{
    vec3 sky = sky_at(position), above = sky + sunlight * max(key_up(position), 0.0);
    float covered = covered_by_clouds(position);
    return gray_below_clouds(mix(sky, 0.32 * above, covered * covered), covered);
}
