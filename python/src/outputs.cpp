/* outputs.cpp - checks the caller's arrays and converts them to outputs. */
#include "outputs.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "errors.h"
#include "layers.h"

/* ---- one array ---- */

/** Take an array of one type of elements. Returns false if it has another type, or cannot be written. */
template <typename Element> static bool take(nb::handle given, nb::ndarray<> &array)
{
    nb::ndarray<Element> typed;
    if (!nb::try_cast(given, typed, false))
        return false;
    array = nb::ndarray<>(typed.handle());
    return true;
}

static nb::ndarray<> take_array(nb::handle given, const export_layer &layer)
{
    nb::ndarray<> array;
    if (layer.channels == 0 && !take<float>(given, array))
        throw invalid("out must be a writable array of 32-bit floats");
    if (layer.channels != 0 && !take<uint8_t>(given, array) && !take<uint16_t>(given, array))
        throw invalid("out of layer " + std::string(layer.name) +
                      " must be a writable array of 8-bit or 16-bit unsigned integers");
    return array;
}

static void require_place(const nb::ndarray<> &array, int device)
{
    if (device == array_shape::HOST && array.device_type() != nb::device::cpu::value)
        throw invalid("out must lie in host memory");
    if (device != array_shape::HOST && (array.device_type() != nb::device::cuda::value || array.device_id() != device))
        throw invalid("out must lie in memory of cuda:" + std::to_string(device));
}

static void require_shape(const nb::ndarray<> &array, const array_shape &wanted, int channels)
{
    std::vector<size_t> shape;
    if (wanted.has_slots)
        shape.push_back(wanted.slots);
    shape.push_back(wanted.rows);
    shape.push_back(wanted.columns);
    if (channels > 0)
        shape.push_back(static_cast<size_t>(channels));
    bool is_right = array.ndim() == shape.size();
    for (size_t n = 0; n < shape.size() && is_right; n++)
        is_right = array.shape(n) == shape[n];
    if (!is_right)
        throw invalid("out has another shape than the samples that are requested");
}

/** Convert an array to an output. Throws if its rows have gaps between samples or overlap, or if it is not aligned. */
static layer_output output_of(const nb::ndarray<> &array, export_layer_id id, const array_shape &shape)
{
    const export_layer &layer = export_layers[id];
    const int channels = std::max(layer.channels, 1);
    const size_t length = shape.columns * static_cast<size_t>(channels), rows = shape.has_slots ? 1 : 0;
    layer_output o = {id, static_cast<unsigned char *>(array.data()), array.itemsize(), channels, length, 0, false};
    if (array.size() == 0)
        return o;
    const int64_t row = array.stride(rows);
    const bool has_gaps = (shape.columns > 1 && array.stride(rows + 1) != channels) ||
                          (layer.channels != 0 && array.stride(rows + 2) != 1);
    if (has_gaps || (shape.rows > 1 && row < static_cast<int64_t>(length)))
        throw invalid("the rows of out must be C-contiguous and must not overlap");
    if (reinterpret_cast<uintptr_t>(o.data) % o.element_bytes != 0)
        throw invalid("out is not aligned: its memory begins at an address that is no multiple of " +
                      std::to_string(o.element_bytes) + ", the bytes of an element");
    if (shape.rows > 1)
        o.row_stride = static_cast<size_t>(row);
    if (shape.has_slots && shape.slots > 1)
        o.slot_stride = static_cast<ptrdiff_t>(array.stride(0));
    return o;
}

/* ---- memory that is shared ---- */

/** Number of elements from the first to the last one of a slot, with the gaps between rows. */
static int64_t extent_of(const layer_output &o, const array_shape &shape)
{
    return static_cast<int64_t>((shape.rows - 1) * o.row_stride + shape.columns * static_cast<size_t>(o.channels));
}

/** Whether rows of a slot share elements with rows of a slot that begins `offset` elements later. */
static bool rows_overlap(int64_t offset, const layer_output &o, const array_shape &shape)
{
    const auto stride = static_cast<int64_t>(o.row_stride), rows = static_cast<int64_t>(shape.rows),
               length = static_cast<int64_t>(shape.columns) * o.channels;
    const int64_t apart = offset / stride;
    for (int64_t n = apart - 1; n <= apart + 1; n++)
        if (n > -rows && n < rows && std::llabs(offset - n * stride) < length)
            return true;
    return false;
}

/** Whether slots of two arrays with the same strides share elements. The second array begins `offset` elements later.
 * is_one_array: compare different slots of one array */
static bool slots_overlap(int64_t offset, const layer_output &o, const array_shape &shape, bool is_one_array)
{
    const auto slots = static_cast<int64_t>(shape.slots);
    const int64_t extent = extent_of(o, shape);
    for (int64_t n = is_one_array ? 1 : 1 - slots; n < slots; n++) {
        const int64_t between = offset + n * o.slot_stride;
        if (std::llabs(between) < extent && rows_overlap(between, o, shape))
            return true;
    }
    return false;
}

/** Addresses of the first byte and of the byte after the last one. */
static std::pair<uintptr_t, uintptr_t> bytes_of(const layer_output &o, const array_shape &shape)
{
    const auto first = reinterpret_cast<uintptr_t>(o.row(0, 0)),
               last = reinterpret_cast<uintptr_t>(o.row(shape.slots - 1, 0));
    return {std::min(first, last),
            std::max(first, last) + static_cast<uintptr_t>(extent_of(o, shape)) * o.element_bytes};
}

/** Whether two arrays share memory. If their strides differ, it is enough that one begins before the other ends. */
static bool share_memory(const layer_output &a, const layer_output &b, const array_shape &shape)
{
    const auto [a_first, a_end] = bytes_of(a, shape);
    const auto [b_first, b_end] = bytes_of(b, shape);
    if (a_end <= b_first || b_end <= a_first)
        return false;
    const bool is_alike = a.element_bytes == b.element_bytes && a.channels == b.channels &&
                          a.row_stride == b.row_stride && a.slot_stride == b.slot_stride;
    const ptrdiff_t apart = b.data - a.data, size = static_cast<ptrdiff_t>(a.element_bytes);
    return !is_alike || apart % size != 0 || slots_overlap(apart / size, a, shape, false);
}

static void require_separate_memory(const layer_outputs &outputs, const array_shape &shape)
{
    if (shape.slots == 0 || shape.rows == 0 || shape.columns == 0)
        return;
    for (size_t n = 0; n < outputs.size(); n++) {
        if (slots_overlap(0, outputs[n], shape, true))
            throw invalid("tiles of out share memory, expected separate memory for every tile");
        for (size_t other = 0; other < n; other++)
            if (share_memory(outputs[other], outputs[n], shape))
                throw invalid("the arrays of layers " + std::string(outputs[other].layer().name) + " and " +
                              outputs[n].layer().name + " share memory, expected separate memory for every layer");
    }
}

open_arrays::open_arrays(const named_arrays &named, const array_shape &shape, bool is_any_water)
{
    for (const nb::handle pair : named) {
        const export_layer_id id = find_layer(text_of(pair[0]));
        const nb::ndarray<> array = take_array(pair[1], export_layers[id]);
        require_place(array, shape.device);
        require_shape(array, shape, export_layers[id].channels);
        outputs_.push_back(output_of(array, id, shape));
        outputs_.back().is_any_water = is_any_water;
        arrays_.push_back(array);
    }
    require_separate_memory(outputs_, shape);
}
