/* blocks.h - a rectangle cut into blocks of as many samples as one call should make. */
#ifndef TERRANE_PYTHON_BLOCKS_H
#define TERRANE_PYTHON_BLOCKS_H

#include <algorithm>
#include <cstdint>

#include "parts.h"

/** Bands of whole rows from the north; a band of very long rows is cut from the west to the east. */
class blocks
{
  public:
    explicit blocks(const ter_rect &whole) : whole_(whole)
    {
    }

    /** The next block of about so many samples; false after the last one. */
    bool next(uint64_t samples, ter_rect &block)
    {
        if (column_ == whole_.width) {
            row_ += band_;
            column_ = 0;
        }
        if (row_ >= whole_.height)
            return false;
        if (column_ == 0)
            band_ = at_most(samples / static_cast<uint64_t>(whole_.width), whole_.height - row_);
        const int64_t columns = at_most(samples / static_cast<uint64_t>(band_), whole_.width - column_);
        block = {whole_.level, whole_.i + column_, whole_.j + row_, columns, band_};
        column_ += columns;
        return true;
    }

  private:
    /** `count`, but at least enough for the generators' tiles, and no more than there are. */
    static int64_t at_most(uint64_t count, int64_t left)
    {
        const uint64_t tile = 64;
        return static_cast<int64_t>(std::min(std::max(count, tile), static_cast<uint64_t>(left)));
    }

    ter_rect whole_;
    int64_t row_ = 0, column_ = 0, band_ = 0;
};

#endif
