/* export_file.h - the description of one exported file, and its rectangle, size and scale. */
#ifndef TERRANE_PROGRAM_EXPORT_FORMATS_EXPORT_FILE_H
#define TERRANE_PROGRAM_EXPORT_FORMATS_EXPORT_FILE_H

#include "program/core/result.h"
#include "program/export/formats/format.h"
#include "program/guide/earth_place.h"
#include "program/picture/map_climate.h"
#include "program/surface/look.h"

enum { EXPORT_FILE_TEXT = 3072, EXPORT_COORDINATE_TEXT = 32 };

#define MESH_DEPTH_MAX 1e6 /* metres; limit of errors, skirts and bases */

/** How heights become a mesh. */
typedef struct mesh_shape {
    double max_error_m;        /* largest vertical distance of a sample from its triangle; negative: each sample is a
                                  vertex */
    double skirt_m;            /* depth of the vertical strips around the mesh, 0 for none */
    double base_m;             /* thickness of a solid under its lowest point, 0 for no solid */
    double bottom_m;           /* altitude of the solid's bottom; NAN until heights are measured */
    double origin_x, origin_z; /* lattice coordinates of the north-west sample of the whole set */
    bool is_z_up;              /* x east, y north, z up, instead of x east, y up, z south */
    bool is_textured;
} mesh_shape;

/** The drainage from which the samples of a file follow. */
typedef struct file_drainage {
    bool is_conditioned; /* heights are changed so that water follows the rivers of the network */
    double min_area_km2; /* if conditioned: least area of these rivers; 0: drained_least_area of drained_area.h */
    ter_rect rect;       /* the whole request; the file may be a part of it */
} file_drainage;

/** One file: everything that is needed to write it, to read it, and to make it again. */
typedef struct export_file {
    const export_format *format;
    export_layer_id layer;
    ter_params world;
    double x, z;           /* lattice coordinates of the north-west sample, multiples of 2^lod; exact in a double */
    int64_t width, height; /* samples */
    int lod;               /* samples are 2^lod lattice steps apart */
    double range[2];       /* values of samples 0 and 65535; of 0 and 1 if floats are normalised */
    bool is_big_endian;    /* for raw formats */
    bool is_south_first;   /* the southern row comes first */
    bool is_normalised;    /* floats are scaled to 0..1 over the range */
    bool is_marked_linear; /* for PNG: write a gamma of 1 */
    bool is_green_south;   /* for normals: green grows to the south, as DirectX expects */
    bool is_any_water;   /* a sample has the water of its whole cell, not only of its point; also for derived layers */
    const char *channel; /* for OpenEXR: name of the channel */
    map_style map_style; /* for format map */
    earth_crs crs;
    mesh_shape mesh;        /* for formats of meshes */
    look look;              /* for layers and textures that depend on the look */
    file_drainage drainage; /* for files of export_file_is_drained */
} export_file;

/** Distance of neighbouring samples, lattice steps. */
double export_file_step(const export_file *file);

/** Distance of neighbouring samples, metres. */
double export_file_spacing_m(const export_file *file);

/** Where a file lies, as programs of GIS need it. */
typedef struct export_place {
    double east, north; /* coordinates of the north-west sample */
    double step;        /* distance of neighbouring samples */
    int epsg;           /* number of the coordinate system of the file or of the world's guide; the members above are in
                           its units. 0: a local system in metres, east = x * spacing, north = -z * spacing */
} export_place;

export_place export_file_place(const export_file *file);

/** The rectangle of a file's samples, for generators. */
ter_rect export_file_rect(const export_file *file);

/** A lattice coordinate with the fewest digits from which a reader gets the same number again. */
const char *export_coordinate(double coordinate, char text[EXPORT_COORDINATE_TEXT]);

/** Number of samples of a level of detail from one end of the world to the other. */
int64_t export_lattice_side(int lod);

/** Bytes of a file's samples before compression. */
uint64_t export_file_bytes(const export_file *file);

/** Offset of a mesh in its set: from the set's north-west sample to the mesh's, in metres and in the mesh's axes.
 * Positions of vertices are relative to the mesh's own north-west sample, because 32-bit floats are too coarse for a
 * large set. */
void export_file_mesh_place(const export_file *file, double place[3]);

/** The altitude `depth_m` below `height_m`. If this rounds to `height_m`, the next smaller float, so that vertical
 * walls have an area. */
double export_file_below(float height_m, double depth_m);

/** Whether samples are scaled over the range. */
bool export_file_is_scaled(const export_file *file);

/** Number of samples beyond each edge of the file that are needed to compute its samples. */
int export_file_apron(const export_file *file);

/** Whether a file's layer is water or is derived from water. */
bool export_file_has_water(const export_file *file);

/** Whether a file's samples follow from the drainage of a rectangle. */
bool export_file_is_drained(const export_file *file);

/** Whether a file depends on the world's look. */
bool export_file_needs_look(const export_file *file);

/** The middle part of a file, with `samples` / 2 to `samples` samples, or all samples if the file has fewer. This part
 * is generated to estimate the time and size of the whole file. */
export_file export_file_middle(const export_file *file, int64_t samples);

/** Describe everything that a file's samples depend on, in one line. Files with equal lines have equal samples. */
void export_file_describe(const export_file *file, char text[EXPORT_FILE_TEXT]);

/** The error for a file of another world format: RESULT_USAGE, because this version cannot make the file's land. */
result export_file_refuse_format(const char *path, int found, int expected);

#endif
