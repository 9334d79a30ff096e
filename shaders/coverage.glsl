// coverage.glsl - which samples of a pixel a leaf covers: its opacity as a share of them, the same for the same pixel in every frame.
layout(location = 0) out uint packed_plant;
layout(location = 8) uniform int n_samples;

float dither(uint salt)
{
    uvec2 pixel = uvec2(gl_FragCoord.xy);
    return hash_unit(pixel.x + 65536u * pixel.y + salt * 0x9E3779B9u);
}

// Leaves out a pixel that another drawing of the same plant keeps.
void keep_between(vec2 kept, uint salt)
{
    float at = dither(salt);
    if (at < kept.x || at >= kept.y)
        discard;
}

void cover(float opacity)
{
    float first = dither(1u);
    int mask = 0;
    for (int n = 0; n < n_samples; n++)
        if (opacity > fract(first + float(n) / float(n_samples)))
            mask |= 1 << n;
    if (mask == 0)
        discard;
    gl_SampleMask[0] = mask;
}
