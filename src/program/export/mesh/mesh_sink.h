/* mesh_sink.h - where the bytes of a mesh go: into a file, or beside those of a file that they are compared with. */
#ifndef TERRANE_PROGRAM_EXPORT_MESH_MESH_SINK_H
#define TERRANE_PROGRAM_EXPORT_MESH_MESH_SINK_H

#include <stdio.h>

#include "program/core/events.h"
#include "program/file/output_file.h"

typedef struct mesh_sink {
    output_file *out; /* or: */
    FILE *in;
    const char *path;          /* of in */
    uint64_t at;               /* bytes written or compared */
    outcome result;            /* what went wrong first: after it bytes go nowhere */
    const export_pulse *pulse; /* asked from piece to piece; or NULL */
    double share;              /* of the mesh that is written */
    size_t used;
    char bytes[1 << 16];
} mesh_sink;

/** Bytes go to a file. */
void mesh_sink_open(mesh_sink *sink, output_file *out);

/** Bytes are compared with a file's. Close the sink in any case. Errors OUTCOME_FILE */
outcome mesh_sink_open_comparison(mesh_sink *sink, const char *path);

/** Before the n-th of `count` parts of a mesh: false when no more of them are wanted, for something went wrong. */
static inline bool mesh_sink_takes(mesh_sink *sink, uint32_t n, uint32_t count)
{
    sink->share = (double)n / (double)count;
    return n < count && sink->result.kind == OUTCOME_DONE;
}

void mesh_sink_write(mesh_sink *sink, const void *bytes, size_t count);
__attribute__((format(printf, 2, 3))) void mesh_sink_print(mesh_sink *sink, const char *format, ...);

/** Write what is left. Errors OUTCOME_FILE; OUTCOME_FAILED the file that is compared differs */
outcome mesh_sink_finish(mesh_sink *sink);

void mesh_sink_close(mesh_sink *sink);

#endif
