/* fill.cpp - layers of rectangles, of batches of tiles and at points, into arrays of the caller's. */
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "blocks.h"
#include "errors.h"
#include "fill.h"
#include "generator.h"
#include "layers.h"
#include "world.h"

using named_array = std::pair<std::string, nb::object>;
using float_array = nb::ndarray<float>;
using tile_array = nb::ndarray<const int64_t, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;
using lattice_points = nb::ndarray<const int64_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using places = nb::ndarray<const double, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using point_heights = nb::ndarray<float, nb::shape<-1>, nb::c_contig, nb::device::cpu>;

/* ---- arrays of the caller's ---- */

/** An output's array, and the reference that keeps it. */
struct open_output {
    float_array array;
    layer_output output;
};

static bool is_on(const float_array &array, int device_type, int device)
{
    if (device_type == nb::device::cpu::value)
        return array.device_type() == device_type;
    return array.device_type() == device_type && array.device_id() == device;
}

/** Take an array of shape [..., height, width] whose rows have no gaps between samples. */
static open_output open_array(const named_array &named, const std::vector<size_t> &shape, int device_type, int device)
{
    open_output o = {float_array(), {&find_layer(named.first), nullptr, 0, 0}};
    if (!nb::try_cast(named.second, o.array, false))
        throw invalid("out must be a writable array of 32-bit floats");
    if (!is_on(o.array, device_type, device))
        throw invalid(device_type == nb::device::cpu::value ? "out must lie in host memory"
                                                            : "out must lie in memory of cuda:" + std::to_string(device));
    const size_t n_dims = shape.size();
    bool is_right = o.array.ndim() == n_dims;
    for (size_t n = 0; n < n_dims && is_right; n++)
        is_right = o.array.shape(n) == shape[n];
    if (!is_right)
        throw invalid("out has another shape than what is asked for");
    if (o.array.size() == 0)
        return o;
    const auto row = o.array.stride(n_dims - 2);
    if ((o.array.stride(n_dims - 1) != 1 && shape[n_dims - 1] > 1) ||
        (row < static_cast<int64_t>(shape[n_dims - 1]) && shape[n_dims - 2] > 1))
        throw invalid("the rows of out must be C-contiguous and must not overlap");
    o.output.data = o.array.data();
    o.output.row_stride = std::max(static_cast<size_t>(std::max<int64_t>(row, 0)), shape[n_dims - 1]);
    if (n_dims == 3)
        o.output.slot_stride = static_cast<size_t>(std::max<int64_t>(o.array.stride(0), 0));
    return o;
}

/** Arrays of one call: their outputs, and what keeps them. */
class open_arrays
{
  public:
    open_arrays(const std::vector<named_array> &named, const std::vector<size_t> &shape, int device_type, int device)
    {
        for (const named_array &n : named)
            arrays_.push_back(open_array(n, shape, device_type, device));
        for (const open_output &o : arrays_)
            outputs_.push_back(o.output);
    }
    const layer_outputs &outputs() const
    {
        return outputs_;
    }

  private:
    std::vector<open_output> arrays_;
    layer_outputs outputs_;
};

static layer_outputs part_of(const layer_outputs &whole, int64_t row, int64_t column)
{
    layer_outputs part;
    for (const layer_output &o : whole)
        part.push_back(o.from(row, column));
    return part;
}

/* ---- rectangles ---- */

static std::vector<size_t> shape_of(const ter_rect &rect)
{
    return {static_cast<size_t>(rect.height), static_cast<size_t>(rect.width)};
}

static void fill_blocks(generator &g, const world &w, const ter_rect &rect, const layer_outputs &outputs)
{
    blocks rest(rect);
    pace steps(w.params(), rect.level);
    ter_rect block;
    while (rest.next(steps.samples(), block)) {
        const layer_outputs part = part_of(outputs, block.j - rect.j, block.i - rect.i);
        steps.measure(g.call([&](ter_generator *made) { return layers_fill(made, w.get(), block, part); }));
        require_no_signal();
    }
}

static void fill(generator &g, const world &w, const rect_words &words, const std::vector<named_array> &named)
{
    const ter_rect rect = rect_of(words);
    const open_arrays arrays(named, shape_of(rect), nb::device::cpu::value, 0);
    fill_blocks(g, w, rect, arrays.outputs());
}

static void fill_device(generator &g, const world &w, const rect_words &words, const std::vector<named_array> &named,
                        uintptr_t stream)
{
    const ter_rect rect = rect_of(words);
    const open_arrays arrays(named, shape_of(rect), nb::device::cuda::value, g.device());
    g.call([&](ter_generator *made) {
        return layers_fill_device(made, w.get(), rect, arrays.outputs(), reinterpret_cast<void *>(stream));
    });
}

/* ---- batches of tiles ---- */

static std::vector<ter_tile> tiles_of(const tile_array &table)
{
    std::vector<ter_tile> tiles;
    const int64_t *row = table.data();
    for (size_t n = 0; n < table.shape(0); n++, row += 3)
        tiles.push_back({static_cast<int>(row[0]), row[1], row[2]});
    return tiles;
}

static std::vector<size_t> shape_of(const std::vector<ter_tile> &tiles, int width, int height)
{
    return {tiles.size(), static_cast<size_t>(height), static_cast<size_t>(width)};
}

static layer_outputs slots_from(const layer_outputs &whole, size_t slot)
{
    layer_outputs part = whole;
    for (layer_output &o : part)
        o.data += slot * o.slot_stride;
    return part;
}

/** The level whose samples take longest. */
static int coarsest(const tile_batch &batch)
{
    int level = TER_LEVELS_MAX;
    for (size_t n = 0; n < batch.count; n++)
        level = std::min(level, batch.tiles[n].level);
    return level;
}

/** Tiles so large that one of them may take long. */
static bool are_large(const world &w, const tile_batch &batch)
{
    const uint64_t samples = static_cast<uint64_t>(batch.width) * static_cast<uint64_t>(batch.height);
    return samples > 8 * pace(w.params(), coarsest(batch)).samples();
}

static void fill_large_tiles(generator &g, const world &w, const tile_batch &batch, const layer_outputs &outputs)
{
    for (size_t n = 0; n < batch.count; n++) {
        const ter_tile &t = batch.tiles[n];
        fill_blocks(g, w, {t.level, t.i, t.j, batch.width, batch.height}, slots_from(outputs, n));
    }
}

/** What a point alone costs, counted in samples of a rectangle: more where a network of rivers lies around it. */
static const uint64_t samples_a_point = 2048;

static void fill_small_tiles(generator &g, const world &w, const tile_batch &whole, const layer_outputs &outputs)
{
    pace steps(w.params(), coarsest(whole));
    for (size_t n = 0; n < whole.count;) {
        const uint64_t a_tile = std::max(static_cast<uint64_t>(whole.width) * static_cast<uint64_t>(whole.height), samples_a_point);
        tile_batch batch = whole;
        batch.tiles += n;
        batch.count = static_cast<size_t>(std::min<uint64_t>(std::max<uint64_t>(steps.samples() / a_tile, 1), whole.count - n));
        const layer_outputs part = slots_from(outputs, n);
        steps.measure(g.call([&](ter_generator *made) { return layers_fill_tiles(made, w.get(), batch, part); }));
        n += batch.count;
        require_no_signal();
    }
}

static void fill_tiles(generator &g, const world &w, const tile_array &table, int width, int height,
                       const std::vector<named_array> &named)
{
    const std::vector<ter_tile> tiles = tiles_of(table);
    const open_arrays arrays(named, shape_of(tiles, width, height), nb::device::cpu::value, 0);
    const tile_batch batch = {width, height, tiles.data(), tiles.size()};
    (are_large(w, batch) ? fill_large_tiles : fill_small_tiles)(g, w, batch, arrays.outputs());
}

static void fill_tiles_device(generator &g, const world &w, const tile_array &table, int width, int height,
                              const std::vector<named_array> &named, uintptr_t stream)
{
    const std::vector<ter_tile> tiles = tiles_of(table);
    const open_arrays arrays(named, shape_of(tiles, width, height), nb::device::cuda::value, g.device());
    const tile_batch batch = {width, height, tiles.data(), tiles.size()};
    g.call([&](ter_generator *made) {
        return layers_fill_tiles_device(made, w.get(), batch, arrays.outputs(), reinterpret_cast<void *>(stream));
    });
}

/* ---- points ---- */

static void heights_at(generator &g, const world &w, int level, const lattice_points &points, const point_heights &out)
{
    const auto *pairs = reinterpret_cast<const int64_t(*)[2]>(points.data());
    pace steps(w.params(), level);
    for (size_t n = 0; n < points.shape(0);) {
        const size_t count = std::min<size_t>(std::max<uint64_t>(steps.samples() / samples_a_point, 1), points.shape(0) - n);
        steps.measure(g.call(
            [&](ter_generator *made) { return ter_generator_heights(made, w.get(), level, pairs + n, count, out.data() + n); }));
        n += count;
        require_no_signal();
    }
}

/** Ask for at most TER_PROBE_POINTS_MAX places, and wait for the answer. */
static ter_status ask(ter_probe *probe, const ter_world *w, int level, const double *pairs, int count, float *out)
{
    ter_probe_point points[TER_PROBE_POINTS_MAX];
    float answer[TER_PROBE_POINTS_MAX];
    uint64_t ticket = 0;
    int answered = 0;
    for (int n = 0; n < count; n++)
        points[n] = {pairs[2 * n], pairs[2 * n + 1], level, 0.0F};
    static_assert(sizeof answer == TER_PROBE_POINTS_MAX * sizeof(float), "");
    const uint64_t asked = 1;
    ter_status status = ter_probe_ask(probe, w, points, count, asked);
    while (status == TER_OK && (answered == 0 || ticket != asked))
        status = ter_probe_answer(probe, &ticket, &answered, answer);
    if (status == TER_OK)
        std::copy(answer, answer + count, out);
    return status;
}

/** Bilinear heights between lattice points. Each call has a probe of its own, whose only question is answered. */
static void heights_between(generator &g, const world &w, int level, const places &points, const point_heights &out)
{
    for (size_t n = 0; n < points.shape(0);) {
        const int count = static_cast<int>(std::min<size_t>(TER_PROBE_POINTS_MAX, points.shape(0) - n));
        g.call([&](ter_generator *made) {
            ter_probe *probe = nullptr;
            ter_status status = ter_probe_create(made, &probe);
            if (status == TER_OK)
                status = ask(probe, w.get(), level, points.data() + 2 * n, count, out.data() + n);
            ter_probe_destroy(probe);
            return status;
        });
        n += static_cast<size_t>(count);
        require_no_signal();
    }
}

void bind_fill(nb::module_ &m)
{
    m.def("fill", fill, nb::arg("generator"), nb::arg("world"), nb::arg("rect"), nb::arg("outputs"),
          "Fill arrays of host memory, one a layer. rect: level, i, j, width, height.");
    m.def("fill_device", fill_device, nb::arg("generator"), nb::arg("world"), nb::arg("rect"), nb::arg("outputs"),
          nb::arg("stream"), "Queue the filling of arrays of device memory.");
    m.def("fill_tiles", fill_tiles, nb::arg("generator"), nb::arg("world"), nb::arg("tiles"), nb::arg("width"), nb::arg("height"),
          nb::arg("outputs"), "Fill arrays of tiles in host memory. tiles: rows of level, i, j.");
    m.def("fill_tiles_device", fill_tiles_device, nb::arg("generator"), nb::arg("world"), nb::arg("tiles"), nb::arg("width"),
          nb::arg("height"), nb::arg("outputs"), nb::arg("stream"), "Queue the filling of arrays of tiles in device memory.");
    m.def("heights_at", heights_at, nb::arg("generator"), nb::arg("world"), nb::arg("level"), nb::arg("points"), nb::arg("out"),
          "Heights at lattice points of a level.");
    m.def("heights_between", heights_between, nb::arg("generator"), nb::arg("world"), nb::arg("level"), nb::arg("points"),
          nb::arg("out"), "Bilinear heights at places, in lattice steps.");
}
