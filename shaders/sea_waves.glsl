// sea_waves.glsl - waves of the sea at a position, from the cascades that ocean_*.comp compute.
//
// The repetition of a patch would be visible from above. So each corner of a grid of triangles shifts the patch at
// random, and a position blends the patches of three corners. Heights of waves are normally distributed. A weighted sum
// divided by the length of its weight vector keeps this distribution. Source: Heitz and Neyret, "High-performance
// by-example noise using a histogram-preserving blending operator", 2018.
//
// Waves smaller than a pixel are treated as roughness. Source: Bruneton, Neyret, Holzschuch, "Real-time realistic ocean
// lighting using seamless transitions from geometry to BRDF", 2010.
#include "sea_block.glsl"

layout(binding = 15) uniform sampler2DArray sea_surfaces;

const vec2 WIND = vec2(WIND_EAST, WIND_SOUTH); // direction of travel

// Waves at a position.
struct Sea_surface {
    vec2 slope;   // rise to the east and to the south
    float height; // over the mean, m
    float wider;  // horizontal stretch of the surface, less 1; negative at crests; crests break where this is low
    float lost;   // mean square slope of waves smaller than the footprint
};

// Random shift of a patch in a cell, 0..1.
vec2 patch_of(int cascade, ivec2 cell, int period)
{
    cell &= period - 1;
    uint h = hash(uint(cell.x) + hash(uint(cell.y) + uint(cascade << 24)));
    return vec2(float(h & 0xffffu), float(h >> 16)) / 65536.0;
}

// Slopes (xy), height (z) and stretch (w) of a cascade at a position, metres from the camera.
vec4 cascade_at(int cascade, vec2 place, float level)
{
    vec2 turn = sea_cascades[cascade].turn;
    vec2 at = sea_cascades[cascade].place + vec2(dot(turn, place), turn.x * place.y - turn.y * place.x);
    vec2 q = vec2(place.x + 0.5 * place.y, place.y) * sea_cascades[cascade].cells + sea_cascades[cascade].cell_part;
    vec2 corner = floor(q), f = q - corner;
    ivec2 cell = sea_cascades[cascade].cell + ivec2(corner);
    int period = sea_cascades[cascade].cell_period;
    bool is_east = f.x > f.y;
    vec3 w = vec3(1.0 - max(f.x, f.y), abs(f.x - f.y), min(f.x, f.y));
    w *= inversesqrt(dot(w, w));
#if QUALITY == 0 // sharpen the blend, so that most lookups read one level
    level = floor(level) + clamp((fract(level) - 0.35) / 0.3, 0.0, 1.0);
#endif
    vec4 sum = w.x * textureLod(sea_surfaces, vec3(at + patch_of(cascade, cell, period), cascade), level);
    sum += w.y * textureLod(sea_surfaces, vec3(at + patch_of(cascade, cell + ivec2(is_east, !is_east), period),
                                               cascade), level);
    return sum + w.z * textureLod(sea_surfaces, vec3(at + patch_of(cascade, cell + 1, period), cascade), level);
}

// Level of a cascade's texture whose samples are as large as a footprint.
float cascade_level(int cascade, float footprint)
{
    return log2(max(footprint * length(sea_cascades[cascade].turn) * float(sea_side), 1e-3));
}

// Mean square slope of a cascade that a mipmap level lacks.
float lost_at(int cascade, float level)
{
    int n = clamp(int(level), 0, 10);
    float a = sea_cascades[cascade].lost[n >> 2][n & 3], b = sea_cascades[cascade].lost[(n + 1) >> 2][(n + 1) & 3];
    return mix(a, b, clamp(level - float(n), 0.0, 1.0)) * clamp(level + 1.0, 0.0, 1.0);
}

// Height of waves of a wave number over a depth, relative to deep water. Source: Kitaigorodskii et al. 1975, in the
// form of Thompson and Vincent 1983.
float shallow(float number, float depth)
{
    float x = clamp(number * depth, 0.0, 4.0), low = 2.0 - sqrt(x);
    return sqrt(x < 1.0 ? 0.5 * x : 1.0 - 0.5 * low * low);
}

// Sum of the cascades from `first` on, over a depth of water.
Sea_surface sea_surface(int first, vec2 place, float footprint, float depth)
{
    vec4 sum = vec4(0.0);
    float lost = sea_shorter;
    for (int c = first; c < sea_cascade_count; c++) {
        float level = cascade_level(c, footprint), strength = shallow(sea_cascades[c].number, depth),
              all = lost_at(c, 11.0);
        float last = 0.5 * log2(float(sea_side)) + (c == 0 ? 1.0 : 0.0),
              keep = 1.0 - smoothstep(last - 1.0, last, level);
        lost += strength * strength * mix(all, lost_at(c, level), keep * keep);
        if (keep > 0.0)
            sum += strength * keep * cascade_at(c, place, max(level, 0.0));
    }
    return Sea_surface(sum.xy, sum.z, sum.w, lost);
}

// Distance at which a ray meets the waves, so that crests near the camera hide what is behind them. mean: distance at
// which the ray meets the mean sea
float to_crest(vec3 d, float mean)
{
    const float REACH = 1500.0, HIGHEST_CAMERA = 120.0;
    float over = frame_camera.y - frame_sea_level, first = max((over - sea_highest) / -d.y, 0.0);
    float seen = 1.0 - smoothstep(0.5 * HIGHEST_CAMERA, HIGHEST_CAMERA, over);
    const int STEPS = QUALITY == 0 ? 4 : 24, COUNT = QUALITY == 0 ? 1 : 2;
    if (over < 0.0 || d.y >= 0.0 || first > REACH || seen <= 0.0)
        return mean;
    float t = first;
    for (int n = 0; n < STEPS; n++) {
        vec2 place = d.xz * t;
        float high = seen * (1.0 - smoothstep(0.3 * REACH, REACH, t)), footprint = t * frame_pixel_width;
        float y = over + d.y * t + drop(place);
        for (int c = 0; c < COUNT && high > 0.0; c++)
            y -= high * cascade_at(c, place, max(cascade_level(c, footprint), 0.0)).z;
        if (y < 0.25 * footprint)
            break;
        t += y / (0.25 - d.y);
    }
    return t;
}
