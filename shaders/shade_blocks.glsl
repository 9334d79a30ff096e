// shade_blocks.glsl - lists of blocks of 8 x 8 pixels, a list for each kind of shade_kinds.glsl.
layout(std430, binding = 2) buffer Blocks {
    int block_counts[BLOCK_COUNTS];
    int blocks[]; // [kind][n]; each list has room for all blocks of the picture; a block is column | row << 16
};

int block_room()
{
    ivec2 size = (ivec2(frame_picture_size) + 7) / 8;
    return size.x * size.y;
}
