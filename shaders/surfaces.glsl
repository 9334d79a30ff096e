// surfaces.glsl - decides whether a pixel's samples show one surface or several. land.comp and shade.comp must agree on
// it.
#if HAS_PLANTS
layout(binding = 16) uniform usampler2DArray plant_nearest; // a layer per sample: float bits of depth, 0: no plant
layout(binding = 18) uniform usampler2DArray plant_shown;   // packed by pack_plant

// Bits of the samples of a pixel that show plants.
int planted_samples(ivec2 pixel)
{
    int bits = 0;
    for (int n = 0; n < PIXEL_SAMPLES && has_plants != 0; n++)
        bits |= texelFetch(plant_nearest, ivec3(pixel, n), 0).r != 0u ? 1 << n : 0;
    return bits;
}

// Depth of the land or plant that a sample shows; 0: neither.
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
    float depth; // mean of the samples
};

// Surfaces that a pixel shows without its plants. planted: bits of the samples that show plants, which are ignored
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
