/* air.h - keeps the tables of the atmosphere: transmittance, multiple scattering, sky and aerial perspective. */
#ifndef TERRANE_PROGRAM_RENDER_AIR_H
#define TERRANE_PROGRAM_RENDER_AIR_H

#include "program/render/gl.h"

typedef struct air air;

/** Create the textures of the tables. is_coarse: smaller tables, for rendering on the CPU. Errors RESULT_FAILED */
result air_create(bool is_coarse, air **out);
void air_destroy(air *air);

/** Inputs of the tables besides the view. If haze, density or radius change, the tables of transmittance and multiple
 * scattering are recomputed. The sky is recomputed if any of these members changes, but not for a small change of the
 * altitude. */
typedef struct air_state {
    float haze, density, radius_km;
    float sun[3];
    float altitude_m;
} air_state;

/** Recompute all tables at the next update, because their shaders have changed. */
void air_forget(air *air);

/** Bind the tables without an update. */
void air_bind(const air *air);

/** Update the tables for the frame whose uniforms are bound, and bind them. Aerial perspective is made every frame. */
void air_update(air *air, const air_state *state);

#endif
