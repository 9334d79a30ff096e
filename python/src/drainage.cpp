/* drainage.cpp - routes the water of patches and of rectangles, by the functions of program/drainage. */
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <tuple>

#include "drainage.h"
#include "errors.h"
#include "gil.h"
#include "parts.h"
#include "world.h"

template <class T> using grids = nb::ndarray<T, nb::shape<-1, -1, -1>, nb::c_contig, nb::device::cpu>;

/** A batch of patches, one after another in memory. */
struct patch_batch {
    routing_grid grid;
    routing out;
    size_t cells; /* of a patch */
    std::atomic<bool> no_memory;
};

static void drain_task(void *user, int64_t n)
{
    patch_batch &batch = *static_cast<patch_batch *>(user);
    const size_t first = static_cast<size_t>(n) * batch.cells;
    routing_grid grid = batch.grid;
    grid.height += first;
    grid.water += first;
    const routing &o = batch.out, out = {o.direction + first, o.accumulation + first, o.catchment + first,
                                         o.above_water + first, o.to_water + first};
    if (!route_water(&grid, &out))
        batch.no_memory = true;
}

static void drain_patches(const grids<const float> &height, const grids<const float> &water, float sea, float step_m,
                          const grids<uint8_t> &direction, const grids<float> &accumulation,
                          const grids<int32_t> &catchment, const grids<float> &above_water,
                          const grids<float> &to_water)
{
    patch_batch batch = {{height.data(), water.data(), static_cast<int>(height.shape(1)),
                          static_cast<int>(height.shape(2)), sea, step_m, false, nullptr},
                         {direction.data(), accumulation.data(), catchment.data(), above_water.data(), to_water.data()},
                         height.shape(1) * height.shape(2),
                         {false}};
    {
        released_gil released;
        tasks_run(static_cast<int64_t>(height.shape(0)), drain_task, &batch);
    }
    if (batch.no_memory)
        throw failure("OutOfMemoryError", "no memory for the drainage of patches");
    require_no_signal();
}

template <class T> using plane = nb::ndarray<T, nb::shape<-1, -1>, nb::c_contig, nb::device::cpu>;

/** A drained area whose destructor frees it. */
struct owned_area {
    drained_area area = {};
    ~owned_area()
    {
        drained_area_free(&area);
    }
};

static bool goes_on_routing(void *, const char *, double)
{
    const held_gil held;
    return PyErr_CheckSignals() == 0;
}

/** Copy the samples into the area, route its water, and copy the results. */
static result drain_rect(const drained_request &request, const float *height, const float *water, float *heights,
                         float *accumulation, uint8_t *direction)
{
    owned_area owned;
    drained_area &a = owned.area;
    const work_progress progress = {goes_on_routing, nullptr, nullptr};
    const ter_rect &r = request.rect;
    const auto width = static_cast<size_t>(r.width), all = (width + 2) * static_cast<size_t>(r.height + 2);
    result res = drained_area_begin(&request, &a);
    if (res.kind != RESULT_DONE)
        return res;
    std::copy(height, height + all, a.height);
    std::copy(water, water + all, a.water);
    res = drained_area_route(&a, &progress);
    for (int64_t row = 0; row < r.height && res.kind == RESULT_DONE; row++) {
        const size_t from = drained_area_index(&a, r.i, r.j + row), to = static_cast<size_t>(row) * width;
        std::copy(a.height + from, a.height + from + width, heights + to);
        std::copy(a.accumulation + from, a.accumulation + from + width, accumulation + to);
        for (size_t n = 0; n < width; n++)
            direction[to + n] = drained_area_direction(&a, r.i + static_cast<int64_t>(n), r.j + row);
    }
    return res;
}

static void check_drainage(const world &w, int level, int64_t width, int64_t height, double min_area_km2)
{
    const ter_rect rect = {level, 0, 0, width, height};
    require(drained_area_check(&w.params(), &rect, "drainage"));
    require(least_river_check(&w.params(), min_area_km2, "min_area"));
}

static void drainage(const world &w, const std::tuple<int, int64_t, int64_t> &first, bool is_conditioned,
                     double min_area_km2, const plane<const float> &height, const plane<const float> &water,
                     const plane<float> &heights, const plane<float> &accumulation, const plane<uint8_t> &direction)
{
    drained_request request = {};
    request.world = w.get();
    request.rect = {std::get<0>(first), std::get<1>(first), std::get<2>(first), static_cast<int64_t>(heights.shape(1)),
                    static_cast<int64_t>(heights.shape(0))};
    request.is_conditioned = is_conditioned;
    request.min_area_m2 = min_area_km2 * 1e6;
    result res;
    {
        released_gil released;
        res = drain_rect(request, height.data(), water.data(), heights.data(), accumulation.data(), direction.data());
    }
    if (PyErr_Occurred())
        throw nb::python_error();
    require(res);
}

void bind_drainage(nb::module_ &m)
{
    m.def("drainage", drainage, nb::arg("world"), nb::arg("first"), nb::arg("conditioned"), nb::arg("min_area_km2"),
          nb::arg("height"), nb::arg("water"), nb::arg("heights"), nb::arg("accumulation"), nb::arg("direction"),
          "Drainage of a rectangle whose first sample is (level, i, j). height and water have one sample more on all "
          "sides than heights, accumulation and direction, which are filled.");
    m.def("check_drainage", check_drainage, nb::arg("world"), nb::arg("level"), nb::arg("width"), nb::arg("height"),
          nb::arg("min_area_km2"), "Raise an error if a rectangle is too large to be drained, or the area too small.");
    m.def("drain", drain_patches, nb::arg("height"), nb::arg("water"), nb::arg("sea"), nb::arg("step_m"),
          nb::arg("direction"), nb::arg("accumulation"), nb::arg("catchment"), nb::arg("above_water"),
          nb::arg("to_water"),
          "Drainage of a batch of patches; all arrays have the same shape, with sides of 2 or more.");
}
