/* layer.h - the table of layers, which are numbers or pictures a sample: it drives --layer, --help, names of files,
 * sidecars, and what strips are asked for. Layers that the generator makes are those of terrane/terrane.h; one that is
 * derived from heights has a function besides. */
#ifndef TERRANE_PROGRAM_EXPORT_LAYERS_LAYER_H
#define TERRANE_PROGRAM_EXPORT_LAYERS_LAYER_H

#include <stdbool.h>

#include "program/surface/layer_window.h"
#include "terrane/terrane.h"

/** Layers; export_layers lists them in this order: a ter_layer is the layer of that number here. 0 is what a file is of
 * unless it says otherwise. */
typedef enum export_layer_id {
    EXPORT_HEIGHT = TER_LAYER_HEIGHT,
    EXPORT_SLOPE = TER_LAYER_COUNT,
    EXPORT_NORMAL,
    EXPORT_CURVATURE,
    EXPORT_SPLAT,
    EXPORT_FOREST,
    EXPORT_LAYERS
} export_layer_id;

/** What the range of 16-bit samples is counted in, so that it is as good for land whose lattice is narrower or wider.
 */
typedef enum layer_range_unit {
    RANGE_AS_IT_IS,
    RANGE_OVER_SAMPLE, /* divided by the metres from sample to sample */
    RANGE_TIMES_STEP,  /* times the metres of a lattice step */
    RANGE_OVER_STEP    /* divided by them */
} layer_range_unit;

typedef struct export_layer {
    const char *name;
    const char *unit; /* of its numbers, as UDUNITS spells it */
    const char *meaning;
    const char *needs_floats; /* why 16-bit samples cannot hold its numbers, or NULL */
    bool is_generated;        /* a strip brings its numbers; else `derive` makes them */
    int channels;    /* of a picture, 8 or 16 bits each in a PNG file; 0: a number a sample, in any format of numbers */
    int apron;       /* samples around a sample that it is derived from */
    double range[2]; /* of 16-bit samples; NANs: heights, whose range --range gives */
    layer_range_unit range_unit;
    bool has_no_data; /* some samples have no number: NaN in floats */
    bool needs_look;  /* it depends on the world's look */
    bool needs_water; /* it depends on water, too, where the world has that */
    /** Make a row: floats, or the channels of a picture. */
    void (*derive)(const layer_window *window, void *row);
} export_layer;

extern const export_layer export_layers[EXPORT_LAYERS];

/** Names of the layers, NULL-terminated, in order. */
extern const char *const export_layer_names[EXPORT_LAYERS + 1];

/** The range of a layer's 16-bit samples, 2^lod lattice steps of `spacing_m` apart. */
void export_layer_range(export_layer_id layer, double spacing_m, int lod, double range[2]);

/** Layers of the world, 1 << ter_layer each, that a layer is made of in a world of that basis. */
unsigned export_layer_sources(export_layer_id layer, ter_basis basis);

/** Whether a world has a layer: derived ones follow from heights, which every world has. */
bool export_layer_is_of_world(export_layer_id layer, const ter_world *world);

/** Print the table for --help. */
void export_layers_print(void);

#endif
