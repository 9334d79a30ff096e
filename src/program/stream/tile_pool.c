/* tile_pool.c - finds the slot of a tile in a hash table with open addressing. A list keeps all slots in the order in
 * which they were used last. */
#include "program/stream/tile_pool.h"

#include <math.h>
#include <stdlib.h>

enum { NONE = 0xffffffffu };

typedef struct slot {
    tile_key key;
    tile_state state;
    uint64_t frame;        /* frame in which the slot was used last */
    uint32_t newer, older; /* neighbours in the list of slots by last use; NONE at its ends */
    float low_m, high_m;
    float detail_share;
    unsigned children;       /* bits 1 << child of the children that were replaced in replaced_frame */
    uint64_t replaced_frame; /* last frame in which this tile was drawn instead of some of its children */
} slot;

struct tile_pool {
    slot *slots;
    uint32_t n_slots, n_used;
    uint32_t newest, oldest;
    uint32_t *table; /* the hash table: slot numbers, NONE where empty; linear probing */
    uint32_t mask;
};

static uint32_t hash_of(const tile_pool *pool, tile_key key)
{
    uint64_t h = (uint64_t)key.i * UINT64_C(0x9E3779B97F4A7C15) ^
                 ((uint64_t)key.j + (uint64_t)key.lod) * UINT64_C(0xC2B2AE3D27D4EB4F);
    h ^= h >> 29;
    h *= UINT64_C(0xBF58476D1CE4E5B9);
    return (uint32_t)(h >> 32) & pool->mask;
}

static bool is_same(tile_key a, tile_key b)
{
    return a.lod == b.lod && a.i == b.i && a.j == b.j;
}

/** Index of a key's entry in the hash table. If the key is absent, index of the empty entry where it would be added. */
static uint32_t find_place(const tile_pool *pool, tile_key key)
{
    uint32_t place = hash_of(pool, key);
    while (pool->table[place] != NONE && !is_same(pool->slots[pool->table[place]].key, key))
        place = (place + 1) & pool->mask;
    return place;
}

/** Remove an entry from the hash table. Later entries of its probe sequence move up, so that no gap remains. */
static void erase_place(tile_pool *pool, uint32_t place)
{
    uint32_t gap = place;
    for (uint32_t next = (gap + 1) & pool->mask; pool->table[next] != NONE; next = (next + 1) & pool->mask) {
        const uint32_t home = hash_of(pool, pool->slots[pool->table[next]].key);
        if (((next - home) & pool->mask) >= ((next - gap) & pool->mask)) {
            pool->table[gap] = pool->table[next];
            gap = next;
        }
    }
    pool->table[gap] = NONE;
}

static void unlink_slot(tile_pool *pool, uint32_t n)
{
    const slot *s = &pool->slots[n];
    if (s->newer != NONE)
        pool->slots[s->newer].older = s->older;
    else
        pool->newest = s->older;
    if (s->older != NONE)
        pool->slots[s->older].newer = s->newer;
    else
        pool->oldest = s->newer;
}

static void link_newest(tile_pool *pool, uint32_t n)
{
    pool->slots[n].newer = NONE;
    pool->slots[n].older = pool->newest;
    if (pool->newest != NONE)
        pool->slots[pool->newest].newer = n;
    else
        pool->oldest = n;
    pool->newest = n;
}

tile_pool *tile_pool_create(uint32_t n_slots)
{
    tile_pool *pool = calloc(1, sizeof *pool);
    uint32_t size = 16;
    while (size < 2 * n_slots)
        size *= 2;
    if (pool) {
        pool->slots = calloc(n_slots, sizeof *pool->slots);
        pool->table = malloc(size * sizeof *pool->table);
    }
    if (!pool || !pool->slots || !pool->table) {
        tile_pool_destroy(pool);
        return NULL;
    }
    pool->n_slots = n_slots;
    pool->mask = size - 1;
    pool->newest = pool->oldest = NONE;
    for (uint32_t n = 0; n < size; n++)
        pool->table[n] = NONE;
    return pool;
}

void tile_pool_destroy(tile_pool *pool)
{
    if (!pool)
        return;
    free(pool->slots);
    free(pool->table);
    free(pool);
}

tile_state tile_pool_use(tile_pool *pool, tile_key key, uint64_t frame, uint32_t *out)
{
    const uint32_t n = pool->table[find_place(pool, key)];
    if (n == NONE)
        return TILE_ABSENT;
    unlink_slot(pool, n);
    link_newest(pool, n);
    pool->slots[n].frame = frame;
    *out = n;
    return pool->slots[n].state;
}

bool tile_pool_is_used(const tile_pool *pool, uint32_t n, uint64_t frame)
{
    return pool->slots[n].frame == frame;
}

/** Free the least recently used slot that is not pending and was not used in `frame`. Returns the slot, or NONE if
 * there is no such slot. */
static uint32_t evict(tile_pool *pool, uint64_t frame)
{
    for (uint32_t n = pool->oldest; n != NONE && pool->slots[n].frame != frame; n = pool->slots[n].newer)
        if (pool->slots[n].state != TILE_PENDING) {
            if (pool->slots[n].state == TILE_READY)
                erase_place(pool, find_place(pool, pool->slots[n].key));
            unlink_slot(pool, n);
            return n;
        }
    return NONE;
}

bool tile_pool_reserve(tile_pool *pool, tile_key key, uint64_t frame, uint32_t *out)
{
    const uint32_t n = pool->n_used < pool->n_slots ? pool->n_used++ : evict(pool, frame);
    if (n == NONE)
        return false;
    pool->slots[n] = (slot){.key = key,
                            .state = TILE_PENDING,
                            .frame = frame,
                            .low_m = -INFINITY,
                            .high_m = INFINITY,
                            .detail_share = 1.0f};
    pool->table[find_place(pool, key)] = n;
    link_newest(pool, n);
    *out = n;
    return true;
}

void tile_pool_complete(tile_pool *pool, uint32_t n)
{
    pool->slots[n].state = TILE_READY;
}

void tile_pool_set_bounds(tile_pool *pool, uint32_t n, float low_m, float high_m)
{
    pool->slots[n].low_m = low_m;
    pool->slots[n].high_m = high_m;
}

void tile_pool_bounds(const tile_pool *pool, uint32_t n, float *low_m, float *high_m)
{
    *low_m = pool->slots[n].low_m;
    *high_m = pool->slots[n].high_m;
}

void tile_pool_set_detail_share(tile_pool *pool, uint32_t n, float share)
{
    pool->slots[n].detail_share = share;
}

float tile_pool_detail_share(const tile_pool *pool, uint32_t n)
{
    return pool->slots[n].detail_share;
}

void tile_pool_note_replaced_children(tile_pool *pool, uint32_t n, uint64_t frame, unsigned children)
{
    slot *s = &pool->slots[n];
    s->children = s->replaced_frame == frame ? s->children | children : children;
    s->replaced_frame = frame;
}

unsigned tile_pool_replaced_children(const tile_pool *pool, uint32_t n, uint64_t frame)
{
    return pool->slots[n].replaced_frame == frame ? pool->slots[n].children : 0;
}

void tile_pool_drop_unused(tile_pool *pool, uint64_t frame, void (*dropped)(void *user, uint32_t slot), void *user)
{
    for (uint32_t n = 0; n < pool->n_used; n++) {
        slot *s = &pool->slots[n];
        if (s->state != TILE_READY || s->frame == frame)
            continue;
        erase_place(pool, find_place(pool, s->key));
        s->state = TILE_ABSENT;
        dropped(user, n);
    }
}

void tile_pool_forget_bounds(tile_pool *pool)
{
    for (uint32_t n = 0; n < pool->n_used; n++)
        tile_pool_set_bounds(pool, n, -INFINITY, INFINITY);
}
