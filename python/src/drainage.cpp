/* drainage.cpp - routes water over the grid of a patch. It finds for each cell the neighbour that it drains to, the
 * area that drains through it, the cell where its water leaves the patch, and its distance from open water along the
 * flow and its height above this water.
 *
 * The surface of a cell is the level of its water, or the height of its ground if it is dry. Depressions of the surface
 * are filled until water from every cell leaves the patch, and cells are taken in the order of the filled surface
 * (priority flood: Barnes, Lehman and Mulla 2014). A cell drains to the steepest neighbour among those that were taken
 * before it; on level ground, to the neighbour from which it was reached. Cells at the edge of the grid and cells of
 * the sea are reached from outside. Such a cell is an end, where water leaves the patch, if it lies in the sea or has
 * no lower neighbour. */
#include <nanobind/ndarray.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <functional>
#include <new>
#include <queue>
#include <vector>

#include "drainage.h"
#include "errors.h"
#include "gil.h"
#include "parts.h"

template <class T> using grids = nb::ndarray<T, nb::shape<-1, -1, -1>, nb::c_contig, nb::device::cpu>;

/* Neighbours clockwise from the east. The code of neighbour n is 1 << n, as in GIS programs. */
static constexpr int DX[8] = {1, 1, 0, -1, -1, -1, 0, 1}, DY[8] = {0, 1, 1, 1, 0, -1, -1, -1};
static constexpr uint8_t NO_NEIGHBOUR = 8;

struct patch_grid {
    const float *height, *water; /* m; water is not a number where it is dry */
    int rows, columns;
    float sea, step_m;
};

struct patch_drainage {
    uint8_t *direction;  /* code of the neighbour; 0: an end */
    float *accumulation; /* m2; area that drains through the cell, which is included */
    int32_t *catchment;  /* row * columns + column of the end */
    float *above_water;  /* m; height above the first wet cell on the way of the water; not a number if there is none */
    float *to_water;     /* m; distance to that cell along the way; not a number if there is none */
};

/** A cell that has been reached. Cells with equal levels are taken in the order in which they were reached. */
struct reached_cell {
    float level;
    int32_t order, cell;
    bool operator>(const reached_cell &other) const
    {
        return level != other.level ? level > other.level : order > other.order;
    }
};

/** Takes the cells of a grid in the order of their filled surfaces, from the lowest to the highest. */
class flood
{
  public:
    explicit flood(const patch_grid &grid)
        : grid_(grid), level_(static_cast<size_t>(grid.rows) * static_cast<size_t>(grid.columns), NAN),
          from_(level_.size(), NO_NEIGHBOUR), is_taken_(level_.size(), 0)
    {
        for (int32_t cell = 0; cell < static_cast<int32_t>(level_.size()); cell++)
            if (is_open(cell))
                reach(cell, surface(cell));
    }

    /** Set the directions of all cells. Returns the cells in the order in which they were taken. */
    std::vector<int32_t> run(uint8_t *direction)
    {
        std::vector<int32_t> taken;
        taken.reserve(level_.size());
        while (!queue_.empty()) {
            const int32_t cell = queue_.top().cell;
            queue_.pop();
            direction[cell] = grid_.height[cell] < grid_.sea ? 0 : direction_of(cell);
            is_taken_[at(cell)] = 1;
            taken.push_back(cell);
            reach_neighbours(cell);
        }
        return taken;
    }

    float surface(int32_t cell) const
    {
        return std::isnan(grid_.water[cell]) ? grid_.height[cell] : grid_.water[cell];
    }

    /** The cell that is neighbour n of a cell; -1 outside of the grid. */
    int32_t neighbour(int32_t cell, int n) const
    {
        const int x = cell % grid_.columns + DX[n], y = cell / grid_.columns + DY[n];
        return x < 0 || y < 0 || x >= grid_.columns || y >= grid_.rows ? -1 : y * grid_.columns + x;
    }

  private:
    static size_t at(int32_t cell)
    {
        return static_cast<size_t>(cell);
    }
    /** Whether water can leave the grid from the cell: always in the sea, and at the edge if no neighbour is lower. */
    bool is_open(int32_t cell) const
    {
        const int x = cell % grid_.columns, y = cell / grid_.columns;
        return x == 0 || y == 0 || x == grid_.columns - 1 || y == grid_.rows - 1 || grid_.height[cell] < grid_.sea;
    }
    void reach(int32_t cell, float level)
    {
        level_[at(cell)] = level;
        queue_.push({level, order_++, cell});
    }
    void reach_neighbours(int32_t cell)
    {
        for (int n = 0; n < 8; n++) {
            const int32_t next = neighbour(cell, n);
            if (next < 0 || !std::isnan(level_[at(next)]))
                continue;
            from_[at(next)] = static_cast<uint8_t>((n + 4) % 8);
            reach(next, std::max(surface(next), level_[at(cell)]));
        }
    }
    uint8_t direction_of(int32_t cell) const
    {
        int best = from_[at(cell)];
        float steepest = 0;
        for (int n = 0; n < 8; n++) {
            const int32_t next = neighbour(cell, n);
            if (next < 0 || !is_taken_[at(next)])
                continue;
            const float fall = (level_[at(cell)] - level_[at(next)]) * (n % 2 != 0 ? std::sqrt(0.5f) : 1.0f);
            if (fall > steepest) {
                steepest = fall;
                best = n;
            }
        }
        return best == NO_NEIGHBOUR ? uint8_t{0} : static_cast<uint8_t>(1 << best);
    }

    const patch_grid &grid_;
    std::vector<float> level_; /* not a number: not reached yet */
    std::vector<uint8_t> from_, is_taken_;
    std::priority_queue<reached_cell, std::vector<reached_cell>, std::greater<reached_cell>> queue_;
    int32_t order_ = 0;
};

/** The number of the neighbour that a code means. */
static int neighbour_of_code(uint8_t code)
{
    int n = 0;
    while (code >> n != 1)
        n++;
    return n;
}

/** Follows the water of cells, from those that were taken first to those that were taken last. */
class way_to_water
{
  public:
    way_to_water(const patch_grid &grid, const patch_drainage &out, size_t cells)
        : grid_(grid), out_(out), water_(cells, NAN)
    {
    }

    /** Set the catchment of a cell, its height above water and its distance from water, from those of the neighbour
     * that it drains to. next: this neighbour; the cell itself if it is an end */
    void follow(int32_t cell, int32_t next, bool is_diagonal)
    {
        const bool is_wet = !std::isnan(grid_.water[cell]), is_end = next == cell;
        float &level = water_[static_cast<size_t>(cell)];
        level = is_wet ? grid_.water[cell] : is_end ? NAN : water_[static_cast<size_t>(next)];
        out_.catchment[cell] = is_end ? cell : out_.catchment[next];
        out_.above_water[cell] = is_wet ? 0 : grid_.height[cell] - level;
        out_.to_water[cell] = is_wet   ? 0
                              : is_end ? NAN
                                       : out_.to_water[next] + grid_.step_m * (is_diagonal ? std::sqrt(2.0f) : 1.0f);
    }

  private:
    const patch_grid &grid_;
    const patch_drainage &out_;
    std::vector<float> water_; /* level of the first water on the way of each cell */
};

static void drain(const patch_grid &grid, const patch_drainage &out)
{
    flood f(grid);
    const std::vector<int32_t> taken = f.run(out.direction);
    std::vector<uint32_t> cells(taken.size(), 1);
    std::vector<int32_t> next(taken.size());
    way_to_water ways(grid, out, taken.size());
    for (const int32_t cell : taken) {
        const uint8_t code = out.direction[cell];
        const int n = code == 0 ? 0 : neighbour_of_code(code);
        next[static_cast<size_t>(cell)] = code == 0 ? cell : f.neighbour(cell, n);
        ways.follow(cell, next[static_cast<size_t>(cell)], n % 2 != 0);
    }
    for (size_t n = taken.size(); n-- > 0;) {
        const auto cell = static_cast<size_t>(taken[n]), to = static_cast<size_t>(next[cell]);
        if (to != cell)
            cells[to] += cells[cell];
    }
    const double cell_m2 = static_cast<double>(grid.step_m) * static_cast<double>(grid.step_m);
    for (size_t n = 0; n < cells.size(); n++)
        out.accumulation[n] = static_cast<float>(cells[n] * cell_m2);
}

/** A batch of patches, one after another in memory. */
struct patch_batch {
    patch_grid grid;
    patch_drainage out;
    size_t cells; /* of a patch */
    std::atomic<bool> no_memory;
};

static void drain_task(void *user, int64_t n)
{
    patch_batch &batch = *static_cast<patch_batch *>(user);
    const size_t first = static_cast<size_t>(n) * batch.cells;
    patch_grid grid = batch.grid;
    grid.height += first;
    grid.water += first;
    const patch_drainage &o = batch.out;
    try {
        drain(grid, {o.direction + first, o.accumulation + first, o.catchment + first, o.above_water + first,
                     o.to_water + first});
    } catch (const std::bad_alloc &) {
        batch.no_memory = true;
    }
}

static void drain_patches(const grids<const float> &height, const grids<const float> &water, float sea, float step_m,
                          const grids<uint8_t> &direction, const grids<float> &accumulation,
                          const grids<int32_t> &catchment, const grids<float> &above_water,
                          const grids<float> &to_water)
{
    patch_batch batch = {{height.data(), water.data(), static_cast<int>(height.shape(1)),
                          static_cast<int>(height.shape(2)), sea, step_m},
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

void bind_drainage(nb::module_ &m)
{
    m.def("drain", drain_patches, nb::arg("height"), nb::arg("water"), nb::arg("sea"), nb::arg("step_m"),
          nb::arg("direction"), nb::arg("accumulation"), nb::arg("catchment"), nb::arg("above_water"),
          nb::arg("to_water"),
          "Drainage of a batch of patches; all arrays have the same shape, with sides of 2 or more.");
}
