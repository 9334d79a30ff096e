/* test_preset.c - the table of presets is consistent: every format, size and name that a preset offers passes the
 * preset's checks. Exports that the preset's tool would misread are refused. */
#include "program_under_test.h"

#include <ctype.h>
#include <math.h>

#include "program/export/presets/preset.h"
#include "program/export/presets/preset_names.h"
#include "program/export/write/check.h"

/** A side length that a preset accepts. */
static int64_t side_of(const preset *p)
{
    for (int64_t side = 100; side < 600; side++)
        if (p->takes_size(side))
            return side;
    fail_msg("preset %s takes no side from 100 to 599", p->name);
    return 0;
}

static export_job job_of(const preset *p, const export_format *format, const char *path)
{
    const int64_t side = side_of(p);
    export_job job = {.tile = {.format = format,
                               .width = side,
                               .height = side,
                               .range = {NAN, NAN},
                               .is_south_first = p->is_south_first,
                               .is_normalised = p->normalises_floats && format->bits == 32,
                               .is_marked_linear = p->is_marked_linear,
                               .channel = p->channel},
                      .tiles = {.columns = 1, .rows = 1, .y_from_south = p->y_from_south},
                      .path = path,
                      .json_replaces_ending = p->json_replaces_ending,
                      .n_shards = 1};
    ter_params_default(&job.tile.world);
    return job;
}

static void test_table(void **state)
{
    (void)state;
    for (int n = 0; n < PRESETS; n++) {
        const preset *p = &presets[n];
        assert_string_equal(p->name, preset_names[n]);
        assert_true(p->formats[0] && p->takes_size && p->misreads && p->explain && p->indices && p->channel);
        for (int k = 0; p->formats[k]; k++) {
            const export_format *format = export_format_named(p->formats[k]);
            assert_non_null(format);
            assert_true(preset_takes_format(p, format));
        }
        assert_false(preset_takes_format(p, &export_formats[EXPORT_MAP]));
    }
    assert_null(preset_names[PRESETS]);
}

/** The sizes listed in the help are the accepted sizes. */
static void test_sizes(void **state)
{
    (void)state;
    for (int n = 0; n < PRESETS; n++) {
        const preset *p = &presets[n];
        int64_t listed[16] = {0};
        int count = 0;
        for (const char *at = p->sizes ? p->sizes : ""; *at;) {
            char *end;
            if (isdigit((unsigned char)*at)) {
                listed[count++] = strtoll(at, &end, 10);
                at = end;
            } else {
                at++;
            }
        }
        for (int k = 0; k < count; k++) {
            assert_true(p->takes_size(listed[k]));
            if (count > 2) { /* single sizes; two numbers are a range */
                assert_false(p->takes_size(listed[k] - 1));
                assert_false(p->takes_size(listed[k] + 1));
            }
        }
        if (count == 2)
            assert_true(!p->takes_size(listed[0] - 1) && !p->takes_size(listed[1] + 1) && p->takes_size(listed[1] - 1));
        assert_false(p->takes_size(0));
    }
}

/** All that a preset offers passes its checks: a single file and a set, in each format, with the name that the preset
 * makes. */
static void test_offers(void **state)
{
    (void)state;
    for (int n = 0; n < PRESETS; n++)
        for (int k = 0; presets[n].formats[k]; k++)
            for (int is_set = 0; is_set < 2; is_set++) {
                const preset *p = &presets[n];
                const export_format *format = export_format_named(p->formats[k]);
                char given[64], path[EXPORT_PATH_MAX], changed[512], first[EXPORT_PATH_MAX];
                snprintf(given, sizeof given, "ground.%s", format->ending);
                export_job job = job_of(p, format, given);
                if (format->is_missing)
                    continue;
                job.tiles = (tile_set){.columns = 1 + 11 * is_set, .rows = 1 + is_set, .is_set = is_set};
                job.tiles.overlap = is_set ? p->overlap : 0;
                job.tiles.y_from_south = p->y_from_south;
                assert_done(preset_name_files(p, &job, given, path, changed));
                job.path = path;
                const result res = export_check(&job, p);
                if (res.kind != RESULT_DONE)
                    fail_msg("%s, %s, %s: %s", p->name, format->name, path, res.text);
                assert_done(export_job_path(&job, 0, first));
                assert_int_equal(strchr(first, '{') == NULL, 1);
                assert_int_equal(*changed != '\0', p->ending && strcmp(p->ending, format->ending) != 0);
            }
}

static void test_names(void **state)
{
    (void)state;
    static const struct {
        const char *preset, *given, *expected;
        int64_t columns;
    } cases[] = {
        {"unity", "a.r16", "a.raw", 0},
        {"unity", "a.RAW", "a.RAW", 0},
        {"unity", "a", "a.raw", 0},
        {"unity", "a.r16", "a_{x:1}_{y:1}.raw", 3},
        {"unity", "a.r16", "a_{x:2}_{y:2}.raw", 11},
        {"unreal", "a.r16", "a_x{x}_y{y}.r16", 3},
        {"gaea", "a.r32", "a_y{y}_x{x}.r32", 3},
        {"gaea", "{x}.{y}.r32", "{x}.{y}.r32", 3},
        {"gdal", "-", "-", 0},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        char path[EXPORT_PATH_MAX], changed[512];
        int id = 0;
        while (strcmp(presets[id].name, cases[n].preset) != 0)
            id++;
        export_job job = job_of(&presets[id], export_format_named(presets[id].formats[0]), cases[n].given);
        if (cases[n].columns)
            job.tiles = (tile_set){.columns = cases[n].columns, .rows = 2, .is_set = true};
        assert_done(preset_name_files(&presets[id], &job, cases[n].given, path, changed));
        assert_string_equal(path, cases[n].expected);
    }
}

/** A job with one fault is refused because of that fault. */
static void test_refused(void **state)
{
    (void)state;
    const preset *unreal = &presets[1], *unity = &presets[0], *godot = &presets[2];
    const export_job good = job_of(unreal, &export_formats[EXPORT_R16], "ground.r16");
    assert_done(export_check(&good, unreal));
    export_job job = good;
    job.tile.format = &export_formats[EXPORT_R32];
    job.path = "ground.r32";
    assert_result(export_check(&job, unreal), RESULT_USAGE, "preset unreal takes r16 or png16");
    job = good;
    job.tile.width++;
    assert_result(export_check(&job, unreal), RESULT_USAGE, "127, 253, 505");
    job = good;
    job.tile.width = 505;
    assert_result(export_check(&job, unreal), RESULT_USAGE, "squares");
    job = good;
    job.tile.is_south_first = true;
    assert_result(export_check(&job, unreal), RESULT_USAGE, "--row-order");
    job = good;
    job.tile.is_big_endian = true;
    assert_result(export_check(&job, unreal), RESULT_USAGE, "--byte-order");
    job = good;
    job.path = "land_x1.r16";
    assert_result(export_check(&job, unreal), RESULT_USAGE, "tile's index");
    job = good;
    job.path = "land(old).r16";
    assert_result(export_check(&job, unreal), RESULT_USAGE, "regular expressions");
    job = job_of(unity, &export_formats[EXPORT_R16], "a_b_{x}_{y}.raw");
    job.tiles = (tile_set){.columns = 2, .rows = 2, .is_set = true, .overlap = 1, .y_from_south = true};
    assert_result(export_check(&job, unity), RESULT_USAGE, "Terrain Toolbox");
    job = job_of(godot, &export_formats[EXPORT_R16], "a_x{x}_y{y}.r16");
    job.tiles = (tile_set){.columns = 2, .rows = 2, .is_set = true, .overlap = 1};
    assert_result(export_check(&job, godot), RESULT_USAGE, "--overlap");
    job.tiles.overlap = 0;
    job.tiles.border = 1;
    assert_result(export_check(&job, godot), RESULT_USAGE, "--border");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table), cmocka_unit_test(test_sizes),
                                       cmocka_unit_test(test_offers), cmocka_unit_test(test_names),
                                       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
