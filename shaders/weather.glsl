// weather.glsl - the weather at a position in the drifting air: a pure function of the position and of the world's
// seed.
//
// Noise numbers its cells by integers, so weather is precise everywhere in the world and does not repeat. Fronts follow
// Bjerknes 1919: ahead of the line of a front there are cirrus, then layers, then rain. On the line there are towers of
// cloud. Behind the line the sky clears, and clouds form open cells. Cloud streets and cells follow Atkinson and Zhang
// 1996.
const float WEATHER_CELL = WEATHER_CELL_M;
const float LOWEST_BASE = 0.6; // the lowest base of a cloud, under rain, as a share of the look's cloud base

// A position: the cell of WEATHER_CELL metres in which it lies, and metres from the corner of this cell.
struct Place { ivec2 cell; vec2 at; };

struct Weather {
    float cover;    // share of the sky under low clouds
    float upright;  // 0 stratus, 0.5 cumulus, 1 cumulonimbus
    float base;     // m over the sea
    float top;      // m over the sea
    float cirrus;   // 0..1
    float middle;   // share of the sky under clouds of middle height
};

// Upper bound of the low clouds, m over the sea.
float cloud_ceiling()
{
    return min(frame_cloud_base + 8.0 * frame_cloud_depth, max(frame_cloud_base + 1.5 * frame_cloud_depth, 11500.0));
}

uint weather_hash(ivec2 c, uint salt)
{
    return hash(uint(c.x) + hash(uint(c.y) + hash(salt)));
}

vec2 weather_gradient(ivec2 c, uint salt)
{
    uint h = weather_hash(c, salt);
    return vec2(float(h & 0xffffu), float(h >> 16)) / 32767.5 - 1.0;
}

// Noise, about -1..1 (x), and its slopes times the size (yz), with cells of size.x by size.y metres, powers of two.
vec3 weather_noise(Place p, vec2 size, uint salt)
{
    vec2 q = p.at / size, cell = floor(q);
    ivec2 c = ivec2(cell) + p.cell * ivec2(WEATHER_CELL / size);
    return noise_between(q - cell, weather_gradient(c, salt), weather_gradient(c + ivec2(1, 0), salt),
                         weather_gradient(c + ivec2(0, 1), salt), weather_gradient(c + ivec2(1, 1), salt));
}

// Cellular noise, computed from the distances to the two nearest of some scattered points: 0 midway between both, 1 at
// a point (Worley 1996).
float weather_cells(Place p, float size, uint salt)
{
    vec2 q = p.at / size, cell = floor(q);
    ivec2 c = p.cell * int(WEATHER_CELL / size) + ivec2(cell);
    vec2 nearest = vec2(9.0);
    for (int n = 0; n < 9; n++) {
        ivec2 o = ivec2(n % 3, n / 3) - 1;
        uint h = weather_hash(c + o, salt);
        vec2 away = cell + vec2(o) + vec2(float(h & 0xffffu), float(h >> 16)) / 65536.0 - q;
        float d = dot(away, away);
        nearest = d < nearest.x ? vec2(d, nearest.x) : vec2(nearest.x, min(nearest.y, d));
    }
    nearest = sqrt(nearest);
    return (nearest.y - nearest.x) / (nearest.y + nearest.x);
}

// A position in axes along the wind, (2, 1), and across it, (-1, 2). The axes are whole numbers, so cells map to cells.
// Lengths grow by a factor of the square root of 5.
Place along_wind(Place p)
{
    return Place(ivec2(2 * p.cell.x + p.cell.y, 2 * p.cell.y - p.cell.x),
                 vec2(2.0 * p.at.x + p.at.y, 2.0 * p.at.y - p.at.x));
}

// Weight of features of a size in a map: 0 if the map's texels are too large to resolve them.
float shown_in(float texel, float size)
{
    return 1.0 - smoothstep(0.2, 0.5, texel / size);
}

// A front: distance to its line, metres, positive ahead of the front (x), and strength, 0..1 (y).
vec2 front_at(Place p, float low, uint seed)
{
    vec3 f = weather_noise(p, vec2(WEATHER_CELL), seed + 3u) +
             0.3 * weather_noise(p, vec2(262144.0), seed + 4u) * vec3(1.0, 4.0, 4.0);
    float distance = f.x / max(length(f.yz), 0.35) * WEATHER_CELL;
    return vec2(distance, smoothstep(-0.1, 0.35, low) * (1.0 - smoothstep(3.0e5, 6.0e5, abs(distance))));
}

float bump(float x, float middle, float width)
{
    float d = (x - middle) / width;
    return exp(-d * d);
}

// Moisture of the air, normally distributed about 0 (x), and the result of front_at (yz).
vec3 moisture(Place p, float texel, uint seed)
{
    Place q = p;
    q.at += 7.0e4 * weather_noise(p, vec2(524288.0), seed).yz;
    vec3 low = weather_noise(q, vec2(WEATHER_CELL), seed + 1u);
    vec2 front = front_at(q, low.x, seed);
    q.at += 1.4e5 * vec2(-low.z, low.y); // circulation around highs and lows twists the pattern
    float m = 2.4 * low.x + 1.5 * weather_noise(q, vec2(262144.0), seed + 2u).x +
              0.9 * weather_noise(q, vec2(65536.0), seed + 5u).x;
    m += 0.6 * shown_in(texel, 16384.0) * weather_noise(q, vec2(16384.0), seed + 20u).x;
    m += 0.35 * shown_in(texel, 4096.0) * weather_noise(q, vec2(4096.0), seed + 21u).x;
    m += front.y * (2.2 * bump(front.x, 2.0e4, 4.5e4) + 1.0 * bump(front.x, 9.0e4, 7.0e4) -
                    1.4 * bump(front.x, -1.1e5, 6.0e4));
    return vec3(m, front);
}

// Rows and cells of clouds, about -1..1, as far as texels resolve them.
float rows_and_cells(Place p, float texel, uint seed)
{
    vec2 which = vec2(weather_noise(p, vec2(262144.0), seed + 6u).x, weather_noise(p, vec2(131072.0), seed + 7u).x);
    float rows = smoothstep(-0.05, 0.3, which.x), sum = 0.0;
    Place w = along_wind(p);
    w.at += 3000.0 * weather_noise(p, vec2(32768.0), seed + 8u).yz;
    if (rows > 0.0)
        sum += rows * (1.7 * shown_in(texel, 3600.0) * weather_noise(w, vec2(65536.0, 8192.0), seed + 9u).x +
                       1.0 * shown_in(texel, 7200.0) * weather_noise(w, vec2(131072.0, 16384.0), seed + 10u).x);
    if (rows < 1.0) {
        float cells = weather_cells(p, 32768.0, seed + 11u) - 0.4, open = smoothstep(-0.2, 0.2, which.y);
        sum += (1.0 - rows) * shown_in(texel, 9000.0) * mix(1.0, -1.6, open) * cells * 1.6;
        sum += (1.0 - rows) * 0.7 * shown_in(texel, 8192.0) * weather_noise(p, vec2(16384.0), seed + 12u).x;
    }
    return sum;
}

const float MOISTURE_MEAN = 0.03, COVER_SOFTNESS = 0.42;

// Cloud cover from moisture, whose standard deviation is 1, by a soft threshold. With this threshold the mean cover
// equals the cover of the look. The cumulative normal distribution is approximated by the logistic function with scale
// 1.702 (Camilli 1994).
float cover_of(float moist)
{
    float mean = clamp(frame_cloud_cover, 0.001, 0.999), width = sqrt(1.0 + COVER_SOFTNESS * COVER_SOFTNESS);
    float threshold = -log(mean / (1.0 - mean)) / 1.702 * width;
    float z = (moist - MOISTURE_MEAN - threshold) / COVER_SOFTNESS;
    return 1.0 / (1.0 + exp(-1.702 * z));
}

Weather weather_of(Place p, float texel, uint seed)
{
    vec3 m = moisture(p, texel, seed);
    float x = m.y, front = m.z, cover = cover_of(m.x), wide = weather_noise(p, vec2(262144.0), seed + 13u).x;
    float rain = front * bump(x, 2.0e4, 4.0e4) * smoothstep(0.3, 0.8, cover);
    float unstable = wide + 0.5 * weather_noise(p, vec2(65536.0), seed + 14u).x + 0.5 * front * bump(x, -4.0e4, 8.0e4);
    Weather w;
    w.upright = clamp(0.5 + 0.7 * unstable - 0.4 * smoothstep(0.55, 0.95, cover), 0.0, 1.0);
    w.base = frame_cloud_base * clamp(1.0 + 0.25 * wide - 0.18 * smoothstep(0.7, 1.0, cover) - 0.3 * rain, LOWEST_BASE,
                                      1.3);
    float heap = weather_noise(p, vec2(16384.0), seed + 15u).x +
                 0.8 * shown_in(texel, 4096.0) * weather_noise(p, vec2(4096.0), seed + 22u).x;
    float tower = smoothstep(0.3, 0.9, heap * shown_in(texel, 16384.0)) *
                  smoothstep(0.5, 0.85, w.upright) * smoothstep(0.05, 0.4, cover);
    float meso = rows_and_cells(p, texel, seed);
    w.cover = clamp(cover + cover * (1.0 - cover) * meso * 2.6, 0.0, 1.0);
    w.cover = mix(w.cover, max(w.cover, 0.9), tower * tower);
    float depth = frame_cloud_depth * mix(mix(0.4, 1.2, smoothstep(0.1, 0.6, w.upright)), 2.5, rain);
    depth *= 1.0 + 0.4 * clamp(meso, -1.0, 1.0);
    w.top = min(w.base + depth, cloud_ceiling());
    w.top = mix(w.top, cloud_ceiling(), tower * smoothstep(0.45, 1.0, w.upright));
    float amount = smoothstep(0.0, 0.3, frame_cloud_cover);
    w.cirrus = amount * clamp(smoothstep(0.1, 0.7, weather_noise(p, vec2(524288.0), seed + 16u).x + 0.12 * m.x) +
                              front * bump(x, 2.2e5, 1.5e5) + 0.5 * tower, 0.0, 1.0);
    Place along = along_wind(p);
    float ragged = weather_noise(along, vec2(524288.0, 262144.0), seed + 17u).x +
                   0.6 * weather_noise(along, vec2(131072.0, 65536.0), seed + 23u).x +
                   0.5 * shown_in(texel, 8192.0) * weather_noise(along, vec2(32768.0, 16384.0), seed + 24u).x;
    w.middle = amount * clamp(smoothstep(0.2, 1.2, ragged + 0.15 * m.x + front * bump(x, 1.1e5, 7.0e4)), 0.0, 1.0);
    return w;
}
