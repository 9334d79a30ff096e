/* fill.c - makes regions and targets for ter_fill. */
#include "program/core/fill.h"

size_t fill_outputs(const layer_arrays *arrays, ter_output outputs[TER_LAYER_COUNT])
{
    size_t n_outputs = 0;
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
        if (arrays->at[layer])
            outputs[n_outputs++] = (ter_output){.layer = (ter_layer)layer, .samples = arrays->at[layer]};
    return n_outputs;
}

ter_target fill_target(const ter_output *outputs, size_t n_outputs, const tile_layout *layout)
{
    ter_target target = ter_target_of_outputs(outputs, n_outputs);
    target.row_stride = layout->row_stride;
    target.slot_stride = layout->slot_stride;
    target.slots = layout->slots;
    return target;
}

ter_status fill_rect(ter_generator *generator, const ter_world *world, const ter_rect *rect, const layer_arrays *arrays,
                     size_t stride)
{
    ter_output outputs[TER_LAYER_COUNT];
    const ter_region region = ter_region_of_rect(rect);
    ter_target target = ter_target_of_outputs(outputs, fill_outputs(arrays, outputs));
    target.row_stride = stride;
    return ter_fill(generator, world, &region, &target);
}

ter_status fill_heights(ter_generator *generator, const ter_world *world, const ter_rect *rect, float *out,
                        size_t stride)
{
    const layer_arrays arrays = {.at = {[TER_LAYER_HEIGHT] = out}};
    return fill_rect(generator, world, rect, &arrays, stride);
}

ter_status fill_tiles(ter_generator *generator, const ter_world *world, tile_span tiles, const tile_layout *layout,
                      const layer_arrays *arrays)
{
    ter_output outputs[TER_LAYER_COUNT];
    const ter_region region = ter_region_of_tiles(tiles.tiles, tiles.count, layout->width, layout->height);
    const ter_target target = fill_target(outputs, fill_outputs(arrays, outputs), layout);
    return ter_fill(generator, world, &region, &target);
}

ter_status fill_tiles_device(ter_generator *generator, const ter_world *world, tile_span tiles,
                             const tile_layout *layout, const layer_arrays *arrays, void *cuda_stream)
{
    ter_output outputs[TER_LAYER_COUNT];
    const ter_region region = ter_region_of_tiles(tiles.tiles, tiles.count, layout->width, layout->height);
    ter_target target = fill_target(outputs, fill_outputs(arrays, outputs), layout);
    target.memory = TER_MEMORY_DEVICE;
    target.cuda_stream = cuda_stream;
    return ter_fill(generator, world, &region, &target);
}
