/* guide_file.c - chooses the reader of a raster. */
#include "program/guide/guide_file.h"

#include <string.h>

#include "program/file/path_name.h"
#include "program/guide/guide_readers.h"

/** Endings of names, and their readers. */
static const struct {
    const char *ending;
    result (*read)(const char *path, guide_raster *out);
} readers[] = {{".npy", guide_read_npy}, {".r32", guide_read_raw}};

enum { READERS = sizeof readers / sizeof readers[0] };

static size_t reader_of(const char *path)
{
    size_t n = 0;
    while (n < READERS && strcmp(path_dot(path), readers[n].ending) != 0)
        n++;
    return n;
}

bool guide_file_needs_gdal(const char *path)
{
    return reader_of(path) == READERS;
}

result guide_raster_read(const char *path, guide_raster *out)
{
    const size_t n = reader_of(path);
    *out = (guide_raster){.greatest = 1.0};
    return n < READERS ? readers[n].read(path, out) : guide_read_gdal(path, out);
}
