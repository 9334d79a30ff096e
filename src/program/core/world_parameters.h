/* world_parameters.h - the table of a world's numbers: their names, and which worlds use them. Names are those of the
 * members of ter_params. The seed, the basis and the guide are no numbers. */
#ifndef TERRANE_PROGRAM_CORE_WORLD_PARAMETERS_H
#define TERRANE_PROGRAM_CORE_WORLD_PARAMETERS_H

#include <stdbool.h>
#include <stddef.h>

#include "terrane/terrane.h"

/** What a parameter belongs to. */
typedef enum parameter_group {
    PARAMETERS_OF_ALL,      /* of all bases */
    PARAMETERS_OF_FRACTALS, /* of bases midpoint and smooth, as the group below */
    PARAMETERS_OF_CRATERS,
    PARAMETERS_OF_PROVINCES, /* of basis fluvial, as the groups below */
    PARAMETERS_OF_CLIMATE,
    PARAMETERS_OF_COVER
} parameter_group;

typedef struct world_parameter {
    const char *name;
    size_t at; /* offset in ter_params */
    parameter_group group;
    bool is_int; /* otherwise a double */
} world_parameter;

enum { WORLD_NUMBERS = 26 };
extern const world_parameter world_parameters[WORLD_NUMBERS];

double world_parameter_get(const ter_params *params, const world_parameter *parameter);

void world_parameter_set(ter_params *params, const world_parameter *parameter, double value);

/** Whether a basis uses a parameter. */
bool world_parameter_is_of(const world_parameter *parameter, ter_basis basis);

/** Whether the climate changes the land of a world: by sand, glaciers or drought. */
bool world_has_cover(const ter_params *params);

/** Whether heights or water of a world depend on a parameter. The climate acts on them only in a world with sand,
 * glaciers or drought, the wind only in one with sand, and maria only in one with craters. */
bool world_parameter_shapes(const world_parameter *parameter, const ter_params *params);

#endif
