/* verify.c - a file made again from its sidecar and compared, sample by sample. */
#include "export/verify.h"

#include <stdlib.h>
#include <string.h>

#include "export/export_file.h"
#include "export/samples.h"

/** What differs. */
typedef struct comparison {
    uint64_t n_different;
    int64_t column, row; /* of the first, counted from the file's first row */
    double got, expected;
} comparison;

static double value_of(const export_file *file, const unsigned char *sample)
{
    float height;
    uint16_t scaled;
    if (file->format->bits == 16) {
        memcpy(&scaled, sample, sizeof scaled);
        return (double)scaled;
    }
    memcpy(&height, sample, sizeof height);
    return (double)height;
}

static void compare(const export_file *file, const block *expected, const block *got, comparison *c)
{
    const size_t size = (size_t)file->format->bits / 8;
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

static outcome compare_strips(const export_file *file, const char *path, void *reader, strips *strips, const export_events *events,
                              comparison *c)
{
    outcome o;
    strip strip;
    file_facts facts;
    unsigned char *samples = NULL;
    double done = 0.0;
    while ((o = strips_next(strips, &strip)).kind == OUTCOME_DONE && strip.rows > 0) {
        const block expected = samples_block(file, 0, &strip, &facts);
        const size_t row_bytes = (size_t)strip.width * (size_t)(file->format->bits / 8);
        unsigned char *larger = realloc(samples, row_bytes * (size_t)strip.rows);
        samples = larger ? larger : samples;
        block got = expected;
        got.first = samples;
        got.stride = (ptrdiff_t)row_bytes;
        o = larger ? file->format->codec->read(reader, &got) : outcome_of(OUTCOME_FAILED, "no memory for a strip");
        if (o.kind == OUTCOME_DONE)
            compare(file, &expected, &got, c);
        done += (double)strip.width * (double)strip.rows / ((double)file->width * (double)file->height);
        if (o.kind == OUTCOME_DONE && events->progress && !events->progress(events->user, path, done))
            o = outcome_of(OUTCOME_INTERRUPTED, "interrupted while verifying '%s'", path);
        if (o.kind != OUTCOME_DONE)
            break;
    }
    free(samples);
    return o;
}

static outcome compare_file(const export_file *file, const char *path, const ter_generator_options *how,
                            const export_events *events, comparison *c)
{
    ter_world *world = NULL;
    ter_generator *generator = NULL;
    strips *strips = NULL;
    void *reader = NULL;
    const ter_rect rect = export_file_rect(file);
    outcome o = file->format->codec->open_reader(file, path, &reader);
    if (o.kind == OUTCOME_DONE)
        o = outcome_of_library(ter_world_create(&file->world, &world), "");
    if (o.kind == OUTCOME_USAGE)
        o = outcome_of(OUTCOME_FILE, "the sidecar of '%s' has no valid world: %.300s", path, ter_error_detail());
    if (o.kind == OUTCOME_DONE)
        o = outcome_of_library(ter_generator_create(how, &generator), "--backend");
    strips_request request = samples_request(file, world);
    request.rects = &rect;
    request.n_rects = 1;
    if (o.kind == OUTCOME_DONE)
        o = strips_open(&request, &generator, 1, &strips);
    if (o.kind == OUTCOME_DONE)
        o = compare_strips(file, path, reader, strips, events, c);
    strips_close(strips);
    ter_generator_destroy(generator);
    ter_world_destroy(world);
    if (reader)
        file->format->codec->close_reader(reader);
    return o;
}

outcome export_verify(const char *path, const ter_generator_options *how, const export_events *events, char said[512])
{
    export_file file;
    file_facts facts;
    comparison c = {0};
    char sum[CHECKSUM_TEXT] = "";
    outcome o = sidecar_read(path, &file, &facts);
    if (o.kind == OUTCOME_DONE)
        o = compare_file(&file, path, how, events, &c);
    if (o.kind == OUTCOME_DONE && *facts.checksum)
        o = checksum_of_file(path, NULL, NULL, sum);
    if (o.kind != OUTCOME_DONE)
        return o;
    const unsigned long long n_samples = (unsigned long long)(file.width * file.height);
    if (c.n_different > 0)
        return outcome_of(OUTCOME_FAILED, "'%s': %llu of %llu samples differ, first column %lld of row %lld: %.9g, expected %.9g",
                          path, (unsigned long long)c.n_different, n_samples, (long long)c.column, (long long)c.row, c.got,
                          c.expected);
    if (*sum && strcmp(sum, facts.checksum) != 0)
        return outcome_of(OUTCOME_FAILED, "'%s': all samples are right, but other bytes are not: its checksum is %s, expected %s",
                          path, sum, facts.checksum);
    snprintf(said, 512, "%.300s: %lld x %lld samples, all as its sidecar says%s", path, (long long)file.width,
             (long long)file.height, *sum ? "; checksum right" : "");
    return outcome_done();
}
