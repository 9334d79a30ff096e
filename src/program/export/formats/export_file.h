/* export_file.h - one file that is exported: its description, and the rectangle, size and scale that follow from it. */
#ifndef TERRANE_PROGRAM_EXPORT_FORMATS_EXPORT_FILE_H
#define TERRANE_PROGRAM_EXPORT_FORMATS_EXPORT_FILE_H

#include "program/export/formats/format.h"
#include "program/surface/look.h"

enum { EXPORT_FILE_TEXT = 2048 };

#define MESH_DEPTH_MAX 1e6 /* m: errors, skirts and bases are not larger */

/** How heights become a mesh. */
typedef struct mesh_shape {
    double max_error_m; /* no sample is farther from its triangle, vertically; negative: a vertex a sample */
    double skirt_m;     /* depth of vertical strips around it, 0 for none */
    double base_m;      /* thickness of a solid under its lowest point, 0 for none */
    double bottom_m;    /* altitude of that solid's bottom; NAN until it is measured */
    int64_t origin_x,
        origin_z; /* lattice coordinates of the north-western sample of the set that the mesh is a tile of */
    bool is_z_up; /* x east, y north, z up, instead of x east, y up, z south */
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

/** The rectangle of a file. */
ter_rect export_file_rect(const export_file *file);

/** Bytes of a file's samples as they are, before compression. */
uint64_t export_file_bytes(const export_file *file);

/** Where a mesh lies in its set: metres from the set's north-western sample to the mesh's own, which its coordinates
 * count from, in the mesh's axes. Coordinates are 32-bit floats, so that of a large set they would have no room for
 * more. */
void export_file_mesh_place(const export_file *file, double place[3]);

/** The altitude so far under another, or, where floats have none between, the next one: what stands upright has an
 * area. */
double export_file_under(float height_m, double depth_m);

/** Whether numbers are scaled over the range. */
bool export_file_is_scaled(const export_file *file);

/** Samples around a file's that it is made of. */
int export_file_apron(const export_file *file);

/** Whether a file is of water, or of what is derived from it. */
bool export_file_has_water(const export_file *file);

/** Whether a file follows from the world's look besides its heights. */
bool export_file_needs_look(const export_file *file);

/** The middle of a file, with at most `samples` samples and at least half as many, unless the whole has fewer: what is
 * made to estimate the whole. */
export_file export_file_middle(const export_file *file, int64_t samples);

/** One line with all that the samples of a file follow from. Two files of the same line have the same samples. */
void export_file_describe(const export_file *file, char text[EXPORT_FILE_TEXT]);

#endif
