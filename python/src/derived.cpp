/* derived.cpp - computes layers that are derived from heights, with the functions of `terrane export`. Generated layers
 * are those that the library makes. */
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "errors.h"
#include "lattice_end.h"
#include "layers.h"

/** A batch of tiles enlarged by an apron, and its generated layers in contiguous memory. */
class wide_batch
{
  public:
    wide_batch(const tile_batch &batch, int apron)
        : apron_(apron), width_(batch.width + 2 * apron), height_(batch.height + 2 * apron),
          tiles_(batch.tiles, batch.tiles + batch.count)
    {
        for (ter_tile &t : tiles_) {
            t.i -= apron;
            t.j -= apron;
        }
    }
    tile_batch tiles() const
    {
        return {width_, height_, tiles_.data(), tiles_.size(), nullptr};
    }
    /** Add a generated layer to the outputs, unless they have it already. is_any_water: see layer_output */
    void add(export_layer_id id, bool is_any_water)
    {
        if (numbers_[id])
            return;
        const size_t samples_per_tile = static_cast<size_t>(width_) * static_cast<size_t>(height_);
        numbers_[id].reset(new float[samples_per_tile * tiles_.size()]);
        outputs_.push_back({id, reinterpret_cast<unsigned char *>(numbers_[id].get()), sizeof(float), 1,
                            static_cast<size_t>(width_), static_cast<ptrdiff_t>(samples_per_tile), is_any_water});
    }
    const layer_outputs &outputs() const
    {
        return outputs_;
    }
    /** The first sample of a tile's row, without the apron. */
    const float *row(export_layer_id id, size_t tile, int row) const
    {
        const size_t rows = tile * static_cast<size_t>(height_) + static_cast<size_t>(row + apron_);
        return numbers_[id].get() + rows * static_cast<size_t>(width_) + apron_;
    }
    int stride() const
    {
        return width_;
    }

  private:
    int apron_, width_, height_;
    std::vector<ter_tile> tiles_;
    std::unique_ptr<float[]> numbers_[TER_LAYER_COUNT];
    layer_outputs outputs_;
};

/** Arguments of derive_task. Each task is a row of a tile. */
struct derivation {
    const world &w;
    const tile_batch &batch;
    const layer_outputs &outputs;
    const wide_batch &wide;
};

static void derive_row(const derivation &d, const layer_output &o, size_t tile, int row)
{
    const ter_tile &t = d.batch.tiles[tile];
    unsigned char *to = o.row(d.batch.slot_of(tile), row);
    if (o.layer().is_generated) {
        std::memcpy(to, d.wide.row(o.id, tile, row), static_cast<size_t>(d.batch.width) * sizeof(float));
        return;
    }
    const ter_params &world = d.w.params();
    layer_window window = {};
    window.heights = d.wide.row(EXPORT_HEIGHT, tile, row);
    window.water = is_of_water(d.w, o) ? d.wide.row(static_cast<export_layer_id>(TER_LAYER_WATER), tile, row) : nullptr;
    window.stride = d.wide.stride();
    window.width = d.batch.width;
    window.i = t.i;
    window.j = t.j + row;
    window.step_m = std::ldexp(world.spacing, world.levels - t.level);
    window.sea_m = world.sea;
    window.look = &d.w.colors();
    window.channel_bits = static_cast<int>(8 * o.element_bytes);
    o.layer().derive(&window, to);
}

static void derive_task(void *user, int64_t task)
{
    const derivation &d = *static_cast<const derivation *>(user);
    for (const layer_output &o : d.outputs)
        derive_row(d, o, static_cast<size_t>(task / d.batch.height), static_cast<int>(task % d.batch.height));
}

/** Throw unless the samples around every tile lie in the world. */
static void require_samples_around(const world &w, const tile_batch &batch, const layer_outputs &outputs, int apron)
{
    const auto most =
        std::max_element(outputs.begin(), outputs.end(), [](const layer_output &a, const layer_output &b) {
            return a.layer().apron < b.layer().apron;
        });
    for (size_t n = 0; n < batch.count; n++) {
        const ter_tile &t = batch.tiles[n];
        const int64_t end = lattice_end(w.params().levels, t.level);
        if (t.i - apron < -end || t.j - apron < -end || t.i + batch.width - 1 + apron > end ||
            t.j + batch.height - 1 + apron > end)
            throw invalid("layer " + std::string(most->layer().name) + " needs " + std::to_string(apron) +
                          (apron == 1 ? " sample" : " samples") +
                          " on each side of each sample, and some of them lie outside of the world, which ends at "
                          "lattice coordinates -2^46 and 2^46");
    }
}

ter_status layers_derive(ter_generator *g, const world &w, const tile_batch &batch, const layer_outputs &outputs)
{
    const int apron = apron_of(outputs);
    require_samples_around(w, batch, outputs, apron);
    wide_batch wide(batch, apron);
    wide.add(EXPORT_HEIGHT, false);
    for (const layer_output &o : outputs)
        if (o.layer().is_generated)
            wide.add(o.id, o.is_any_water);
        else if (is_of_water(w, o))
            wide.add(static_cast<export_layer_id>(TER_LAYER_WATER), o.is_any_water);
    const ter_status status = layers_fill(g, w, wide.tiles(), wide.outputs());
    derivation d = {w, batch, outputs, wide};
    if (status == TER_OK)
        tasks_run(static_cast<int64_t>(batch.count) * batch.height, derive_task, &d);
    return status;
}
