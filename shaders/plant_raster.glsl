// plant_raster.glsl - plants become samples of pixels in compute shaders: some GPUs draw triangles with few of their processors.
//
// Two passes of the same program make a picture. The first leaves the depth of the nearest plant in every sample, the second, with
// is_painting, what that plant shows there; where two plants are equally near the greater value stays, so that order does not matter.
layout(r32ui, binding = 0) uniform uimage2DArray plant_nearest; // a layer a sample; bits of depth, 0 where no plant is
layout(r32ui, binding = 1) uniform uimage2DArray plant_shown;   // as pack_plant packs it
layout(location = 1) uniform int is_painting;

float dither(ivec2 pixel, uint salt)
{
    return hash_unit(uint(pixel.x) + 65536u * uint(pixel.y) + salt * 0x9E3779B9u);
}

// Whether this drawing of a plant keeps a pixel; another keeps the others.
bool is_kept(ivec2 pixel, vec2 kept, float tint)
{
    float at = dither(pixel, uint(tint * 65536.0));
    return at >= kept.x && at < kept.y;
}

// Bits of the samples that a leaf covers: its opacity as a share of them, the same for the same pixel in every frame.
int covered_samples(ivec2 pixel, float opacity)
{
    float first = dither(pixel, 1u);
    int bits = 0;
    for (int n = 0; n < PIXEL_SAMPLES; n++)
        bits |= opacity > fract(first + float(n) / float(PIXEL_SAMPLES)) ? 1 << n : 0;
    return bits;
}

// Bits of those samples, of some, that a surface at a depth can change in this pass.
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

// Leave a depth in samples, or what is shown there.
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

// Pixels of the picture that points between two corners may touch: from, and to which.
ivec4 pixels_between(vec2 low, vec2 high)
{
    vec2 last = frame_picture_size - 1.0;
    return ivec4(clamp(floor(low), vec2(0.0), last + 1.0), clamp(floor(high), vec2(-1.0), last));
}

// Where a point, metres from the camera, is in the picture (xy), and its depth (z); depth 0: behind the camera or too near.
vec3 in_picture(vec3 place)
{
    vec4 clip = frame_view_projection * vec4(place, 1.0);
    return clip.w > 1.0e-2 && clip.z <= clip.w ? vec3((clip.xy / clip.w * 0.5 + 0.5) * frame_picture_size, clip.z / clip.w) : vec3(0.0);
}
