// noise.glsl - gradient noise with derivatives. It repeats after `pattern` metres. This distance is so long that the
// repetition is not visible.
//
// Source of the noise: Perlin 2002.
uint hash(uint x)
{
    x = PCG_ADVANCE(x);
    x = PCG_MIX(x);
    return PCG_FOLD(x);
}

float hash_unit(uint x)
{
    return float(hash(x) >> 8) / 16777216.0;
}

vec2 gradient_of(ivec2 cell, int period)
{
    cell &= period - 1;
    uint h = hash(uint(cell.x) + hash(uint(cell.y)));
    return vec2(float(h & 0xffffu), float(h >> 16)) / 32767.5 - 1.0;
}

// Noise, about -1..1 (x), and its slope (yz) at a position t, 0..1, in a cell with gradients at its four corners.
vec3 noise_between(vec2 t, vec2 ga, vec2 gb, vec2 gc, vec2 gd)
{
    float a = dot(ga, t), b = dot(gb, t - vec2(1, 0)), d = dot(gc, t - vec2(0, 1)), e = dot(gd, t - vec2(1, 1));
    vec2 w = t * t * t * (t * (t * 6.0 - 15.0) + 10.0), dw = 30.0 * t * t * (t * (t - 2.0) + 1.0);
    float k = a - b - d + e;
    vec2 slope = ga + w.x * (gb - ga) + w.y * (gc - ga) + w.x * w.y * (ga - gb - gc + gd) +
                 dw * (vec2(w.y, w.x) * k + vec2(b, d) - a);
    return 1.3 * vec3(a + w.x * (b - a) + w.y * (d - a) + w.x * w.y * k, slope);
}

// Noise, about -1..1 (x), with features of `size` metres, and its slopes to the east and south times `size` (yz). Sizes
// and patterns are powers of two.
vec3 noise_in(vec2 place, float size, float pattern)
{
    vec2 p = place / size, cell = floor(p);
    ivec2 c = ivec2(cell);
    int period = int(pattern / size);
    return noise_between(p - cell, gradient_of(c, period), gradient_of(c + ivec2(1, 0), period),
                         gradient_of(c + ivec2(0, 1), period),
                         gradient_of(c + ivec2(1, 1), period));
}

vec3 noise(vec2 place, float size)
{
    return noise_in(place, size, PATTERN);
}

// Noise that fades to 0 before its features become as small as the footprint of a pixel.
vec3 faded_noise_in(vec2 place, float size, float pattern, float footprint)
{
    float keep = 1.0 - smoothstep(0.3, 1.0, footprint / size);
    return keep > 0.0 ? keep * noise_in(place, size, pattern) : vec3(0.0);
}

vec3 faded_noise(vec2 place, float size, float footprint)
{
    return faded_noise_in(place, size, PATTERN, footprint);
}

float faded_broad_noise(vec2 place, float size, float footprint)
{
    float keep = 1.0 - smoothstep(0.3, 1.0, footprint / size);
    return keep > 0.0 ? keep * noise_in(place, size, BROAD_PATTERN).x : 0.0;
}
