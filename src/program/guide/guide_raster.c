/* guide_raster.c - checks the size of rasters, and allocates them. */
#include "program/guide/guide_raster.h"

#include <stdlib.h>

result guide_raster_check(const char *path, int64_t cols, int64_t rows)
{
    if (cols >= TER_GUIDE_SIDE_MIN && rows >= TER_GUIDE_SIDE_MIN && cols <= TER_GUIDE_SIDE_MAX &&
        rows <= TER_GUIDE_SIDE_MAX)
        return result_done();
    return result_of(RESULT_FILE, "'%s' has %lld x %lld pixels, expected %d to %d a side", path, (long long)cols,
                     (long long)rows, TER_GUIDE_SIDE_MIN, TER_GUIDE_SIDE_MAX);
}

result guide_raster_allocate(const char *path, int64_t cols, int64_t rows, guide_raster *out)
{
    const result res = guide_raster_check(path, cols, rows);
    if (res.kind != RESULT_DONE)
        return res;
    out->cols = (int)cols;
    out->rows = (int)rows;
    out->numbers = malloc((size_t)cols * (size_t)rows * sizeof *out->numbers);
    return out->numbers ? result_done() : result_of(RESULT_FAILED, "out of memory");
}
