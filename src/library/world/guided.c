/* guided.c - describes the tables that a world has made from its guide, writes them as bytes, and reads such bytes. */
#include <string.h>

#include "library/core/sized_struct.h"
#include "library/guide/stored.h"
#include "library/world/world.h"

static ter_status check_guided(const ter_world *world)
{
    return world->guide ? TER_OK : ter_fail(TER_EINVAL, "the world has no guide");
}

ter_status ter_world_guide_report(const ter_world *world, ter_guide_report *out)
{
    TER_REQUIRE(world);
    TER_REQUIRE(out);
    const ter_status status = check_guided(world);
    if (status != TER_OK)
        return status;
    return ter_write_struct(out, &world->guide->report, sizeof world->guide->report, "ter_guide_report");
}

ter_status ter_world_store_guide(const ter_world *world, void *out, size_t capacity, size_t *size)
{
    TER_REQUIRE(world);
    TER_REQUIRE(size);
    const ter_status status = check_guided(world);
    if (status != TER_OK)
        return status;
    *size = guide_stored_size(world->guide);
    if (!out)
        return TER_OK;
    if (capacity < *size)
        return ter_fail(TER_EINVAL, "capacity is %zu bytes, expected %zu for the tables of the guide", capacity, *size);
    guide_store_tables(world->params.guide, world->guide, out);
    return TER_OK;
}

ter_status ter_params_name_guide(const ter_params *params, char *text)
{
    ter_params used;
    ter_fluvial f;
    unsigned char digest[TER_SHA256_BYTES];
    TER_REQUIRE(params);
    TER_REQUIRE(text);
    const ter_status status = ter_params_read_guided(params, &used, &f);
    if (status != TER_OK)
        return status;
    guide_name_tables(used.guide, &f, digest);
    ter_sha256_text(digest, text);
    return TER_OK;
}

ter_status ter_params_restore_guide(const ter_params *params, const void *bytes, size_t size)
{
    ter_params used;
    ter_fluvial f;
    TER_REQUIRE(params);
    TER_REQUIRE(bytes);
    const ter_status status = ter_params_read_guided(params, &used, &f);
    return status == TER_OK ? guide_restore_tables(used.guide, &f, bytes, size) : status;
}
