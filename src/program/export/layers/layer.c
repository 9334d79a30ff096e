/* layer.c - the table of layers. */
#include "program/export/layers/layer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "program/surface/ground_cover.h"
#include "program/surface/surface_shape.h"

/* Members of generated layers that terrane/terrane.h does not have: the range of 16-bit samples, or why floats are
 * needed. */
#define MORE_OF_TER_LAYER_HEIGHT  .range = {NAN, NAN}
#define MORE_OF_TER_LAYER_WATER   .range = {NAN, NAN}, .has_no_data = true, .needs_floats = "dry samples have no number"
#define MORE_OF_TER_LAYER_FLOW    .range = {NAN, NAN}, .needs_floats = "its areas span seven powers of ten"
#define MORE_OF_TER_LAYER_SHORE   .range = {0.0, 655.35}, .range_unit = RANGE_TIMES_STEP
#define MORE_OF_TER_LAYER_RELIEF  .range = {0.0, 20.0}, .range_unit = RANGE_OVER_STEP
#define MORE_OF_TER_LAYER_PLAIN   .range = {0.0, 1.0}
#define MORE_OF_TER_LAYER_PLATEAU .range = {0.0, 1.0}
#define MORE_OF_TER_LAYER_ICE     .range = {0.0, 1.0}
#define MORE_OF_TER_LAYER_DRYNESS .range = {0.0, 1.0}
#define MORE_OF_TER_LAYER_LAND    .range = {0.0, 1.0}
#define MORE_OF_TER_LAYER_TOP     .range = {NAN, NAN}
#define MORE_OF_TER_LAYER_GLACIER .range = {0.0, 1310.7}
#define MORE_OF_TER_LAYER_SAND    .range = {0.0, 655.35}

#define MORE_OF_TER_LAYER_TEMPERATURE          .range = {-100.0, 100.0}
#define MORE_OF_TER_LAYER_TEMPERATURE_RANGE    .range = {0.0, 100.0}
#define MORE_OF_TER_LAYER_PRECIPITATION        .range = {0.0, 32767.5}
#define MORE_OF_TER_LAYER_PRECIPITATION_SEASON .range = {-1.0, 1.0}
#define MORE_OF_TER_LAYER_BIOME                .range = {0.0, 65535.0}
#define MORE_OF_TER_LAYER_SNOW                 .range = {0.0, 1.0}

const export_layer export_layers[EXPORT_LAYERS] = {
#define GENERATED(id, text, unit_or_none, what)                                                                        \
    [id] = {.name = text,                                                                                              \
            .unit = sizeof unit_or_none > 1 ? unit_or_none : "1",                                                      \
            .meaning = what,                                                                                           \
            .is_generated = true,                                                                                      \
            MORE_OF_##id},
    TER_LAYER_LIST(GENERATED)
#undef GENERATED
        [EXPORT_SLOPE] = {.name = "slope",
                          .unit = "degree",
                          .meaning = "steepness, 0 is level and 90 a wall (Horn 1981)",
                          .apron = 1,
                          .range = {0.0, 90.0},
                          .derive = derive_slope},
    [EXPORT_NORMAL] = {.name = "normal",
                       .unit = "1",
                       .meaning = "normals as a picture: red east, green north (--normal-map directx: south), blue up",
                       .channels = 3,
                       .apron = 1,
                       .range = {-1.0, 1.0},
                       .derive = derive_normal},
    [EXPORT_CURVATURE] = {.name = "curvature",
                          .unit = "m-1",
                          .meaning = "minus the sum of second derivatives to east and south: ridges > 0, hollows < 0 "
                                     "(Zevenbergen, Thorne 1987)",
                          .apron = 1,
                          .range = {-1.0, 1.0},
                          .range_unit = RANGE_OVER_SAMPLE,
                          .derive = derive_curvature},
    [EXPORT_SPLAT] = {.name = "splat",
                      .unit = "1",
                      .meaning =
                          "materials of the ground, a picture: red plants, green rock, blue soil and sand, alpha snow; "
                          "sum 255",
                      .channels = 4,
                      .apron = GROUND_COVER_APRON,
                      .range = {0.0, 1.0},
                      .needs_look = true,
                      .needs_water = true,
                      .derive = derive_splat},
    [EXPORT_FOREST] =
        {.name = "forest",
         .unit = "1",
         .meaning = "the part of splat's red that is forest, a picture: one channel, 0 to 255; the rest is grass",
         .channels = 1,
         .apron = GROUND_COVER_APRON,
         .range = {0.0, 1.0},
         .needs_look = true,
         .needs_water = true,
         .derive = derive_forest},
    [EXPORT_ACCUMULATION] = {.name = "accumulation",
                             .unit = "m2",
                             .meaning = "area that drains through the sample: of samples, and of rivers that enter",
                             .needs_floats = "its areas span seven powers of ten",
                             .apron = 1,
                             .range = {NAN, NAN},
                             .needs_water = true,
                             .is_drained = true},
    [EXPORT_DIRECTION] = {.name = "direction",
                          .unit = "1",
                          .meaning = "sample that the water goes to: 1 east, 2 south-east, 4 south, ... 128 "
                                     "north-east; 0 none: sea or edge",
                          .apron = 1,
                          .range = {0.0, 65535.0},
                          .needs_water = true,
                          .is_drained = true},
};

const char *const export_layer_names[EXPORT_LAYERS + 1] = {
#define NAME(id, text, unit, what) text,
    TER_LAYER_LIST(NAME)
#undef NAME
        "slope",
    "normal",
    "curvature",
    "splat",
    "forest",
    "accumulation",
    "direction",
    NULL};

bool export_layer_is_of_world(export_layer_id id, const ter_world *world)
{
    return !export_layers[id].is_generated || ter_world_has_layer(world, (ter_layer)id);
}

unsigned export_layer_sources(export_layer_id id, ter_basis basis)
{
    const export_layer *layer = &export_layers[id];
    if (layer->is_generated)
        return 1U << id;
    return 1U << TER_LAYER_HEIGHT | (layer->needs_water && basis == TER_BASIS_FLUVIAL ? 1U << TER_LAYER_WATER : 0);
}

void export_layer_range(export_layer_id id, double spacing_m, int lod, double range[2])
{
    const export_layer *layer = &export_layers[id];
    const double scale = layer->range_unit == RANGE_OVER_SAMPLE  ? 1.0 / (spacing_m * ldexp(1.0, lod))
                         : layer->range_unit == RANGE_TIMES_STEP ? spacing_m
                         : layer->range_unit == RANGE_OVER_STEP  ? 1.0 / spacing_m
                                                                 : 1.0;
    range[0] = layer->range[0] * scale;
    range[1] = layer->range[1] * scale;
}

/** Describe the 16-bit samples of a layer of numbers. */
static void describe_range(const export_layer *layer, char text[64])
{
    static const char *const units[] = {"", "/spacing", "*spacing", "/spacing"};
    const char *unit = units[layer->range_unit];
    if (layer->needs_floats)
        snprintf(text, 64, "only 32 bit: %s", layer->needs_floats);
    else if (isnan(layer->range[0]))
        snprintf(text, 64, "16 bit: --range");
    else
        snprintf(text, 64, "16 bit: %g%s to %g%s", layer->range[0], layer->range[0] != 0.0 ? unit : "", layer->range[1],
                 unit);
}

static void print_layer(const export_layer *layer)
{
    enum { LINE = 120 };
    char range[64];
    if (layer->channels) {
        printf("  %-20s %s\n", layer->name, layer->meaning);
        return;
    }
    describe_range(layer, range);
    const int used = printf("  %-20s %s: %s", layer->name, layer->unit, layer->meaning);
    printf("%s%s\n", used + strlen(range) < LINE ? "; " : ";\n                       ", range);
}

void export_layers_print(void)
{
    printf("\nLayers; only worlds of basis fluvial have those from %s to %s\n", export_layers[EXPORT_HEIGHT + 1].name,
           export_layers[TER_LAYER_COUNT - 1].name);
    for (int id = 0; id < EXPORT_LAYERS; id++)
        print_layer(&export_layers[id]);
}
