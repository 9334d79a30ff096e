/* rivers.cpp - lists the reaches in a rectangle as columns of numbers, and the points of their lines. */
#include "rivers.h"

#include <nanobind/ndarray.h>

#include <cmath>
#include <string>
#include <vector>

#include "errors.h"
#include "gil.h"
#include "parts.h"
#include "world.h"

/** Numbers of a reach that are floats, in the order of their columns. */
static constexpr const char *REAL_NAMES[] = {"area_start_km2", "area_km2", "width_m",  "depth_m",       "level_start_m",
                                             "level_end_m",    "slope",    "length_m", "discharge_m3s", "start_x",
                                             "start_y",        "end_x",    "end_y"};

/** Those that are integers. `lake` and `downstream` are valid where has_lake and has_downstream are not 0. */
static constexpr const char *WHOLE_NAMES[] = {"id",       "downstream", "mouth", "lake",           "is_lake", "end",
                                              "strahler", "cut",        "piece", "has_downstream", "has_lake"};

static constexpr size_t REALS = sizeof REAL_NAMES / sizeof REAL_NAMES[0],
                        WHOLES = sizeof WHOLE_NAMES / sizeof WHOLE_NAMES[0];

/** What a visit has found. */
struct river_lines {
    const ter_params *params;
    std::vector<double> reals, points; /* points: east, north, altitude */
    std::vector<int64_t> wholes, ends; /* ends: index behind the last point of each line */
    bool no_memory = false;

    earth_place place(double x, double z) const
    {
        static constexpr earth_crs none = {};
        return earth_place_of(params, &none, x, z);
    }
};

/** Append the numbers of a piece of a reach. */
static void add_piece(river_lines &lines, const reach &q, const cut_piece &piece, int number)
{
    const ter_river_point &a = q.points[0], &b = q.points[q.n_points - 1];
    const earth_place first = lines.place(a.x, a.z), last = lines.place(b.x, b.z);
    const double slope = reach_slope_of(&q), spacing = lines.params->spacing;
    const double discharge = q.is_lake ? NAN : reach_discharge(q.width_m / spacing, q.bank_m, slope * spacing);
    const double reals[REALS] = {q.area_start_m2 * 1e-6,
                                 q.area_end_m2 * 1e-6,
                                 q.width_m,
                                 q.depth_m,
                                 q.level_start_m,
                                 q.level_end_m,
                                 slope,
                                 q.length_m,
                                 discharge,
                                 first.east,
                                 first.north,
                                 last.east,
                                 last.north};
    const int64_t wholes[WHOLES] = {
        q.id,   q.downstream,     q.mouth,   q.lake, q.is_lake, q.end, q.order, piece.is_cut[0] + 2 * piece.is_cut[1],
        number, q.has_downstream, q.has_lake};
    lines.reals.insert(lines.reals.end(), reals, reals + REALS);
    lines.wholes.insert(lines.wholes.end(), wholes, wholes + WHOLES);
    for (size_t n = 0; n < piece.count; n++) {
        const double *p = piece.points + 3 * n;
        const earth_place at = lines.place(p[0], p[1]);
        lines.points.insert(lines.points.end(), {at.east, at.north, p[2]});
    }
    lines.ends.push_back(static_cast<int64_t>(lines.points.size() / 3));
}

static result visit_piece(void *user, const reach *q, cut_piece *piece, int number)
{
    try {
        add_piece(*static_cast<river_lines *>(user), *q, *piece, number);
    } catch (const std::bad_alloc &) {
        static_cast<river_lines *>(user)->no_memory = true;
        return result_of(RESULT_FAILED, "out of memory");
    }
    return result_done();
}

/** Run Python's handlers of signals. Returns false if one has raised an exception. */
static bool goes_on(void *, const char *, double)
{
    const held_gil held;
    return PyErr_CheckSignals() == 0;
}

/** The lattice points around a box of east and north: west, south, east, north. */
static ter_rect rect_of(const ter_params &params, const double box[4])
{
    static constexpr earth_crs none = {};
    const earth_place origin = earth_place_of(&params, &none, 0.0, 0.0);
    const double step = params.spacing / origin.metres;
    const double x0 = std::floor((box[0] - origin.east) / step), x1 = std::ceil((box[2] - origin.east) / step),
                 z0 = std::floor((origin.north - box[3]) / step), z1 = std::ceil((origin.north - box[1]) / step);
    const double most = static_cast<double>(TER_COORDINATE_MAX);
    if (!(x0 >= -most && z0 >= -most && x1 <= most && z1 <= most))
        throw invalid("bbox lies outside of the world");
    const double side = 3840.0 * TER_EDGE_CELL;
    if (x1 - x0 > side || z1 - z0 > side)
        throw invalid("bbox has " + std::to_string(x1 - x0) + " x " + std::to_string(z1 - z0) +
                      " lattice steps, expected at most 1966080 x 1966080");
    return {params.levels, static_cast<int64_t>(x0), static_cast<int64_t>(z0), static_cast<int64_t>(x1 - x0),
            static_cast<int64_t>(z1 - z0)};
}

static result visit(const rivers_request &request, river_lines &lines)
{
    ter_river_window cells;
    river_net *net = nullptr;
    rivers_visits visits = {};
    visits.visit = visit_piece;
    visits.user = &lines;
    result res = rivers_open(&request, &cells, &net);
    if (res.kind == RESULT_DONE)
        res = rivers_visit(&request, &cells, net, &visits);
    river_net_destroy(net);
    return res;
}

/** A numpy array that owns a copy of the numbers. */
template <class T> static nb::object array_of(const std::vector<T> &numbers, size_t columns)
{
    T *copy = new T[numbers.size() + 1];
    std::copy(numbers.begin(), numbers.end(), copy);
    const nb::capsule owner(copy, [](void *p) noexcept { delete[] static_cast<T *>(p); });
    return nb::cast(nb::ndarray<nb::numpy, T>(copy, {numbers.size() / columns, columns}, owner));
}

static nb::tuple rivers(const world &w, double west, double south, double east, double north, double min_area_km2,
                        double point_distance)
{
    const double box[4] = {west, south, east, north};
    river_lines lines;
    lines.params = &w.params();
    rivers_request request = {};
    request.world = w.get();
    request.rect = rect_of(w.params(), box);
    request.min_area_m2 = min_area_km2 * 1e6;
    request.point_distance = point_distance;
    request.events.progress = goes_on;
    request.path = "";
    result res;
    {
        released_gil released;
        res = visit(request, lines);
    }
    if (PyErr_Occurred())
        throw nb::python_error();
    if (lines.no_memory)
        throw failure("OutOfMemoryError", "no memory for rivers");
    require(res);
    nb::list real_names, whole_names;
    for (const char *name : REAL_NAMES)
        real_names.append(name);
    for (const char *name : WHOLE_NAMES)
        whole_names.append(name);
    return nb::make_tuple(real_names, array_of(lines.reals, REALS), whole_names, array_of(lines.wholes, WHOLES),
                          array_of(lines.points, 3), array_of(lines.ends, 1), lines.place(0.0, 0.0).epsg);
}

/** The names of the ends of reaches, with commas between them. */
static std::string end_names()
{
    std::string names = reach_end_names[0];
    for (int n = 1; n < REACH_ENDS; n++)
        names += std::string(",") + reach_end_names[n];
    return names;
}

void bind_rivers(nb::module_ &m)
{
    m.def("rivers", rivers, nb::arg("world"), nb::arg("west"), nb::arg("south"), nb::arg("east"), nb::arg("north"),
          nb::arg("min_area_km2"), nb::arg("point_distance"),
          nb::sig("def rivers(world: World, west: float, south: float, east: float, north: float, "
                  "min_area_km2: float, point_distance: float) -> tuple[object, ...]"),
          "Reaches in a box: names and columns of floats, names and columns of integers, points, ends of lines, EPSG.");
    m.attr("RIVER_ENDS") = end_names().c_str();
}
