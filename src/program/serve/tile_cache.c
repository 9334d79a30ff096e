/* tile_cache.c - a table with one slot for each remainder of a tile's number. */
#include "program/serve/tile_cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct slot {
    web_tile tile;
    void *bytes; /* NULL: empty */
    size_t size;
} slot;

struct tile_cache {
    pthread_mutex_t lock;
    slot slots[TILE_CACHE_SLOTS];
};

tile_cache *tile_cache_create(void)
{
    tile_cache *cache = calloc(1, sizeof *cache);
    if (cache)
        pthread_mutex_init(&cache->lock, NULL);
    return cache;
}

void tile_cache_destroy(tile_cache *cache)
{
    if (!cache)
        return;
    for (int n = 0; n < TILE_CACHE_SLOTS; n++)
        free(cache->slots[n].bytes);
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

/** Slot of a tile. Neighbouring tiles of one kind and zoom have different slots. */
static slot *slot_of(tile_cache *cache, const web_tile *t)
{
    const uint64_t number = (uint64_t)t->x + (uint64_t)t->y * 31U + (uint64_t)t->zoom * 101U + (uint64_t)t->kind * 211U;
    return &cache->slots[number % TILE_CACHE_SLOTS];
}

static bool is_same(const web_tile *a, const web_tile *b)
{
    return a->kind == b->kind && a->zoom == b->zoom && a->x == b->x && a->y == b->y;
}

void tile_cache_keep(tile_cache *cache, const web_tile *tile, const void *bytes, size_t size)
{
    void *copy = malloc(size);
    if (!copy)
        return;
    memcpy(copy, bytes, size);
    pthread_mutex_lock(&cache->lock);
    slot *s = slot_of(cache, tile);
    free(s->bytes);
    *s = (slot){*tile, copy, size};
    pthread_mutex_unlock(&cache->lock);
}

void *tile_cache_find(tile_cache *cache, const web_tile *tile, size_t *size)
{
    void *copy = NULL;
    pthread_mutex_lock(&cache->lock);
    const slot *s = slot_of(cache, tile);
    if (s->bytes && is_same(&s->tile, tile) && (copy = malloc(s->size))) {
        memcpy(copy, s->bytes, s->size);
        *size = s->size;
    }
    pthread_mutex_unlock(&cache->lock);
    return copy;
}
