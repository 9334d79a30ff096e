/* river_cover.h - how much of each sample of a tile a river covers that is narrower than the samples are apart: from
 * the area that the nearest channel drains and the distance to its middle, which a tile brings along when it is loaded
 * and does not keep.
 */
#ifndef TERRANE_PROGRAM_RENDER_RIVER_COVER_H
#define TERRANE_PROGRAM_RENDER_RIVER_COVER_H

#include "program/render/gl.h"
#include "program/stream/tile.h"

enum {
    RIVER_ARRIVALS = 256, /* tiles that may arrive at a time */
    RIVER_BUFFER = 4      /* binding of the cover */
};

/** Layers of tiles that arrive, each RIVER_ARRIVALS tiles of TILE_FLOATS floats. The first two are kept, in slots; the
 * others become the cover. */
typedef enum arrival_layer { ARRIVAL_HEIGHT, ARRIVAL_WATER, ARRIVAL_FLOW, ARRIVAL_SHORE, ARRIVAL_LAYERS } arrival_layer;

typedef struct river_cover river_cover;

/** Make room for the cover of n_slots tiles. Errors OUTCOME_FAILED */
outcome river_cover_create(uint32_t n_slots, river_cover **out);
void river_cover_destroy(river_cover *cover);

/** GPU memory of one slot, bytes. */
uint64_t river_cover_slot_bytes(void);

/** GL buffer of the cover: a slot is TILE_FLOATS bytes, 0 to 255, and a word that says what is known, see
 * shaders/river_cover.glsl.
 */
GLuint river_cover_buffer(const river_cover *cover);

/** GL buffer of the layers that arrive, ARRIVAL_LAYERS after each other. */
GLuint river_cover_arrivals(const river_cover *cover);

/** A tile that is going to a slot. */
typedef struct river_arrival {
    uint32_t slot;
    float step_m;    /* between samples */
    float spacing_m; /* a lattice step */
} river_arrival;

/** Find the cover of tiles, at most RIVER_ARRIVALS, whose flow and shore have arrived and whose water is in its slot.
 *
 *  water  GL buffer of the water in slots
 */
void river_cover_find(river_cover *cover, GLuint water, const river_arrival *arrivals, size_t count);

/** Water of all slots changes: no cover is known, and any of them may have water. */
void river_cover_forget(river_cover *cover);

#endif
