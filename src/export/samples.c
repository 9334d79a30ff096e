/* samples.c - what lies between strips and codecs: order of rows, scaling. */
#include "export/samples.h"

#include "export/format.h"

strips_request samples_request(const export_file *file, const ter_world *world)
{
    return (strips_request){.world = world,
                            .from_south = file->is_south_first,
                            .range_m = export_format_is_scaled(file->format) ? file->range : NULL,
                            .rows_multiple = file->format->codec->rows_multiple,
                            .may_cut_rows = file->format->codec->may_cut_rows};
}

/** Heights to 0..1 over the range; returns how many lay outside. */
static uint64_t normalise(float *heights, size_t count, const double range[2])
{
    const double scale = 1.0 / (range[1] - range[0]);
    uint64_t n_clamped = 0;
    for (size_t n = 0; n < count; n++) {
        const double x = ((double)heights[n] - range[0]) * scale;
        n_clamped += x < 0.0 || x > 1.0;
        heights[n] = (float)(x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x);
    }
    return n_clamped;
}

block samples_block(const export_file *file, int64_t rows_before, strip *strip, file_facts *facts)
{
    const ter_fetched *from = &strip->fetched;
    const ptrdiff_t row_bytes = (ptrdiff_t)strip->width * (file->format->bits / 8);
    unsigned char *samples = from->samples ? (unsigned char *)from->samples : (unsigned char *)from->heights;
    *facts = (file_facts){.min_m = from->min_m, .max_m = from->max_m, .n_clamped = from->n_clamped};
    if (file->is_normalised)
        facts->n_clamped = normalise(from->heights, (size_t)(strip->width * strip->rows), file->range);
    block block = {.first = samples,
                   .stride = row_bytes,
                   .column = strip->column,
                   .row = rows_before + strip->row,
                   .width = strip->width,
                   .rows = strip->rows};
    if (file->is_south_first) { /* the rectangle's last row is the file's first after rows_before */
        block.first += (strip->rows - 1) * row_bytes;
        block.stride = -row_bytes;
        block.row = file->height - strip->row - strip->rows;
    }
    return block;
}
