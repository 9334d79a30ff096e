/* file_samples.c - derives layers, scales and measures samples, and reverses rows, between strips and codecs. */
#include "program/export/write/file_samples.h"

#include <math.h>
#include <stdlib.h>

#include "program/core/tasks.h"
#include "program/export/formats/export_file.h"
#include "program/export/write/codecs.h"

/** Whether the generator itself can scale heights to 16-bit samples. This needs a tile with a single file, which holds
 * scaled heights. */
static bool can_generate_scaled(const export_file *const files[], int n_files)
{
    return n_files == 1 && files[0]->layer == EXPORT_HEIGHT && !export_file_is_drained(files[0]) &&
           export_format_is_scaled(files[0]->format);
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/** The generated layer that a file holds, or heights if the file's layer is derived from them. */
static ter_layer source_of(const export_file *file)
{
    return export_layers[file->layer].is_generated ? (ter_layer)file->layer : TER_LAYER_HEIGHT;
}

strips_request samples_request(const export_file *const files[], int n_files, const ter_world *world)
{
    strips_request request = {.world = world,
                              .from_south = files[0]->is_south_first,
                              .range_m = can_generate_scaled(files, n_files) ? files[0]->range : NULL,
                              .may_cut_rows = true};
    request.is_blank = true;
    for (int n = 0; n < n_files; n++) { /* all rows_multiple are powers of two, so the largest is a multiple of all */
        const codec *codec = codec_of(files[n]->format);
        request.rows_multiple = larger(request.rows_multiple, codec->rows_multiple);
        request.may_cut_rows &= codec->may_cut_rows;
        request.apron = (int)larger(request.apron, export_file_apron(files[n]));
        if (export_file_is_drained(files[n]))
            continue;
        request.is_blank = false;
        request.layers |= export_layer_sources(files[n]->layer, files[n]->world.basis);
        request.is_any_water |= files[n]->is_any_water;
    }
    return request;
}

/* ---- conversions ---- */

void sample_buffer_free(sample_buffer *buffer)
{
    free(buffer->bytes);
    *buffer = (sample_buffer){.drained = buffer->drained};
}

/** Make a buffer at least `size` bytes large. Its old contents may be lost. */
static result reserve(sample_buffer *buffer, size_t size)
{
    if (size <= buffer->size)
        return result_done();
    sample_buffer_free(buffer);
    buffer->bytes = malloc(size);
    buffer->size = buffer->bytes ? size : 0;
    return buffer->bytes ? result_done() : result_of(RESULT_FAILED, "no memory for a strip");
}

/** Conversion of a strip's rows to samples in a buffer; each row is a task. */
typedef struct conversion {
    const export_file *file;
    const strip *strip;
    unsigned char *to;
    size_t row_bytes; /* bytes of a row in the buffer */
    int64_t i, j;     /* the strip's first sample, in the lattice of its level */
    const drained_area *drained;
    float *numbers;    /* memory for floats that become 16-bit samples, one row after another; NULL for other files */
    file_facts *facts; /* for each row */
} conversion;

/** A row of a generated layer; NULL if the strip has no such layer. */
static const float *row_of_layer(const strip *strip, ter_layer layer, int64_t row)
{
    const float *first = strip->layers[layer];
    return first ? first + (row + strip->apron) * (strip->width + 2 * strip->apron) + strip->apron : NULL;
}

/** A row of the layer that a file holds, or of the heights from which the file's layer is derived. */
static const float *row_of(const export_file *file, const strip *strip, int64_t row)
{
    return row_of_layer(strip, source_of(file), row);
}

/** Scale numbers to 0..1 over the range. */
static void normalise(const float *numbers, int64_t count, const double range[2], float *to)
{
    const double scale = 1.0 / (range[1] - range[0]);
    for (int64_t n = 0; n < count; n++) {
        const double x = ((double)numbers[n] - range[0]) * scale;
        to[n] = (float)(x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x);
    }
}

/** Find the least and the greatest number of a row, and count the numbers outside the range of 16-bit samples. */
static void measure(const export_file *file, const float *numbers, int64_t count, file_facts *facts)
{
    const bool is_scaled = export_file_is_scaled(file);
    *facts = file_facts_none();
    for (int64_t n = 0; n < count; n++) {
        facts->min_m = fminf(facts->min_m, numbers[n]);
        facts->max_m = fmaxf(facts->max_m, numbers[n]);
        facts->n_clamped += is_scaled && ((double)numbers[n] < file->range[0] || (double)numbers[n] > file->range[1]);
    }
}

/** Copy a row of a drained file's numbers to `to`. */
static void take_drained(const conversion *c, int64_t row, float *to)
{
    const drained_area *d = c->drained;
    for (int64_t n = 0; n < c->strip->width; n++) {
        const int64_t i = c->i + n, j = c->j + row;
        const size_t at = drained_area_index(d, i, j);
        to[n] = c->file->layer == EXPORT_ACCUMULATION ? d->accumulation[at]
                : c->file->layer == EXPORT_DIRECTION  ? (float)drained_area_direction(d, i, j)
                                                      : d->height[at];
    }
}

/** A row of a layer's numbers: from the strip if the layer is generated, otherwise derived into `to`. */
static const float *numbers_of(const conversion *c, int64_t row, float *to)
{
    const export_layer *layer = &export_layers[c->file->layer];
    const strip *strip = c->strip;
    if (export_file_is_drained(c->file)) {
        take_drained(c, row, to);
        return to;
    }
    if (layer->is_generated)
        return row_of(c->file, strip, row);
    const layer_window window = {.heights = row_of(c->file, strip, row),
                                 .water = layer->needs_water ? row_of_layer(strip, TER_LAYER_WATER, row) : NULL,
                                 .stride = strip->width + 2 * strip->apron,
                                 .width = strip->width,
                                 .i = c->i,
                                 .j = c->j + row,
                                 .step_m = export_file_spacing_m(c->file),
                                 .sea_m = c->file->world.sea,
                                 .look = &c->file->look,
                                 .channel_bits = c->file->format->bits,
                                 .is_green_south = c->file->is_green_south};
    layer->derive(&window, to);
    return to;
}

static void convert_row(void *user, int64_t row)
{
    const conversion *c = user;
    const export_file *file = c->file;
    const int64_t width = c->strip->width;
    unsigned char *to = c->to + (size_t)row * c->row_bytes;
    float *scratch = c->numbers ? c->numbers + row * width : (float *)(void *)to;
    const float *numbers = numbers_of(c, row, scratch);
    c->facts[row] = file_facts_none();
    if (file->format->channels)
        return;
    measure(file, numbers, width, &c->facts[row]);
    if (export_format_is_scaled(file->format))
        ter_quantise_values(numbers, (size_t)width, file->range[0], file->range[1], (uint16_t *)(void *)to);
    else if (file->is_normalised)
        normalise(numbers, width, file->range, (float *)(void *)to);
}

/** Whether the strip contains the samples as the file needs them, so that no conversion is needed. */
static bool are_in_strip(const export_file *file, const strip *strip)
{
    return export_layers[file->layer].is_generated && !export_file_is_drained(file) && !file->is_normalised &&
           (strip->fetched.samples || !export_format_is_scaled(file->format));
}

/** Some rows of a conversion, from `first` on. */
typedef struct conversion_rows {
    const conversion *of;
    int64_t first;
} conversion_rows;

static void convert_some(void *user, int64_t n)
{
    const conversion_rows *rows = user;
    convert_row((void *)rows->of, rows->first + n);
}

/** Convert all rows. Even with the most expensive layer, the progress callback is called every few tenths of a second.
 */
static result convert_rows(const conversion *c, const work_progress *progress)
{
    enum { SAMPLES_AT_ONCE = 1 << 17 };
    const int64_t at_once = larger(SAMPLES_AT_ONCE / c->strip->width, 1);
    for (int64_t first = 0; first < c->strip->rows; first += at_once) {
        conversion_rows rows = {c, first};
        const int64_t left = c->strip->rows - first;
        tasks_run(left < at_once ? left : at_once, convert_some, &rows);
        if (!work_progress_goes_on(progress, NULL, 0.0))
            return result_of(RESULT_INTERRUPTED, "interrupted");
    }
    return result_done();
}

/** Convert a strip to samples in the buffer. The buffer holds the samples, then the facts of each row, then the floats
 * that become 16-bit samples. */
static result convert(const export_file *file, int64_t rows_before, const strip *strip, const work_progress *progress,
                      sample_buffer *buffer, file_facts *facts)
{
    const bool has_numbers = export_format_is_scaled(file->format);
    const size_t row_bytes = (size_t)strip->width * export_format_sample_bytes(file->format);
    const size_t samples_bytes = (row_bytes * (size_t)strip->rows + 15) / 16 * 16,
                 facts_bytes = (size_t)strip->rows * sizeof *facts,
                 numbers_bytes = has_numbers ? (size_t)(strip->width * strip->rows) * sizeof(float) : 0;
    result res = reserve(buffer, samples_bytes + facts_bytes + numbers_bytes);
    if (res.kind != RESULT_DONE)
        return res;
    const ter_rect rect = export_file_rect(file);
    unsigned char *bytes = buffer->bytes;
    conversion c = {.file = file,
                    .strip = strip,
                    .to = bytes,
                    .row_bytes = row_bytes,
                    .i = rect.i + strip->column,
                    .j = rect.j + (file->is_south_first ? 0 : rows_before) + strip->row,
                    .drained = buffer->drained,
                    .facts = (file_facts *)(void *)(bytes + samples_bytes),
                    .numbers = has_numbers ? (float *)(void *)(bytes + samples_bytes + facts_bytes) : NULL};
    res = convert_rows(&c, progress);
    for (int64_t row = 0; row < strip->rows && res.kind == RESULT_DONE; row++)
        file_facts_add(facts, &c.facts[row]);
    return res;
}

/* ---- blocks ---- */

/** Measurement of a strip's rows; each row is a task. */
typedef struct measurement {
    const export_file *file;
    const strip *strip;
    file_facts *facts; /* for each row */
} measurement;

static void measure_row(void *user, int64_t row)
{
    const measurement *m = user;
    measure(m->file, row_of(m->file, m->strip, row), m->strip->width, &m->facts[row]);
}

/** Find the facts of a strip. A fetch of heights has already measured them. If the strip has an apron, these facts
 * include the apron, so the rows are measured again. */
static result measure_strip(const export_file *file, const strip *strip, sample_buffer *buffer, file_facts *facts)
{
    const ter_fetched *from = &strip->fetched;
    if (strip->apron == 0 && (from->samples || from->heights)) {
        *facts = (file_facts){.min_m = from->min_m, .max_m = from->max_m, .n_clamped = from->n_clamped};
        return result_done();
    }
    const result res = reserve(buffer, (size_t)strip->rows * sizeof *facts);
    if (res.kind != RESULT_DONE)
        return res;
    measurement m = {file, strip, buffer->bytes};
    tasks_run(strip->rows, measure_row, &m);
    for (int64_t row = 0; row < strip->rows; row++)
        file_facts_add(facts, &m.facts[row]);
    return res;
}

/** Let a block point to the samples in a strip, without copying them. */
static void point_into(const export_file *file, const strip *strip, block *block)
{
    if (strip->fetched.samples)
        block->first = (unsigned char *)strip->fetched.samples;
    else
        block->first = (unsigned char *)row_of(file, strip, 0);
    block->stride = (ptrdiff_t)(strip->width + 2 * strip->apron) * (file->format->bits / 8);
    block->apron = strip->apron;
}

result samples_block(const export_file *file, int64_t rows_before, const strip *strip, const work_progress *progress,
                     sample_buffer *buffer, block *block, file_facts *facts)
{
    result res = result_done();
    *block = (struct block){
        .column = strip->column, .row = rows_before + strip->row, .width = strip->width, .rows = strip->rows};
    *facts = file_facts_none();
    if (are_in_strip(file, strip)) {
        point_into(file, strip, block);
        res = measure_strip(file, strip, buffer, facts);
    } else {
        res = convert(file, rows_before, strip, progress, buffer, facts);
        block->first = buffer->bytes;
        block->stride = (ptrdiff_t)strip->width * (ptrdiff_t)export_format_sample_bytes(file->format);
    }
    if (res.kind == RESULT_DONE &&
        file->is_south_first) { /* the rectangle's last row becomes row `rows_before` of the file */
        block->first += (strip->rows - 1) * block->stride;
        block->stride = -block->stride;
        block->row = file->height - strip->row - strip->rows;
    }
    return res;
}
