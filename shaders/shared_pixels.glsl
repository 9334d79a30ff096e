// shared_pixels.glsl - distributes the pixels of 64 boxes evenly over the 64 threads of a work group, so that no thread
// waits for another thread's large box.
shared int ends[64]; // number of pixels of each box; after add_ends: of this and all earlier boxes

// Prefix sum over `ends`. All threads of the work group must call this. Afterwards ends[63] is the number of all
// pixels.
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

// Box of the k-th pixel, by binary search. Afterwards k is the pixel's number in this box.
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
