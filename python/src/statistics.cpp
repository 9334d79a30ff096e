/* statistics.cpp - smallest, largest and mean height, and histograms, of rectangles of any size. */
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <vector>

#include "blocks.h"
#include "errors.h"
#include "fill.h"
#include "generator.h"
#include "world.h"

using counters = nb::ndarray<uint64_t, nb::shape<-1>, nb::c_contig, nb::device::cpu>;
using figures = std::tuple<float, float, double, uint64_t>;

/** Smallest, largest and mean height of the samples measured so far, and their number. */
class running
{
  public:
    void add(const ter_statistics &s)
    {
        min_m_ = count_ == 0 ? s.min_m : std::min(min_m_, s.min_m);
        max_m_ = count_ == 0 ? s.max_m : std::max(max_m_, s.max_m);
        count_ += s.count;
        mean_m_ += (s.mean_m - mean_m_) * (static_cast<double>(s.count) / static_cast<double>(count_));
    }
    figures get() const
    {
        return {min_m_, max_m_, mean_m_, count_};
    }

  private:
    float min_m_ = 0, max_m_ = 0;
    double mean_m_ = 0;
    uint64_t count_ = 0;
};

static figures statistics(generator &g, const world &w, const rect_words &words, const std::optional<counters> &counts,
                          float lo, float hi)
{
    const ter_rect rect = rect_of(words);
    std::vector<uint64_t> part(counts ? counts->shape(0) : 0);
    const ter_histogram histogram = {sizeof(ter_histogram), lo, hi, static_cast<int>(part.size()), part.data()};
    running sum;
    pace steps(w.params(), rect.level);
    blocks rest(rect);
    ter_rect block;
    while (rest.next(steps.samples(), block)) {
        ter_statistics measured = {};
        measured.struct_size = sizeof measured;
        steps.measure(g.call([&](ter_generator *made) {
            return ter_generator_statistics(made, w.get(), &block, counts ? &histogram : nullptr, &measured);
        }));
        sum.add(measured);
        for (size_t n = 0; n < part.size(); n++)
            counts->data()[n] += part[n];
        require_no_signal();
    }
    return sum.get();
}

void bind_statistics(nb::module_ &m)
{
    m.def("statistics", statistics, nb::arg("generator"), nb::arg("world"), nb::arg("rect"), nb::arg("counts").none(),
          nb::arg("lo"), nb::arg("hi"),
          "Least, greatest and mean height, number of points; adds to the counts of a histogram.");
}
