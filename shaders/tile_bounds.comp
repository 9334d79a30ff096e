// tile_bounds.comp - finds the lowest and highest sample of tiles for culling. The CPU reads them some frames later.
layout(local_size_x = 256) in;
#include "frame.glsl"
#include "pages.glsl"
#include "tile_jobs.glsl"

struct Bounds { float low, high; };
layout(std430, binding = 4) writeonly buffer AllBounds { Bounds bounds[]; };

shared vec2 part[256];

void main()
{
    Job job = jobs[gl_WorkGroupID.x];
    uint n = gl_LocalInvocationIndex;
    vec2 range = vec2(1.0e30, -1.0e30);
    for (int k = int(n); k < (QUADS + 1) * (QUADS + 1); k += 256) {
        float h = tile_height(job.slot, ivec2(k % (QUADS + 1), k / (QUADS + 1)));
        range = vec2(min(range.x, h), max(range.y, h));
    }
    part[n] = range;
    barrier();
    for (uint step = 128u; step > 0u; step >>= 1) {
        if (n < step)
            part[n] = vec2(min(part[n].x, part[n + step].x), max(part[n].y, part[n + step].y));
        barrier();
    }
    if (n == 0u)
        bounds[job.slot] = Bounds(part[0].x, part[0].y);
}
