/* outputs.h - where the layers of one call go: arrays of the caller's, checked before anything is written. */
#ifndef TERRANE_PYTHON_OUTPUTS_H
#define TERRANE_PYTHON_OUTPUTS_H

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "parts.h"

namespace nb = nanobind;

/** Where one layer goes: host memory, or memory of the generator's device. Strides are counted in elements: floats, or
 * a picture's channels. */
struct layer_output {
    export_layer_id id;
    unsigned char *data; /* of slot 0 */
    size_t element_bytes;
    int channels; /* elements a sample */
    size_t row_stride;
    ptrdiff_t slot_stride; /* below 0 where later tiles lie before earlier ones */
    bool is_any_water;     /* water is that of cells, any_water.h; also for layers that are made of water */

    const export_layer &layer() const
    {
        return export_layers[id];
    }
    /** A row of a slot. */
    unsigned char *row(size_t slot, int64_t n) const
    {
        return data + (static_cast<ptrdiff_t>(slot) * slot_stride +
                       static_cast<ptrdiff_t>(n) * static_cast<ptrdiff_t>(row_stride)) *
                          static_cast<ptrdiff_t>(element_bytes);
    }
    /** The same array from a sample of slot 0 on. */
    layer_output from(int64_t first_row, int64_t column) const
    {
        layer_output part = *this;
        part.data = row(0, first_row) + static_cast<size_t>(column) * static_cast<size_t>(channels) * element_bytes;
        return part;
    }
    /** The same array from a slot on. */
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

/** What an array must be. */
struct array_shape {
    size_t slots, rows, columns;
    bool has_slots; /* shape [slots, rows, columns], else [rows, columns]; pictures have their channels behind */
    int device;     /* of CUDA, or HOST */
    static constexpr int HOST = -1;
};

/** Arrays of one call: their outputs, and what keeps them. */
class open_arrays
{
  public:
    /** Raises InvalidArgumentError for an array of another type, shape or device; whose rows have gaps between their
     * samples; that is not aligned; and where samples of one array or of two share memory. */
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
