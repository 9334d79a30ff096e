/* ocean.h - computes the waves of the sea at a given time as repeating textures, by FFT on the GPU. */
#ifndef TERRANE_PROGRAM_RENDER_OCEAN_H
#define TERRANE_PROGRAM_RENDER_OCEAN_H

#include "program/render/gl.h"
#include "program/render/ocean_spectrum.h"
#include "program/render/view.h"

typedef struct ocean ocean;

/** Create the sea of a quality level, 0 to 2. Errors RESULT_FAILED */
result ocean_create(int quality_level, ocean **out);
void ocean_destroy(ocean *ocean);

/** Whether a ray of the view can meet the sea: water is drawn and some rays go below the horizon. Returns true in case
 * of doubt. */
bool ocean_is_in_view(const render_view *view);

/** Bind the waves without an update. */
void ocean_bind(const ocean *ocean);

/** Bind the waves for a view. The frame's uniforms must be bound. is_in_view: whether to compute the waves of the
 * view's time first */
void ocean_update(ocean *ocean, const render_view *view, bool is_in_view);

/** Result of the FFT: an array texture of 32-bit floats with two layers of four channels per cascade. A shift is the
 * horizontal displacement of the water's surface.
 *
 *  first layer   height; derivative to the south of the shift to the east; shift to the east, to the south
 *  second layer  slope to the east, to the south; derivative of each shift along its own direction
 */
GLuint ocean_fields(const ocean *ocean);

#endif
