/* format.h - the table of export formats: it drives --format, --help, dispatch and what is checked. */
#ifndef TERRANE_PROGRAM_EXPORT_FORMATS_FORMAT_H
#define TERRANE_PROGRAM_EXPORT_FORMATS_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "program/export/layers/layer.h"

/** Formats; export_formats lists them in this order. */
typedef enum export_format_id {
    EXPORT_R32,
    EXPORT_R16,
    EXPORT_PNG16,
    EXPORT_TIFF,
    EXPORT_TIFF16,
    EXPORT_EXR,
    EXPORT_PGM,
    EXPORT_MAP,
    EXPORT_HFIELD,
    EXPORT_GLB,
    EXPORT_STL,
    EXPORT_OBJ,
    EXPORT_FORMATS_NAMED, /* those of --format; what follows are the pictures of layers */
    EXPORT_RGB8 = EXPORT_FORMATS_NAMED,
    EXPORT_RGB16,
    EXPORT_RGBA8,
    EXPORT_GRAY8,
    EXPORT_FORMATS
} export_format_id;

typedef struct export_format {
    const char *name;
    const char *ending; /* of file names that mean this format; the first format with an ending is the one it means */
    const char *alternative_ending; /* or NULL */
    const char *help;
    int bits;            /* a sample; 16: scaled over a range, 32: metres */
    int channels;        /* of a picture, `bits` each; 0: numbers */
    int envi_type;       /* "data type" of an ENVI header; 0: the file is not raw */
    int64_t side_max;    /* samples */
    int64_t samples_max; /* of a file; 0: as many as its sides allow */
    bool needs_seeking;  /* cannot go to a pipe */
    bool has_place;      /* georeferenced: north is up, and rows come from the north */
    bool is_from_south;  /* its first row is the southern one */
    bool is_mesh;
    const char *world_ending; /* of the world file beside it that gives its place, or NULL */
    int apron;                /* samples around a file's that it needs */
    bool is_raw;              /* rows lie in the file as they are, one after another */
    bool is_missing;          /* this build lacks it, */
    const char *package;      /* for lack of this */
} export_format;

extern const export_format export_formats[EXPORT_FORMATS];

/** Names of the formats of --format, NULL-terminated, in order. */
extern const char *const export_format_names[EXPORT_FORMATS_NAMED + 1];

/** Bytes of a sample, with all its channels. */
size_t export_format_sample_bytes(const export_format *format);

/** Whether samples are numbers scaled over a range to 0..65535. */
bool export_format_is_scaled(const export_format *format);

/** Whether files of a format can be of a layer: pictures are of the layers that are pictures, meshes and maps of
 * heights. */
bool export_format_fits_layer(const export_format *format, export_layer_id layer);

/** The format of a name, or NULL. */
const export_format *export_format_named(const char *name);

/** The format that a file name's ending means, or EXPORT_FORMATS. */
export_format_id export_format_of_name(const char *path);

/** Whether a format's files may have that name: an ending that means another format is misread by other tools. */
bool export_format_fits_name(export_format_id id, const char *path);

/** The endings that mean formats: ".r32, .r16, ...". */
void export_formats_list_endings(char *text, size_t size);

/** Print the table for --help. */
void export_formats_print(void);

#endif
