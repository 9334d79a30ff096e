/* shared_networks.cu - splits blocks into halves by their places, until one network for a set of blocks costs no more
 * than two networks for its halves.
 */
#include "library/fluvial/cuda/shared_networks.cuh"

#include <algorithm>

using namespace ter_cuda;

namespace
{

/** Cost of a network: bytes of memory, and nodes of all levels. */
struct network_cost {
    size_t bytes, nodes;
};

network_cost cost_of(ter_window cells)
{
    ter_arena none = {nullptr, 0};
    ter_fluvial_job job;
    ter_plan_drainage(cells, &none, &job);
    network_cost cost = {none.bytes, 0};
    for (int n = 0; n < TER_NETWORK_LEVELS; n++)
        cost.nodes += ter_window_count(job.node_at[n]);
    return cost;
}

/** A set of blocks, and the bounds of their cells. */
struct block_set {
    int *first, *last;                /* indices of the blocks; `last` points to the element after them */
    int64_t west, north, east, south; /* bounds; east and south are not included */
    bool is_wide;                     /* west edges of the blocks' windows differ more than their north edges */
};

block_set set_of(const std::vector<ter_window> &cells, int *first, int *last)
{
    block_set s = {first, last, INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN, false};
    int64_t begins_x = INT64_MIN, begins_y = INT64_MIN;
    for (const int *n = first; n != last; n++) {
        const ter_window &c = cells[(size_t)*n];
        s.west = std::min(s.west, c.x);
        s.north = std::min(s.north, c.y);
        s.east = std::max(s.east, c.x + c.width);
        s.south = std::max(s.south, c.y + c.height);
        begins_x = std::max(begins_x, c.x);
        begins_y = std::max(begins_y, c.y);
    }
    s.is_wide = begins_x - s.west >= begins_y - s.north;
    return s;
}

/** Window of the cells of a set. The sides of the set must fit an int. */
ter_window window_of(const block_set &s)
{
    return {s.west, s.north, (int)(s.east - s.west), (int)(s.south - s.north)};
}

/** Whether the sides of a set are so small that its cells can be counted. */
bool is_small(const block_set &s)
{
    constexpr int64_t SIDE_MAX = 30000;
    return s.east - s.west < SIDE_MAX && s.south - s.north < SIDE_MAX;
}

/** Partition a set into halves that lie beside each other. Returns the first element of the second half. */
int *halve(const std::vector<ter_window> &cells, const block_set &s)
{
    int *middle = s.first + (s.last - s.first) / 2;
    std::nth_element(s.first, middle, s.last, [&](int a, int b) {
        const ter_window &u = cells[(size_t)a], &v = cells[(size_t)b];
        return s.is_wide ? u.x < v.x : u.y < v.y;
    });
    return middle;
}

/** Append the networks of a set of blocks. most: greatest size of a shared network, bytes */
void share(const std::vector<ter_window> &cells, size_t most, const block_set &s, std::vector<network> *networks)
{
    if (s.last - s.first == 1) {
        networks->push_back({window_of(s), network_bytes(window_of(s)), {*s.first}});
        return;
    }
    int *middle = halve(cells, s);
    const block_set half[2] = {set_of(cells, s.first, middle), set_of(cells, middle, s.last)};
    if (is_small(s)) {
        const network_cost cost = cost_of(window_of(s));
        if (cost.bytes <= most && cost.nodes <= cost_of(window_of(half[0])).nodes + cost_of(window_of(half[1])).nodes) {
            networks->push_back({window_of(s), cost.bytes, std::vector<int>(s.first, s.last)});
            return;
        }
    }
    for (const block_set &h : half)
        share(cells, most, h, networks);
}

} // namespace

size_t ter_cuda::network_bytes(ter_window cells)
{
    return cost_of(cells).bytes;
}

std::vector<network> ter_cuda::share_networks(const std::vector<ter_window> &cells, size_t most)
{
    std::vector<int> blocks(cells.size());
    for (size_t n = 0; n < blocks.size(); n++)
        blocks[n] = (int)n;
    std::vector<network> networks;
    share(cells, most, set_of(cells, blocks.data(), blocks.data() + blocks.size()), &networks);
    return networks;
}
