/* budget.c - the table of qualities. */
#include "fly/budget.h"

#include <stdio.h>

#include "render/gl.h"
#include "render/tile_store.h"
#include "render/view.h"

enum { QUALITIES = 3, CPU_LIGHT_SIDE = 32 };

/** What each quality spends. Without a GPU light is coarser and fewer tiles are lit again. */
static const struct {
    const char *name;
    render_quality quality;
    int tile_memory_mb; /* unless asked otherwise */
} qualities[QUALITIES] = {
    {"low",
     {.level = 0, .n_samples = 1, .mesh_step = 8, .light_side = 16, .cloud_share = 2, .n_refreshed = 4, .is_coarse = true},
     192},
    {"medium",
     {.level = 1, .n_samples = 2, .mesh_step = 4, .light_side = 32, .cloud_share = 2, .tree_range_m = 1400, .n_refreshed = 8},
     384},
    {"high",
     {.level = 2, .n_samples = 4, .mesh_step = 4, .light_side = 64, .cloud_share = 2, .tree_range_m = 2400, .n_refreshed = 8},
     640},
};

const char *budget_quality_name(const budget *b)
{
    return qualities[b->quality.level].name;
}

/** As many tiles as a memory holds, and this OpenGL takes. */
static uint32_t choose_slots(const fly_request *r, const render_quality *quality, bool has_water, void (*say)(const char *))
{
    const bool is_asked = r->tile_memory_mb > 0;
    const int megabytes = is_asked ? r->tile_memory_mb : qualities[quality->level].tile_memory_mb;
    /* Unless asked otherwise water gets memory besides, so that as many tiles fit. */
    const uint64_t counted_bytes = tile_store_slot_bytes(quality->light_side, has_water && is_asked);
    const uint64_t slot_bytes = tile_store_slot_bytes(quality->light_side, has_water), most = tile_store_slots_max();
    const uint64_t wanted = ((uint64_t)megabytes << 20) / counted_bytes;
    if (wanted > most && is_asked) {
        char text[128];
        snprintf(text, sizeof text, "--tile-memory is %d, this OpenGL takes at most %llu", megabytes,
                 (unsigned long long)(most * slot_bytes >> 20));
        say(text);
    }
    return (uint32_t)(wanted < most ? wanted : most);
}

budget budget_choose(const fly_request *r, unsigned layers, bool has_water, void (*say)(const char *text))
{
    const int level = r->quality != FLY_QUALITY_AUTO ? r->quality : gl_is_software() ? 0 : QUALITIES - 1;
    budget b = {.quality = qualities[level].quality};
    /* Without the sky what shows through the land is counted: a pixel is one sample then, background or not. */
    if (!(layers & 1u << LAYER_SKY))
        b.quality.n_samples = 1;
    if (gl_is_software() && b.quality.light_side > CPU_LIGHT_SIDE)
        b.quality.light_side = CPU_LIGHT_SIDE;
    b.n_slots = choose_slots(r, &b.quality, has_water, say);
    return b;
}
