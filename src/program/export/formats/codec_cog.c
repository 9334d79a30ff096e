/* codec_cog.c - cloud-optimised GeoTIFF files: all directories lie at the beginning of the file, then come the tiles of
 * the overviews, the smallest overview first, and then the tiles of the samples. A reader gets all directories with its
 * first request, and then the tiles that it shows. Source: OGC 21-026, Cloud Optimized GeoTIFF Standard.
 *
 *     directory 0 .. n | tile offsets of 0 .. n | tiles of overview n | ... | tiles of overview 1 | tiles of the file
 *
 * libtiff writes the directories, with room for the offsets, before it knows the offsets. The directories are kept in
 * memory too, because libtiff reads a directory again when it changes to another one. */
#include "program/export/formats/codec_cog.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xtiffio.h>

#include "program/export/formats/codec_tiff.h"
#include "program/export/formats/tiff_memory.h"
#include "program/export/formats/tiff_tiles.h"

/** A file that is being written. */
typedef struct cog {
    tiff_file tiff; /* first member: libtiff's functions get it as their handle */
    tiff_memory directories;
    bool is_open;  /* the directories are complete, and tiles may be written */
    int directory; /* the current one; -1: none */
} cog;

/* ---- overviews ---- */

/** The coordinate of the first sample of an overview. The first pixel of the overview stands for a square of the file's
 * samples. The sample of the overview's level that is nearest to the middle of this square is taken. */
static double first_of(double first, double middle, double step, int64_t count)
{
    const double end = (double)TER_COORDINATE_MAX, nearest = floor((first + middle) / step + 0.5) * step;
    const double last = floor((end - (double)(count - 1) * step) / step) * step;
    return nearest < last ? nearest : last;
}

static bool cog_overview(const export_file *file, int n, export_file *overview)
{
    const int64_t pixels = (int64_t)1 << n, longer = file->width > file->height ? file->width : file->height;
    if (longer / pixels * 2 <= TIFF_TILE_SIDE || file->lod + n > file->world.levels)
        return false;
    *overview = *file;
    overview->lod += n;
    overview->width = (file->width + pixels - 1) / pixels;
    overview->height = (file->height + pixels - 1) / pixels;
    const double middle = (double)(pixels - 1) / 2.0 * export_file_step(file), step = export_file_step(overview);
    overview->x = first_of(file->x, middle, step, overview->width);
    overview->z = first_of(file->z, middle, step, overview->height);
    return true;
}

/* ---- what libtiff calls ---- */

static tmsize_t cog_read(thandle_t handle, void *bytes, tmsize_t count)
{
    cog *c = handle;
    c->directories.position = c->tiff.position;
    const tmsize_t n = tiff_memory_read(&c->directories, bytes, count);
    c->tiff.position += (uint64_t)n;
    return n;
}

static tmsize_t cog_write(thandle_t handle, void *bytes, tmsize_t count)
{
    cog *c = handle;
    if (!bytes)
        return 0;
    c->directories.position = c->tiff.position;
    if ((!c->is_open || c->tiff.position < c->directories.size) &&
        tiff_memory_write(&c->directories, bytes, count) != count)
        return 0;
    if (c->is_open) {
        const result res = output_file_write_at(c->tiff.out, bytes, (size_t)count, c->tiff.position);
        if (res.kind != RESULT_DONE)
            c->tiff.handle.result = res;
        if (res.kind != RESULT_DONE)
            return 0;
    }
    c->tiff.position += (uint64_t)count;
    return count;
}

static toff_t cog_size(thandle_t handle)
{
    const cog *c = handle;
    return c->is_open ? c->tiff.out->written : c->directories.size;
}

static toff_t cog_seek(thandle_t handle, toff_t offset, int whence)
{
    cog *c = handle;
    c->tiff.position = whence == SEEK_SET   ? offset
                       : whence == SEEK_CUR ? c->tiff.position + offset
                                            : cog_size(handle) + offset;
    return c->tiff.position;
}

/* ---- directories ---- */

/** Write a directory whose tiles have no offsets yet. */
static bool write_directory(TIFF *tiff, const export_file *file, bool is_overview)
{
    const bool is_set =
        tiff_set_picture(tiff, file) &&
        (is_overview ? TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, FILETYPE_REDUCEDIMAGE) : tiff_set_place(tiff, file));
    return is_set && TIFFDeferStrileArrayWriting(tiff) && TIFFWriteCheck(tiff, 1, "COG") && TIFFWriteDirectory(tiff);
}

/** Write all directories, and then room for the offsets of all tiles. */
static bool write_directories(TIFF *tiff, const export_file *file)
{
    export_file overview;
    int count = 1;
    bool is_written = write_directory(tiff, file, false);
    while (is_written && cog_overview(file, count, &overview)) {
        is_written = write_directory(tiff, &overview, true);
        count++;
    }
    for (int n = 0; n < count && is_written; n++)
        is_written = TIFFSetDirectory(tiff, (uint16_t)n) && TIFFForceStrileArrayWriting(tiff);
    return is_written;
}

static double bytes_max(const export_file *file)
{
    export_file overview;
    double bytes = tiff_bytes_max(file);
    for (int n = 1; cog_overview(file, n, &overview); n++)
        bytes += tiff_bytes_max(&overview);
    return bytes;
}

static result cog_open(const export_file *file, output_file *out, void **state)
{
    cog *c = calloc(1, sizeof *c);
    *state = c;
    if (!c)
        return result_of(RESULT_FAILED, "no memory for a TIFF file");
    tiff_handle *handle = &c->tiff.handle;
    c->tiff = (tiff_file){.handle = {.path = out->path, .operation = "write"}, .file = file, .out = out};
    c->directory = -1;
    XTIFFInitialize();
    TIFFOpenOptions *options = tiff_handle_options(handle);
    const char *mode = bytes_max(file) > TIFF_BYTES_MAX ? "w8+" : "w+";
    handle->tiff = options ? TIFFClientOpenExt(out->path, mode, c, cog_read, cog_write, cog_seek, tiff_close_nothing,
                                               cog_size, NULL, NULL, options)
                           : NULL;
    TIFFOpenOptionsFree(options);
    if (!handle->tiff || !write_directories(handle->tiff, file) || handle->result.kind != RESULT_DONE)
        return tiff_handle_failure(handle);
    c->is_open = true;
    return output_file_write_at(out, c->directories.bytes, c->directories.size, 0);
}

/* ---- tiles ---- */

/** Write the offsets of the current directory's tiles, and go to another directory. */
static result go_to(cog *c, int directory)
{
    TIFF *tiff = c->tiff.handle.tiff;
    if (directory == c->directory)
        return result_done();
    const bool is_there = (c->directory < 0 || TIFFFlush(tiff)) && TIFFSetDirectory(tiff, (uint16_t)directory);
    c->directory = directory;
    return is_there && c->tiff.handle.result.kind == RESULT_DONE ? result_done() : tiff_handle_failure(&c->tiff.handle);
}

static result cog_write_overview(void *state, int n, const block *block)
{
    cog *c = state;
    const result res = go_to(c, n);
    return res.kind == RESULT_DONE ? tiff_write_block(&c->tiff, block) : res;
}

static result cog_write_samples(void *state, const block *block)
{
    return cog_write_overview(state, 0, block);
}

static result cog_finish(void *state, const work_progress *progress)
{
    cog *c = state;
    (void)progress;
    return TIFFFlush(c->tiff.handle.tiff) && c->tiff.handle.result.kind == RESULT_DONE
               ? result_done()
               : tiff_handle_failure(&c->tiff.handle);
}

static void cog_close(void *state)
{
    cog *c = state;
    if (!c)
        return;
    tiff_handle_abandon(&c->tiff.handle);
    free(c->directories.bytes);
    free(c);
}

/* ---- reading: the samples are the first picture of the file ---- */

static result open_reader(const export_file *file, const char *path, void **state)
{
    return codec_tiff.open_reader(file, path, state);
}

static result read_samples(void *state, const block *block)
{
    return codec_tiff.read(state, block);
}

static void close_reader(void *state)
{
    codec_tiff.close_reader(state);
}

const codec codec_cog = {.rows_multiple = TIFF_TILE_SIDE,
                         .may_cut_rows = true,
                         .open = cog_open,
                         .write = cog_write_samples,
                         .overview = cog_overview,
                         .write_overview = cog_write_overview,
                         .finish = cog_finish,
                         .close = cog_close,
                         .open_reader = open_reader,
                         .read = read_samples,
                         .close_reader = close_reader};
