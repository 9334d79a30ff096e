// surfaces.glsl - the surfaces behind the plants that a pixel's samples show: one, or one a sample. Both passes that shade pixels go by it.
#if HAS_PLANTS
#if PIXEL_SAMPLES > 1
layout(binding = 16) uniform usampler2DMS plant_samples;
#else
layout(binding = 16) uniform usampler2D plant_samples;
#endif

// Bits of a pixel's samples that show plants.
int planted_samples(ivec2 pixel)
{
    int bits = 0;
    for (int n = 0; n < PIXEL_SAMPLES && has_plants != 0; n++)
        bits |= texelFetch(plant_samples, pixel, n).r != 0u ? 1 << n : 0;
    return bits;
}
#else
int planted_samples(ivec2 pixel)
{
    return 0;
}
#endif

struct Surfaces {
    bool are_one;
    float depth; // of the one
};

// planted: bits of samples that show plants; the others are looked at
Surfaces surfaces_of(ivec2 pixel, int planted)
{
    float nearest = 0.0, farthest = 1.0, mean = 0.0, count = 0.0;
    for (int n = 0; n < PIXEL_SAMPLES; n++) {
        if ((planted >> n & 1) != 0)
            continue;
        float depth = depth_of(pixel, n);
        mean += depth;
        count += 1.0;
        nearest = max(nearest, depth);
        farthest = min(farthest, depth);
    }
    return Surfaces(count > 0.0 && nearest <= farthest * 1.04, mean / max(count, 1.0));
}
