// tile_light.comp - computes the light of tiles: tangent of the horizon towards the key light (x), open share of the
// sky (y).
//
// The open share is weighted by the cosine for level ground. Source: horizon mapping, Max 1988.
layout(local_size_x = 8, local_size_y = 8) in;
#include "frame.glsl"
#include "pages.glsl"
#include "tile_jobs.glsl"

layout(rg16f, binding = 0) writeonly uniform image2DArray target;

float rise(int lod, vec2 place, vec2 to, float height, float distance)
{
    return (ground_height(lod, place + to * distance) - height) / distance - distance * frame_curvature;
}

// Tangent of the horizon towards the key light. Marches with steps of one sample of a level that gets coarser with
// distance.
float horizon_to_key(int lod, vec2 place, float height)
{
    float across = length(frame_key.xz), edge = frame_key.y / max(across, 1.0e-3),
          texel = 1.0 / frame_levels[lod].samples_a_metre, highest = edge - 0.2;
    vec2 to = across > 1.0e-4 ? frame_key.xz / across : vec2(1.0, 0.0);
    float distance = texel;
    int dense = frame_quality == 0 ? 4 : 8;
    for (int n = 0; n < 160 && distance < 2.0e5; n++) {
        int coarser = max(int(log2(distance / (texel * float(dense)))), 0);
        if ((frame_highest - height) / distance < highest || lod + coarser > frame_coarsest_lod)
            break; // no mountain is high enough to raise the horizon
        highest = max(highest, rise(lod + coarser, place, to, height, distance));
        if (highest > edge + 0.2)
            break;
        distance += texel * exp2(float(coarser));
    }
    return clamp(highest, edge - 0.2, edge + 0.2);
}

float open_sky(int lod, vec2 place, float height)
{
    float open = 0.0, texel = 1.0 / frame_levels[lod].samples_a_metre;
    int octaves = (frame_quality == 0 ? 6 : 9) + max(frame_fine_lods - lod, 0);
    for (int n = 0; n < 8; n++) {
        float angle = (float(n) + 0.5) * PI / 4.0, highest = 0.0;
        vec2 to = vec2(cos(angle), sin(angle));
        for (int k = 0; k < octaves; k++) {
            float distance = texel * exp2(float(k)) * 1.5;
            highest = max(highest, rise(min(lod + max(k - 1, 0), frame_coarsest_lod), place, to, height, distance));
        }
        open += 1.0 / (1.0 + highest * highest);
    }
    return open / 8.0;
}

void main()
{
    int side = frame_light_side;
    Job job = jobs[gl_WorkGroupID.z];
    ivec2 texel = ivec2(gl_GlobalInvocationID.xy);
    if (any(greaterThan(texel, ivec2(side))))
        return;
    ivec2 p = texel * (QUADS / side);
    vec2 place = vec2(job.corner + (p << job.lod)) * frame_spacing - frame_camera.xz;
    float height = tile_height(job.slot, p);
    float horizon = has_layer(LAYER_SHADOWS) ? horizon_to_key(job.lod, place, height) : -1.0e4;
    int at = job.slot % (ATLAS_SIDE * ATLAS_SIDE);
    ivec3 to = ivec3(ivec2(at % ATLAS_SIDE, at / ATLAS_SIDE) * (side + 1) + texel,
                     job.slot / (ATLAS_SIDE * ATLAS_SIDE));
    imageStore(target, to, vec4(horizon, open_sky(job.lod, place, height), 0.0, 0.0));
}
