// plant_raster.glsl - draws plants into the samples of pixels by compute shaders. Some GPUs rasterise triangles with
// few of their processors.
//
// A program runs in two passes. The first pass writes the depth of the nearest plant to every sample. The second pass
// (is_painting) writes the appearance of this plant. If two plants are equally near, the greater value of the
// appearance wins, so the order of plants does not matter.
layout(r32ui, binding = 0) uniform uimage2DArray plant_nearest; // a layer per sample; float bits of depth, 0: no plant
layout(r32ui, binding = 1) uniform uimage2DArray plant_shown;   // packed by pack_plant
layout(location = 1) uniform int is_painting;

float dither(ivec2 pixel, uint salt)
{
    return hash_unit(uint(pixel.x) + 65536u * uint(pixel.y) + salt * 0x9E3779B9u);
}

// Whether a pixel belongs to this drawing of a plant. A plant may be drawn as a mesh and as an impostor; then each
// pixel belongs to only one of the two. kept: range of dither values of this drawing
bool is_kept(ivec2 pixel, vec2 kept, float tint)
{
    float at = dither(pixel, uint(tint * 65536.0));
    return at >= kept.x && at < kept.y;
}

// Bits of the samples that a leaf covers, by its opacity. The result for a pixel is the same in every frame.
int covered_samples(ivec2 pixel, float opacity)
{
    float first = dither(pixel, 1u);
    int bits = 0;
    for (int n = 0; n < PIXEL_SAMPLES; n++)
        bits |= opacity > fract(first + float(n) / float(PIXEL_SAMPLES)) ? 1 << n : 0;
    return bits;
}

// Bits of the given samples that a surface at a depth can change in this pass.
int open_samples(ivec2 pixel, int samples, float depth)
{
    uint bits = floatBitsToUint(depth);
    int open = 0;
    for (int n = 0; n < PIXEL_SAMPLES; n++)
        if ((samples >> n & 1) != 0) {
            uint there = imageLoad(plant_nearest, ivec3(pixel, n)).r;
            open |= (is_painting == 1 ? there == bits : bits > there && depth > depth_of(pixel, n)) ? 1 << n : 0;
        }
    return open;
}

// Write a depth (first pass) or an appearance (second pass) to samples.
void leave(ivec2 pixel, int samples, float depth, uint shown)
{
    for (int n = 0; n < PIXEL_SAMPLES; n++)
        if ((samples >> n & 1) != 0) {
            if (is_painting == 1)
                imageAtomicMax(plant_shown, ivec3(pixel, n), shown);
            else
                imageAtomicMax(plant_nearest, ivec3(pixel, n), floatBitsToUint(depth));
        }
}

// Bounding box of the pixels between two corners: first (xy) and last (zw) pixel.
ivec4 pixels_between(vec2 low, vec2 high)
{
    vec2 last = frame_picture_size - 1.0;
    return ivec4(clamp(floor(low), vec2(0.0), last + 1.0), clamp(floor(high), vec2(-1.0), last));
}

// Position of a point in the picture (xy), pixels, and its depth (z). Depth 0: behind the camera or too near. place:
// metres from the camera
vec3 in_picture(vec3 place)
{
    vec4 clip = frame_view_projection * vec4(place, 1.0);
    return clip.w > 1.0e-2 && clip.z <= clip.w
           ? vec3((clip.xy / clip.w * 0.5 + 0.5) * frame_picture_size, clip.z / clip.w) : vec3(0.0);
}
