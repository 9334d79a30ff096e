/* blocks.h - cuts a rectangle into blocks, each for one call of the library. */
#ifndef TERRANE_PYTHON_BLOCKS_H
#define TERRANE_PYTHON_BLOCKS_H

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "parts.h"

/** Cuts a rectangle into bands of whole rows, from the north to the south. A band of very long rows is cut again, from
 * the west to the east. */
class blocks
{
  public:
    explicit blocks(const ter_rect &whole) : whole_(whole)
    {
    }

    /** Set `block` to the next block, of about `samples` samples. Returns false after the last block. */
    bool next(uint64_t samples, ter_rect &block)
    {
        if (column_ == whole_.width) {
            row_ += band_;
            column_ = 0;
        }
        if (row_ >= whole_.height)
            return false;
        const uint64_t least = std::min<uint64_t>(TILE, static_cast<uint64_t>(std::sqrt(static_cast<double>(samples))));
        if (column_ == 0)
            band_ = at_most(samples / static_cast<uint64_t>(whole_.width), least, whole_.height - row_);
        const int64_t columns = at_most(samples / static_cast<uint64_t>(band_), least, whole_.width - column_);
        block = {whole_.level, whole_.i + column_, whole_.j + row_, columns, band_};
        column_ += columns;
        return true;
    }

  private:
    static constexpr uint64_t TILE = 64; /* samples; generators are slow for blocks with shorter sides */

    /** `count`, but at least `least`, and at most `left`. */
    static int64_t at_most(uint64_t count, uint64_t least, int64_t left)
    {
        return static_cast<int64_t>(std::min(std::max(count, least), static_cast<uint64_t>(left)));
    }

    ter_rect whole_;
    int64_t row_ = 0, column_ = 0, band_ = 0;
};

#endif
