// cloud_noise.comp - computes a repeating volume of noise for clouds. r: rounded heaps, which are value noise plus
// cells (Perlin-Worley); g: cells of higher frequency, 1 at their middles.
//
// Source of the mixture: Schneider and Vos, "The Real-time Volumetric Cloudscapes of Horizon: Zero Dawn", 2015.
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;
#include "frame.glsl"
#include "noise.glsl"

layout(rg8, binding = 0) writeonly uniform image3D target;

// Hash of a coordinate and of an earlier hash (salt). c: -1 to period; -1 and period repeat the other end
uint hash_of(int c, int period, uint salt)
{
    return hash(uint(c < 0 ? c + period : c < period ? c : c - period) + salt);
}

uint cell_hash(ivec3 c, int period)
{
    return hash_of(c.x, period, hash_of(c.y, period, hash_of(c.z, period, uint(period) * 977u)));
}

// Cellular noise: 1 at feature points, 0 far from them (Worley 1996).
float cells(vec3 p, int period)
{
    vec3 q = p * float(period);
    ivec3 c = ivec3(floor(q));
    float nearest = 1.0;
    for (int k = -1; k <= 1; k++) {
        uint plane = hash_of(c.z + k, period, uint(period) * 977u);
        for (int j = -1; j <= 1; j++) {
            uint row = hash_of(c.y + j, period, plane);
            for (int i = -1; i <= 1; i++) {
                ivec3 o = c + ivec3(i, j, k);
                uint h = hash_of(o.x, period, row);
                vec3 point = vec3(o) + vec3(h & 1023u, h >> 10 & 1023u, h >> 20 & 1023u) / 1023.0;
                nearest = min(nearest, dot(q - point, q - point));
            }
        }
    }
    return 1.0 - sqrt(nearest);
}

float values(vec3 p, int period)
{
    vec3 q = p * float(period), f = fract(q);
    ivec3 c = ivec3(floor(q));
    f = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
    float v[8];
    for (int n = 0; n < 8; n++)
        v[n] = float(cell_hash(c + ivec3(n & 1, n >> 1 & 1, n >> 2), period) & 0xffffu) / 65535.0;
    return mix(mix(mix(v[0], v[1], f.x), mix(v[2], v[3], f.x), f.y),
               mix(mix(v[4], v[5], f.x), mix(v[6], v[7], f.x), f.y), f.z);
}

void main()
{
    ivec3 texel = ivec3(gl_GlobalInvocationID);
    vec3 p = (vec3(texel) + 0.5) / vec3(imageSize(target));
    float smooth_part = values(p, 4) * 0.55 + values(p, 8) * 0.45;
    float coarse = cells(p, 4) * 0.55 + cells(p, 8) * 0.3 + cells(p, 16) * 0.15;
    float fine = cells(p, 6) * 0.55 + cells(p, 12) * 0.3 + cells(p, 24) * 0.15;
    imageStore(target, texel, vec4(clamp(0.8 * smooth_part + 1.9 * coarse - 0.85, 0.0, 1.0),
                                   clamp(2.0 * fine - 0.5, 0.0, 1.0), 0.0, 0.0));
}
