/* codec.h - how a format's samples become bytes of a file and come back: what every format implements. */
#ifndef TERRANE_PROGRAM_EXPORT_FORMATS_CODEC_H
#define TERRANE_PROGRAM_EXPORT_FORMATS_CODEC_H

#include <stdbool.h>
#include <stddef.h>

#include "program/core/events.h"
#include "program/export/layers/layer.h"
#include "program/file/output_file.h"
#include "program/surface/look.h"

typedef struct export_format export_format;

#define MESH_DEPTH_MAX 1e6 /* m: errors, skirts and bases are not larger */

/** How heights become a mesh. */
typedef struct mesh_shape {
    double max_error_m;         /* no sample is farther from its triangle, vertically; negative: a vertex a sample */
    double skirt_m;             /* depth of vertical strips around it, 0 for none */
    double base_m;              /* thickness of a solid under its lowest point, 0 for none */
    double bottom_m;            /* altitude of that solid's bottom; NAN until it is measured */
    int64_t origin_x, origin_z; /* lattice coordinates of the north-western sample of the set that the mesh is a tile of */
    bool is_z_up;               /* x east, y north, z up, instead of x east, y up, z south */
    bool is_textured;
} mesh_shape;

/** One file: all that is needed to write, to read and to make it again. */
typedef struct export_file {
    const export_format *format;
    export_layer_id layer;
    ter_params world;
    int64_t x, z;          /* lattice coordinates of the north-west sample */
    int64_t width, height; /* samples */
    int lod;               /* samples are 2^lod lattice steps apart */
    double range[2];       /* metres that are 0 and 65535, or 0 and 1 */
    bool is_big_endian;    /* raw formats */
    bool is_south_first;   /* the southern row comes first */
    bool is_normalised;    /* floats are 0..1 over the range instead of metres */
    bool is_marked_linear; /* PNG says that its samples are linear */
    bool is_green_south;   /* normals: green grows to the south, as DirectX has it */
    bool is_any_water;     /* water, and what is derived from it: any in a sample's cell, not that of its point alone */
    const char *channel;   /* name of OpenEXR's channel */
    mesh_shape mesh;       /* formats of meshes */
    look look;             /* of layers and textures that depend on it */
} export_file;

/** Metres from sample to sample. */
double export_file_spacing_m(const export_file *file);

/** A rectangle of samples on their way into or out of a file: float or uint16_t, in the machine's byte order, in the order of the
 *  file's rows. */
typedef struct block {
    unsigned char *first; /* sample (column, row) */
    ptrdiff_t stride;     /* bytes from a row to the next in the file */
    int64_t column, row;  /* in the file */
    int64_t width, rows;
    int apron; /* samples around it that can be read, to all sides */
} block;

typedef struct codec {
    int apron;             /* samples around a file's that it needs */
    int64_t rows_multiple; /* blocks have so many rows, or a multiple, but for the last; they come in the order of rows */
    bool may_cut_rows;     /* blocks may be narrower than the file, at multiples of rows_multiple; else they are whole rows */

    /** Begin a file of which `out` has no byte yet, or, for raw formats, some rows. */
    outcome (*open)(const export_file *file, output_file *out, void **state);
    outcome (*write)(void *state, const block *block);
    /** Write what comes after the samples; where that takes long, `pulse` is asked. Errors OUTCOME_INTERRUPTED too */
    outcome (*finish)(void *state, const export_pulse *pulse);
    /** Free, finished or not; NULL is allowed. */
    void (*close)(void *state);

    /** Open a file for a comparison with what `write` and `finish` would put into it: a codec whose samples cannot be read back has
     *  this instead of a reader. `finish` returns OUTCOME_FAILED with the first difference. Errors OUTCOME_FILE */
    outcome (*open_comparison)(const export_file *file, const char *path, void **state);

    /** Open a file for reading and check that it holds what `file` says. Errors OUTCOME_FILE */
    outcome (*open_reader)(const export_file *file, const char *path, void **state);
    /** Fill a block. Blocks come in the same order. */
    outcome (*read)(void *state, const block *block);
    void (*close_reader)(void *state);
} codec;

extern const codec codec_raw;
#ifdef TER_HAVE_PNG
extern const codec codec_png;
#endif
#ifdef TER_HAVE_TIFF
extern const codec codec_tiff;
#endif
#ifdef TER_HAVE_EXR
extern const codec codec_exr;
#endif
extern const codec codec_glb, codec_stl, codec_obj;

#endif
