// shared_pixels.glsl - a work group of 64 threads goes through the pixels of 64 boxes together, so that no thread waits for another's
// large one.
shared int ends[64]; // of each box's pixels among those of all; before: how many it has

// Add up. All threads call; afterwards ends[63] is how many there are.
void add_ends(int n)
{
    for (int step = 1; step < 64; step *= 2) {
        barrier();
        int before = n >= step ? ends[n - step] : 0;
        barrier();
        ends[n] += before;
    }
    barrier();
}

// The box that the k-th pixel lies in; afterwards k counts within it.
int box_of(inout int k)
{
    int box = 0;
    for (int half_of = 32; half_of > 0; half_of /= 2)
        box += ends[box + half_of - 1] <= k ? half_of : 0;
    k -= box > 0 ? ends[box - 1] : 0;
    return box;
}

int count_pixels(ivec4 box)
{
    return max(box.z - box.x + 1, 0) * max(box.w - box.y + 1, 0);
}
