// picture.glsl - reads the depth that the terrain pass has drawn. PIXEL_SAMPLES: samples per pixel
#if LAND_IS_COMPUTED
layout(binding = 7) uniform usampler2DArray depths; // float bits; a layer per sample
#elif PIXEL_SAMPLES > 1
layout(binding = 7) uniform sampler2DMS depths;
#else
layout(binding = 7) uniform sampler2D depths;
#endif

// First row of the band of pixels that this dispatch computes; 0 if it computes the full picture.
layout(location = 0) uniform int first_row;
#if !LAND_IS_COMPUTED
layout(location = 8) uniform int stride; // distance of the rows or blocks of consecutive work groups; see pixels.c
#endif

// The pixel of this invocation.
ivec2 band_pixel()
{
#if LAND_IS_COMPUTED
    return ivec2(gl_GlobalInvocationID.xy) + ivec2(0, first_row);
#else
    ivec2 block = ivec2(gl_WorkGroupID.x, int(gl_WorkGroupID.y) * stride % int(gl_NumWorkGroups.y));
    return 8 * block + ivec2(gl_LocalInvocationID.xy) + ivec2(0, first_row);
#endif
}

// Depth of a sample of a pixel; 0 where there is no land.
float depth_of(ivec2 pixel, int n)
{
#if LAND_IS_COMPUTED
    return uintBitsToFloat(texelFetch(depths, ivec3(pixel, n), 0).r);
#else
    return texelFetch(depths, pixel, n).r;
#endif
}

// Vector from the camera to the point of the near plane on a pixel's ray. Divided by a depth, it is the vector from the
// camera to the point at this depth.
vec3 ray_of(ivec2 pixel)
{
    vec4 near = frame_inverse_view_projection * vec4((vec2(pixel) + 0.5) * frame_pixel_size * 2.0 - 1.0, 1.0, 1.0);
    return near.xyz / near.w;
}
