/* fuzz_guide.c - fuzzes the readers of guides: a file of NumPy, or of raw floats with a sidecar, is refused by the
 * reader or by the library, or it becomes a guide whose heights are in range.
 *
 * The first byte of an input says which reader gets it. For raw floats, the sidecar ends at the first zero byte, and
 * the floats follow. */
#include "fuzz_input.h"

#include <math.h>

#include "program/guide/guide_file.h"
#include "program/guide/guide_request.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    fuzz_enter_folder();
    return 0;
}

/** Write the files of an input. Returns the name of the file that is read. */
static const char *put_files(const uint8_t *bytes, size_t count)
{
    const uint8_t *rest = bytes + 1;
    const size_t n = count - 1;
    if (bytes[0] % 2 == 0) {
        fuzz_put("g.npy", rest, n);
        return "g.npy";
    }
    const uint8_t *end = n > 0 ? memchr(rest, 0, n) : NULL;
    const size_t length = end ? (size_t)(end - rest) : n;
    fuzz_put("g.r32.json", rest, length);
    fuzz_put("g.r32", end ? end + 1 : rest, end ? n - length - 1 : 0);
    return "g.r32";
}

/** A request whose settings depend on bits of the first byte, so that every way to read heights is tested. */
static guide_request request_of(uint8_t choice)
{
    guide_request r;
    guide_request_default(&r);
    if (choice & 2) {
        r.range[0] = -100.0;
        r.range[1] = 3000.0;
    }
    r.spacing = choice & 4 ? 500.0 : 0.0;
    r.vertical = choice & 8 ? 3.0 : 1.0;
    r.has_place = choice & 16;
    return r;
}

static void check_guide(const ter_guide *guide, const guide_raster *raster)
{
    const ter_guide_options *o = ter_guide_options_used(guide);
    fuzz_assert(o->cols == raster->cols && o->rows == raster->rows);
    fuzz_assert(o->spacing >= TER_GUIDE_SPACING_MIN && o->spacing <= TER_GUIDE_SPACING_MAX);
    for (size_t n = 0; n < (size_t)o->cols * (size_t)o->rows; n++)
        fuzz_assert(isnan(o->heights[n]) || fabsf(o->heights[n]) <= (float)TER_GUIDE_HEIGHT_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    const guide_hooks hooks = {.options = "--guide-"};
    guide_raster raster = {NULL};
    ter_guide *guide = NULL;
    if (count == 0)
        return 0;
    result res = guide_raster_read(fuzz_path(put_files(bytes, count)), &raster);
    fuzz_check_result(&res);
    if (res.kind == RESULT_DONE) {
        guide_request r = request_of(bytes[0]);
        fuzz_assert(raster.numbers && raster.cols >= TER_GUIDE_SIDE_MIN && raster.rows >= TER_GUIDE_SIDE_MIN);
        res = guide_create(&r, "guide", &raster, NULL, &hooks, &guide);
        fuzz_check_result(&res);
        if (res.kind == RESULT_DONE)
            check_guide(guide, &raster);
        ter_guide_destroy(guide);
    }
    free(raster.numbers);
    return 0;
}
