/* format.h - the table of export formats. --format, --help, checks and codecs use it. */
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
    EXPORT_COG,
    EXPORT_EXR,
    EXPORT_ASC,
    EXPORT_PGM,
    EXPORT_MAP,
    EXPORT_HFIELD,
    EXPORT_GLB,
    EXPORT_STL,
    EXPORT_OBJ,
    EXPORT_FORMATS_NAMED, /* --format takes the formats above; the formats below are for layers that are pictures */
    EXPORT_RGB8 = EXPORT_FORMATS_NAMED,
    EXPORT_RGB16,
    EXPORT_RGBA8,
    EXPORT_GRAY8,
    EXPORT_FORMATS
} export_format_id;

typedef struct export_format {
    const char *name;
    const char *ending;             /* ending of file names; if several formats share it, it means the first of them */
    const char *alternative_ending; /* NULL for none */
    const char *help;
    int bits;            /* bits of a sample or a channel; 16 bits: scaled over a range; 32 bits: floats */
    int channels;        /* number of channels of a picture; 0: one number for each sample */
    int envi_type;       /* "data type" of an ENVI header; 0: the file gets no header */
    int64_t side_max;    /* greatest number of samples of a side */
    int64_t samples_max; /* greatest number of samples of a file; 0: no further limit */
    bool needs_seeking;  /* cannot be written to a pipe */
    bool has_place;      /* georeferenced: the first row must be the northern one */
    bool is_from_south;  /* the first row must be the southern one */
    bool is_mesh;
    const char *world_ending; /* ending of the file that says where the picture lies, a "world file" in GIS; or NULL */
    int apron;                /* samples beyond the file's edges that the format needs, on each side */
    bool is_raw;              /* rows are stored one after another, not compressed */
    bool is_missing;          /* this build cannot write the format */
    const char *package;      /* package or packages that a build needs to write the format */
} export_format;

extern const export_format export_formats[EXPORT_FORMATS];

/** Names of the formats that --format takes, in order, NULL-terminated. */
extern const char *const export_format_names[EXPORT_FORMATS_NAMED + 1];

/** Bytes of a sample with all its channels. */
size_t export_format_sample_bytes(const export_format *format);

/** Whether samples are numbers that are scaled over a range to 0..65535. */
bool export_format_is_scaled(const export_format *format);

/** Whether a format can hold a layer. Formats of pictures hold layers that are pictures; meshes, maps and height fields
 * hold only heights; the other formats hold all layers of numbers. */
bool export_format_fits_layer(const export_format *format, export_layer_id layer);

/** Find a format by its name; NULL if no format has this name. */
const export_format *export_format_named(const char *name);

/** The format that a file name's ending means; EXPORT_FORMATS if the ending means no format. */
export_format_id export_format_of_name(const char *path);

/** Whether a file name's ending means this format, or no format at all. Tools would misread a file whose ending means
 * another format. */
bool export_format_fits_name(export_format_id id, const char *path);

/** List all endings of formats: ".r32, .r16, ...". */
void export_formats_list_endings(char *text, size_t size);

/** Print the table for --help. */
void export_formats_print(void);

#endif
