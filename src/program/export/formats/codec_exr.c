/* codec_exr.c - OpenEXR files by OpenEXRCore: one channel of 32-bit floats, scan lines, ZIP. All cores compress chunks,
 * which are then written in order. */
#include <errno.h>
#include <openexr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/core/system.h"
#include "program/core/tasks.h"
#include "program/export/formats/codec_exr.h"
#include "program/file/input_file.h"

enum { CHUNK_ROWS = 16 }; /* rows of a chunk with ZIP compression */

typedef struct exr_file {
    const export_file *file;
    const char *path;
    output_file *out;
    FILE *in;
    exr_context_t exr;
    int part;
    result result; /* why OpenEXR failed */
} exr_file;

static result failure_of(const exr_file *e, exr_result_t result)
{
    if (e->result.kind != RESULT_DONE)
        return e->result;
    if (result == EXR_ERR_OUT_OF_MEMORY ||
        (e->out && result == EXR_ERR_CORRUPT_CHUNK)) /* OpenEXR's error if zlib has no memory */
        return result_of(RESULT_FAILED, "no memory for an OpenEXR file");
    return result_of(RESULT_FILE, "cannot %s '%s': OpenEXR: %s", e->out ? "write" : "read", e->path,
                     exr_get_default_error_message(result));
}

static result result_of_exr(const exr_file *e, exr_result_t result)
{
    return result == EXR_ERR_SUCCESS ? result_done() : failure_of(e, result);
}

static void on_error(exr_const_context_t exr, exr_result_t code, const char *message)
{
    (void)exr, (void)code, (void)message; /* the functions of OpenEXR return the code too */
}

static int64_t write_bytes(exr_const_context_t exr, void *user, const void *bytes, uint64_t count, uint64_t offset,
                           exr_stream_error_func_ptr_t error)
{
    exr_file *e = user;
    const result res = output_file_write_at(e->out, bytes, (size_t)count, offset);
    if (res.kind == RESULT_DONE)
        return (int64_t)count;
    e->result = res;
    error(exr, EXR_ERR_WRITE_IO, "%s", res.text);
    return -1;
}

static exr_file *create(const export_file *file, const char *path, output_file *out)
{
    exr_file *e = calloc(1, sizeof *e);
    if (e)
        *e = (exr_file){.file = file, .path = path, .out = out};
    return e;
}

/* ---- writing ---- */

static exr_result_t write_header(exr_file *e)
{
    const export_file *f = e->file;
    const export_layer *layer = &export_layers[f->layer];
    const float spacing = (float)export_file_spacing_m(f);
    char comments[256];
    if (f->layer == EXPORT_HEIGHT)
        snprintf(comments, sizeof comments, "heights in metres, made by terrane");
    else
        snprintf(comments, sizeof comments, "%s, in %s, made by terrane", layer->meaning, layer->unit);
    exr_result_t r = exr_set_longname_support(e->exr, 0);
    if (r == EXR_ERR_SUCCESS)
        r = exr_add_part(e->exr, layer->name, EXR_STORAGE_SCANLINE, &e->part);
    if (r == EXR_ERR_SUCCESS)
        r = exr_initialize_required_attr_simple(e->exr, e->part, (int32_t)f->width, (int32_t)f->height,
                                                EXR_COMPRESSION_ZIP);
    if (r == EXR_ERR_SUCCESS)
        r = exr_add_channel(e->exr, e->part, f->channel, EXR_PIXEL_FLOAT, EXR_PERCEPTUALLY_LOGARITHMIC, 1, 1);
    if (r == EXR_ERR_SUCCESS)
        r = exr_attr_set_string(e->exr, e->part, "comments", comments);
    if (r == EXR_ERR_SUCCESS)
        r = exr_attr_set_float(e->exr, e->part, "sampleSpacing", spacing);
    return r == EXR_ERR_SUCCESS ? exr_write_header(e->exr) : r;
}

static result exr_open(const export_file *file, output_file *out, void **state)
{
    exr_file *e = create(file, out->path, out);
    *state = e;
    if (!e)
        return result_of(RESULT_FAILED, "no memory for an OpenEXR file");
    exr_context_initializer_t options = EXR_DEFAULT_CONTEXT_INITIALIZER;
    options.user_data = e;
    options.write_fn = write_bytes;
    options.error_handler_fn = on_error;
    exr_result_t r = exr_start_write(&e->exr, out->path, EXR_WRITE_FILE_DIRECTLY, &options);
    if (r == EXR_ERR_SUCCESS)
        r = write_header(e);
    return result_of_exr(e, r);
}

/** Compress a chunk; write_chunk writes it later. */
static exr_result_t pack_chunk(const exr_file *e, const block *block, int64_t down, exr_encode_pipeline_t *pipeline)
{
    exr_chunk_info_t chunk;
    exr_result_t r = exr_write_scanline_chunk_info(e->exr, e->part, (int)(block->row + down), &chunk);
    if (r == EXR_ERR_SUCCESS)
        r = exr_encoding_initialize(e->exr, e->part, &chunk, pipeline);
    if (r != EXR_ERR_SUCCESS)
        return r;
    exr_coding_channel_info_t *channel = &pipeline->channels[0];
    channel->user_bytes_per_element = sizeof(float);
    channel->user_data_type = EXR_PIXEL_FLOAT;
    channel->user_pixel_stride = sizeof(float);
    channel->user_line_stride = (int32_t)block->stride;
    channel->encode_from_ptr = block->first + down * block->stride;
    r = exr_encoding_choose_default_routines(e->exr, e->part, pipeline);
    pipeline->encoding_user_data = (void *)(uintptr_t)pipeline->write_fn;
    pipeline->write_fn = NULL; /* chunks must be written in order, so they are not written here */
    pipeline->yield_until_ready_fn = NULL;
    return r == EXR_ERR_SUCCESS ? exr_encoding_run(e->exr, e->part, pipeline) : r;
}

/** Write a compressed chunk. If the compressed bytes are as many as the pixels' bytes, the pixels are written instead:
 * readers treat a chunk of that size as not compressed, but OpenEXR 3.1 writes the compressed bytes:
 * https://github.com/AcademySoftwareFoundation/openexr/issues/2306 */
static exr_result_t write_chunk(exr_encode_pipeline_t *pipeline)
{
    exr_result_t (*write)(exr_encode_pipeline_t *) =
        (exr_result_t(*)(exr_encode_pipeline_t *))(uintptr_t)pipeline->encoding_user_data;
    if (pipeline->compressed_bytes == pipeline->packed_bytes && pipeline->compressed_buffer != pipeline->packed_buffer)
        memcpy(pipeline->compressed_buffer, pipeline->packed_buffer, pipeline->packed_bytes);
    return write(pipeline);
}

/** The chunks of a block that are being compressed. */
typedef struct block_chunks {
    const exr_file *e;
    const block *block;
    exr_encode_pipeline_t *chunks;
    exr_result_t *packed; /* result of each compression */
} block_chunks;

static void pack_one(void *user, int64_t n)
{
    const block_chunks *b = user;
    b->packed[n] = pack_chunk(b->e, b->block, n * CHUNK_ROWS, &b->chunks[n]);
}

static result exr_write(void *state, const block *block)
{
    const exr_file *e = state;
    const int count = (int)((block->rows + CHUNK_ROWS - 1) / CHUNK_ROWS);
    block_chunks b = {e, block, calloc((size_t)count, sizeof *b.chunks), calloc((size_t)count, sizeof *b.packed)};
    if (!b.chunks || !b.packed) {
        free(b.chunks);
        free(b.packed);
        return result_of(RESULT_FAILED, "no memory for %d chunks", count);
    }
    exr_result_t r = EXR_ERR_SUCCESS;
    tasks_run(count, pack_one, &b);
    for (int n = 0; n < count && r == EXR_ERR_SUCCESS; n++)
        r = b.packed[n] == EXR_ERR_SUCCESS ? write_chunk(&b.chunks[n]) : b.packed[n];
    for (int n = 0; n < count; n++)
        exr_encoding_destroy(e->exr, &b.chunks[n]);
    free(b.chunks);
    free(b.packed);
    return result_of_exr(e, r);
}

static result exr_finish_file(void *state, const work_progress *progress)
{
    exr_file *e = state;
    (void)progress;
    const exr_result_t r = exr_finish(&e->exr);
    e->exr = NULL;
    return result_of_exr(e, r);
}

static void exr_close(void *state)
{
    exr_file *e = state;
    if (e && e->exr)
        exr_finish(&e->exr);
    if (e && e->in)
        fclose(e->in);
    free(e);
}

/* ---- reading ---- */

static int64_t read_bytes(exr_const_context_t exr, void *user, void *bytes, uint64_t count, uint64_t offset,
                          exr_stream_error_func_ptr_t error)
{
    const exr_file *e = user;
    int64_t done = 0;
    while ((uint64_t)done < count) {
        const int64_t n =
            system_read_at(fileno(e->in), (char *)bytes + done, (size_t)count - (size_t)done, offset + (uint64_t)done);
        if (n < 0 && errno != EINTR) {
            error(exr, EXR_ERR_READ_IO, "%s", strerror(errno));
            return -1;
        }
        if (n == 0)
            break;
        done += n > 0 ? n : 0;
    }
    return done;
}

static int64_t file_bytes(exr_const_context_t exr, void *user)
{
    system_facts facts;
    (void)exr;
    return system_facts_of_open(fileno(((const exr_file *)user)->in), &facts) ? (int64_t)facts.bytes : -1;
}

static result check_picture(const exr_file *e)
{
    exr_attr_box2i_t window;
    const exr_attr_chlist_t *channels = NULL;
    const export_file *f = e->file;
    exr_storage_t storage = EXR_STORAGE_LAST_TYPE;
    exr_compression_t compression = EXR_COMPRESSION_LAST_TYPE;
    exr_result_t r = exr_get_data_window(e->exr, 0, &window);
    if (r == EXR_ERR_SUCCESS)
        r = exr_get_channels(e->exr, 0, &channels);
    if (r == EXR_ERR_SUCCESS)
        r = exr_get_storage(e->exr, 0, &storage);
    if (r == EXR_ERR_SUCCESS)
        r = exr_get_compression(e->exr, 0, &compression);
    if (r != EXR_ERR_SUCCESS)
        return failure_of(e, r);
    if (window.min.x != 0 || window.min.y != 0 || window.max.x + INT64_C(1) != f->width ||
        window.max.y + INT64_C(1) != f->height || channels->num_channels != 1 ||
        channels->entries[0].pixel_type != EXR_PIXEL_FLOAT || storage != EXR_STORAGE_SCANLINE ||
        compression != EXR_COMPRESSION_ZIP)
        return result_of(RESULT_FILE,
                         "'%s' is not an OpenEXR picture of %lld x %lld pixels of one 32-bit float, in scan lines, ZIP",
                         e->path, (long long)f->width, (long long)f->height);
    return result_done();
}

static result exr_open_reader(const export_file *file, const char *path, void **state)
{
    exr_file *e = create(file, path, NULL);
    *state = e;
    if (!e)
        return result_of(RESULT_FAILED, "no memory for an OpenEXR file");
    const result res = input_file_open(path, &e->in, NULL);
    if (res.kind != RESULT_DONE)
        return res;
    exr_context_initializer_t options = EXR_DEFAULT_CONTEXT_INITIALIZER;
    options.user_data = e;
    options.read_fn = read_bytes;
    options.size_fn = file_bytes;
    options.error_handler_fn = on_error;
    options.max_image_width = options.max_image_height = (int)file->format->side_max;
    const exr_result_t r = exr_start_read(&e->exr, path, &options);
    return r == EXR_ERR_SUCCESS ? check_picture(e) : failure_of(e, r);
}

static exr_result_t read_chunk(const exr_file *e, const block *block, int64_t down)
{
    exr_chunk_info_t chunk;
    exr_decode_pipeline_t pipeline = EXR_DECODE_PIPELINE_INITIALIZER;
    exr_result_t r = exr_read_scanline_chunk_info(e->exr, 0, (int)(block->row + down), &chunk);
    if (r == EXR_ERR_SUCCESS)
        r = exr_decoding_initialize(e->exr, 0, &chunk, &pipeline);
    if (r != EXR_ERR_SUCCESS)
        return r;
    exr_coding_channel_info_t *channel = &pipeline.channels[0];
    channel->user_bytes_per_element = sizeof(float);
    channel->user_data_type = EXR_PIXEL_FLOAT;
    channel->user_pixel_stride = sizeof(float);
    channel->user_line_stride = (int32_t)block->stride;
    channel->decode_to_ptr = block->first + down * block->stride;
    r = exr_decoding_choose_default_routines(e->exr, 0, &pipeline);
    if (r == EXR_ERR_SUCCESS)
        r = exr_decoding_run(e->exr, 0, &pipeline);
    exr_decoding_destroy(e->exr, &pipeline);
    return r;
}

static result exr_read(void *state, const block *block)
{
    const exr_file *e = state;
    exr_result_t r = EXR_ERR_SUCCESS;
    for (int64_t down = 0; down < block->rows && r == EXR_ERR_SUCCESS; down += CHUNK_ROWS)
        r = read_chunk(e, block, down);
    return result_of_exr(e, r);
}

const codec codec_exr = {.rows_multiple = CHUNK_ROWS,
                         .open = exr_open,
                         .write = exr_write,
                         .finish = exr_finish_file,
                         .close = exr_close,
                         .open_reader = exr_open_reader,
                         .read = exr_read,
                         .close_reader = exr_close};
