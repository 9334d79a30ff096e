/* test_job.c - tiles of export jobs have the right places, no two tiles have the same name, and jobs that leave the
 * world, or whose names or options do not fit, are refused. */
#include "program_under_test.h"

#include <math.h>

#include "program/export/job/job.h"
#include "program/export/write/check.h"

static export_job job_of(export_format_id format, const char *path)
{
    export_job job = {.tile = {.format = &export_formats[format],
                               .x = -64,
                               .z = 128,
                               .width = 33,
                               .height = 17,
                               .lod = 2,
                               .range = {NAN, NAN},
                               .channel = "Y"},
                      .tiles = {.columns = 1, .rows = 1},
                      .path = path,
                      .n_shards = 1};
    ter_params_default(&job.tile.world);
    return job;
}

static export_job set_of(int64_t columns, int64_t rows, const char *path)
{
    export_job job = job_of(EXPORT_R32, path);
    job.tiles = (tile_set){.columns = columns, .rows = rows, .is_set = true};
    return job;
}

/* ---- places ---- */

/** A tile's sample (0, 0) is sample (width - overlap, 0) of its western neighbour. The samples that a job requests end
 * where the last tile ends. */
static void test_places(void **state)
{
    (void)state;
    for (int overlap = 0; overlap <= 1; overlap++)
        for (int border = 0; border <= 3; border += 3) {
            export_job job = set_of(4, 3, "t_{x}_{y}.r32");
            job.tiles.overlap = overlap;
            job.tiles.border = border;
            for (int64_t n = 0; n < 12; n++) {
                const export_file f = export_job_file(&job, n);
                assert_int_equal(f.width, 33 + 2 * border);
                assert_int_equal(f.height, 17 + 2 * border);
                assert_int_equal((int64_t)f.x, -64 + 4 * (n % 4 * (33 - overlap) - border));
                assert_int_equal((int64_t)f.z, 128 + 4 * (n / 4 * (17 - overlap) - border));
            }
            const export_file whole = export_job_whole(&job), request = export_job_request(&job),
                              last = export_job_file(&job, 11);
            assert_int_equal(whole.width, 4 * 33 - 3 * overlap);
            assert_int_equal(whole.height, 3 * 17 - 2 * overlap);
            assert_true(request.x + 4 * request.width == last.x + 4 * last.width);
            assert_true(request.z + 4 * request.height == last.z + 4 * last.height);
        }
}

/* ---- names ---- */

static void test_names(void **state)
{
    (void)state;
    static const struct {
        const char *pattern;
        int start;
        bool y_from_south;
        int64_t tile;
        const char *path;
    } cases[] = {
        {"t_{x}_{y}.r32", 0, false, 0, "t_0_0.r32"},
        {"t_{x}_{y}.r32", 0, false, 5, "t_1_1.r32"},
        {"t_{x}_{y}.r32", 0, true, 5, "t_1_1.r32"},
        {"t_{x}_{y}.r32", 0, true, 0, "t_0_2.r32"},
        {"t_{x}_{y}.r32", 10, false, 11, "t_13_12.r32"},
        {"{y:3}x{x:2}.r32", 1, false, 6, "002x03.r32"},
        {"a{z}{x:0}{x}b{y:9}", 0, false, 1, "a{z}{x:0}1b000000000"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        char path[EXPORT_PATH_MAX];
        export_job job = set_of(4, 3, cases[n].pattern);
        job.tiles.start = cases[n].start;
        job.tiles.y_from_south = cases[n].y_from_south;
        assert_done(export_job_path(&job, cases[n].tile, path));
        assert_string_equal(path, cases[n].path);
    }
    char path[EXPORT_PATH_MAX], longest[EXPORT_PATH_MAX + 8];
    /* in the name of a single file braces are ordinary characters */
    const export_job single = job_of(EXPORT_R32, "t_{x}_{y}.r32");
    assert_done(export_job_path(&single, 0, path));
    assert_string_equal(path, "t_{x}_{y}.r32");
    memset(longest, 'a', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    const export_job too_long = set_of(2, 2, longest);
    assert_result(export_job_path(&too_long, 0, path), RESULT_USAGE, "characters");
}

/** The files of one tile follow one another, in the order of layers. Pictures have another ending, order of rows and
 * range than raw files. */
static void test_layers(void **state)
{
    (void)state;
    char path[EXPORT_PATH_MAX];
    export_job job = set_of(2, 2, "t_{x}{layer}_{y}.raw");
    job.tile.format = &export_formats[EXPORT_R16];
    job.tile.is_south_first = true;
    job.layers[0] = (job_layer){EXPORT_SLOPE, job.tile.format};
    job.layers[1] = (job_layer){EXPORT_HEIGHT, job.tile.format};
    job.layers[2] = (job_layer){EXPORT_NORMAL, &export_formats[EXPORT_RGB8]};
    job.n_layers = 3;
    static const char *const paths[] = {"t_1slope_0.raw", "t_1height_0.raw", "t_1normal_0.png"};
    for (int k = 0; k < 3; k++) {
        const export_file file = export_job_file(&job, 3 + k); /* of the second tile */
        assert_done(export_job_path(&job, 3 + k, path));
        assert_string_equal(path, paths[k]);
        assert_ptr_equal(file.format, job.layers[k].format);
        assert_int_equal(file.layer, job.layers[k].id);
        assert_int_equal(file.x, job.tile.x + 33 * 4);
        assert_int_equal(file.is_south_first, k < 2);
        assert_true(k == 1 ? isnan(file.range[0]) : file.range[1] == (k == 0 ? 90.0 : 1.0));
    }
    const file_names names = export_job_names(&job);
    file_names_set_path(&names, 2, ".vrt", path);
    assert_string_equal(path, "tnormal.vrt");
    if (export_formats[EXPORT_RGB8].is_missing) /* without libpng there are no pictures */
        job.n_layers = 2;
    assert_done(export_check(&job, NULL));
    job.path = "t_{x}_{y}.raw";
    assert_result(export_check(&job, NULL), RESULT_USAGE, "{layer}");
    /* the tiles end at the last sample of the world, but slopes need one more sample */
    job.tile.x = TER_COORDINATE_MAX - 4 * (2 * 33 - 1);
    job.path = "t_{x}{layer}_{y}.raw";
    assert_result(export_check(&job, NULL), RESULT_USAGE, "leaves the world");
    job.n_layers = 0;
    job.path = "t_{x}_{y}.raw";
    assert_done(export_check(&job, NULL));
}

static void test_joined_names(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"folder/t_x{x}_y{y}.tif", "folder/t.vrt"},
        {"t_{x}_{y}.tif", "t.vrt"},
        {"{x}-{y}.tif", "tiles.vrt"},
        {"t{x:3}y{y:3}.tif", "ty.vrt"},
        {"a.b/t-{x}.tif", "a.b/t.vrt"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        char path[EXPORT_PATH_MAX];
        const export_job job = set_of(2, 2, cases[n][0]);
        const file_names names = export_job_names(&job);
        file_names_set_path(&names, 0, ".vrt", path);
        assert_string_equal(path, cases[n][1]);
    }
}

/** A pattern is refused if two tiles would get the same name. */
static void test_ambiguous_names(void **state)
{
    (void)state;
    static const char *const patterns[] = {"{x}{y}.r32",  "{x}1{y}.r32",  "{x:2}{y}.r32",
                                           "{x}_{y}.r32", "{y}{x:3}.r32", "{x:1}{y:2}.r32"};
    for (size_t p = 0; p < sizeof patterns / sizeof patterns[0]; p++)
        for (int64_t side = 2; side <= 13; side += 11) {
            static char names[169][EXPORT_PATH_MAX];
            const export_job job = set_of(side, side, patterns[p]);
            bool is_twice = false;
            for (int64_t n = 0; n < side * side; n++) {
                assert_done(export_job_path(&job, n, names[n]));
                for (int64_t k = 0; k < n; k++)
                    is_twice |= strcmp(names[n], names[k]) == 0;
            }
            if (is_twice)
                assert_result(export_check(&job, NULL), RESULT_USAGE, "digits");
        }
    const export_job good = set_of(13, 13, "{x:2}{y:2}.r32");
    assert_done(export_check(&good, NULL));
}

/* ---- checks ---- */

static void test_refused_jobs(void **state)
{
    (void)state;
    const export_job good = set_of(4, 3, "t_{x}_{y}.r32");
    assert_done(export_check(&good, NULL));
    export_job job = good;
    job.tile.lod = 21;
    assert_result(export_check(&job, NULL), RESULT_USAGE, "--lod");
    job = good;
    job.tile.x = 66;
    assert_result(export_check(&job, NULL), RESULT_USAGE, "multiples of 4");
    job = good;
    job.tile.x = TER_COORDINATE_MAX - 4 * 4 * 33;
    assert_done(export_check(&job, NULL));
    job.tile.x += 8;
    assert_result(export_check(&job, NULL), RESULT_USAGE, "leaves the world");
    job = good;
    job.tiles.overlap = 17;
    assert_result(export_check(&job, NULL), RESULT_USAGE, "--overlap");
    job = good;
    job.tiles.columns = EXPORT_TILES_MAX;
    assert_result(export_check(&job, NULL), RESULT_USAGE, "--tiles");
    job = good;
    job.path = "t_{x}.r32";
    assert_result(export_check(&job, NULL), RESULT_USAGE, "{y}");
    job = good;
    job.path = "{x}/{y}.r32";
    assert_result(export_check(&job, NULL), RESULT_USAGE, "folder");
    job = good;
    job.path = "t_{x}_{y}.png";
    assert_result(export_check(&job, NULL), RESULT_USAGE, "png16");
    job = good;
    job.path = "";
    assert_result(export_check(&job, NULL), RESULT_USAGE, "-o is empty");
    job = job_of(EXPORT_R32, "a_{x}.r32");
    assert_result(export_check(&job, NULL), RESULT_USAGE, "--tiles");
    job = job_of(EXPORT_PNG16, "a.png");
    job.tile.is_big_endian = true;
    assert_int_equal(export_check(&job, NULL).kind, RESULT_USAGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),          cmocka_unit_test(test_names),
        cmocka_unit_test(test_layers),          cmocka_unit_test(test_joined_names),
        cmocka_unit_test(test_ambiguous_names), cmocka_unit_test(test_refused_jobs),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
