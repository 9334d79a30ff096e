/* ocean.h - the waves of the sea at a time, as textures that repeat: by FFT on the GPU. */
#ifndef TERRANE_PROGRAM_RENDER_OCEAN_H
#define TERRANE_PROGRAM_RENDER_OCEAN_H

#include "program/render/gl.h"
#include "program/render/ocean_spectrum.h"
#include "program/render/view.h"

typedef struct ocean ocean;

/** Create the sea of a quality level, 0 to 2. Errors OUTCOME_FAILED */
outcome ocean_create(int quality_level, ocean **out);
void ocean_destroy(ocean *ocean);

/** Whether a ray of the view can meet the sea: water is drawn, and some rays go below the horizon. True in case of
 * doubt. */
bool ocean_is_in_view(const render_view *view);

/** Bind the waves as they are. */
void ocean_bind(const ocean *ocean);

/** Bind the waves for a view, whose block frame.glsl is bound; `is_in_view`: make them anew. */
void ocean_update(ocean *ocean, const render_view *view, bool is_in_view);

/** The sums of the waves as the FFT leaves them: an array texture of 32 bit floats, two layers a cascade: height,
 * derivative to the south of the shift to the east, shift east and south; slope east and south, derivatives of the
 * shifts along themselves. */
GLuint ocean_fields(const ocean *ocean);

#endif
