/* points.cpp - computes heights at lattice points and between them. */
#include <nanobind/ndarray.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "errors.h"
#include "fill.h"
#include "generator.h"
#include "lattice_end.h"
#include "place_order.h"
#include "world.h"

extern "C" {
#include "library/probe/place.h"
}

using lattice_points = nb::ndarray<const int64_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using places = nb::ndarray<const double, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using point_heights = nb::ndarray<float, nb::shape<-1>, nb::c_contig, nb::device::cpu>;

/** Make the heights of tiles of `side` x `side` points, in an order in which neighbours follow each other.
 *
 *  take  called for each tile: take(index of the tile, its heights)
 */
template <typename Take>
static void visit_tiles(generator &g, const world &w, const std::vector<ter_tile> &tiles, int side, const Take &take)
{
    const auto samples_per_tile = static_cast<size_t>(side * side);
    const std::vector<uint32_t> order = place_order(w.params(), tiles.data(), tiles.size());
    pace steps(w.params(), tiles.empty() ? 0 : tiles[0].level);
    std::vector<ter_tile> part;
    std::vector<float> heights;
    for (size_t n = 0; n < tiles.size(); n += part.size()) {
        part.resize(
            std::min<size_t>(std::max(steps.samples() / samples_a_point, points_at_once_min), tiles.size() - n));
        heights.resize(part.size() * samples_per_tile);
        for (size_t k = 0; k < part.size(); k++)
            part[k] = tiles[order[n + k]];
        const tile_layout layout = {side, side, static_cast<size_t>(side), samples_per_tile, nullptr};
        steps.measure(g.call([&](ter_generator *made) {
            layer_arrays to = {};
            to.at[TER_LAYER_HEIGHT] = heights.data();
            return fill_tiles(made, w.get(), {part.data(), part.size()}, &layout, &to);
        }));
        for (size_t k = 0; k < part.size(); k++)
            take(order[n + k], heights.data() + k * samples_per_tile);
        require_no_signal();
    }
}

static void heights_at(generator &g, const world &w, int level, const lattice_points &points, const point_heights &out)
{
    std::vector<ter_tile> tiles;
    for (size_t n = 0; n < points.shape(0); n++)
        tiles.push_back({level, points.data()[2 * n], points.data()[2 * n + 1]});
    visit_tiles(g, w, tiles, 1, [&](size_t n, const float *height) { out.data()[n] = *height; });
}

[[noreturn]] static void throw_outside(const double place[2])
{
    char text[128];
    std::snprintf(text, sizeof text,
                  "a point at %g, %g leaves the world, which ends at lattice coordinates -2^46 and 2^46", place[0],
                  place[1]);
    throw invalid(text);
}

/** The cell of a level in which a place lies. At the eastern or southern end of the world no cell begins at the place.
 * Then tile() is the last cell, and `is_east` or `is_south` says that the place lies on the far edge of this cell. */
struct edge_cell {
    ter_cell cell;
    bool is_east, is_south;

    edge_cell(int levels, int level, const double place[2])
    {
        const double limit = static_cast<double>(TER_COORDINATE_MAX);
        if (!(std::fabs(place[0]) <= limit && std::fabs(place[1]) <= limit))
            throw_outside(place);
        const ter_probe_point point = {place[0], place[1], level, 0.0F};
        cell = ter_cell_of(&point, levels);
        const int64_t end = lattice_end(levels, level);
        is_east = cell.i == end;
        is_south = cell.j == end;
    }
    ter_tile tile() const
    {
        return {cell.level, cell.i - is_east, cell.j - is_south};
    }
    /** The height at the place, from the heights at the corners of tile(). */
    float height(const float *corners) const
    {
        const float *north = corners + (is_south ? 2 : 0), *south = corners + 2;
        return ter_cell_height(&cell, north[is_east], north[1], south[is_east], south[1]);
    }
};

static void heights_between(generator &g, const world &w, int level, const places &points, const point_heights &out)
{
    std::vector<edge_cell> cells;
    std::vector<ter_tile> tiles;
    for (size_t n = 0; n < points.shape(0); n++) {
        cells.emplace_back(w.params().levels, level, points.data() + 2 * n);
        tiles.push_back(cells.back().tile());
    }
    visit_tiles(g, w, tiles, 2, [&](size_t n, const float *corners) { out.data()[n] = cells[n].height(corners); });
}

void bind_points(nb::module_ &m)
{
    m.def("heights_at", heights_at, nb::arg("generator"), nb::arg("world"), nb::arg("level"), nb::arg("points"),
          nb::arg("out"), "Heights at lattice points of a level.");
    m.def("heights_between", heights_between, nb::arg("generator"), nb::arg("world"), nb::arg("level"),
          nb::arg("points"), nb::arg("out"), "Bilinear heights at places, in lattice steps.");
}
