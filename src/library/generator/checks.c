/* checks.c - checks the arguments of the public functions. Backends do not check them again. */
#include "library/generator/checks.h"

#include <math.h>
#include <stdbool.h>

#include "library/core/sized_struct.h"

/** Set *extent to the number of samples from a tile's first point to its last one. Errors TER_EINVAL: they cannot be
 * addressed */
static ter_status tile_extent(const ter_tile_layout *layout, size_t *extent)
{
    size_t rows;
    if (__builtin_mul_overflow((size_t)(layout->height - 1), layout->row_stride, &rows) ||
        __builtin_add_overflow(rows, (size_t)layout->width, extent) || *extent > TER_SAMPLES_MAX)
        return ter_fail(TER_EINVAL, "tiles of %d rows with a row stride of %zu need more memory than can be addressed",
                        layout->height, layout->row_stride);
    return TER_OK;
}

/** Check that every slot can be addressed. */
static ter_status check_slots(const ter_tile_layout *layout, size_t count, size_t extent)
{
    size_t last = 0, first;
    for (size_t n = 0; layout->slots && n < count; n++)
        last = layout->slots[n] > last ? layout->slots[n] : last;
    if (!layout->slots && count > 0)
        last = count - 1;
    if (__builtin_mul_overflow(last, layout->slot_stride, &first) || first > TER_SAMPLES_MAX - extent)
        return ter_fail(TER_EINVAL, "slot %zu with a slot stride of %zu is beyond the memory that can be addressed",
                        last, layout->slot_stride);
    return TER_OK;
}

ter_status ter_layout_check(const ter_tile_layout *layout, size_t count)
{
    size_t extent = 0;
    if (layout->width < 1 || layout->height < 1)
        return ter_fail(TER_EINVAL, "tiles of %d x %d points, expected at least 1 x 1", layout->width, layout->height);
    if (layout->row_stride < (size_t)layout->width)
        return ter_fail(TER_EINVAL, "row stride is %zu, expected at least the width, %d", layout->row_stride,
                        layout->width);
    const ter_status status = tile_extent(layout, &extent);
    if (status != TER_OK)
        return status;
    if (count > 1 && layout->slot_stride < extent)
        return ter_fail(TER_EINVAL, "slot stride is %zu, expected at least a tile's extent, %zu", layout->slot_stride,
                        extent);
    return check_slots(layout, count, extent);
}

ter_status ter_tiles_check(const ter_world *world, const ter_tile *tiles, size_t count, const ter_tile_layout *layout)
{
    ter_status status = ter_layout_check(layout, count);
    for (size_t n = 0; n < count && status == TER_OK; n++)
        status = ter_world_check(world, tiles[n].level, tiles[n].i, tiles[n].j, layout->width, layout->height);
    return status;
}

ter_status ter_range_check(double lo, double hi)
{
    if (!(lo < hi) || !isfinite(hi - lo))
        return ter_fail(TER_EINVAL, "range %g .. %g, expected a low end below the high end", lo, hi);
    return TER_OK;
}

ter_status ter_rect_as_tile(const ter_world *world, const ter_rect *rect, ter_tile *tile, ter_tile_layout *layout)
{
    const ter_status status = ter_world_check(world, rect->level, rect->i, rect->j, rect->width, rect->height);
    if (status != TER_OK)
        return status;
    if (rect->width > INT32_MAX || rect->height > INT32_MAX)
        return ter_fail(TER_EINVAL, "rectangle of %lld x %lld points, expected at most 2^31 - 1 a side",
                        (long long)rect->width, (long long)rect->height);
    *tile = (ter_tile){.level = rect->level, .i = rect->i, .j = rect->j};
    *layout =
        (ter_tile_layout){.width = (int)rect->width, .height = (int)rect->height, .row_stride = (size_t)rect->width};
    return TER_OK;
}

ter_status ter_begin_work(const ter_generator *generator, ter_status checked)
{
    return checked == TER_OK ? ter_check_cancelled(&generator->cancel) : checked;
}

ter_status ter_region_read(const ter_region *caller_region, const ter_world *world, ter_tile_run *out)
{
    ter_region region = {TER_SIZED(ter_region)};
    TER_READ_STRUCT(&region, caller_region, ter_region);
    if (!region.tiles && region.n_tiles > 0)
        return ter_fail(TER_EINVAL, "region->tiles is NULL, expected %zu tiles", region.n_tiles);
    if (!region.tiles) {
        out->tiles = &out->one;
        out->count = 1;
        return ter_rect_as_tile(world, &region.rect, &out->one, &out->layout);
    }
    if (region.rect.width < 1 || region.rect.height < 1 || region.rect.width > INT32_MAX ||
        region.rect.height > INT32_MAX)
        return ter_fail(TER_EINVAL, "tiles of %lld x %lld points, expected 1 to 2^31 - 1 a side",
                        (long long)region.rect.width, (long long)region.rect.height);
    out->tiles = region.tiles;
    out->count = region.n_tiles;
    out->layout = (ter_tile_layout){.width = (int)region.rect.width, .height = (int)region.rect.height};
    return TER_OK;
}

/** Add the strides and slots of a target to a layout. Strides of 0 are replaced by their defaults. */
static void complete_layout(const ter_target *target, ter_tile_layout *layout)
{
    layout->row_stride = target->row_stride ? target->row_stride : (size_t)layout->width;
    layout->slots = target->slots;
    if (target->slot_stride)
        layout->slot_stride = target->slot_stride;
    else if (__builtin_mul_overflow((size_t)layout->height, layout->row_stride, &layout->slot_stride))
        layout->slot_stride = SIZE_MAX;
}

/** Enter the output arrays of a target into *out by layer. */
static ter_status read_outputs(const ter_target *target, ter_arrays *out)
{
    const bool is_u16 = target->sample_type == TER_SAMPLE_U16;
    TER_REQUIRE_NAMED(target->outputs, "target->outputs");
    for (size_t n = 0; n < target->n_outputs; n++) {
        const ter_output *o = &target->outputs[n];
        if ((unsigned)o->layer >= TER_LAYER_COUNT)
            return ter_fail(TER_EINVAL, "layer %d, expected 0 to %d", (int)o->layer, TER_LAYER_COUNT - 1);
        if (out->floats.at[o->layer] || out->u16.at[o->layer])
            return ter_fail(TER_EINVAL, "layer %s twice, expected each once", ter_layer_name(o->layer));
        TER_REQUIRE_NAMED(o->samples, "target->outputs[].samples");
        const ter_status status = is_u16 ? ter_range_check(o->lo, o->hi) : TER_OK;
        if (status != TER_OK)
            return status;
        if (is_u16) {
            out->u16.at[o->layer] = o->samples;
            out->u16.quantiser[o->layer] = ter_quantiser_of(o->lo, o->hi);
        } else {
            out->floats.at[o->layer] = o->samples;
        }
    }
    return target->n_outputs > 0 ? TER_OK : ter_fail(TER_EINVAL, "no layer, expected at least one");
}

ter_status ter_target_read(const ter_target *caller_target, ter_tile_run *run, ter_arrays *out)
{
    ter_target target = {TER_SIZED(ter_target)};
    TER_READ_STRUCT(&target, caller_target, ter_target);
    *out = (ter_arrays){.memory = target.memory, .stream = target.cuda_stream};
    if ((unsigned)target.sample_type > TER_SAMPLE_U16)
        return ter_fail(TER_EINVAL, "sample_type is %d, expected float or u16", (int)target.sample_type);
    if ((unsigned)target.memory > TER_MEMORY_DEVICE)
        return ter_fail(TER_EINVAL, "memory is %d, expected host or device", (int)target.memory);
    out->is_u16 = target.sample_type == TER_SAMPLE_U16;
    complete_layout(&target, &run->layout);
    return run->count > 0 ? read_outputs(&target, out) : TER_OK;
}

ter_status ter_arrays_check(const ter_world *world, const ter_arrays *arrays)
{
    for (int layer = 0; layer < TER_LAYER_COUNT; layer++)
        if ((arrays->floats.at[layer] || arrays->u16.at[layer]) && !ter_world_has_layer(world, (ter_layer)layer))
            return ter_fail(TER_EINVAL,
                            "layer %s, expected a world of basis fluvial: other worlds have the layer height alone",
                            ter_layer_name((ter_layer)layer));
    return TER_OK;
}
