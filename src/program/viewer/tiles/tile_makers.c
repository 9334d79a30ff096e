/* tile_makers.c - opens and chooses methods. */
#include "program/viewer/tiles/tile_makers.h"

#include <stdio.h>

#include "program/viewer/tiles/tile_maker_gl.h"
#include "program/viewer/tiles/tile_maker_host.h"

result tile_makers_open(tile_maker *m)
{
    m->has_water = tile_store_water_buffer(m->store) != 0;
    const ter_status status = tile_maker_share_buffers(m);
    snprintf(m->interop, sizeof m->interop, "%s%s",
             status == TER_OK ? "on" : "off: ", status == TER_OK ? "" : ter_error_detail());
    return tile_maker_is_shared(m) ? result_done() : tile_maker_reserve_host(m);
}

void tile_makers_close(tile_maker *m)
{
    tile_maker_release_buffers(m);
    tile_maker_release_host(m);
}

const tile_maker_table *tile_makers_choose(const tile_maker *m)
{
    if (!tile_maker_is_shared(m))
        return &tile_maker_host;
    return tile_maker_has_rivers(m) ? &tile_maker_staging : &tile_maker_direct;
}
