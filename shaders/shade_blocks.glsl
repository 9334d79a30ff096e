// shade_blocks.glsl - lists of blocks of 8 x 8 pixels, one for each of the kinds of shade_kinds.glsl. A block is column | row << 16.
layout(std430, binding = 2) buffer Blocks {
    int block_counts[8];
    int blocks[]; // [kind][...], each with room for all blocks of the picture
};

int block_room()
{
    ivec2 size = (ivec2(frame_picture_size) + 7) / 8;
    return size.x * size.y;
}
