// noise.glsl - value noise that repeats after `pattern` metres, too far apart to be seen. Hash: Jarzynski and Olano 2020 (pcg).
uint hash(uint x)
{
    x = x * 747796405u + 2891336453u;
    x = ((x >> ((x >> 28u) + 4u)) ^ x) * 277803737u;
    return (x >> 22u) ^ x;
}

float hash_cell(ivec2 cell, int period)
{
    cell &= period - 1;
    return float(hash(uint(cell.x) + hash(uint(cell.y))) >> 8) / 16777216.0;
}

// Noise 0..1 with features of `size` metres; size and pattern are powers of two.
float noise_in(vec2 place, float size, float pattern)
{
    vec2 p = place / size;
    vec2 cell = floor(p), t = p - cell;
    t = t * t * (3.0 - 2.0 * t);
    ivec2 c = ivec2(cell);
    int period = int(pattern / size);
    return mix(mix(hash_cell(c, period), hash_cell(c + ivec2(1, 0), period), t.x),
               mix(hash_cell(c + ivec2(0, 1), period), hash_cell(c + ivec2(1, 1), period), t.x), t.y);
}

float noise(vec2 place, float size)
{
    return noise_in(place, size, PATTERN);
}

// Noise that becomes its mean, 0.5, before its features are as small as a pixel's footprint.
float faded_noise(vec2 place, float size, float footprint)
{
    float keep = 1.0 - smoothstep(0.35, 1.1, footprint / size);
    return keep > 0.0 ? mix(0.5, noise(place, size), keep) : 0.5;
}

float faded_broad_noise(vec2 place, float size, float footprint)
{
    float keep = 1.0 - smoothstep(0.35, 1.1, footprint / size);
    return keep > 0.0 ? mix(0.5, noise_in(place, size, BROAD_PATTERN), keep) : 0.5;
}
