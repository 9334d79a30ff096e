// noise.glsl - value noise that repeats every PATTERN metres, too far apart to be seen. Hash: Jarzynski and Olano 2020 (pcg).
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

// Noise 0..1 with features of `size` metres, a power of two.
float noise(vec2 place, float size)
{
    vec2 p = place / size;
    vec2 cell = floor(p), t = p - cell;
    t = t * t * (3.0 - 2.0 * t);
    ivec2 c = ivec2(cell);
    int period = int(PATTERN / size);
    return mix(mix(hash_cell(c, period), hash_cell(c + ivec2(1, 0), period), t.x),
               mix(hash_cell(c + ivec2(0, 1), period), hash_cell(c + ivec2(1, 1), period), t.x), t.y);
}
