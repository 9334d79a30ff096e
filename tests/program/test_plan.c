/* test_plan.c - the plan of an export job has the right files, rectangles and names, and records which files exist. */
#include "program_under_test.h"

#include <math.h>

#include "program/export/job/plan.h"
#include "program/export/presets/preset.h"
#include "program/export/write/check.h"

/** A job of 100 x 50 floats, 4 lattice steps apart, from (64, -128) on. */
static export_job job_of(const char *path)
{
    export_job job = {.tile = {.format = &export_formats[EXPORT_R32],
                               .x = 64,
                               .z = -128,
                               .width = 100,
                               .height = 50,
                               .lod = 2,
                               .range = {NAN, NAN},
                               .channel = "Y"},
                      .tiles = {.columns = 1, .rows = 1},
                      .path = path,
                      .n_shards = 1};
    ter_params_default(&job.tile.world);
    return job;
}

/** A set of 3 x 2 such tiles. */
static export_job set_of(const char *path)
{
    export_job job = job_of(path);
    job.tiles = (tile_set){.columns = 3, .rows = 2, .is_set = true, .overlap = 1, .border = 5, .start = 1};
    return job;
}

static void test_middle(void **state)
{
    (void)state;
    static const int64_t sizes[][2] = {{1000, 1000}, {4096, 512}, {512, 4096}, {1, 100000}, {7, 3}, {1 << 20, 1 << 20}};
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++)
        for (int64_t samples = 1; samples < 1 << 20; samples *= 3) {
            export_file whole = job_of("a.r32").tile;
            whole.width = sizes[n][0];
            whole.height = sizes[n][1];
            const export_file part = export_file_middle(&whole, samples);
            const int64_t count = part.width * part.height, all = whole.width * whole.height;
            assert_true(count <= samples);
            assert_true(2 * count >= (samples < all ? samples : all));
            assert_int_equal((part.x - whole.x) / 4, (whole.width - part.width) / 2);
            assert_int_equal((part.z - whole.z) / 4, (whole.height - part.height) / 2);
        }
}

static void test_geometry(void **state)
{
    (void)state;
    const export_job job = set_of("g_{y}_{x:2}.r32");
    export_plan plan;
    planned_file f;
    assert_done(export_plan_make(&job, &plan));
    assert_int_equal(plan.n_tiles, 6);
    assert_int_equal(plan.n_files, 6);
    assert_int_equal(plan.n_to_make, 6);
    export_plan_file(&plan, 5, &f); /* the last column of the southern row */
    assert_string_equal(f.path, "g_2_03.r32");
    assert_string_equal(f.json, "g_2_03.r32.json");
    assert_int_equal(f.column, 2 * 99);
    assert_int_equal(f.row, 49);
    assert_int_equal(f.file.x, 64 + 4 * (2 * 99 - 5));
    assert_int_equal(f.file.z, -128 + 4 * (49 - 5));
    assert_int_equal(f.rect.i, f.file.x / 4);
    assert_int_equal(f.rect.width, 110);
    assert_int_equal(f.rect.height, 60);
    assert_int_equal(f.bytes, 110 * 60 * 4);
    assert_int_equal(plan.whole.width, 3 * 99 + 1);
    assert_int_equal(plan.request.width, plan.whole.width + 10);
    assert_int_equal(plan.request.x, 64 - 4 * 5);
    const ter_rect rect = export_plan_rect(&plan, 5);
    assert_true(rect.level == f.rect.level && rect.i == f.rect.i && rect.j == f.rect.j);
    assert_true(rect.width == f.rect.width && rect.height == f.rect.height);
    export_plan_free(&plan);
}

/** A plan has the files of its job, each with the right rectangle, layer, format, range and name. */
static void test_files_of_job(void **state)
{
    (void)state;
    export_job job = set_of("{layer}_{x}_{y}.raw");
    job.tile.format = &export_formats[EXPORT_R16];
    job.tile.is_south_first = true;
    job.json_replaces_ending = true;
    job.layers[0] = (job_layer){EXPORT_SLOPE, job.tile.format};
    job.layers[1] = (job_layer){EXPORT_HEIGHT, job.tile.format};
    job.layers[2] = (job_layer){EXPORT_NORMAL, &export_formats[EXPORT_RGB8]};
    job.n_layers = 3;
    export_plan plan;
    assert_done(export_plan_make(&job, &plan));
    assert_int_equal(plan.n_files, 18);
    for (int64_t n = 0; n < plan.n_files; n++) {
        char path[EXPORT_PATH_MAX];
        planned_file f;
        const export_file file = export_job_file(&job, n);
        const ter_rect rect = export_plan_rect(&plan, n), expected = export_file_rect(&file);
        export_plan_file(&plan, n, &f);
        assert_done(export_job_path(&job, n, path));
        assert_string_equal(f.path, path);
        assert_true(f.file.x == file.x && f.file.z == file.z);
        assert_true(f.file.width == file.width && f.file.height == file.height);
        assert_true(rect.i == expected.i && rect.j == expected.j && rect.width == expected.width);
        assert_ptr_equal(f.file.format, file.format);
        assert_int_equal(f.file.layer, file.layer);
        assert_int_equal(f.file.is_south_first, n % 3 < 2);
        assert_int_equal(f.json_replaces_ending, n % 3 == 1);
    }
    assert_int_equal(export_plan_heights(&plan)->layer, EXPORT_HEIGHT);
    assert_true(export_plan_needs_range(&plan));
    export_plan_set_range(&plan, (const double[]){-0.5, 99.5});
    assert_false(export_plan_needs_range(&plan));
    assert_true(plan.layers[1].range[0] == -1.0 && plan.layers[1].range[1] == 100.0);
    assert_true(plan.layers[0].range[1] == 90.0 && plan.whole.range[1] == 90.0); /* slopes: 0 to 90 degrees */
    export_plan_free(&plan);
}

/** export_plan_sample plans an export of the middle of the first tile, without its border. */
static void test_sample(void **state)
{
    (void)state;
    const export_job job = set_of("m_{x}_{y}.r32");
    export_plan plan, part;
    assert_done(export_plan_make(&job, &plan));
    assert_done(export_plan_sample(&plan, 5000, &part));
    assert_int_equal(part.n_to_make, 1);
    assert_int_equal((int64_t)part.layers[0].x, 64);
    assert_int_equal((int64_t)part.layers[0].z, -128);
    assert_int_equal(part.layers[0].width, 100);
    export_plan_free(&part);
    assert_done(export_plan_sample(&plan, 2500, &part));
    assert_int_equal((int64_t)part.layers[0].x, 64 + 4 * 25);
    assert_int_equal(part.layers[0].width, 50);
    export_plan_free(&part);
    export_plan_free(&plan);
}

static void test_shards(void **state)
{
    (void)state;
    unsigned made = 0;
    for (int shard = 0; shard < 8; shard++) {
        export_job job = set_of("s_{x}_{y}.r32");
        job.shard = shard;
        job.n_shards = 4;
        export_plan plan;
        if (shard >= job.n_shards)
            job.n_shards = 8; /* more shards than tiles */
        assert_done(export_plan_make(&job, &plan));
        for (size_t n = 0; n < plan.n_to_make; n++) {
            assert_int_equal(export_plan_state(&plan, plan.to_make[n]), PLANNED_NEW);
            assert_int_equal(plan.to_make[n] % (unsigned)job.n_shards, (unsigned)shard);
            made |= 1u << plan.to_make[n];
        }
        assert_int_equal(plan.n_files, shard >= 6 ? 0 : shard >= 2 ? 1 : 2);
        export_plan_free(&plan);
    }
    assert_int_equal(made, 0x3f);
}

static void test_states(void **state)
{
    (void)state;
    export_job job = job_of("there.r32");
    export_plan plan;
    assert_done(export_plan_make(&job, &plan));
    assert_int_equal(plan.states[0], PLANNED_NEW);
    export_plan_free(&plan);

    job.resume = true;
    put_text("there.r32.part", "begun");
    assert_done(export_plan_make(&job, &plan));
    assert_int_equal(plan.states[0], PLANNED_PART);
    assert_int_equal(plan.n_existing, 0);
    export_plan_free(&plan);

    put_text("there.r32", "complete");
    assert_done(export_plan_make(&job, &plan));
    assert_int_equal(plan.states[0], PLANNED_FOUND);
    assert_int_equal(plan.n_existing, 1);
    plan.states[0] = PLANNED_COMPLETE;
    export_plan_list(&plan);
    assert_int_equal(plan.n_to_make, 0);
    assert_int_equal(plan.n_complete, 1);
    export_plan_free(&plan);

    job.resume = false;
    assert_result(export_plan_make(&job, &plan), RESULT_FILE, "'there.r32' exists already");
    export_plan_free(&plan);
    job.force = true;
    assert_done(export_plan_make(&job, &plan));
    assert_int_equal(plan.states[0], PLANNED_REPLACES);
    export_plan_free(&plan);
}

/** The plan of a device, which is not a regular file and has no sidecar. */
static void test_devices(void **state)
{
    (void)state;
    const export_job job = job_of("/dev/null");
    export_plan plan, part;
    planned_file f;
    assert_done(export_plan_make(&job, &plan));
    export_plan_file(&plan, 0, &f);
    assert_false(plan.is_regular);
    assert_string_equal(f.json, "");
    assert_done(export_plan_sample(&plan, 1000, &part));
    assert_string_equal(part.names.pattern, "/dev/null");
    assert_true(part.whole.width * part.whole.height <= 1000);
    export_plan_free(&part);
    export_plan_free(&plan);
}

static void test_checks(void **state)
{
    (void)state;
    char long_name[260];
    memset(long_name, 'n', sizeof long_name);
    memcpy(long_name + 251, ".r32", 5);
    export_job job = job_of("");
    assert_result(export_check(&job, NULL), RESULT_USAGE, "-o is empty");
    job.path = long_name;
    assert_result(export_check(&job, NULL), RESULT_USAGE, "of 255 characters, expected at most 250");
    job.path = "a.exr";
    assert_result(export_check(&job, NULL), RESULT_USAGE, "whose ending means exr");
    job = job_of("a_{x}.r32");
    assert_result(export_check(&job, NULL), RESULT_USAGE, "expected --tiles");
    job = set_of("tiles.vrt");
    job.tiles.columns = job.tiles.rows = 1;
    assert_result(export_check(&job, NULL), RESULT_USAGE, "the name of the .vrt");
    job = job_of("a.r32");
    job.tile.x = 62;
    assert_result(export_check(&job, NULL), RESULT_USAGE, "multiples of 4");
    job = job_of("a.r32");
    assert_done(export_check(&job, NULL));
    assert_result(export_check(&job, &presets[0]), RESULT_USAGE, "preset unity takes r16");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_middle),  cmocka_unit_test(test_geometry), cmocka_unit_test(test_files_of_job),
        cmocka_unit_test(test_sample),  cmocka_unit_test(test_shards),   cmocka_unit_test(test_states),
        cmocka_unit_test(test_devices), cmocka_unit_test(test_checks),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
