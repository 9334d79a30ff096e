/* shown_layers.h - the layers that a flight shows: the requested layers without those that keys have switched off. */
#ifndef TERRANE_PROGRAM_VIEWER_CAMERA_SHOWN_LAYERS_H
#define TERRANE_PROGRAM_VIEWER_CAMERA_SHOWN_LAYERS_H

#include <stdbool.h>
#include <stddef.h>

#include "program/render/view.h"
#include "program/viewer/request.h"

typedef struct layers {
    unsigned asked, shown; /* requested and shown layers, 1 << render_layer */
    int set;               /* number of the set that layers_next has reached */
} layers;

/** Begin with the requested layers. Without a window, the instruments (LAYER_HUD, text over the picture) are shown only
 * if the request names them. */
layers layers_begin(const fly_request *request, bool is_window);

/** Step forward by `steps` sets. Each set leaves out more layers than the set before it. After the last set comes the
 * first set, which has all requested layers. The instruments do not change. */
void layers_next(layers *layers, int steps);

/** Show or hide the instruments. */
void layers_toggle_instruments(layers *layers);

/** Names of the requested layers: "terrain,water". */
void layers_describe(const layers *layers, char *text, size_t size);

#endif
