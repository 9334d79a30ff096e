/* mesh_sink.c - collects 64 KiB of a mesh, then writes or compares them. */
#include "program/export/mesh/mesh_sink.h"

#include <stdarg.h>
#include <string.h>

#include "program/file/input_file.h"

void mesh_sink_open(mesh_sink *s, output_file *out)
{
    s->out = out;
    s->result = result_done();
}

result mesh_sink_open_comparison(mesh_sink *s, const char *path)
{
    s->path = path;
    s->result = result_done();
    return input_file_open(path, &s->in, NULL);
}

/** Compare the collected bytes with the next bytes of the file. */
static result compare(const mesh_sink *s)
{
    char found[sizeof s->bytes];
    const size_t n = fread(found, 1, s->used, s->in);
    if (ferror(s->in))
        return result_of_file("read", s->path);
    for (size_t k = 0; k < n; k++)
        if (found[k] != s->bytes[k])
            return result_of(RESULT_FAILED, "'%s': byte %llu is not as its sidecar says: 0x%02x, expected 0x%02x",
                             s->path, (unsigned long long)(s->at + k), (unsigned char)found[k],
                             (unsigned char)s->bytes[k]);
    if (n < s->used)
        return result_of(RESULT_FAILED, "'%s' ends after %llu bytes, which is not as its sidecar says", s->path,
                         (unsigned long long)(s->at + n));
    return result_done();
}

static void flush(mesh_sink *s)
{
    if (s->result.kind == RESULT_DONE && s->used > 0)
        s->result = s->in ? compare(s) : output_file_write(s->out, s->bytes, s->used);
    s->at += s->used;
    s->used = 0;
    if (s->result.kind == RESULT_DONE && !work_progress_goes_on(s->progress, s->in ? "comparing" : "writing", s->share))
        s->result = result_of(RESULT_INTERRUPTED, "interrupted");
}

void mesh_sink_write(mesh_sink *s, const void *bytes, size_t count)
{
    const char *from = bytes;
    while (count > 0) {
        const size_t room = sizeof s->bytes - s->used, n = count < room ? count : room;
        memcpy(s->bytes + s->used, from, n);
        s->used += n;
        from += n;
        count -= n;
        if (s->used == sizeof s->bytes)
            flush(s);
    }
}

void mesh_sink_print(mesh_sink *s, const char *format, ...)
{
    enum { LINE_MAX_BYTES = 1024 };
    va_list arguments;
    if (sizeof s->bytes - s->used < LINE_MAX_BYTES)
        flush(s);
    va_start(arguments, format);
    s->used += (size_t)vsnprintf(s->bytes + s->used, LINE_MAX_BYTES, format, arguments);
    va_end(arguments);
}

result mesh_sink_finish(mesh_sink *s)
{
    flush(s);
    if (s->result.kind == RESULT_DONE && s->in && fgetc(s->in) != EOF)
        s->result = result_of(RESULT_FAILED, "'%s' goes on after %llu bytes, which is not as its sidecar says", s->path,
                              (unsigned long long)s->at);
    return s->result;
}

void mesh_sink_close(mesh_sink *s)
{
    if (s->in)
        fclose(s->in);
    s->in = NULL;
}
