/* air.h - tables of the atmosphere: transmittance, multiple scattering, the sky from the camera, aerial perspective. */
#ifndef TERRANE_PROGRAM_RENDER_AIR_H
#define TERRANE_PROGRAM_RENDER_AIR_H

#include "program/render/gl.h"

typedef struct air air;

/** Create the tables' textures. `is_coarse` for machines that draw on the CPU. */
outcome air_create(bool is_coarse, air **out);
void air_destroy(air *air);

/** What the tables depend on besides the view; they are made again only when it changes. */
typedef struct air_state {
    float haze, density, radius_km;
    float sun[3];
    float altitude_m;
} air_state;

/** Make all tables again at the next update: their shaders have changed. */
void air_forget(air *air);

/** Bind the tables as they are. */
void air_bind(const air *air);

/** Bring the tables up to date for the frame whose uniforms are bound, and bind them. */
void air_update(air *air, const air_state *state);

#endif
