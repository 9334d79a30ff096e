/* outputs.h - the caller's arrays that receive the layers of one call. All are checked before the first is written. */
#ifndef TERRANE_PYTHON_OUTPUTS_H
#define TERRANE_PYTHON_OUTPUTS_H

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "parts.h"

namespace nb = nanobind;

/** The destination of one layer, in host memory or in memory of the generator's device. Strides are counted in
 * elements: floats, or a picture's channels. */
struct layer_output {
    export_layer_id id;
    unsigned char *data; /* of slot 0 */
    size_t element_bytes;
    int channels; /* elements per sample */
    size_t row_stride;
    ptrdiff_t slot_stride; /* negative if later tiles lie before earlier ones */
    bool is_any_water;     /* water, and layers that are computed from water, use water of cells (any_water.h) */

    const export_layer &layer() const
    {
        return export_layers[id];
    }
    /** The first element of a row of a slot. */
    unsigned char *row(size_t slot, int64_t n) const
    {
        return data + (static_cast<ptrdiff_t>(slot) * slot_stride +
                       static_cast<ptrdiff_t>(n) * static_cast<ptrdiff_t>(row_stride)) *
                          static_cast<ptrdiff_t>(element_bytes);
    }
    /** The part of the array that begins at a sample of slot 0. */
    layer_output from(int64_t first_row, int64_t column) const
    {
        layer_output part = *this;
        part.data = row(0, first_row) + static_cast<size_t>(column) * static_cast<size_t>(channels) * element_bytes;
        return part;
    }
    /** The part of the array that begins at a slot. */
    layer_output from_slot(size_t slot) const
    {
        layer_output part = *this;
        part.data = row(slot, 0);
        return part;
    }
};
using layer_outputs = std::vector<layer_output>;

/** Layers' names and their arrays: a list of pairs. */
using named_arrays = nb::typed<nb::list, nb::typed<nb::tuple, nb::str, nb::object>>;

/** The shape and the device that an array must have. */
struct array_shape {
    size_t slots, rows, columns;
    bool has_slots; /* shape [slots, rows, columns], else [rows, columns]; arrays of pictures also have [channels] */
    int device;     /* number of a CUDA device, or HOST */
    static constexpr int HOST = -1;
};

/** The arrays of one call, which the object keeps alive, and their outputs. */
class open_arrays
{
  public:
    /** Raises InvalidArgumentError if an array has a wrong type, shape or device, has gaps between the samples of a
     * row, or is not aligned; also if samples of one array or of two arrays share memory. */
    open_arrays(const named_arrays &named, const array_shape &shape, bool is_any_water = false);

    const layer_outputs &outputs() const
    {
        return outputs_;
    }

  private:
    std::vector<nb::ndarray<>> arrays_;
    layer_outputs outputs_;
};

#endif
