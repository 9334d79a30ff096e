/* weather.h - what clouds are made from: the weather map around the camera, and repeating textures of their shapes. */
#ifndef TERRANE_PROGRAM_RENDER_WEATHER_H
#define TERRANE_PROGRAM_RENDER_WEATHER_H

#include "program/render/frame_block.h"
#include "program/render/gl.h"

typedef struct weather weather;

/** Create the textures. `is_coarse` for machines that draw on the CPU.
 *  Errors  OUTCOME_FAILED out of memory, or a shader does not compile */
outcome weather_create(bool is_coarse, weather **out);
void weather_destroy(weather *weather);

/** Make everything again at the next update: its shaders have changed. */
void weather_forget(weather *weather);

/** Bind the textures as they are. */
void weather_bind(const weather *weather);

/** Bring the textures up to date for a frame whose uniforms are bound, and bind them. A level of the map is made again
 * when the camera has come to another of its texels, or when the weather itself is another one. */
void weather_update(weather *weather, const frame_block *block);

#endif
