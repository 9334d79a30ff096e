// ocean_mips.comp - computes a mipmap level of the surfaces of the sea's cascades (ocean_surface.comp). It is used if
// OpenGL runs on the CPU (llvmpipe). There, glGenerateTextureMipmap waits for the rasteriser after each layer of each
// level, and these waits take longer than the computation of the waves.
layout(local_size_x = 8, local_size_y = 8) in;

layout(binding = 14) uniform sampler2DArray finer;
layout(rgba16f, binding = 0) writeonly uniform image2DArray target; // the mipmap level that is computed
layout(location = 0) uniform int finer_level;

void main()
{
    ivec3 at = ivec3(gl_GlobalInvocationID), from = ivec3(2 * at.xy, at.z);
    if (any(greaterThanEqual(at.xy, imageSize(target).xy)))
        return;
    vec4 west = texelFetch(finer, from, finer_level) + texelFetch(finer, from + ivec3(0, 1, 0), finer_level);
    vec4 east = texelFetch(finer, from + ivec3(1, 0, 0), finer_level) +
                texelFetch(finer, from + ivec3(1, 1, 0), finer_level);
    imageStore(target, at, 0.25 * (west + east));
}
