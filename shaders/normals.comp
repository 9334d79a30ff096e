// normals.comp - normals of new tiles: x and z of the tile's own normal in rg, of the next coarser level's in ba, so that shading
// can morph with the geometry. A coarser level's samples are this one's even samples; between them its normals are interpolated.
layout(local_size_x = 65, local_size_y = 8) in;
#include "tiles.glsl"

struct Job { uint slot; float spacing; };
layout(std430, binding = 1) readonly buffer Jobs { Job jobs[]; };
layout(rgba16_snorm, binding = 0) writeonly uniform image2DArray normals;

vec2 slope(uint slot, ivec2 p, int step, float spacing)
{
    return vec2(tile_height(slot, p + ivec2(step, 0)) - tile_height(slot, p - ivec2(step, 0)),
                tile_height(slot, p + ivec2(0, step)) - tile_height(slot, p - ivec2(0, step))) / (2.0 * float(step) * spacing);
}

vec2 normal_xz(vec2 slope)
{
    return -slope * inversesqrt(dot(slope, slope) + 1.0);
}

void main()
{
    Job job = jobs[gl_WorkGroupID.z];
    ivec2 p = ivec2(gl_LocalInvocationID.x, gl_GlobalInvocationID.y);
    if (p.y >= NORMALS)
        return;
    ivec2 a = p & ~1, b = (p + 1) & ~1;
    vec2 coarse = 0.25 * (slope(job.slot, a, 2, job.spacing) + slope(job.slot, ivec2(b.x, a.y), 2, job.spacing) +
                          slope(job.slot, ivec2(a.x, b.y), 2, job.spacing) + slope(job.slot, b, 2, job.spacing));
    ivec3 texel = tile_texel(job.slot);
    imageStore(normals, texel + ivec3(p, 0), vec4(normal_xz(slope(job.slot, p, 1, job.spacing)), normal_xz(coarse)));
}
