/* file_samples.c - what lies between strips and codecs. */
#include "program/export/write/file_samples.h"

#include <math.h>
#include <stdlib.h>

#include "program/core/tasks.h"
#include "program/export/formats/export_file.h"
#include "program/export/write/codecs.h"

/** Whether the generator can make a tile's samples of 16 bits: they are all that is made of it. */
static bool are_made_scaled(const export_file *const files[], int n_files)
{
    return n_files == 1 && files[0]->layer == EXPORT_HEIGHT && export_format_is_scaled(files[0]->format);
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/** The layer that a file's samples are, or that they are derived from, whatever else. */
static ter_layer source_of(const export_file *file)
{
    return export_layers[file->layer].is_generated ? (ter_layer)file->layer : TER_LAYER_HEIGHT;
}

strips_request samples_request(const export_file *const files[], int n_files, const ter_world *world)
{
    strips_request request = {.world = world,
                              .from_south = files[0]->is_south_first,
                              .range_m = are_made_scaled(files, n_files) ? files[0]->range : NULL,
                              .may_cut_rows = true};
    for (int n = 0; n < n_files; n++) { /* all multiples are powers of two: the largest is a multiple of the others */
        const codec *codec = codec_of(files[n]->format);
        request.rows_multiple = larger(request.rows_multiple, codec->rows_multiple);
        request.may_cut_rows &= codec->may_cut_rows;
        request.apron = (int)larger(request.apron, export_file_apron(files[n]));
        request.layers |= export_layer_sources(files[n]->layer, files[n]->world.basis);
        request.is_any_water |= files[n]->is_any_water;
    }
    return request;
}

/* ---- conversions ---- */

void sample_buffer_free(sample_buffer *buffer)
{
    free(buffer->bytes);
    *buffer = (sample_buffer){0};
}

/** Room for samples; what was there is lost. */
static outcome reserve(sample_buffer *buffer, size_t size)
{
    if (size <= buffer->size)
        return outcome_done();
    sample_buffer_free(buffer);
    buffer->bytes = malloc(size);
    buffer->size = buffer->bytes ? size : 0;
    return buffer->bytes ? outcome_done() : outcome_of(OUTCOME_FAILED, "no memory for a strip");
}

/** Rows of a strip on their way into a buffer, a task a row. */
typedef struct conversion {
    const export_file *file;
    const strip *strip;
    unsigned char *to;
    size_t row_bytes;  /* of the buffer */
    int64_t i, j;      /* of the strip's first sample in the lattice of its level */
    float *numbers;    /* of a layer on its way to 16 bits: a row each */
    file_facts *facts; /* of each row */
} conversion;

/** A row of a layer; NULL where the strip does not bring it. */
static const float *row_of_layer(const strip *strip, ter_layer layer, int64_t row)
{
    const float *first = strip->layers[layer];
    return first ? first + (row + strip->apron) * (strip->width + 2 * strip->apron) + strip->apron : NULL;
}

/** What a row of a file's samples is, or is derived from. */
static const float *row_of(const export_file *file, const strip *strip, int64_t row)
{
    return row_of_layer(strip, source_of(file), row);
}

/** Numbers to 0..1 over the range. */
static void normalise(const float *numbers, int64_t count, const double range[2], float *to)
{
    const double scale = 1.0 / (range[1] - range[0]);
    for (int64_t n = 0; n < count; n++) {
        const double x = ((double)numbers[n] - range[0]) * scale;
        to[n] = (float)(x < 0.0 ? 0.0 : x > 1.0 ? 1.0 : x);
    }
}

/** Least and greatest number of a row, and how many lie outside the range. */
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

/** Numbers of a layer: those that the strip brings, or derived into `to`. */
static const float *numbers_of(const conversion *c, int64_t row, float *to)
{
    const export_layer *layer = &export_layers[c->file->layer];
    const strip *strip = c->strip;
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

/** Whether a file's samples lie in the strip as they are. */
static bool are_there(const export_file *file, const strip *strip)
{
    return export_layers[file->layer].is_generated && !file->is_normalised &&
           (strip->fetched.samples || !export_format_is_scaled(file->format));
}

/** Some rows of a conversion. */
typedef struct conversion_rows {
    const conversion *of;
    int64_t first;
} conversion_rows;

static void convert_some(void *user, int64_t n)
{
    const conversion_rows *rows = user;
    convert_row((void *)rows->of, rows->first + n);
}

/** Convert all rows, as many at a time as take some tenths of a second of the dearest layer. */
static outcome convert_rows(const conversion *c, const export_pulse *pulse)
{
    enum { SAMPLES_AT_ONCE = 1 << 17 };
    const int64_t at_once = larger(SAMPLES_AT_ONCE / c->strip->width, 1);
    for (int64_t first = 0; first < c->strip->rows; first += at_once) {
        conversion_rows rows = {c, first};
        const int64_t left = c->strip->rows - first;
        tasks_run(left < at_once ? left : at_once, convert_some, &rows);
        if (!export_pulse_goes_on(pulse, NULL, 0.0))
            return outcome_of(OUTCOME_INTERRUPTED, "interrupted");
    }
    return outcome_done();
}

/** Make a strip's samples in the buffer: first the samples, then the facts of rows, then numbers that become 16 bits.
 */
static outcome convert(const export_file *file, int64_t rows_before, const strip *strip, const export_pulse *pulse,
                       sample_buffer *buffer, file_facts *facts)
{
    const bool has_numbers = export_format_is_scaled(file->format);
    const size_t row_bytes = (size_t)strip->width * export_format_sample_bytes(file->format);
    const size_t samples_bytes = (row_bytes * (size_t)strip->rows + 15) / 16 * 16,
                 facts_bytes = (size_t)strip->rows * sizeof *facts,
                 numbers_bytes = has_numbers ? (size_t)(strip->width * strip->rows) * sizeof(float) : 0;
    outcome o = reserve(buffer, samples_bytes + facts_bytes + numbers_bytes);
    if (o.kind != OUTCOME_DONE)
        return o;
    const ter_rect rect = export_file_rect(file);
    unsigned char *bytes = buffer->bytes;
    conversion c = {.file = file,
                    .strip = strip,
                    .to = bytes,
                    .row_bytes = row_bytes,
                    .i = rect.i + strip->column,
                    .j = rect.j + (file->is_south_first ? 0 : rows_before) + strip->row,
                    .facts = (file_facts *)(void *)(bytes + samples_bytes),
                    .numbers = has_numbers ? (float *)(void *)(bytes + samples_bytes + facts_bytes) : NULL};
    o = convert_rows(&c, pulse);
    for (int64_t row = 0; row < strip->rows && o.kind == OUTCOME_DONE; row++)
        file_facts_add(facts, &c.facts[row]);
    return o;
}

/* ---- blocks ---- */

/** Rows of a strip that are measured, a task a row. */
typedef struct measurement {
    const export_file *file;
    const strip *strip;
    file_facts *facts; /* of each row */
} measurement;

static void measure_row(void *user, int64_t row)
{
    const measurement *m = user;
    measure(m->file, row_of(m->file, m->strip, row), m->strip->width, &m->facts[row]);
}

/** Least and greatest number of a strip: of heights alone the generator has found them, of the apron too. */
static outcome measure_strip(const export_file *file, const strip *strip, sample_buffer *buffer, file_facts *facts)
{
    const ter_fetched *from = &strip->fetched;
    if (strip->apron == 0 && (from->samples || from->heights)) {
        *facts = (file_facts){.min_m = from->min_m, .max_m = from->max_m, .n_clamped = from->n_clamped};
        return outcome_done();
    }
    const outcome o = reserve(buffer, (size_t)strip->rows * sizeof *facts);
    if (o.kind != OUTCOME_DONE)
        return o;
    measurement m = {file, strip, buffer->bytes};
    tasks_run(strip->rows, measure_row, &m);
    for (int64_t row = 0; row < strip->rows; row++)
        file_facts_add(facts, &m.facts[row]);
    return o;
}

/** A strip's own values as they lie there. */
static void point_into(const export_file *file, const strip *strip, block *block)
{
    if (strip->fetched.samples)
        block->first = (unsigned char *)strip->fetched.samples;
    else
        block->first = (unsigned char *)row_of(file, strip, 0);
    block->stride = (ptrdiff_t)(strip->width + 2 * strip->apron) * (file->format->bits / 8);
    block->apron = strip->apron;
}

outcome samples_block(const export_file *file, int64_t rows_before, const strip *strip, const export_pulse *pulse,
                      sample_buffer *buffer, block *block, file_facts *facts)
{
    outcome o = outcome_done();
    *block = (struct block){
        .column = strip->column, .row = rows_before + strip->row, .width = strip->width, .rows = strip->rows};
    *facts = file_facts_none();
    if (are_there(file, strip)) {
        point_into(file, strip, block);
        o = measure_strip(file, strip, buffer, facts);
    } else {
        o = convert(file, rows_before, strip, pulse, buffer, facts);
        block->first = buffer->bytes;
        block->stride = (ptrdiff_t)strip->width * (ptrdiff_t)export_format_sample_bytes(file->format);
    }
    if (o.kind == OUTCOME_DONE &&
        file->is_south_first) { /* the rectangle's last row is the file's first after rows_before */
        block->first += (strip->rows - 1) * block->stride;
        block->stride = -block->stride;
        block->row = file->height - strip->row - strip->rows;
    }
    return o;
}
