/* samples.c - what lies between strips and codecs: order of rows, scaling, the range. */
#include "export/samples.h"

#include <math.h>

#include "export/job.h"

outcome samples_open(const export_file *file, const ter_world *world, const ter_rect *rects, size_t n_rects,
                     ter_generator *const *generators, int n_generators, strips **out)
{
    const strips_request request = {.world = world,
                                    .rects = rects,
                                    .n_rects = n_rects,
                                    .from_south = file->is_south_first,
                                    .range_m = export_format_is_scaled(file->format) ? file->range : NULL,
                                    .rows_multiple = file->format->codec->rows_multiple,
                                    .may_cut_rows = file->format->codec->may_cut_rows};
    return strips_open(&request, generators, n_generators, out);
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

outcome samples_measure(const export_file *whole, const ter_world *world, ter_generator *generator,
                        bool (*go_on)(void *user, double share), void *user, double range[2])
{
    static const int64_t BAND_SAMPLES = INT64_C(1) << 26;
    const ter_rect rect = export_file_rect(whole);
    const int64_t band_rows = rect.width < BAND_SAMPLES ? BAND_SAMPLES / rect.width : 1;
    double low = INFINITY, high = -INFINITY;
    for (int64_t row = 0; row < rect.height; row += band_rows) {
        ter_statistics found;
        const int64_t rows = rect.height - row < band_rows ? rect.height - row : band_rows;
        const ter_rect band = {rect.level, rect.i, rect.j + row, rect.width, rows};
        const ter_status status = ter_generator_statistics(generator, world, &band, NULL, &found);
        if (status != TER_OK)
            return outcome_of_library(status, "measuring the range");
        low = fmin(low, (double)found.min_m);
        high = fmax(high, (double)found.max_m);
        if (!go_on(user, (double)(row + rows) / (double)rect.height))
            return outcome_of(OUTCOME_INTERRUPTED, "interrupted while measuring the range; nothing was written");
    }
    range[0] = floor(low);
    range[1] = ceil(high);
    if (range[0] == range[1])
        range[1] += 1.0;
    return outcome_done();
}
