/* verify.c - makes a file again from its sidecar and compares the samples. */
#include "program/export/write/verify.h"

#include <stdlib.h>
#include <string.h>

#include "program/export/formats/export_file.h"
#include "program/export/write/codecs.h"
#include "program/export/write/drained.h"
#include "program/export/write/file_samples.h"

/** Result of a comparison. */
typedef struct comparison {
    uint64_t n_different;
    int64_t column, row;  /* the first different sample, counted from the file's first row */
    double got, expected; /* values of this sample in the file, and as generated */
} comparison;

/** Progress of a verification. */
typedef struct progress {
    const char *path;
    const work_events *events;
    double share;         /* share of the samples compared so far */
    const strips *strips; /* the strips being generated; NULL if none */
} progress;

static bool goes_on(void *user)
{
    const progress *p = user;
    return work_goes_on(p->events, p->path, p->strips ? strips_share_made(p->strips) : p->share);
}

static bool goes_on_with_step(void *user, const char *step, double share)
{
    const progress *p = user;
    char label[1088];
    if (!step)
        return goes_on(user);
    snprintf(label, sizeof label, "%s: %s", p->path, step);
    return work_goes_on(p->events, label, share);
}

/** The value of a sample. For a picture this is the value of the first channel. */
static double value_of(const export_file *file, const unsigned char *sample)
{
    float number;
    uint16_t scaled;
    if (file->format->bits == 8)
        return (double)*sample;
    if (file->format->bits == 16) {
        memcpy(&scaled, sample, sizeof scaled);
        return (double)scaled;
    }
    memcpy(&number, sample, sizeof number);
    return (double)number;
}

static void compare(const export_file *file, const block *expected, const block *got, comparison *c)
{
    const size_t size = export_format_sample_bytes(file->format);
    for (int64_t row = 0; row < got->rows; row++) {
        const unsigned char *a = got->first + row * got->stride, *b = expected->first + row * expected->stride;
        if (memcmp(a, b, (size_t)got->width * size) == 0)
            continue;
        for (int64_t n = 0; n < got->width; n++) {
            if (memcmp(a + (size_t)n * size, b + (size_t)n * size, size) == 0)
                continue;
            if (c->n_different++ == 0) {
                c->column = got->column + n;
                c->row = got->row + row;
                c->got = value_of(file, a + (size_t)n * size);
                c->expected = value_of(file, b + (size_t)n * size);
            }
        }
    }
}

/** The verification of a file. */
typedef struct verification {
    const export_file *file;
    const char *path;
    void *codec_state;      /* state of the codec's reader, or of its comparison of bytes */
    sample_buffer expected; /* generated samples */
    unsigned char *samples; /* samples of the file */
    comparison found;
} verification;

/** Read a block of the file, and compare it with the generated block. */
static result compare_block(verification *v, const block *expected)
{
    const size_t row_bytes = (size_t)expected->width * export_format_sample_bytes(v->file->format);
    unsigned char *larger = realloc(v->samples, row_bytes * (size_t)expected->rows);
    if (!larger)
        return result_of(RESULT_FAILED, "no memory for a strip");
    v->samples = larger;
    block got = *expected;
    got.first = larger;
    got.stride = (ptrdiff_t)row_bytes;
    const result res = codec_of(v->file->format)->read(v->codec_state, &got);
    if (res.kind == RESULT_DONE)
        compare(v->file, expected, &got, &v->found);
    /* the result holds a kind and a text, no pointer to the block */
    /* cppcheck-suppress returnDanglingLifetime */
    return res;
}

static result compare_strips(verification *v, strips *strips, progress *p)
{
    const export_file *file = v->file;
    const codec *codec = codec_of(file->format);
    const work_progress progress = {goes_on_with_step, p};
    result res;
    strip strip;
    file_facts facts;
    while ((res = strips_next(strips, &strip)).kind == RESULT_DONE && strip.rows > 0) {
        block expected;
        res = samples_block(file, 0, &strip, &progress, &v->expected, &expected, &facts);
        if (res.kind == RESULT_DONE)
            res = codec->open_comparison ? codec->write(v->codec_state, &expected) : compare_block(v, &expected);
        p->share += (double)strip.width * (double)strip.rows / ((double)file->width * (double)file->height);
        if (res.kind == RESULT_DONE && !goes_on(p))
            res = result_of(RESULT_INTERRUPTED, "interrupted");
        if (res.kind != RESULT_DONE)
            break;
    }
    return res.kind == RESULT_DONE && codec->open_comparison ? codec->finish(v->codec_state, &progress) : res;
}

static result open_file(verification *v)
{
    const codec *codec = codec_of(v->file->format);
    return (codec->open_comparison ? codec->open_comparison : codec->open_reader)(v->file, v->path, &v->codec_state);
}

static void close_file(verification *v)
{
    const codec *codec = codec_of(v->file->format);
    if (v->codec_state)
        (codec->open_comparison ? codec->close : codec->close_reader)(v->codec_state);
    sample_buffer_free(&v->expected);
    free(v->samples);
}

/** Make the world of the file. */
static result make_world(const verification *v, ter_world **world)
{
    const result res = result_of_library(ter_world_create(&v->file->world, world), "");
    if (res.kind == RESULT_USAGE)
        return result_of(RESULT_FILE, "the sidecar of '%s' has no valid world: %.300s", v->path, ter_error_detail());
    if (res.kind == RESULT_DONE && !export_layer_is_of_world(v->file->layer, *world))
        return result_of(RESULT_FILE, "the sidecar of '%s' says layer %s, which worlds of basis %s do not have",
                         v->path, export_layers[v->file->layer].name, ter_basis_name(v->file->world.basis));
    return res;
}

static result compare_file(verification *v, const ter_generator_options *options, progress *p)
{
    ter_world *world = NULL;
    ter_generator *generator = NULL;
    strips *strips = NULL;
    const ter_rect rect = export_file_rect(v->file);
    result res = open_file(v);
    if (res.kind == RESULT_DONE)
        res = make_world(v, &world);
    if (res.kind == RESULT_DONE)
        res = result_of_library(ter_generator_create(options, &generator), "--backend");
    drained_area drained = {0};
    const strips_source source = {world, &generator, 1};
    if (res.kind == RESULT_DONE && export_file_is_drained(v->file))
        res = drained_make(v->file, &source, p->events, &drained);
    v->expected.drained = &drained;
    strips_request request = samples_request(&v->file, 1, world);
    request.rects = &rect;
    request.n_rects = 1;
    request.go_on = goes_on;
    request.user = p;
    if (res.kind == RESULT_DONE)
        res = strips_open(&request, &generator, 1, &strips);
    p->strips = strips;
    if (res.kind == RESULT_DONE)
        res = compare_strips(v, strips, p);
    if (res.kind == RESULT_INTERRUPTED)
        res = result_of(res.kind, "interrupted while verifying '%s'", v->path);
    p->strips = NULL;
    strips_close(strips);
    ter_generator_destroy(generator);
    ter_world_destroy(world);
    drained_area_free(&drained);
    close_file(v);
    return res;
}

result export_verify(const char *path, const ter_generator_options *options, const work_events *events,
                     char finding[512])
{
    export_file file;
    file_facts facts;
    verification v = {.file = &file, .path = path};
    char sum[CHECKSUM_TEXT] = "";
    progress done = {.path = path, .events = events};
    result res = sidecar_read(path, &file, &facts);
    if (res.kind == RESULT_DONE)
        res = compare_file(&v, options, &done);
    if (res.kind == RESULT_DONE && *facts.checksum)
        res = checksum_of_file(path, goes_on, &done, sum);
    if (res.kind != RESULT_DONE)
        return res;
    const unsigned long long n_samples = (unsigned long long)(file.width * file.height);
    const comparison c = v.found;
    if (c.n_different > 0)
        return result_of(RESULT_FAILED,
                         "'%s': %llu of %llu samples differ, first column %lld of row %lld: %.9g, expected %.9g", path,
                         (unsigned long long)c.n_different, n_samples, (long long)c.column, (long long)c.row, c.got,
                         c.expected);
    if (*sum && strcmp(sum, facts.checksum) != 0)
        return result_of(RESULT_FAILED,
                         "'%s': all samples are right, but other bytes are not: its checksum is %s, expected %s", path,
                         sum, facts.checksum);
    snprintf(finding, 512, "%.300s: %lld x %lld samples, all as its sidecar says%s", path, (long long)file.width,
             (long long)file.height, *sum ? "; checksum right" : "");
    return result_done();
}
