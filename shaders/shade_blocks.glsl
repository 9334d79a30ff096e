// shade_blocks.glsl - lists of blocks of 8 x 8 pixels by what they show, for renderers that run both sides of every branch: a block of sky
// alone then costs no land, and a block of land alone no water. A block is column | row << 16.
const int BLOCKS_SKY = 0, BLOCKS_LAND = 1, BLOCKS_WATER = 2, BLOCK_KINDS = 3;

layout(std430, binding = 2) buffer Blocks {
    int block_counts[4];
    int blocks[]; // [kind][...], each with room for all blocks of the picture
};

int block_room()
{
    ivec2 size = (ivec2(frame_picture_size) + 7) / 8;
    return size.x * size.y;
}
