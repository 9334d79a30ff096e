// words_clear.comp - sets all texels of an integer image to one value.
layout(local_size_x = 8, local_size_y = 8) in;
layout(r32ui, binding = 0) writeonly uniform uimage2DArray target;
layout(location = 0) uniform uint word;

void main()
{
    ivec3 texel = ivec3(gl_GlobalInvocationID);
    if (all(lessThan(texel, imageSize(target))))
        imageStore(target, texel, uvec4(word));
}
