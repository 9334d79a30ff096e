// cloud_cells.comp - computes a repeating map of single clouds. r: cumulus, g: closed cells of layers, b: small cells
// of middle height, a: streaks of cirrus.
//
// Values are evenly distributed: a share v of all positions has values below v.
layout(local_size_x = 8, local_size_y = 8) in;
#include "frame.glsl"
#include "noise.glsl"

layout(rgba16, binding = 0) writeonly uniform image2D target;

// Hash of a cell of a pattern that repeats after `period` cells. c: from -period to 2 period - 1
uint cell_hash(ivec2 c, ivec2 period, uint salt)
{
    c += mix(ivec2(0), period, lessThan(c, ivec2(0))) - mix(ivec2(0), period, greaterThanEqual(c, period));
    return hash(uint(c.x) + hash(uint(c.y) + hash(salt)));
}

// Distance to the nearest of scattered points (Worley 1996).
float cells(vec2 p, int period, uint salt)
{
    vec2 q = p * float(period);
    ivec2 c = ivec2(floor(q));
    float nearest = 2.0;
    for (int n = 0; n < 9; n++) {
        ivec2 o = c + ivec2(n % 3, n / 3) - 1;
        uint h = cell_hash(o, ivec2(period), salt);
        vec2 point = vec2(o) + vec2(float(h & 0xffffu), float(h >> 16)) / 65536.0;
        nearest = min(nearest, dot(q - point, q - point));
    }
    return sqrt(nearest);
}

vec2 gradient_in(ivec2 c, ivec2 period, uint salt)
{
    uint h = cell_hash(c, period, salt);
    return vec2(float(h & 0xffffu), float(h >> 16)) / 32767.5 - 1.0;
}

float waves(vec2 p, ivec2 period, uint salt)
{
    vec2 q = p * vec2(period);
    ivec2 c = ivec2(floor(q));
    return noise_between(fract(q), gradient_in(c, period, salt), gradient_in(c + ivec2(1, 0), period, salt),
                         gradient_in(c + ivec2(0, 1), period, salt), gradient_in(c + ivec2(1, 1), period, salt)).x;
}

// Share of positions with a smaller value, for normally distributed values.
float share_below(float value, float mean, float deviation)
{
    return 1.0 / (1.0 + exp(-1.702 * (value - mean) / deviation));
}

// Streaks that are bent by broad waves.
float streaks(vec2 p)
{
    p += 0.05 * vec2(waves(p, ivec2(4), 31u), waves(p, ivec2(4), 32u));
    float sum = 0.0, part = 1.0;
    ivec2 period = ivec2(4, 8);
    for (int n = 0; n < 5; n++) {
        sum += part * waves(p, period, 33u + uint(n));
        period *= 2;
        part *= 0.72;
    }
    return sum;
}

void main()
{
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    vec2 p = (vec2(texel) + 0.5) / vec2(imageSize(target));
    vec2 bent = p + 0.012 * vec2(waves(p, ivec2(16), 1u), waves(p, ivec2(16), 2u));
    float heaps = 0.8 * waves(p, ivec2(5), 3u) + 0.9 * waves(p, ivec2(11), 4u) + 0.6 * waves(p, ivec2(23), 5u) -
                  0.6 * cells(bent, 17, 6u) -
                  0.5 * cells(bent, 37, 13u) - 0.3 * cells(bent, 71, 14u);
    float closed = -cells(bent, 14, 7u) - 0.4 * cells(bent, 30, 8u) + 0.25 * waves(p, ivec2(8), 9u);
    float small = -cells(bent, 48, 10u) + 0.6 * waves(bent, ivec2(12, 24), 11u) + 0.5 * waves(bent, ivec2(64), 12u);
    imageStore(target, texel, vec4(share_below(heaps, -0.71, 0.5), share_below(closed, -0.66, 0.22),
                                   share_below(small, -0.5, 0.4),
                                   share_below(streaks(p), 0.0, 0.6)));
}
