// surfaces.glsl - the surfaces behind the plants that a pixel's samples show: one, or one a sample. Both passes that shade pixels go by it.
#if HAS_PLANTS
layout(binding = 16) uniform usampler2DArray plant_nearest; // a layer a sample: bits of depth; 0 where no plant is
layout(binding = 18) uniform usampler2DArray plant_shown;   // as pack_plant packs it

// Bits of a pixel's samples that show plants.
int planted_samples(ivec2 pixel)
{
    int bits = 0;
    for (int n = 0; n < PIXEL_SAMPLES && has_plants != 0; n++)
        bits |= texelFetch(plant_nearest, ivec3(pixel, n), 0).r != 0u ? 1 << n : 0;
    return bits;
}

// Depth of the land or of the plant that a sample shows; 0 where neither is.
float nearest_depth(ivec2 pixel, int n)
{
    float land = depth_of(pixel, n);
    return has_plants != 0 ? max(land, uintBitsToFloat(texelFetch(plant_nearest, ivec3(pixel, n), 0).r)) : land;
}
#else
int planted_samples(ivec2 pixel)
{
    return 0;
}

float nearest_depth(ivec2 pixel, int n)
{
    return depth_of(pixel, n);
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
