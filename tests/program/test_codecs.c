/* test_codecs.c - every codec reads back the bits that it has written, in all formats of heights, sizes around tiles
 * and chunks, cuts into blocks, and orders of rows and bytes. Files of other sizes or formats, and truncated files, are
 * refused. */
#include "program_under_test.h"

#include <math.h>

#include "program/export/formats/codec_raw.h"
#include "program/export/write/codecs.h"
#include "program/file/commit.h"

/* ---- samples of a file ---- */

typedef struct samples {
    int64_t width, height;
    size_t size; /* bytes of a sample */
    unsigned char *bytes;
} samples;

/** A height between -1000 and 3096 m, or a value that a codec might change: zeros of both signs, the smallest and the
 * largest floats. */
static float random_height(uint64_t *random)
{
    static const float edges[] = {0.0F, -0.0F, 1e-45F, -1e-45F, 3.4028235e38F, -3.4028235e38F, 1.0F};
    const uint64_t r = test_random(random);
    return r % 16 < 7 ? edges[r % 16] : (float)((double)(r >> 40) / 4096.0 - 1000.0);
}

static samples samples_of(const export_file *file, uint64_t *random)
{
    samples s = {file->width, file->height, export_format_sample_bytes(file->format), NULL};
    const size_t count = (size_t)(s.width * s.height);
    s.bytes = calloc(count, s.size);
    assert_non_null(s.bytes);
    for (size_t n = 0; n < count; n++) {
        const float height = random_height(random);
        const uint64_t scaled = test_random(random);
        const bool is_height = file->format->bits == 32;
        memcpy(s.bytes + n * s.size, is_height ? (const void *)&height : (const void *)&scaled, s.size);
    }
    return s;
}

/** A part of the samples as a block of the file. If the file begins with the southern row, the rows are in reverse
 * order in memory. */
static block block_of(const export_file *file, const samples *s, int64_t column, int64_t row, int64_t width,
                      int64_t rows)
{
    const ptrdiff_t row_bytes = (ptrdiff_t)s->width * (ptrdiff_t)s->size;
    const int64_t memory_row = file->is_south_first ? s->height - 1 - row : row;
    return (block){.first = s->bytes + memory_row * row_bytes + column * (ptrdiff_t)s->size,
                   .stride = file->is_south_first ? -row_bytes : row_bytes,
                   .column = column,
                   .row = row,
                   .width = width,
                   .rows = rows};
}

/** How a file is cut into blocks. */
typedef struct cut {
    int64_t rows, columns; /* of a block; 0: all */
} cut;

/** Call a codec's write or read for every block of a file, in order. */
static result for_each_block(const export_file *file, const samples *s, const cut *cut,
                             result (*move)(void *, const block *), void *codec_state)
{
    const int64_t rows = cut->rows ? cut->rows : s->height, columns = cut->columns ? cut->columns : s->width;
    result res = result_done();
    for (int64_t row = 0; row < s->height && res.kind == RESULT_DONE; row += rows)
        for (int64_t column = 0; column < s->width && res.kind == RESULT_DONE; column += columns) {
            const int64_t width = s->width - column < columns ? s->width - column : columns;
            const block b = block_of(file, s, column, row, width, s->height - row < rows ? s->height - row : rows);
            res = move(codec_state, &b);
        }
    return res;
}

static void write_file(const export_file *file, const samples *s, const cut *cut, const char *path)
{
    const codec *c = codec_of(file->format);
    output_file out;
    void *state = NULL;
    assert_done(output_file_open(&out, path, 0, true));
    assert_done(c->open(file, &out, &state));
    assert_done(for_each_block(file, s, cut, c->write, state));
    assert_done(c->finish(state, NULL));
    c->close(state);
    assert_done(output_file_commit(&out));
}

static result read_file(const export_file *file, samples *s, const cut *cut, const char *path)
{
    const codec *c = codec_of(file->format);
    void *state = NULL;
    result res = c->open_reader(file, path, &state);
    if (res.kind == RESULT_DONE)
        res = for_each_block(file, s, cut, c->read, state);
    c->close_reader(state);
    return res;
}

static export_file file_of(const export_format *format, int64_t width, int64_t height)
{
    export_file file = {.format = format,
                        .x = -5000,
                        .z = 1 << 20,
                        .width = width,
                        .height = height,
                        .lod = 3,
                        .range = {-340.5, 1200.25},
                        .is_big_endian = format == &export_formats[EXPORT_PGM],
                        .is_marked_linear = width % 2 == 0,
                        .channel = "Y"};
    ter_params_default(&file.world);
    return file;
}

/** The format under test, or NULL if this build lacks it or its samples cannot be read back. */
static const export_format *format_of(int id)
{
    return codec_of(&export_formats[id]) && !export_formats[id].is_mesh ? &export_formats[id] : NULL;
}

/* ---- round trips ---- */

static void check_round_trip(const export_file *file, const cut *written, const cut *read, uint64_t *random)
{
    samples given = samples_of(file, random), got = samples_of(file, random);
    write_file(file, &given, written, "round.trip");
    assert_done(read_file(file, &got, read, "round.trip"));
    assert_memory_equal(got.bytes, given.bytes, (size_t)(given.width * given.height) * given.size);
    free(given.bytes);
    free(got.bytes);
}

/** Sizes around the sides of TIFF's tiles (256) and OpenEXR's chunks (16), and rows longer than a raw file's buffer
 * (16384). */
static const int64_t sizes[][2] = {{1, 1},   {1, 2},     {2, 1},     {1, 700},  {700, 1},  {15, 17},  {16, 16},
                                   {17, 33}, {255, 257}, {257, 255}, {513, 31}, {31, 513}, {65, 300}, {16390, 2}};
enum { SIZES = sizeof sizes / sizeof sizes[0], LONG_ROWS = SIZES - 1 };

/** Whether to test a size in a format. The long rows test a buffer that only raw files have. */
static bool is_of_use(const export_format *format, int n)
{
    return format && (n != LONG_ROWS || format->is_raw);
}

static void test_sizes(void **state)
{
    uint64_t random = 21;
    static const cut whole = {0, 0};
    (void)state;
    for (int id = 0; id < EXPORT_FORMATS; id++)
        for (int n = 0; n < SIZES; n++)
            if (is_of_use(format_of(id), n)) {
                const export_file file = file_of(format_of(id), sizes[n][0], sizes[n][1]);
                check_round_trip(&file, &whole, &whole, &random);
            }
}

/** Write blocks of one and of several multiples of the codec's rows and, if rows may be cut, of parts of rows. Read
 * them in other blocks. */
static void test_blocks(void **state)
{
    uint64_t random = 22;
    (void)state;
    for (int id = 0; id < EXPORT_FORMATS; id++)
        for (int n = 0; n < SIZES; n++) {
            if (!is_of_use(format_of(id), n))
                continue;
            const export_file file = file_of(format_of(id), sizes[n][0], sizes[n][1]);
            const codec *c = codec_of(file.format);
            const cut whole = {0, 0}, one = {c->rows_multiple, 0}, three = {3 * c->rows_multiple, 0};
            const cut parts = {c->rows_multiple, c->may_cut_rows ? 2 * c->rows_multiple : 0};
            check_round_trip(&file, &one, &whole, &random);
            check_round_trip(&file, &three, &one, &random);
            check_round_trip(&file, &parts, &three, &random);
            check_round_trip(&file, &whole, &parts, &random);
        }
}

/** Files that begin with the southern row, and files with the most significant byte first. */
static void test_orders(void **state)
{
    uint64_t random = 23;
    (void)state;
    for (int id = 0; id < EXPORT_FORMATS; id++)
        for (int orders = 0; orders < 4; orders++)
            for (int n = LONG_ROWS; n >= 0; n -= 3) {
                if (!is_of_use(format_of(id), n))
                    continue;
                export_file file = file_of(format_of(id), sizes[n][0], sizes[n][1]);
                const cut blocks = {codec_of(file.format)->rows_multiple, 0};
                file.is_south_first = orders & 1;
                if (file.format->envi_type)
                    file.is_big_endian = orders & 2;
                check_round_trip(&file, &blocks, &blocks, &random);
            }
}

/* ---- the bytes of a file ---- */

/** The rows 1 2, 3 4 and 5 6 of 16-bit samples, in each of the four orders of rows and bytes. */
static void test_raw_bytes(void **state)
{
    static const struct {
        export_format_id format;
        bool is_south_first, is_big_endian;
        const char *bytes; /* in hexadecimal, 16 bits for each sample */
    } cases[] = {
        {EXPORT_R16, false, false, "010002000300040005000600"},
        {EXPORT_R16, false, true, "000100020003000400050006"},
        {EXPORT_R16, true, false, "050006000300040001000200"},
        {EXPORT_R16, true, true, "000500060003000400010002"},
        {EXPORT_PGM, false, true, "50350a3220330a36353533350a000100020003000400050006"}, /* P5, 2 3, 65535 */
    };
    uint16_t values[6] = {1, 2, 3, 4, 5, 6};
    (void)state;
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        static const cut whole = {0, 0};
        char found[64] = "";
        size_t count;
        export_file file = file_of(&export_formats[cases[n].format], 2, 3);
        const samples s = {2, 3, 2, (unsigned char *)values};
        file.is_south_first = cases[n].is_south_first;
        file.is_big_endian = cases[n].is_big_endian;
        write_file(&file, &s, &whole, "raw");
        unsigned char *bytes = get_file("raw", &count);
        assert_true(count < sizeof found / 2);
        for (size_t k = 0; k < count; k++)
            snprintf(found + 2 * k, 3, "%02x", bytes[k]);
        assert_string_equal(found, cases[n].bytes);
        free(bytes);
    }
}

static void test_raw_floats(void **state)
{
    float heights[2] = {1.0F, -2.5F}; /* 3f800000 c0200000 */
    static const cut whole = {0, 0};
    (void)state;
    for (int big = 0; big < 2; big++) {
        static const unsigned char expected[2][8] = {{0x00, 0x00, 0x80, 0x3f, 0x00, 0x00, 0x20, 0xc0},
                                                     {0x3f, 0x80, 0x00, 0x00, 0xc0, 0x20, 0x00, 0x00}};
        size_t count;
        export_file file = file_of(&export_formats[EXPORT_R32], 2, 1);
        const samples s = {2, 1, 4, (unsigned char *)heights};
        file.is_big_endian = big;
        write_file(&file, &s, &whole, "raw");
        unsigned char *bytes = get_file("raw", &count);
        assert_int_equal(count, 8);
        assert_memory_equal(bytes, expected[big], 8);
        free(bytes);
    }
}

/* ---- wrong files ---- */

/** Read a file as one that `file` describes. */
static result read_as(const export_file *file, const char *path)
{
    static const cut whole = {0, 0};
    uint64_t random = 1;
    samples s = samples_of(file, &random);
    const result res = read_file(file, &s, &whole, path);
    free(s.bytes);
    return res;
}

static void test_refused(void **state)
{
    uint64_t random = 24;
    static const cut whole = {0, 0};
    (void)state;
    for (int id = 0; id < EXPORT_FORMATS; id++) {
        if (!format_of(id))
            continue;
        const export_file file = file_of(format_of(id), 300, 200);
        samples s = samples_of(&file, &random);
        write_file(&file, &s, &whole, "good");
        assert_done(read_as(&file, "good"));
        for (int64_t more = -1; more <= 1; more += 2) {
            export_file wider = file, higher = file;
            wider.width += more;
            higher.height += more;
            assert_result(read_as(&wider, "good"), RESULT_FILE, "'good'");
            assert_result(read_as(&higher, "good"), RESULT_FILE, "'good'");
        }
        assert_result(read_as(&file, "absent"), RESULT_FILE, "'absent'");
        put_text("nonsense", "nonsense");
        assert_result(read_as(&file, "nonsense"), RESULT_FILE, "'nonsense'");
        free(s.bytes);
    }
}

/** A truncated file is refused when it is opened or when its samples are read. */
static void test_truncated(void **state)
{
    uint64_t random = 25;
    static const cut whole = {0, 0};
    (void)state;
    for (int id = 0; id < EXPORT_FORMATS; id++) {
        if (!format_of(id))
            continue;
        size_t count;
        const export_file file = file_of(format_of(id), 300, 200);
        samples s = samples_of(&file, &random);
        write_file(&file, &s, &whole, "good");
        unsigned char *bytes = get_file("good", &count);
        for (int n = 0; n < 32; n++) {
            put_file("cut", bytes, count * (size_t)n / 32);
            const result res = read_as(&file, "cut");
            if (res.kind != RESULT_FILE)
                fail_msg("%s cut to %d of 32 parts: status %d: %s", file.format->name, n, (int)res.kind, res.text);
        }
        free(bytes);
        free(s.bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),     cmocka_unit_test(test_blocks),     cmocka_unit_test(test_orders),
        cmocka_unit_test(test_raw_bytes), cmocka_unit_test(test_raw_floats), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_truncated),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
