/* place_order.cpp - sorts tiles along a Morton curve. */
#include "place_order.h"

#include "lattice_end.h"

#include <algorithm>
#include <numeric>

/** Spread the bits of a 32-bit number: bit n becomes bit 2n, the bits between are 0. Source: Anderson, "Bit Twiddling
 * Hacks", interleave by magic numbers. */
static uint64_t spread(uint64_t x)
{
    x = (x | x << 16) & 0x0000ffff0000ffff;
    x = (x | x << 8) & 0x00ff00ff00ff00ff;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
    x = (x | x << 2) & 0x3333333333333333;
    return (x | x << 1) & 0x5555555555555555;
}

/** The Morton curve through the north-west points of some tiles. Its operator () returns a tile's place along the
 * curve. */
class curve
{
  public:
    curve(int levels, const ter_tile *tiles, size_t count) : levels_(levels)
    {
        int64_t x_max = INT64_MIN, z_max = INT64_MIN;
        for (size_t n = 0; n < count; n++) {
            x_min_ = std::min(x_min_, x_of(tiles[n]));
            z_min_ = std::min(z_min_, z_of(tiles[n]));
            x_max = std::max(x_max, x_of(tiles[n]));
            z_max = std::max(z_max, z_of(tiles[n]));
        }
        while (count > 0 && std::max(x_max - x_min_, z_max - z_min_) >> shift_ > INT64_C(0xffffffff))
            shift_++;
    }
    uint64_t operator()(const ter_tile &t) const
    {
        return spread(static_cast<uint64_t>(x_of(t) - x_min_) >> shift_) |
               spread(static_cast<uint64_t>(z_of(t) - z_min_) >> shift_) << 1;
    }

  private:
    int64_t x_of(const ter_tile &t) const
    {
        return clamped(t.i, t.level);
    }
    int64_t z_of(const ter_tile &t) const
    {
        return clamped(t.j, t.level);
    }
    /** Coordinate in parts of a lattice step, those of the finest level, moved into the world. Tiles outside of the
     * world are refused later. */
    int64_t clamped(int64_t at, int level) const
    {
        const int64_t end = lattice_end(levels_, level);
        return std::clamp(at, -end, end) * (INT64_C(1) << std::max(levels_ + TER_FINE_LODS - level, 0));
    }

    int levels_, shift_ = 0;
    int64_t x_min_ = INT64_MAX, z_min_ = INT64_MAX;
};

std::vector<uint32_t> place_order(const ter_params &world, const ter_tile *tiles, size_t count)
{
    std::vector<uint32_t> order(count);
    std::iota(order.begin(), order.end(), 0U);
    if (world.basis != TER_BASIS_FLUVIAL || count < 3)
        return order;
    const curve along(world.levels, tiles, count);
    std::vector<uint64_t> place(count);
    for (size_t n = 0; n < count; n++)
        place[n] = along(tiles[n]);
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
        if (tiles[a].level != tiles[b].level)
            return tiles[a].level < tiles[b].level;
        return place[a] != place[b] ? place[a] < place[b] : a < b;
    });
    return order;
}
