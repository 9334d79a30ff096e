/* layer.h - the table of layers. A layer has one number for each sample, or it is a picture. --layer, --help, file
 * names, sidecars and strips use the table.
 *
 * Generated layers are those of terrane/terrane.h. The function `derive` computes derived layers from heights, and some
 * of them also from water. Drained layers follow from the flow of water over all samples of a request.
 */
#ifndef TERRANE_PROGRAM_EXPORT_LAYERS_LAYER_H
#define TERRANE_PROGRAM_EXPORT_LAYERS_LAYER_H

#include <stdbool.h>

#include "program/surface/layer_window.h"
#include "terrane/terrane.h"

/** Layers, in the order of export_layers. The first TER_LAYER_COUNT have the numbers of ter_layer. 0, the default, is
 * heights. */
typedef enum export_layer_id {
    EXPORT_HEIGHT = TER_LAYER_HEIGHT,
    EXPORT_CLIMATE_FIRST = TER_LAYER_TEMPERATURE,
    EXPORT_CLIMATE_LAST = TER_LAYER_SNOW,
    EXPORT_BIOME = TER_LAYER_BIOME,
    EXPORT_SLOPE = TER_LAYER_COUNT,
    EXPORT_NORMAL,
    EXPORT_CURVATURE,
    EXPORT_SPLAT,
    EXPORT_FOREST,
    EXPORT_ACCUMULATION,
    EXPORT_DIRECTION,
    EXPORT_LAYERS
} export_layer_id;

/** How the range of 16-bit samples depends on distances, so that it fits worlds of any spacing. */
typedef enum layer_range_unit {
    RANGE_CONSTANT,
    RANGE_OVER_SAMPLE, /* divided by the distance of samples, metres */
    RANGE_TIMES_STEP,  /* multiplied by the world's spacing, metres */
    RANGE_OVER_STEP    /* divided by the world's spacing */
} layer_range_unit;

typedef struct export_layer {
    const char *name;
    const char *unit; /* unit of the numbers, spelled as in UDUNITS */
    const char *meaning;
    const char *needs_floats; /* why 16-bit samples cannot hold its numbers; NULL: they can */
    bool is_generated;        /* strips contain its numbers; otherwise `derive` computes them */
    int channels;    /* channels of a picture, 8 or 16 bits each, in a PNG file; 0: one number for each sample */
    int apron;       /* samples that `derive` reads on each side of a sample */
    double range[2]; /* values of 16-bit samples 0 and 65535; NANs: --range gives them */
    layer_range_unit range_unit;
    bool has_no_data; /* some samples have no number; as floats they are NaN */
    bool needs_look;  /* depends on the world's look */
    bool needs_water; /* depends on water, if the world has water */
    bool is_drained;  /* follows from the drainage of a whole request, see program/drainage; `derive` is NULL */
    /** Compute a row: floats, or the channels of a picture. */
    void (*derive)(const layer_window *window, void *row);
} export_layer;

extern const export_layer export_layers[EXPORT_LAYERS];

/** Names of the layers, in order, NULL-terminated. */
extern const char *const export_layer_names[EXPORT_LAYERS + 1];

/** The range of a layer's 16-bit samples, which are 2^lod lattice steps of `spacing_m` metres apart. */
void export_layer_range(export_layer_id layer, double spacing_m, int lod, double range[2]);

/** The generated layers that a layer is computed from in worlds of a basis: a bit 1 << ter_layer for each. */
unsigned export_layer_sources(export_layer_id layer, ter_basis basis);

/** Whether a world has a layer. All worlds have derived layers, because all have heights. */
bool export_layer_is_of_world(export_layer_id layer, const ter_world *world);

/** Print the table for --help. */
void export_layers_print(void);

#endif
