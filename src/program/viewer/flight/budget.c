/* budget.c - the table of qualities, and the choice of memory and resolution. */
#include "program/viewer/flight/budget.h"

#include <stdio.h>

#include "program/render/gl.h"
#include "program/render/tile_store.h"
#include "program/render/view.h"

/* Time budgets of a frame, milliseconds. SOFTWARE_MS: time from frame to frame if the CPU draws, for 14 frames per
 * second. GPU_MS: time of the GPU, for 60 frames per second. DISPLAY_MS: time from frame to frame if GPU time cannot be
 * measured. The time from frame to frame is never shorter than the display's period, so this budget is larger. */
static const double SOFTWARE_MS = 70.0, GPU_MS = 14.0, DISPLAY_MS = 22.0;
static const double SOFTWARE_REST = 1.0; /* if the CPU draws, the tile worker rests as long as it works */

const char *const fly_qualities[] = {"auto", "lowest", "low", "medium", "high", NULL};

enum { CPU_LIGHT_SIDE = 32 };

/** The qualities, in the order of fly_qualities. If the CPU draws, light_side is at most CPU_LIGHT_SIDE. */
static const struct {
    render_quality quality;
    int tile_memory_mb; /* memory for tiles, unless the request sets it */
} qualities[FLY_QUALITIES] = {
    {{.level = 0,
      .n_samples = 1,
      .mesh_step = 16,
      .light_side = 16,
      .cloud_share = 3,
      .n_refreshed = 1,
      .is_coarse = true,
      .beyond_m = 20e3},
     192},
    {{.level = 0,
      .n_samples = 1,
      .mesh_step = 8,
      .light_side = 16,
      .cloud_share = 2,
      .n_refreshed = 2,
      .is_coarse = true},
     192},
    {{.level = 1,
      .n_samples = 2,
      .mesh_step = 4,
      .fine_lods = 2,
      .light_side = 32,
      .cloud_share = 2,
      .tree_range_m = 1400,
      .n_refreshed = 8},
     384},
    {{.level = 2,
      .n_samples = 4,
      .mesh_step = 4,
      .fine_lods = 4,
      .light_side = 64,
      .cloud_share = 2,
      .tree_range_m = 2400,
      .n_refreshed = 8},
     600},
};

const char *budget_quality_name(const budget *b)
{
    return fly_qualities[b->kind + 1];
}

/** Number of tiles that fit the memory and the limits of this OpenGL. */
static uint32_t choose_slots(const fly_request *r, const budget *b, bool has_water, void (*report)(const char *))
{
    const bool is_asked = r->tile_memory_mb > 0;
    const int megabytes = is_asked ? r->tile_memory_mb : qualities[b->kind].tile_memory_mb;
    /* The default memory is for heights only: water gets additional memory, so that the same number of tiles fits. */
    const uint64_t counted_bytes = tile_store_slot_bytes(b->quality.light_side, has_water && is_asked);
    const uint64_t slot_bytes = tile_store_slot_bytes(b->quality.light_side, has_water), most = tile_store_slots_max();
    const uint64_t wanted = ((uint64_t)megabytes << 20) / counted_bytes;
    if (wanted > most && is_asked) {
        char text[128];
        snprintf(text, sizeof text, "--tile-memory is %d, this OpenGL takes at most %llu", megabytes,
                 (unsigned long long)(most * slot_bytes >> 20));
        report(text);
    }
    return (uint32_t)(wanted < most ? wanted : most);
}

bool budget_keeps_frames(const fly_request *r, bool is_window)
{
    return !is_window || r->film || r->frames_dir || r->has_checksums;
}

/* Without the sky the background has one colour. Scaling would mix it with the colours of the land. */
resolution budget_resolution(const fly_request *r, unsigned layers, bool is_window, bool is_measured)
{
    const int percent = r->render_percent != FLY_RENDER_AUTO ? r->render_percent
                        : budget_keeps_frames(r, is_window)  ? 100
                                                             : 0;
    if (percent > 0 || !(layers & 1u << LAYER_SKY))
        return resolution_fixed(percent > 0 ? percent : 100);
    return resolution_following(gl_is_software() ? SOFTWARE_MS : is_measured ? GPU_MS : DISPLAY_MS, gl_is_software());
}

int budget_usual_quality(const fly_request *r, bool is_window)
{
    return !gl_is_software()                   ? FLY_QUALITY_HIGH
           : budget_keeps_frames(r, is_window) ? FLY_QUALITY_LOW
                                               : FLY_QUALITY_LOWEST;
}

budget budget_choose(const fly_request *r, int quality, unsigned layers, bool has_water,
                     void (*report)(const char *text))
{
    budget b = {.kind = quality, .quality = qualities[quality].quality};
    /* Without the sky, holes in the land can be counted as pixels of the background. With one sample per pixel, each
     * pixel is either background or land. */
    if (!(layers & 1u << LAYER_SKY))
        b.quality.n_samples = 1;
    if (gl_is_software() && b.quality.light_side > CPU_LIGHT_SIDE)
        b.quality.light_side = CPU_LIGHT_SIDE;
    b.rest = gl_is_software() ? SOFTWARE_REST : 0.0;
    b.n_slots = choose_slots(r, &b, has_water, report);
    return b;
}
