/* guide_cache.c - reads and writes files of tables. A file is used only if the library accepts its checksums. */
#include "program/guide/guide_cache.h"

#include <stdio.h>
#include <stdlib.h>

#include "program/core/system.h"
#include "program/file/commit.h"
#include "program/file/input_file.h"
#include "program/guide/guide_request.h"

enum { CACHE_PATH = 1000, NAME_DIGITS = 16 };

/** Name of the file. */
static result find_path(const ter_params *params, char path[CACHE_PATH])
{
    char name[TER_GUIDE_CHECKSUM];
    const guide_request *r = guide_request_of(params->guide);
    const result res = result_of_library(ter_params_name_guide(params, name), "world");
    if (res.kind != RESULT_DONE)
        return res;
    if (snprintf(path, CACHE_PATH, "%s.%.*s.tables", r->file, NAME_DIGITS, name) >= CACHE_PATH)
        return result_of(RESULT_USAGE, "--guide-cache: the name of the guide's file is too long");
    return res;
}

static result read_bytes(const char *path, void **bytes, size_t *size)
{
    FILE *file = NULL;
    uint64_t count = 0;
    result res = input_file_open(path, &file, &count);
    if (res.kind != RESULT_DONE)
        return res;
    *size = (size_t)count;
    *bytes = malloc(*size > 0 ? *size : 1);
    if (!*bytes)
        res = result_of(RESULT_FAILED, "no memory for '%s'", path);
    else if (fread(*bytes, 1, *size, file) != *size)
        res = result_of_file("read", path);
    fclose(file);
    return res;
}

/** Give the tables of a file to the guide. */
static result read_tables(const ter_params *params, const char *path)
{
    void *bytes = NULL;
    size_t size = 0;
    result res = read_bytes(path, &bytes, &size);
    if (res.kind == RESULT_DONE)
        res = result_of_library(ter_params_restore_guide(params, bytes, size), "");
    free(bytes);
    return res;
}

static result write_bytes(const char *path, const void *bytes, size_t size)
{
    output_file file;
    result res = output_file_open_beside(&file, path, size, true);
    if (res.kind != RESULT_DONE)
        return res;
    res = output_file_write(&file, bytes, size);
    if (res.kind == RESULT_DONE)
        return output_file_commit(&file);
    output_file_discard(&file);
    return res;
}

static result write_tables(const ter_world *world, const char *path)
{
    size_t size = 0;
    result res = result_of_library(ter_world_store_guide(world, NULL, 0, &size), "");
    void *bytes = res.kind == RESULT_DONE ? malloc(size) : NULL;
    if (res.kind == RESULT_DONE && !bytes)
        res = result_of(RESULT_FAILED, "no memory for %zu bytes", size);
    if (res.kind == RESULT_DONE)
        res = result_of_library(ter_world_store_guide(world, bytes, size, &size), "");
    if (res.kind == RESULT_DONE)
        res = write_bytes(path, bytes, size);
    free(bytes);
    return res;
}

result guide_cache_use(const ter_params *params, void (*say)(const char *sentence))
{
    char path[CACHE_PATH];
    system_facts facts;
    ter_world *world = NULL;
    result res = find_path(params, path);
    if (res.kind != RESULT_DONE)
        return res;
    const bool is_there = system_facts_of_name(path, &facts);
    const result found = is_there ? read_tables(params, path) : result_done();
    if (is_there && found.kind == RESULT_DONE)
        return found;
    if (is_there)
        say(result_of(RESULT_DONE, "the tables in '%s' are not used and made anew: %s", path, found.text).text);
    res = result_of_library(ter_world_create(params, &world), "world");
    if (res.kind != RESULT_DONE)
        return res;
    const result kept = write_tables(world, path);
    ter_world_destroy(world);
    if (kept.kind != RESULT_DONE)
        say(result_of(RESULT_DONE, "the tables are not kept in '%s': %s", path, kept.text).text);
    return res;
}
