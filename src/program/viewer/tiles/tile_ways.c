/* tile_ways.c - the list of ways. */
#include "program/viewer/tiles/tile_ways.h"

#include <stdio.h>

#include "program/viewer/tiles/tile_maker_gl.h"
#include "program/viewer/tiles/tile_maker_host.h"

result tile_ways_open(tile_maker *m)
{
    m->has_water = tile_store_water_buffer(m->store) != 0;
    const ter_status status = tile_maker_share_buffers(m);
    snprintf(m->interop, sizeof m->interop, "%s%s",
             status == TER_OK ? "on" : "off: ", status == TER_OK ? "" : ter_error_detail());
    return tile_maker_is_shared(m) ? result_done() : tile_maker_reserve_host(m);
}

void tile_ways_close(tile_maker *m)
{
    tile_maker_release_buffers(m);
    tile_maker_release_host(m);
}

const tile_maker_table *tile_ways_choose(const tile_maker *m)
{
    if (!tile_maker_is_shared(m))
        return &tile_maker_host;
    return tile_maker_has_rivers(m) ? &tile_maker_staging : &tile_maker_direct;
}
