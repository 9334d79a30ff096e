/* world_parameters.c - the table, and access to members of ter_params by their offsets. */
#include "program/core/world_parameters.h"

#include <string.h>

#define NAME_AT(name) #name, offsetof(ter_params, name)

const world_parameter world_parameters[WORLD_NUMBERS] = {
    {NAME_AT(levels), PARAMETERS_OF_ALL, true},
    {NAME_AT(amplitude), PARAMETERS_OF_FRACTALS, false},
    {NAME_AT(gain), PARAMETERS_OF_FRACTALS, false},
    {NAME_AT(broad), PARAMETERS_OF_FRACTALS, true},
    {NAME_AT(broad_gain), PARAMETERS_OF_FRACTALS, false},
    {NAME_AT(base), PARAMETERS_OF_FRACTALS, false},
    {NAME_AT(valley), PARAMETERS_OF_FRACTALS, false},
    {NAME_AT(sea), PARAMETERS_OF_ALL, false},
    {NAME_AT(spacing), PARAMETERS_OF_ALL, false},
    {NAME_AT(land), PARAMETERS_OF_PROVINCES, false},
    {NAME_AT(relief), PARAMETERS_OF_PROVINCES, false},
    {NAME_AT(uplift), PARAMETERS_OF_PROVINCES, false},
    {NAME_AT(hills), PARAMETERS_OF_PROVINCES, false},
    {NAME_AT(plateau), PARAMETERS_OF_PROVINCES, false},
    {NAME_AT(ice), PARAMETERS_OF_PROVINCES, false},
    {NAME_AT(dryness), PARAMETERS_OF_PROVINCES, false},
    {NAME_AT(continents), PARAMETERS_OF_PROVINCES, false},
    {NAME_AT(warmth), PARAMETERS_OF_CLIMATE, false},
    {NAME_AT(wetness), PARAMETERS_OF_CLIMATE, false},
    {NAME_AT(belts), PARAMETERS_OF_CLIMATE, false},
    {NAME_AT(sand), PARAMETERS_OF_COVER, false},
    {NAME_AT(wind), PARAMETERS_OF_COVER, false},
    {NAME_AT(glaciers), PARAMETERS_OF_COVER, false},
    {NAME_AT(drought), PARAMETERS_OF_COVER, false},
    {NAME_AT(craters), PARAMETERS_OF_CRATERS, false},
    {NAME_AT(maria), PARAMETERS_OF_CRATERS, false},
};

double world_parameter_get(const ter_params *params, const world_parameter *parameter)
{
    const char *at = (const char *)params + parameter->at;
    double value;
    int whole;
    if (!parameter->is_int) {
        memcpy(&value, at, sizeof value);
        return value;
    }
    memcpy(&whole, at, sizeof whole);
    return whole;
}

void world_parameter_set(ter_params *params, const world_parameter *parameter, double value)
{
    char *at = (char *)params + parameter->at;
    const int whole = parameter->is_int ? (int)value : 0;
    if (parameter->is_int)
        memcpy(at, &whole, sizeof whole);
    else
        memcpy(at, &value, sizeof value);
}

bool world_parameter_is_of(const world_parameter *parameter, ter_basis basis)
{
    return parameter->group == PARAMETERS_OF_ALL ||
           (parameter->group < PARAMETERS_OF_PROVINCES) == (basis != TER_BASIS_FLUVIAL);
}

bool world_has_cover(const ter_params *params)
{
    return params->basis == TER_BASIS_FLUVIAL &&
           (params->sand > 0.0 || params->glaciers > 0.0 || params->drought > 0.0);
}

bool world_parameter_shapes(const world_parameter *parameter, const ter_params *params)
{
    if (!world_parameter_is_of(parameter, params->basis))
        return false;
    if (parameter->at == offsetof(ter_params, maria))
        return params->craters > 0.0;
    if (parameter->at == offsetof(ter_params, wind))
        return params->sand > 0.0;
    return parameter->group != PARAMETERS_OF_CLIMATE || world_has_cover(params);
}
