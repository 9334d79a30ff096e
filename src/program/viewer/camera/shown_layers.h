/* shown_layers.h - which layers a flight shows: those that were asked for, less what its keys have switched off. */
#ifndef TERRANE_PROGRAM_VIEWER_CAMERA_SHOWN_LAYERS_H
#define TERRANE_PROGRAM_VIEWER_CAMERA_SHOWN_LAYERS_H

#include <stdbool.h>
#include <stddef.h>

#include "program/render/view.h"
#include "program/viewer/request.h"

typedef struct layers {
    unsigned asked, shown; /* 1 << render_layer */
    int set;               /* of those that layers_next goes through */
} layers;

/** Begin. A picture of a flight without a window has nothing written over it unless that was asked for. */
layers layers_begin(const fly_request *request, bool is_window);

/** Go `steps` on through sets of ever fewer layers, and back to all that were asked for. The instruments stay as they
 * are. */
void layers_next(layers *layers, int steps);

/** Show the instruments, or not. */
void layers_toggle_instruments(layers *layers);

/** The names of what was asked for: "terrain,water". */
void layers_describe(const layers *layers, char *text, size_t size);

#endif
