/* map.cpp - the relief of heights in a world's colours, and pictures as PNG. */
#include "map.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "errors.h"
#include "world.h"

using map_heights = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using map_pixels = nb::ndarray<uint8_t, nb::shape<-1, -1, 3>, nb::c_contig, nb::device::cpu>;
using picture_pixels = nb::ndarray<const uint8_t, nb::shape<-1, -1, 3>, nb::c_contig, nb::device::cpu>;

/** Whether no signal's handler has raised an exception; the caller does not hold the GIL. */
static bool goes_on()
{
    nb::gil_scoped_acquire held;
    return PyErr_CheckSignals() == 0;
}

static bool tell(void *, double)
{
    return goes_on();
}

static int is_interrupted()
{
    return !goes_on();
}

static int map_height(int width, int height)
{
    relief land = {};
    land.width = width;
    land.height = height;
    return relief_picture_height(&land);
}

static void draw_map(const world &w, int64_t x, int64_t z, int64_t step, const map_heights &heights, const map_pixels &pixels)
{
    const int width = static_cast<int>(heights.shape(1)), height = static_cast<int>(heights.shape(0));
    const relief land = {&w.params(), &w.colors(),   x, z, step, w.params().spacing * static_cast<double>(step), width,
                         height,      heights.data()};
    const relief_progress progress = {tell, nullptr};
    outcome o;
    {
        nb::gil_scoped_release released;
        o = relief_draw(&land, pixels.data(), &progress);
    }
    require(o);
}

static nb::bytes encode_png(const picture_pixels &pixels)
{
    void *bytes = nullptr;
    size_t size = 0;
    outcome o;
    {
        nb::gil_scoped_release released;
        o = picture_encode("picture", pixels.data(), static_cast<int>(pixels.shape(1)), static_cast<int>(pixels.shape(0)), &bytes,
                           &size);
    }
    const std::unique_ptr<void, decltype(&std::free)> owner(bytes, std::free);
    require(o);
    return nb::bytes(bytes, size);
}

static void write_png(const std::string &path, const picture_pixels &pixels, bool may_replace)
{
    const picture_output output = {may_replace, is_interrupted};
    outcome o;
    {
        nb::gil_scoped_release released;
        o = picture_write(path.c_str(), pixels.data(), static_cast<int>(pixels.shape(1)), static_cast<int>(pixels.shape(0)),
                          &output);
    }
    require(o);
}

void bind_map(nb::module_ &m)
{
    m.def("map_height", map_height, nb::arg("width"), nb::arg("height"), "Rows of a map's picture, its legend included.");
    m.def("draw_map", draw_map, nb::arg("world"), nb::arg("x"), nb::arg("z"), nb::arg("step"), nb::arg("heights"),
          nb::arg("pixels"), "Draw a map.");
    m.def("encode_png", encode_png, nb::arg("pixels"), "A picture as the bytes of a PNG file.");
    m.def("write_png", write_png, nb::arg("path"), nb::arg("pixels"), nb::arg("may_replace"), "Write a picture as a PNG file.");
}
