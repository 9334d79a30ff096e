/* weather.h - keeps the inputs of clouds: the weather map around the camera and repeating textures of cloud shapes. */
#ifndef TERRANE_PROGRAM_RENDER_WEATHER_H
#define TERRANE_PROGRAM_RENDER_WEATHER_H

#include "program/render/frame_block.h"
#include "program/render/gl.h"

typedef struct weather weather;

/** Create the textures. is_coarse: smaller textures, for rendering on the CPU.
 *  Errors  RESULT_FAILED out of memory, or a shader does not compile */
result weather_create(bool is_coarse, weather **out);
void weather_destroy(weather *weather);

/** Recompute all textures at the next update, because their shaders have changed. */
void weather_forget(weather *weather);

/** Bind the textures without an update. */
void weather_bind(const weather *weather);

/** Update the textures for the frame whose uniforms are bound, and bind them. The weather map has several levels around
 * the camera; the texels of each are four times as wide as those of the level before. A level is recomputed when the
 * camera has moved to another texel of this level or the weather has changed. */
void weather_update(weather *weather, const frame_block *block);

#endif
