// picture.glsl - what the terrain pass left: depth. PIXEL_SAMPLES is how many each pixel has.
#if LAND_IS_COMPUTED
layout(binding = 7) uniform usampler2DArray depths; // bits; a layer a sample
#elif PIXEL_SAMPLES > 1
layout(binding = 7) uniform sampler2DMS depths;
#else
layout(binding = 7) uniform sampler2D depths;
#endif

// Pictures that take long are made in bands of rows; 0 for a whole picture.
layout(location = 0) uniform int first_row;
#if !LAND_IS_COMPUTED
layout(location = 8) uniform int stride; // work groups in turn take rows, or blocks, so far apart; see spread in pixels.c
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

// 0 where there is no land.
float depth_of(ivec2 pixel, int n)
{
#if LAND_IS_COMPUTED
    return uintBitsToFloat(texelFetch(depths, ivec3(pixel, n), 0).r);
#else
    return texelFetch(depths, pixel, n).r;
#endif
}

// From the camera to where a pixel's ray leaves the near plane; divided by a depth, to what has that depth.
vec3 ray_of(ivec2 pixel)
{
    vec4 near = frame_inverse_view_projection * vec4((vec2(pixel) + 0.5) * frame_pixel_size * 2.0 - 1.0, 1.0, 1.0);
    return near.xyz / near.w;
}
