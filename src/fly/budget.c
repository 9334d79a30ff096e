/* budget.c - the table of qualities. */
#include "fly/budget.h"

#include <stdio.h>

#include "render/gl.h"
#include "render/tile_store.h"
#include "render/view.h"

/* What a frame may take, milliseconds: 14 frames a second where the CPU draws. Else the GPU's part of one of 60 a second; where
 * that cannot be measured, the time between frames, which is never shorter than the display's. */
static const double SOFTWARE_MS = 70.0, GPU_MS = 14.0, DISPLAY_MS = 22.0;
static const double SOFTWARE_REST = 2.0; /* tiles get a third of the time where the CPU draws */

enum { QUALITIES = 3, CPU_LIGHT_SIDE = 32 };

/** What each quality spends. Without a GPU light is coarser and fewer tiles are lit again. */
static const struct {
    const char *name;
    render_quality quality;
    int tile_memory_mb; /* unless asked otherwise */
} qualities[QUALITIES] = {
    {"low",
     {.level = 0, .n_samples = 1, .mesh_step = 8, .light_side = 16, .cloud_share = 2, .n_refreshed = 2, .is_coarse = true},
     192},
    {"medium",
     {.level = 1, .n_samples = 2, .mesh_step = 4, .light_side = 32, .cloud_share = 2, .tree_range_m = 1400, .n_refreshed = 8},
     384},
    {"high",
     {.level = 2, .n_samples = 4, .mesh_step = 4, .light_side = 64, .cloud_share = 2, .tree_range_m = 2400, .n_refreshed = 8},
     600},
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

/* Without the sky the background is one color, which scaling would mix with the land's. */
resolution budget_resolution(const fly_request *r, unsigned layers, bool is_window, bool is_measured)
{
    const bool is_kept = !is_window || r->film || r->frames_dir || r->has_checksums;
    const int percent = r->render_percent != FLY_RENDER_AUTO ? r->render_percent : is_kept ? 100 : 0;
    if (percent > 0 || !(layers & 1u << LAYER_SKY))
        return resolution_fixed(percent > 0 ? percent : 100);
    return resolution_following(gl_is_software() ? SOFTWARE_MS : is_measured ? GPU_MS : DISPLAY_MS, gl_is_software());
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
    b.rest = gl_is_software() ? SOFTWARE_REST : 0.0;
    b.n_slots = choose_slots(r, &b.quality, has_water, say);
    return b;
}
