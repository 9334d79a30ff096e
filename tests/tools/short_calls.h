/* short_calls.h - short forms of library calls that tests make often. They return the status of the call. The header is
 * valid in C and C++. */
#ifndef TER_TESTS_SHORT_CALLS_H
#define TER_TESTS_SHORT_CALLS_H

#include <stdlib.h>

#include "terrane/terrane.h"

/** An array for each requested layer; NULL for the others. */
typedef struct float_layers {
    float *at[TER_LAYER_COUNT];
} float_layers;

/** Layout of tiles in each array: the strides of a ter_target, and the size of a tile. */
typedef struct tiles_layout {
    int width, height;
    size_t row_stride, slot_stride;
    const uint32_t *slots;
} tiles_layout;

/** Arrays for the layer height alone. */
static inline float_layers height_layer(float *out)
{
    float_layers layers = {{NULL}};
    layers.at[TER_LAYER_HEIGHT] = out;
    return layers;
}

/** A target whose outputs are arrays. */
static inline ter_target target_of_layers(const float_layers *layers, ter_output outputs[TER_LAYER_COUNT])
{
    size_t n_outputs = 0;
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
        if (layers->at[layer]) {
            const ter_output output = {(ter_layer)layer, layers->at[layer], 0.0, 0.0};
            outputs[n_outputs++] = output;
        }
    return ter_target_of_outputs(outputs, n_outputs);
}

/** A target whose outputs are arrays with a layout. */
static inline ter_target target_of_layout(const tiles_layout *layout, const float_layers *layers,
                                          ter_output outputs[TER_LAYER_COUNT])
{
    ter_target target = target_of_layers(layers, outputs);
    target.row_stride = layout->row_stride;
    target.slot_stride = layout->slot_stride;
    target.slots = layout->slots;
    return target;
}

/** Fill layers of a rectangle in host memory. stride: floats from row to row */
static inline ter_status fill_rect_layers(ter_generator *generator, const ter_world *world, const ter_rect *rect,
                                          const float_layers *layers, size_t stride)
{
    ter_output outputs[TER_LAYER_COUNT];
    const ter_region region = ter_region_of_rect(rect);
    ter_target target = target_of_layers(layers, outputs);
    target.row_stride = stride;
    return ter_fill(generator, world, &region, &target);
}

static inline ter_status fill_rect_heights(ter_generator *generator, const ter_world *world, const ter_rect *rect,
                                           float *out, size_t stride)
{
    const float_layers layers = height_layer(out);
    return fill_rect_layers(generator, world, rect, &layers, stride);
}

/** Fill layers of tiles in host memory. */
static inline ter_status fill_tiles_layers(ter_generator *generator, const ter_world *world, const ter_tile *tiles,
                                           size_t count, const tiles_layout *layout, const float_layers *layers)
{
    ter_output outputs[TER_LAYER_COUNT];
    const ter_region region = ter_region_of_tiles(tiles, count, layout->width, layout->height);
    const ter_target target = target_of_layout(layout, layers, outputs);
    return ter_fill(generator, world, &region, &target);
}

static inline ter_status fill_tiles_heights(ter_generator *generator, const ter_world *world, const ter_tile *tiles,
                                            size_t count, const tiles_layout *layout, float *out)
{
    const float_layers layers = height_layer(out);
    return fill_tiles_layers(generator, world, tiles, count, layout, &layers);
}

/** Fill the heights of points of one level. points: i, j */
static inline ter_status fill_point_heights(ter_generator *generator, const ter_world *world, int level,
                                            const int64_t (*points)[2], size_t count, float *out)
{
    const tiles_layout layout = {1, 1, 0, 0, NULL};
    ter_tile *tiles = (ter_tile *)calloc(count + 1, sizeof *tiles);
    if (!tiles)
        return TER_ENOMEM;
    for (size_t n = 0; n < count; n++) {
        tiles[n].level = level;
        tiles[n].i = points[n][0];
        tiles[n].j = points[n][1];
    }
    const ter_status status = fill_tiles_heights(generator, world, tiles, count, &layout, out);
    free(tiles);
    return status;
}

/** Create a fetch of heights. */
static inline ter_status create_fetch(ter_generator *generator, size_t samples_max, ter_fetch **out)
{
    const ter_fetch_options options = {TER_SIZED(ter_fetch_options), samples_max, 0};
    return ter_fetch_create(generator, &options, out);
}

/** Start to fetch a rectangle of heights as 16-bit samples. */
static inline ter_status start_fetch_u16(ter_fetch *fetch, const ter_world *world, const ter_rect *rect, double lo,
                                         double hi)
{
    const ter_fetch_request request = {TER_SIZED(ter_fetch_request), NULL, 0, TER_SAMPLE_U16, lo, hi};
    return ter_fetch_start(fetch, world, rect, &request);
}

/** Create a morph of square tiles. size: samples per side */
static inline ter_status create_morph(ter_generator *generator, size_t n_slots, int size, int has_water,
                                      ter_morph **out)
{
    const ter_morph_options options = {TER_SIZED(ter_morph_options), n_slots, size, size, has_water};
    return ter_morph_create(generator, &options, out);
}

/** A source of a morph: tiles of a world, which the morph's generator makes on the default stream. */
static inline ter_morph_source source_of_tiles(int landscape, const ter_world *world, const ter_tile *tiles,
                                               const uint32_t *held, size_t count)
{
    const ter_morph_source source = {
        TER_SIZED(ter_morph_source), landscape, world, held, count, tiles, NULL, NULL, NULL};
    return source;
}

/** Load tiles of a landscape, which the morph's generator makes. */
static inline ter_status load_morph(ter_morph *morph, int landscape, const ter_world *world, const ter_tile *tiles,
                                    const uint32_t *held, size_t count)
{
    const ter_morph_source source = source_of_tiles(landscape, world, tiles, held, count);
    return ter_morph_load(morph, &source);
}

/** Blend layers of tiles into host memory. */
static inline ter_status blend_morph_layers(ter_morph *morph, const ter_blend *blend, const ter_morph_tiles *tiles,
                                            const tiles_layout *layout, const float_layers *layers)
{
    ter_output outputs[TER_LAYER_COUNT];
    const ter_target target = target_of_layout(layout, layers, outputs);
    return ter_morph_blend(morph, blend, tiles, &target);
}

static inline ter_status blend_morph(ter_morph *morph, const ter_blend *blend, const ter_morph_tiles *tiles,
                                     const tiles_layout *layout, float *out)
{
    const float_layers layers = height_layer(out);
    return blend_morph_layers(morph, blend, tiles, layout, &layers);
}

/** Query a probe at points of a morph from one world to another. */
static inline ter_status ask_blend(ter_probe *probe, const ter_world *from, const ter_world *to, const ter_blend *blend,
                                   const ter_probe_point *points, int count, uint64_t ticket)
{
    const ter_blended_world world = {TER_SIZED(ter_blended_world), from, to, *blend};
    return ter_probe_ask_blend(probe, &world, points, count, ticket);
}

#endif
