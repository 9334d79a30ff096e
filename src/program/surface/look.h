/* look.h - the appearance of a world: colours of the ground, tree line, snow line, air and clouds. Heights do not
 * depend on it. */
#ifndef TERRANE_PROGRAM_SURFACE_LOOK_H
#define TERRANE_PROGRAM_SURFACE_LOOK_H

#include <stdbool.h>

/** Colours of the ground: LOOK_GRASS, LOOK_DRY ... */
#define LOOK_COLOR(constant, name, number) LOOK_##name = (number),
typedef enum look_color {
#include <look_colors.glsl>
    LOOK_COLORS
} look_color;
#undef LOOK_COLOR

typedef enum look_palette {
    LOOK_TEMPERATE,
    LOOK_TALK,
    LOOK_DESERT,
    LOOK_BADLANDS,
    LOOK_STEPPE,
    LOOK_MOON,
    LOOK_PALETTES
} look_palette;

/** Names of the palettes, in order; NULL ends the list. */
extern const char *const look_palette_names[LOOK_PALETTES + 1];

typedef struct look {
    float colors[LOOK_COLORS][3];    /* linear albedos */
    bool is_plain;                   /* only three colours, by height, as in world `talk` */
    double tree_line_m, snow_line_m; /* heights over the sea */
    double aridity;                  /* 0: wet; 1: no plants */
    double strata;                   /* visibility of layers in bare rock, 0..1 */
    double haze;                     /* 1: a clear day */
    double clouds;                   /* cover, 0..1 */
    double cloud_base_m, cloud_depth_m;
    double air; /* density; 1: as on the Earth; 0: no air */
} look;

/** Set the colours of a palette. */
void look_set_palette(look *look, look_palette palette);

/** Set the default look: temperate land on a fair day. */
void look_default(look *look);

#endif
