/* feature_part.c - writes the records of a part through a buffer, and reads them again. Numbers have the byte order of
 * this machine, which continues its own exports only. */
#include "program/features/feature_part.h"

#include <stdlib.h>
#include <string.h>

#include "library/core/grow.h"
#include "program/core/system.h"
#include "program/features/part_file.h"

enum {
    BUFFER_BYTES = 1 << 18,
    FIELDS_MOST = 64,
    TEXT_MOST = 255, /* bytes of a value */
    LINE = 'L',      /* kinds of records */
    SQUARE_END = 'E'
};

struct feature_part {
    feature_part_options options;
    part_file at;
    unsigned char *buffer;
    size_t used;  /* bytes of the buffer that are not written yet */
    uint64_t end; /* offset behind the last finished square */
};

static result out_of_memory(void)
{
    return result_of(RESULT_FAILED, "out of memory");
}

/* ---- writing ---- */

static result write_buffer(feature_part *p)
{
    const result res = output_file_write(&p->at.file, p->buffer, p->used);
    p->used = 0;
    return res;
}

static result put(feature_part *p, const void *bytes, size_t count)
{
    result res = result_done();
    for (size_t done = 0; done < count && res.kind == RESULT_DONE;) {
        const size_t room = BUFFER_BYTES - p->used, n = count - done < room ? count - done : room;
        memcpy(p->buffer + p->used, (const unsigned char *)bytes + done, n);
        p->used += n;
        done += n;
        if (p->used == BUFFER_BYTES)
            res = write_buffer(p);
    }
    return res;
}

static result put_byte(feature_part *p, int value)
{
    const unsigned char byte = (unsigned char)value;
    return put(p, &byte, 1);
}

static result put_value(feature_part *p, vector_type type, const vector_value *v)
{
    result res = put_byte(p, v->is_set);
    if (!v->is_set || res.kind != RESULT_DONE)
        return res;
    if (type == VECTOR_REAL)
        return put(p, &v->real, sizeof v->real);
    if (type != VECTOR_TEXT)
        return put(p, &v->integer, sizeof v->integer);
    const size_t length = strlen(v->text);
    if (length > TEXT_MOST)
        return result_of(RESULT_FAILED, "a value of %zu bytes, expected at most %d", length, TEXT_MOST);
    res = put_byte(p, (int)length);
    return res.kind == RESULT_DONE ? put(p, v->text, length) : res;
}

result feature_part_add(feature_part *p, const double *points, size_t n_points, const vector_value *values)
{
    const uint64_t count = n_points;
    result res = put_byte(p, LINE);
    for (int n = 0; n < p->options.n_fields && res.kind == RESULT_DONE; n++)
        res = put_value(p, p->options.fields[n].type, &values[n]);
    if (res.kind == RESULT_DONE)
        res = put(p, &count, sizeof count);
    return res.kind == RESULT_DONE ? put(p, points, 3 * n_points * sizeof *points) : res;
}

result feature_part_end_square(feature_part *p, int64_t n_squares)
{
    char sum[CHECKSUM_TEXT] = "";
    result res = put_byte(p, SQUARE_END);
    if (res.kind == RESULT_DONE)
        res = put(p, &n_squares, sizeof n_squares);
    if (res.kind == RESULT_DONE)
        res = write_buffer(p);
    checksum_text(p->at.sum, sum);
    if (res.kind == RESULT_DONE)
        res = put(p, sum, sizeof sum);
    if (res.kind == RESULT_DONE)
        res = write_buffer(p);
    if (res.kind == RESULT_DONE)
        p->end = p->at.file.written;
    return res;
}

/* ---- reading ---- */

/** The state of reading. */
typedef struct reader {
    const feature_part *part;
    uint64_t at, end;    /* offsets of the next byte, and behind the last one */
    size_t taken, count; /* bytes of the buffer that were taken, that are there */
    checksum *sum;       /* gets the bytes that are taken; or NULL */
    bool has_no_memory;
    vector_value values[FIELDS_MOST];
    char texts[FIELDS_MOST][TEXT_MOST + 1];
    double *points;
    size_t room;
    uint64_t n_points;
    int64_t n_squares;
    char expected[CHECKSUM_TEXT], found[CHECKSUM_TEXT]; /* at the end of a square */
} reader;

/** Take the next bytes. Returns false if there are not so many. */
static bool take(reader *r, void *bytes, uint64_t count)
{
    unsigned char *out = bytes, *buffer = r->part->buffer;
    if (count > r->end - r->at)
        return false;
    for (uint64_t done = 0; done < count;) {
        if (r->taken == r->count) {
            const uint64_t offset = r->at + done, rest = r->end - offset;
            const int64_t n = system_read_at(r->part->at.file.descriptor, buffer,
                                             rest < BUFFER_BYTES ? (size_t)rest : BUFFER_BYTES, offset);
            if (n <= 0)
                return false;
            r->taken = 0;
            r->count = (size_t)n;
        }
        const uint64_t have = r->count - r->taken, n = count - done < have ? count - done : have;
        memcpy(out + done, buffer + r->taken, (size_t)n);
        r->taken += (size_t)n;
        done += n;
    }
    r->at += count;
    if (r->sum)
        checksum_add(r->sum, bytes, (size_t)count);
    return true;
}

static bool take_value(reader *r, int n)
{
    const vector_type type = r->part->options.fields[n].type;
    vector_value *v = &r->values[n];
    unsigned char is_set, length;
    *v = (vector_value){.text = r->texts[n]};
    if (!take(r, &is_set, 1) || is_set > 1)
        return false;
    v->is_set = is_set;
    if (!is_set)
        return true;
    if (type == VECTOR_REAL)
        return take(r, &v->real, sizeof v->real);
    if (type != VECTOR_TEXT)
        return take(r, &v->integer, sizeof v->integer);
    if (!take(r, &length, 1) || !take(r, r->texts[n], length))
        return false;
    r->texts[n][length] = '\0';
    return true;
}

static bool take_line(reader *r)
{
    enum { POINT_BYTES = 3 * sizeof(double) };
    for (int n = 0; n < r->part->options.n_fields; n++)
        if (!take_value(r, n))
            return false;
    if (!take(r, &r->n_points, sizeof r->n_points) || r->n_points > (r->end - r->at) / POINT_BYTES)
        return false;
    double *points = ter_grow(r->points, &r->room, (size_t)r->n_points, POINT_BYTES);
    r->has_no_memory = !points;
    if (!points)
        return false;
    r->points = points;
    return take(r, r->points, r->n_points * POINT_BYTES);
}

static bool take_end(reader *r)
{
    if (!take(r, &r->n_squares, sizeof r->n_squares))
        return false;
    if (r->sum)
        checksum_text(r->sum, r->expected);
    return take(r, r->found, sizeof r->found);
}

/** Take the next record. Returns false at the end, and where a record is damaged. */
static bool take_record(reader *r, unsigned char *kind)
{
    return take(r, kind, 1) && ((*kind == LINE && take_line(r)) || (*kind == SQUARE_END && take_end(r)));
}

result feature_part_read(feature_part *p, feature_part_line visit, void *user)
{
    result res = result_done();
    unsigned char kind;
    reader *r = calloc(1, sizeof *r);
    if (!r)
        return out_of_memory();
    *r = (reader){.part = p, .at = p->at.head, .end = p->end};
    while (res.kind == RESULT_DONE && r->at < r->end) {
        if (!take_record(r, &kind))
            res = r->has_no_memory
                      ? out_of_memory()
                      : result_of(RESULT_FILE, "cannot read '%s': it was changed meanwhile", p->at.file.temporary);
        else if (kind == LINE)
            res = visit(user, r->points, (size_t)r->n_points, r->values);
    }
    free(r->points);
    free(r);
    return res;
}

/* ---- opening ---- */

/** Find the last undamaged end of a square. The part's checksum becomes that of the bytes before. */
static result find_end(feature_part *p, int64_t *n_squares)
{
    reader *r = calloc(1, sizeof *r);
    checksum *sum = checksum_create();
    unsigned char kind;
    if (r && sum) {
        *r = (reader){.part = p, .at = p->at.head, .end = p->at.file.written, .sum = sum};
        checksum_copy(sum, p->at.sum);
        while (take_record(r, &kind)) {
            if (kind != SQUARE_END)
                continue;
            if (memcmp(r->found, r->expected, sizeof r->found) != 0 || r->n_squares != *n_squares + 1)
                break;
            *n_squares = r->n_squares;
            p->end = r->at;
            checksum_copy(p->at.sum, sum);
        }
        free(r->points);
    }
    const bool is_read = r && sum && !r->has_no_memory; /* otherwise undamaged bytes would be cut */
    free(r);
    checksum_destroy(sum);
    return is_read ? result_done() : out_of_memory();
}

result feature_part_open(const feature_part_options *options, feature_part **out, int64_t *n_squares)
{
    feature_part *p = calloc(1, sizeof *p);
    bool has_more = false;
    *n_squares = 0;
    if (p) {
        p->options = *options;
        p->at.file.descriptor = -1;
        p->buffer = malloc(BUFFER_BYTES);
    }
    result res = p && p->buffer && options->n_fields <= FIELDS_MOST
                     ? part_file_open(&p->at, options->path, options->text, 0, options->may_replace, &has_more)
                     : out_of_memory();
    if (res.kind == RESULT_DONE)
        p->end = p->at.head;
    if (has_more && res.kind == RESULT_DONE)
        res = find_end(p, n_squares);
    if (has_more && res.kind == RESULT_DONE)
        res = output_file_truncate(&p->at.file, p->end);
    if (res.kind == RESULT_DONE)
        *out = p;
    else
        feature_part_close(p, false);
    return res;
}

const char *feature_part_name(const feature_part *p)
{
    return p->at.file.temporary;
}

void feature_part_close(feature_part *p, bool is_complete)
{
    if (!p)
        return;
    part_file_close(&p->at, is_complete);
    free(p->buffer);
    free(p);
}
