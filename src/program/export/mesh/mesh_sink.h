/* mesh_sink.h - takes the bytes of a mesh, and writes them to a file or compares them with the bytes of a file. */
#ifndef TERRANE_PROGRAM_EXPORT_MESH_MESH_SINK_H
#define TERRANE_PROGRAM_EXPORT_MESH_MESH_SINK_H

#include <stdio.h>

#include "library/core/printf_format.h"
#include "program/core/events.h"
#include "program/file/output_file.h"

typedef struct mesh_sink {
    output_file *out;              /* file to write; unused in a comparison */
    FILE *in;                      /* file to compare with; NULL: write */
    const char *path;              /* name of the file `in` */
    uint64_t at;                   /* number of bytes written or compared */
    result result;                 /* first error; later bytes are dropped */
    const work_progress *progress; /* called every 64 KiB; may be NULL */
    double share;                  /* share of the mesh's current part that is written, for the progress */
    size_t used;                   /* number of collected bytes */
    char bytes[1 << 16];
} mesh_sink;

/** Begin to write bytes to a file. */
void mesh_sink_open(mesh_sink *sink, output_file *out);

/** Begin to compare bytes with those of a file. Close the sink in any case. Errors RESULT_FILE */
result mesh_sink_open_comparison(mesh_sink *sink, const char *path);

/** Condition of a loop over `count` elements of a mesh: true if element n exists and no error has occurred. */
static inline bool mesh_sink_takes(mesh_sink *sink, uint32_t n, uint32_t count)
{
    sink->share = (double)n / (double)count;
    return n < count && sink->result.kind == RESULT_DONE;
}

void mesh_sink_write(mesh_sink *sink, const void *bytes, size_t count);
TER_PRINTF(2, 3) void mesh_sink_print(mesh_sink *sink, const char *format, ...);

/** Write or compare the last bytes. Errors RESULT_FILE; RESULT_FAILED the compared file differs; RESULT_INTERRUPTED
 */
result mesh_sink_finish(mesh_sink *sink);

void mesh_sink_close(mesh_sink *sink);

#endif
