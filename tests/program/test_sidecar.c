/* test_sidecar.c - a sidecar has all facts that are needed to make its file again, bit by bit. It gets its name
 * together with its file. Foreign files are neither replaced nor accepted as sidecars. */
#include "program_under_test.h"

#include <math.h>

#include "program/export/formats/export_file.h"
#include "program/export/formats/format.h"
#include "program/export/sidecar/sidecar.h"

/* ---- files ---- */

static export_file file_of(export_format_id format)
{
    export_file file = {.format = &export_formats[format],
                        .x = 64,
                        .z = -128,
                        .width = 3,
                        .height = 2,
                        .lod = 3,
                        .range = {0.0, 1.0},
                        .channel = "Y"};
    ter_params_default(&file.world);
    file.world.basis = TER_BASIS_SMOOTH;
    return file;
}

/** A random double of any sign, and of any size up to 1e200. */
static double random_double(uint64_t *random)
{
    double value;
    do {
        const uint64_t bits = test_random(random);
        memcpy(&value, &bits, sizeof value);
    } while (!isfinite(value) || fabs(value) > 1e200);
    return value;
}

/** A random lattice coordinate of a sample. The 64 samples that begin there all lie in the world. */
static double random_place(uint64_t *random, int lod)
{
    if (lod >= 0)
        return (double)(random_coordinate(random, lod, 64) * (INT64_C(1) << lod));
    return (double)random_coordinate(random, 0, 64) + ldexp((double)(test_random(random) & 15), lod);
}

static export_file random_file(export_format_id format, uint64_t *random)
{
    export_file f = file_of(format);
    f.world = random_params(random);
    f.world.amplitude *= 1.0 + (double)(test_random(random) >> 11) * 0x1p-53;
    f.world.base = random_double(random);
    f.world.sea = random_double(random);
    f.world.spacing = fabs(random_double(random)) + 1e-300;
    f.lod = (int)(test_random(random) % (unsigned)(f.world.levels + 1 + TER_FINE_LODS)) - TER_FINE_LODS;
    f.x = random_place(random, f.lod);
    f.z = random_place(random, f.lod);
    f.width = 1 + (int64_t)(test_random(random) % 64);
    f.height = 1 + (int64_t)(test_random(random) % 64);
    f.is_big_endian = f.format->envi_type && test_random(random) % 2;
    f.is_south_first = f.format->envi_type && test_random(random) % 2;
    f.is_marked_linear = format == EXPORT_PNG16 && test_random(random) % 2;
    f.channel = test_random(random) % 2 ? "R" : "Y";
    if (export_format_is_scaled(f.format)) {
        f.range[0] = random_double(random);
        f.range[1] = f.range[0] + fabs(f.range[0]) * 0.37 + 1.0;
    }
    return f;
}

static file_facts facts_of(void)
{
    file_facts facts = {.min_m = -12.345678F, .max_m = 0x1.fffffep+9F, .n_clamped = 7};
    strcpy(facts.checksum, "xxh3:0123456789abcdef");
    return facts;
}

/** Write a file of a few bytes with its sidecars. */
static result write_file(const char *path, bool replaces_ending, bool may_replace, const export_file *file)
{
    output_file out;
    const file_facts facts = facts_of();
    result res = output_file_open(&out, path, 0, true);
    if (res.kind == RESULT_DONE)
        res = output_file_write(&out, "bytes", 5);
    return res.kind == RESULT_DONE ? sidecar_commit(&out, replaces_ending, may_replace, file, &facts) : res;
}

static bool is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

/** Begin every test in an empty folder. */
static int remove_all(void **state)
{
    (void)state;
    return system("rm -rf -- ./*");
}

/* ---- round trips ---- */

static void assert_same_double(double a, double b)
{
    assert_memory_equal(&a, &b, sizeof a);
}

static void assert_same_world(const ter_params *a, const ter_params *b)
{
    assert_true(a->seed == b->seed && a->levels == b->levels && a->broad == b->broad && a->basis == b->basis);
    assert_same_double(a->amplitude, b->amplitude);
    assert_same_double(a->gain, b->gain);
    assert_same_double(a->broad_gain, b->broad_gain);
    assert_same_double(a->base, b->base);
    assert_same_double(a->valley, b->valley);
    assert_same_double(a->craters, b->craters);
    assert_same_double(a->maria, b->maria);
    assert_same_double(a->sea, b->sea);
    assert_same_double(a->spacing, b->spacing);
}

static void assert_same_file(const export_file *a, const export_file *b)
{
    assert_ptr_equal(a->format, b->format);
    assert_same_world(&a->world, &b->world);
    assert_true(a->x == b->x && a->z == b->z && a->width == b->width && a->height == b->height && a->lod == b->lod);
    assert_true(a->is_big_endian == b->is_big_endian && a->is_south_first == b->is_south_first);
    assert_true(a->is_normalised == b->is_normalised && a->is_marked_linear == b->is_marked_linear);
    assert_string_equal(a->channel, b->channel);
    if (export_format_is_scaled(a->format) || a->is_normalised) {
        assert_same_double(a->range[0], b->range[0]);
        assert_same_double(a->range[1], b->range[1]);
    }
}

static void test_round_trip(void **state)
{
    (void)state;
    uint64_t random = 31;
    for (int n = 0; n < 300; n++) {
        const export_format_id format = (export_format_id)(n % EXPORT_MAP);
        if (export_formats[format].is_missing || format == EXPORT_MAP)
            continue;
        export_file got;
        file_facts facts;
        const file_facts given = facts_of();
        const export_file file = random_file(format, &random);
        assert_done(write_file("a", false, true, &file));
        assert_done(sidecar_read("a", &got, &facts));
        assert_same_file(&file, &got);
        assert_true(facts.min_m == given.min_m && facts.max_m == given.max_m);
        assert_string_equal(facts.checksum, given.checksum);
    }
}

/** Numbers that need more than fifteen digits, and the largest seed. */
static void test_exact_numbers(void **state)
{
    (void)state;
    export_file file = file_of(EXPORT_R16), got;
    file_facts facts;
    file.range[0] = -340.00000000000006;
    file.range[1] = 0.1 + 0.2;
    file.world.seed = UINT64_MAX;
    file.world.base = nextafter(150.0, 151.0);
    file.world.craters = nextafter(0.7, 1.0);
    file.world.maria = 0.1;
    file.x = TER_COORDINATE_MAX - 64;
    assert_done(write_file("a.r16", false, false, &file));
    assert_done(sidecar_read("a.r16", &got, &facts));
    assert_same_file(&file, &got);
}

/** Round trips of all layers, and of the further facts of meshes and pictures. */
static void test_layers_and_meshes(void **state)
{
    (void)state;
    for (int format = 0; format < EXPORT_FORMATS; format++)
        for (int layer = 0; layer < EXPORT_LAYERS; layer++) {
            export_file file = file_of((export_format_id)format), got;
            file_facts facts;
            char given_line[EXPORT_FILE_TEXT], got_line[EXPORT_FILE_TEXT];
            if (file.format->is_missing || format == EXPORT_MAP ||
                !export_format_fits_layer(file.format, (export_layer_id)layer))
                continue;
            file.layer = (export_layer_id)layer;
            if (layer >= EXPORT_CLIMATE_FIRST && layer <= EXPORT_CLIMATE_LAST)
                file.world.basis = TER_BASIS_FLUVIAL; /* others have no climate */
            file.is_green_south = format % 2 == 0;
            file.mesh = (mesh_shape){.max_error_m = layer % 2 ? -1.0 : 0.1 + 0.2,
                                     .base_m = format % 2 ? 3.5 : 0.0,
                                     .skirt_m = format % 2 ? 0.0 : 1e-3,
                                     .bottom_m = -1.0 / 3.0,
                                     .origin_x = -TER_COORDINATE_MAX,
                                     .origin_z = 80,
                                     .is_z_up = format % 2,
                                     .is_textured = format == EXPORT_GLB};
            look_default(&file.look);
            file.look.snow_line_m = 1.0 / 7.0;
            file.look.colors[LOOK_BED][2] = 0.1F;
            file.width = file.height = 9;
            if (export_file_is_drained(&file)) { /* the file is a part of a larger request */
                file.drainage.is_conditioned = format % 2 == 0;
                file.drainage.min_area_km2 = 0.1 + 0.2;
                file.drainage.rect = export_file_rect(&file);
                file.drainage.rect.i -= 3;
                file.drainage.rect.width += 3;
            }
            assert_done(write_file("layer", false, true, &file));
            assert_done(sidecar_read("layer", &got, &facts));
            export_file_describe(&file, given_line);
            export_file_describe(&got, got_line);
            assert_string_equal(got_line, given_line);
            assert_int_equal(got.layer, layer);
        }
}

/** A sidecar can say that all samples are NaN, if the layer allows it. */
static void test_no_numbers(void **state)
{
    (void)state;
    for (int layer = 0; layer < EXPORT_LAYERS; layer++) {
        export_file file = file_of(EXPORT_R32), got;
        file_facts facts = file_facts_none();
        output_file out;
        if (export_layers[layer].channels)
            continue;
        file.layer = (export_layer_id)layer;
        assert_done(output_file_open(&out, "dry.r32", 0, true));
        assert_done(sidecar_commit(&out, false, true, &file, &facts));
        facts = facts_of();
        const result res = sidecar_read("dry.r32", &got, &facts);
        if (layer != TER_LAYER_WATER) {
            assert_result(res, RESULT_FILE, "is missing or out of range");
            continue;
        }
        assert_done(res);
        assert_false(file_facts_has_numbers(&facts));
    }
}

/* ---- names ---- */

static void test_names(void **state)
{
    (void)state;
    char json[1040];
    sidecar_name("folder.d/a.r32", false, json);
    assert_string_equal(json, "folder.d/a.r32.json");
    sidecar_name("folder.d/a.r32", true, json);
    assert_string_equal(json, "folder.d/a.json");
    const export_file raw = file_of(EXPORT_R32);
    assert_done(write_file("a.r32", false, false, &raw));
    assert_true(is_there("a.r32") && is_there("a.r32.json") && is_there("a.r32.hdr"));
    assert_done(write_file("b.r32", true, false, &raw));
    assert_true(is_there("b.json") && !is_there("b.r32.json"));
}

/** If the names of two files differ only in their endings, NAME.json belongs to the file that it names. */
static void test_whose(void **state)
{
    (void)state;
    export_file r16 = file_of(EXPORT_R16), r32 = file_of(EXPORT_R32), got;
    file_facts facts;
    r16.width = 16;
    r32.width = 32;
    assert_done(write_file("a.r16", true, false, &r16));
    assert_result(sidecar_read("a.r32", &got, &facts), RESULT_FILE, "a.r32.json");
    assert_done(write_file("a.r32", false, false, &r32));
    assert_done(sidecar_read("a.r16", &got, &facts));
    assert_int_equal(got.width, 16);
    assert_done(sidecar_read("a.r32", &got, &facts));
    assert_int_equal(got.width, 32);
    assert_result(sidecar_check("a.r32", true, &r32), RESULT_FILE, "'a.json'");
}

/* ---- files of other programs ---- */

static void test_others_files(void **state)
{
    (void)state;
    const export_file file = file_of(EXPORT_R32);
    static const char *const names[] = {"a.r32.json", "a.r32.hdr"};
    for (size_t n = 0; n < 2; n++) {
        size_t count;
        assert_int_equal(remove_all(NULL), 0);
        assert_done(sidecar_check("a.r32", false, &file));
        put_text(names[n], "somebody's");
        assert_result(sidecar_check("a.r32", false, &file), RESULT_FILE, names[n]);
        assert_result(write_file("a.r32", false, false, &file), RESULT_FILE, names[n]);
        /* if one sidecar cannot be written, neither are the file and its other sidecar */
        assert_false(is_there("a.r32"));
        assert_int_equal(system("test $(ls -A | wc -l) -eq 1"), 0);
        unsigned char *bytes = get_file(names[n], &count);
        assert_string_equal((char *)bytes, "somebody's");
        free(bytes);
        assert_done(write_file("a.r32", false, true, &file));
        assert_done(sidecar_check("a.r32", false, &file)); /* now the sidecar is one of terrane's */
    }
    assert_result(sidecar_check("a.json", true, &file), RESULT_USAGE, "own sidecar");
    assert_result(sidecar_check("a.hdr", false, &file), RESULT_DONE, "");
}

/** If the sidecar's name is that of a pipe, it is refused at once, without waiting for a writer. */
static void test_no_waiting(void **state)
{
    (void)state;
    export_file got;
    file_facts facts;
    assert_int_equal(mkfifo("a.r32.json", 0600), 0);
    alarm(20);
    assert_result(sidecar_read("a.r32", &got, &facts), RESULT_FILE, "a.r32.json");
    alarm(0);
}

/* ---- invalid sidecars ---- */

/** Replace `from` by `to` in the text of a sidecar, and read it as the sidecar of a.r16. */
static result read_changed(const char *text, const char *from, const char *to)
{
    export_file got;
    file_facts facts;
    const char *at = strstr(text, from);
    char *changed = malloc(strlen(text) + strlen(to) + 1);
    assert_non_null(at);
    assert_non_null(changed);
    sprintf(changed, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    put_text("a.r16.json", changed);
    free(changed);
    return sidecar_read("a.r16", &got, &facts);
}

static char *write_r16(void)
{
    size_t count;
    const export_file file = file_of(EXPORT_R16);
    assert_done(write_file("a.r16", false, false, &file));
    return (char *)get_file("a.r16.json", &count);
}

static void test_missing_members(void **state)
{
    (void)state;
    static const char *const members[] = {
        "width", "height",  "format",  "byte_order", "row_order", "x",          "z",           "lod",  "min_m",
        "max_m", "channel", "range_m", "world",      "seed",      "levels",     "amplitude",   "gain", "broad",
        "base",  "basis",   "valley",  "sea",        "spacing",   "broad_gain", "world_format"};
    char *text = write_r16();
    for (size_t n = 0; n < sizeof members / sizeof members[0]; n++) {
        char name[64], other[64];
        snprintf(name, sizeof name, "\"%s\":", members[n]);
        snprintf(other, sizeof other, "\"%s_\":", members[n]);
        const result res = read_changed(text, name, other);
        if (res.kind != RESULT_FILE)
            fail_msg("without %s: status %d: %s", members[n], (int)res.kind, res.text);
    }
    assert_done(read_changed(text, "\"step_m\":", "\"other\":")); /* keys that only people read may be missing */
    free(text);
}

static void test_impossible_members(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to;
    } cases[] = {
        {"\"width\":\t3", "\"width\":\t0"},
        {"\"width\":\t3", "\"width\":\t-3"},
        {"\"width\":\t3", "\"width\":\t3.5"},
        {"\"width\":\t3", "\"width\":\t\"3\""},
        {"\"width\":\t3", "\"width\":\t70368744177664"},
        {"\"width\":\t3", "\"width\":\t1e300"},
        {"\"height\":\t2", "\"height\":\t9223372036854775807"},
        {"\"lod\":\t3", "\"lod\":\t25"},
        {"\"lod\":\t3", "\"lod\":\t7"}, /* x is a multiple of 64, not of 128 */
        {"\"x\":\t64", "\"x\":\t70368744177672"},
        {"\"format\":\t\"r16\"", "\"format\":\t\"bmp\""},
        {"\"format\":\t\"r16\"", "\"format\":\t\"map\""},
        {"\"levels\":\t", "\"levels\":\t-"},
        {"\"world_format\":\t1", "\"world_format\":\t2"},
        {"\"seed\":\t", "\"seed\":\t-"},
        {"\"seed\":\t", "\"seed\":\t18446744073709551616"},
        {"\"range_m\":\t[", "\"range_m\":\t[5, 4, "},
        {"\"range_m\":\t[", "\"range_m\":\t[null, "},
    };
    char *text = write_r16();
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        const result res = read_changed(text, cases[n].from, cases[n].to);
        if (res.kind != RESULT_FILE)
            fail_msg("with %s: status %d: %s", cases[n].to, (int)res.kind, res.text);
    }
    free(text);
}

/** A file of an earlier world format is refused, and the sentence names both formats. */
static void test_earlier_world_format(void **state)
{
    (void)state;
    size_t count;
    char *text, now[64], expected[64];
    export_file file = file_of(EXPORT_R32);
    file.world.basis = TER_BASIS_FLUVIAL;
    file.world.relief = 1.0;
    assert_done(write_file("a.r16", false, false, &file));
    text = (char *)get_file("a.r16.json", &count);
    snprintf(now, sizeof now, "\"world_format\":\t%d", ter_basis_format(TER_BASIS_FLUVIAL));
    snprintf(expected, sizeof expected, "is of world format 2, expected %d", ter_basis_format(TER_BASIS_FLUVIAL));
    assert_done(read_changed(text, now, now));
    assert_result(read_changed(text, now, "\"world_format\":\t2"), RESULT_USAGE, expected);
    assert_result(read_changed(text, now, "\"world_format\":\t99"), RESULT_FILE, "world_format");
    free(text);
}

/** Truncated sidecars and other files are refused. */
static void test_torn(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "", "{}", "[]", "null", "3", "\"terrane\"", "{\"world\":{}}", "{\"generator\":\"terrane\"}"};
    export_file got;
    file_facts facts;
    char *text = write_r16();
    for (size_t length = 0; text[length + 2]; length++) { /* up to the last brace */
        put_file("a.r16.json", text, length);
        const result res = sidecar_read("a.r16", &got, &facts);
        if (res.kind != RESULT_FILE)
            fail_msg("of the first %zu bytes: status %d: %s", length, (int)res.kind, res.text);
    }
    for (size_t n = 0; n < sizeof texts / sizeof texts[0]; n++) {
        put_text("a.r16.json", texts[n]);
        assert_result(sidecar_read("a.r16", &got, &facts), RESULT_FILE, "a.r16.json");
    }
    free(text);
}

int main(void)
{
    if (!sidecar_is_possible()) {
        fprintf(stderr, "skipped: this build has no sidecars (cJSON was missing)\n");
        return TEST_SKIPPED;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_round_trip, remove_all),
        cmocka_unit_test_setup(test_exact_numbers, remove_all),
        cmocka_unit_test_setup(test_layers_and_meshes, remove_all),
        cmocka_unit_test_setup(test_no_numbers, remove_all),
        cmocka_unit_test_setup(test_names, remove_all),
        cmocka_unit_test_setup(test_whose, remove_all),
        cmocka_unit_test_setup(test_others_files, remove_all),
        cmocka_unit_test_setup(test_no_waiting, remove_all),
        cmocka_unit_test_setup(test_missing_members, remove_all),
        cmocka_unit_test_setup(test_impossible_members, remove_all),
        cmocka_unit_test_setup(test_earlier_world_format, remove_all),
        cmocka_unit_test_setup(test_torn, remove_all),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
