/* guide_arrays.h - brings rasters and lines of Python into the form that guide_request takes. */
#ifndef TERRANE_PYTHON_GUIDE_ARRAYS_H
#define TERRANE_PYTHON_GUIDE_ARRAYS_H

#include <cstdlib>

#include "guide.h"

/** A raster that frees its numbers. */
struct owned_raster {
    guide_raster at = {};
    owned_raster() = default;
    owned_raster(const owned_raster &) = delete;
    owned_raster &operator=(const owned_raster &) = delete;
    ~owned_raster()
    {
        std::free(at.numbers);
    }
};

/** Copy (numbers, greatest, is_picture), as terrane.raster.of_array() returns them. Throws OutOfMemoryError */
void guide_read_array(nb::handle given, guide_raster &out);

/** Read a file with rasterio, whose wheels contain GDAL. Throws ImportError without rasterio, and terrane.Error */
void guide_read_by_rasterio(const char *path, guide_raster &out);

/** Lines that free their places. */
struct owned_lines {
    guide_lines at = {};
    owned_lines() = default;
    owned_lines(const owned_lines &) = delete;
    owned_lines &operator=(const owned_lines &) = delete;
    ~owned_lines()
    {
        guide_lines_free(&at);
    }
};

/** Arrays of Python as the request takes them. */
class copied_arrays
{
  public:
    /** Copy what is given. Throws OutOfMemoryError */
    explicit copied_arrays(const arrays_given &given);
    copied_arrays(const copied_arrays &) = delete;
    copied_arrays &operator=(const copied_arrays &) = delete;

    const guide_arrays *get() const
    {
        return &arrays_;
    }

  private:
    owned_raster rasters_[TER_GUIDE_RASTER_COUNT];
    owned_lines lines_;
    guide_arrays arrays_ = {};
};

#endif
