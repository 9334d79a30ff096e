/* tile_store.h - heights and normals of all tile slots on the GPU. */
#ifndef TERRANE_RENDER_TILE_STORE_H
#define TERRANE_RENDER_TILE_STORE_H

#include "render/gl.h"
#include "stream/tile.h"

typedef struct tile_store tile_store;

/** Room for n_slots tiles. */
outcome tile_store_create(uint32_t n_slots, tile_store **out);
void tile_store_destroy(tile_store *store);

/** GL buffer of the heights: slot s is TILE_FLOATS floats from s * TILE_FLOATS on, row-major, TILE_SAMPLES a row. */
GLuint tile_store_buffer(const tile_store *store);

/** Copy one tile's heights from host memory. */
void tile_store_upload(tile_store *store, uint32_t slot, const float *heights);

/** Compute the normals of slots whose heights are there. `spacing_m` of each slot's samples. */
void tile_store_make_normals(tile_store *store, const uint32_t *slots, const float *spacing_m, size_t count);

/** Bind heights (storage buffer 0) and normals (texture unit 0) for drawing. */
void tile_store_bind(const tile_store *store);

#endif
