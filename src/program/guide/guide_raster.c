/* guide_raster.c - chooses the reader of a raster, and checks sizes. */
#include "program/guide/guide_raster.h"

#include <stdlib.h>
#include <string.h>

#include "program/file/path_name.h"

result guide_raster_allocate(const char *path, int64_t cols, int64_t rows, guide_raster *out)
{
    if (cols < TER_GUIDE_SIDE_MIN || rows < TER_GUIDE_SIDE_MIN || cols > TER_GUIDE_SIDE_MAX ||
        rows > TER_GUIDE_SIDE_MAX)
        return result_of(RESULT_FILE, "'%s' has %lld x %lld pixels, expected %d to %d a side", path, (long long)cols,
                         (long long)rows, TER_GUIDE_SIDE_MIN, TER_GUIDE_SIDE_MAX);
    out->cols = (int)cols;
    out->rows = (int)rows;
    out->numbers = malloc((size_t)cols * (size_t)rows * sizeof *out->numbers);
    return out->numbers ? result_done() : result_of(RESULT_FAILED, "out of memory");
}

result guide_raster_read(const char *path, guide_raster *out)
{
    const char *ending = path_dot(path);
    *out = (guide_raster){.greatest = 1.0};
    if (strcmp(ending, ".npy") == 0)
        return guide_read_npy(path, out);
    if (strcmp(ending, ".r32") == 0)
        return guide_read_raw(path, out);
    return guide_read_gdal(path, out);
}
