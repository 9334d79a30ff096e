/* shown_layers.c - the sets of layers that a key steps through. */
#include "program/viewer/camera/shown_layers.h"

#include <stdio.h>

/** The layers that each set leaves out. */
static const unsigned left_out[] = {0, 1u << LAYER_CLOUDS, 1u << LAYER_CLOUDS | 1u << LAYER_SHADOWS,
                                    1u << LAYER_CLOUDS | 1u << LAYER_SHADOWS | 1u << LAYER_WATER | 1u << LAYER_TREES,
                                    1u << LAYER_CLOUDS | 1u << LAYER_SHADOWS | 1u << LAYER_WATER | 1u << LAYER_TREES |
                                        1u << LAYER_SKY};
enum { LAYER_SETS = sizeof left_out / sizeof left_out[0] };
static const unsigned INSTRUMENTS = 1u << LAYER_HUD;

layers layers_begin(const fly_request *r, bool is_window)
{
    const unsigned asked = r->layer_names || is_window ? r->layers : r->layers & ~INSTRUMENTS;
    return (layers){.asked = asked, .shown = asked};
}

void layers_next(layers *l, int steps)
{
    l->set = (l->set + steps) % LAYER_SETS;
    l->shown = (l->asked & ~left_out[l->set] & ~INSTRUMENTS) | (l->shown & INSTRUMENTS);
}

void layers_toggle_instruments(layers *l)
{
    l->shown ^= INSTRUMENTS;
}

void layers_describe(const layers *l, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (int n = 0; n < LAYERS && used < size; n++)
        if (l->asked & 1u << n)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? "," : "", render_layer_names[n]);
}
