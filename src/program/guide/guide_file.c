/* guide_file.c - chooses the reader of a raster. */
#include "program/guide/guide_file.h"

#include <string.h>

#include "program/file/path_name.h"
#include "program/guide/guide_readers.h"

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
