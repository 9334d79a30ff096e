/* sample_spool.c - the file has the strips one after another. In a part, each strip is followed by the checksum of all
 * bytes before, so that every changed byte is noticed. Numbers have the byte order of this machine, which continues its
 * own exports only. */
#include "program/features/sample_spool.h"

#include <stdlib.h>
#include <string.h>

#include "program/features/part_file.h"

enum {
    STRIP_SAMPLES = 1 << 22, /* about the size of a strip */
    STRIP_ROWS_MIN = 16,
    STRIP_ROWS_MAX = 256,
    HELD = 2 /* strips in memory */
};

struct sample_spool {
    part_file at;
    bool has_sums;
    int64_t width, height, strip_rows;
    int64_t n_strips;    /* that are in the file */
    float *strips[HELD]; /* memory of strips */
    int64_t held[HELD];  /* their numbers; -1: none */
    int last;            /* the one that was used last */
};

static int64_t rows_of(const sample_spool *s, int64_t strip)
{
    const int64_t rest = s->height - strip * s->strip_rows;
    return rest < s->strip_rows ? rest : s->strip_rows;
}

static size_t bytes_of(const sample_spool *s, int64_t strip)
{
    return (size_t)(rows_of(s, strip) * s->width) * sizeof(float);
}

static uint64_t offset_of(const sample_spool *s, int64_t strip)
{
    const uint64_t whole = (uint64_t)(s->strip_rows * s->width) * sizeof(float) + (s->has_sums ? CHECKSUM_TEXT : 0);
    return s->at.head + (uint64_t)strip * whole;
}

/* ---- opening ---- */

/** Count the undamaged strips of a part, and cut the part behind them. */
static result find_end(sample_spool *s)
{
    const int64_t all = (s->height + s->strip_rows - 1) / s->strip_rows;
    checksum *sum = checksum_create();
    char found[CHECKSUM_TEXT], expected[CHECKSUM_TEXT] = ""; /* all bytes are compared */
    uint64_t end = s->at.head;
    if (!sum)
        return result_of(RESULT_FAILED, "out of memory");
    for (; s->n_strips < all; s->n_strips++) {
        const size_t bytes = bytes_of(s, s->n_strips);
        if (output_file_read_at(&s->at.file, s->strips[0], bytes, end).kind != RESULT_DONE ||
            output_file_read_at(&s->at.file, found, sizeof found, end + bytes).kind != RESULT_DONE)
            break;
        checksum_copy(sum, s->at.sum);
        checksum_add(sum, s->strips[0], bytes);
        checksum_text(sum, expected);
        if (memcmp(found, expected, sizeof found) != 0)
            break;
        checksum_add(sum, found, sizeof found);
        checksum_copy(s->at.sum, sum);
        end += bytes + sizeof found;
    }
    checksum_destroy(sum);
    return output_file_truncate(&s->at.file, end);
}

static result open_file(sample_spool *s, const sample_spool_options *options)
{
    const int64_t all = (s->height + s->strip_rows - 1) / s->strip_rows;
    const uint64_t expected = (uint64_t)(s->width * s->height) * sizeof(float);
    bool has_more = false;
    s->has_sums = options->text != NULL;
    if (!s->has_sums)
        return output_file_open_beside(&s->at.file, options->path, expected, true);
    const result res = part_file_open(&s->at, options->path, options->text, expected + (uint64_t)all * CHECKSUM_TEXT,
                                      options->may_replace, &has_more);
    return has_more && res.kind == RESULT_DONE ? find_end(s) : res;
}

result sample_spool_open(const sample_spool_options *options, sample_spool **out)
{
    const int64_t rows = STRIP_SAMPLES / options->width;
    sample_spool *s = calloc(1, sizeof *s);
    bool has_room = s != NULL;
    if (s) {
        s->at.file.descriptor = -1;
        s->width = options->width;
        s->height = options->height;
        s->strip_rows = rows < STRIP_ROWS_MIN ? STRIP_ROWS_MIN : rows > STRIP_ROWS_MAX ? STRIP_ROWS_MAX : rows;
    }
    for (int n = 0; n < HELD && has_room; n++) {
        s->held[n] = -1;
        s->strips[n] = malloc((size_t)(s->strip_rows * s->width) * sizeof(float));
        has_room = s->strips[n] != NULL;
    }
    const result res = has_room ? open_file(s, options) : result_of(RESULT_FAILED, "out of memory");
    if (res.kind == RESULT_DONE)
        *out = s;
    else
        sample_spool_close(s, false);
    return res;
}

/* ---- strips ---- */

int64_t sample_spool_strip_rows(const sample_spool *s)
{
    return s->strip_rows;
}

int64_t sample_spool_rows(const sample_spool *s)
{
    const int64_t rows = s->n_strips * s->strip_rows;
    return rows < s->height ? rows : s->height;
}

float *sample_spool_next(sample_spool *s)
{
    return s->strips[0];
}

result sample_spool_add(sample_spool *s)
{
    char sum[CHECKSUM_TEXT] = "";
    result res = output_file_write(&s->at.file, s->strips[0], bytes_of(s, s->n_strips));
    if (s->has_sums && res.kind == RESULT_DONE) {
        checksum_text(s->at.sum, sum);
        res = output_file_write(&s->at.file, sum, sizeof sum);
    }
    s->n_strips++;
    return res;
}

result sample_spool_row(sample_spool *s, int64_t row, const float **out)
{
    const int64_t strip = row / s->strip_rows;
    if (s->held[s->last] != strip)
        s->last = 1 - s->last;
    if (s->held[s->last] != strip) {
        s->held[s->last] = -1;
        const result res =
            output_file_read_at(&s->at.file, s->strips[s->last], bytes_of(s, strip), offset_of(s, strip));
        if (res.kind != RESULT_DONE)
            return res;
        s->held[s->last] = strip;
    }
    *out = s->strips[s->last] + (row - strip * s->strip_rows) * s->width;
    return result_done();
}

const char *sample_spool_name(const sample_spool *s)
{
    return s->at.file.temporary;
}

void sample_spool_close(sample_spool *s, bool is_complete)
{
    if (!s)
        return;
    part_file_close(&s->at, is_complete);
    for (int n = 0; n < HELD; n++)
        free(s->strips[n]);
    free(s);
}
