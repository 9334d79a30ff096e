/* plant_table.h - what the kinds of plants look like and where they grow. Calls no OpenGL. */
#ifndef TERRANE_PROGRAM_RENDER_PLANT_TABLE_H
#define TERRANE_PROGRAM_RENDER_PLANT_TABLE_H

#include "program/render/plant_kinds.h"

/** What colours a plant's leaves; LEAVES_... in plants.glsl. */
typedef enum plant_leaves {
    LEAVES_NEEDLES,   /* the colour of needles */
    LEAVES_EVERGREEN, /* the colour of leaves, in all seasons */
    LEAVES_FALLING,   /* the colour of leaves; they turn in autumn and fall */
    LEAVES_GRASS,     /* the colour of grass; a tint of 1 is straw */
    LEAVES_OWN        /* the tone itself: stones, dead wood, flowers */
} plant_leaves;

/** Where a kind grows. A site has a heat, -1 at the tree line, 0 in temperate lowlands, 1 in the tropics, and a
 * moisture, 0..1. The share of a kind falls to 0 at `wide` from the best heat and at `moist_wide` from the best
 * moisture. */
typedef struct plant_niche {
    float heat, wide, moist, moist_wide;
    float share; /* relative to other kinds, at its best site */
    float water; /* 1: grows only beside water; 0: anywhere */
    float light; /* 1: grows in the open, and first on cleared ground; 0: anywhere */
} plant_niche;

typedef struct plant_row {
    float least_m, more_m; /* a full-grown plant is least_m to least_m + more_m high */
    plant_niche niche;
    float middle, half_width, half_height; /* the crown: height of its middle over the plant's middle, and half axes of
                                              the ellipsoid around it, in heights of the plant */
    float radius;  /* of the sphere that an impostor takes for the crown; 0: the plant is a picture on its axis */
    float tone[3]; /* colour relative to that of leaves */
    float grass;   /* share of the colour of grass in that of leaves */
    plant_leaves leaves;
    plant_material bark;
} plant_row;

/** The row of a kind. */
const plant_row *plant_row_of(plant_kind kind);

/** Width of a crown at an age, 0..PLANT_AGES - 1, relative to the row's. */
float plant_age_width(int age);

/** Write the colours of woods: CANOPY_HEATS x CANOPY_MOISTS sites, two vec4 each. Canopy in climate.glsl reads them. */
void plant_canopy(float out[CANOPY_MOISTS][CANOPY_HEATS][8]);

#endif
