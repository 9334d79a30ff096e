/* pmtiles.c - lists the tiles of a site in their order, writes the directories, and copies the tiles after them.
 *
 *     header, 127 bytes | root directory | metadata, JSON | leaf directories | tiles
 *
 * The header and the root directory fit into the first 16 KiB. If the entries of all tiles do not, the root directory
 * lists leaf directories, which list tiles. */
#include "program/serve/pmtiles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "library/core/grow.h"
#include "program/core/system.h"
#include "program/file/commit.h"
#include "program/file/output_file.h"
#include "program/serve/packed_text.h"

enum { HEADER = 127, ROOT_MOST = 16384 - HEADER, LEAF = 4096 /* entries */, COPY = 1 << 16, NAME_ROOM = 1200 };
enum { PACKED_NONE = 1, PACKED_GZIP = 2, TYPE_MVT = 1, TYPE_PNG = 2 }; /* values of the header */

/** An entry of a directory: a tile, or a leaf directory, whose run is 0. */
typedef struct pm_entry {
    uint64_t id, offset;
    uint32_t length, run;
    int zoom;
    int64_t x, y;
} pm_entry;

typedef struct pm_entries {
    pm_entry *at;
    size_t count, room;
} pm_entries;

/** Bytes that grow. */
typedef struct pm_bytes {
    unsigned char *at;
    size_t count, room;
    bool has_failed;
} pm_bytes;

uint64_t pmtiles_id(int zoom, uint32_t x, uint32_t y)
{
    uint64_t id = ((UINT64_C(1) << (2 * zoom)) - 1) / 3;
    for (uint32_t side = UINT32_C(1) << zoom >> 1; side > 0; side /= 2) {
        const uint32_t rx = (x & side) > 0, ry = (y & side) > 0;
        id += (uint64_t)side * side * ((3 * rx) ^ ry);
        if (ry == 0) {
            if (rx == 1) {
                x = side - 1 - (x & (side - 1));
                y = side - 1 - (y & (side - 1));
            }
            const uint32_t t = x;
            x = y;
            y = t;
        }
    }
    return id;
}

/* ---- bytes ---- */

static void put_byte(pm_bytes *b, unsigned char byte)
{
    unsigned char *at = ter_grow(b->at, &b->room, b->count + 1, 1);
    b->has_failed |= !at;
    if (!at)
        return;
    b->at = at;
    b->at[b->count++] = byte;
}

/** Write a number in groups of seven bits, the low ones first. */
static void put_varint(pm_bytes *b, uint64_t number)
{
    for (; number >= 128; number >>= 7)
        put_byte(b, (unsigned char)(number | 128));
    put_byte(b, (unsigned char)number);
}

static void put_little(unsigned char *at, uint64_t number, int bytes)
{
    for (int n = 0; n < bytes; n++)
        at[n] = (unsigned char)(number >> (8 * n));
}

/** Append bytes, packed by gzip. */
static void put_packed(pm_bytes *b, const void *bytes, size_t count)
{
    size_t size;
    unsigned char *packed = packed_bytes(bytes, count, &size);
    for (size_t n = 0; n < size; n++)
        put_byte(b, packed[n]);
    b->has_failed |= !packed;
    free(packed);
}

/** Append a directory, packed by gzip: differences of ids, runs, lengths and offsets. Offset 0 means that the bytes of
 * an entry follow those of the entry before it. */
static void put_directory(pm_bytes *b, const pm_entry *entries, size_t count)
{
    pm_bytes plain = {0};
    put_varint(&plain, count);
    for (size_t n = 0; n < count; n++)
        put_varint(&plain, entries[n].id - (n > 0 ? entries[n - 1].id : 0));
    for (size_t n = 0; n < count; n++)
        put_varint(&plain, entries[n].run);
    for (size_t n = 0; n < count; n++)
        put_varint(&plain, entries[n].length);
    for (size_t n = 0; n < count; n++)
        put_varint(&plain, n > 0 && entries[n].offset == entries[n - 1].offset + entries[n - 1].length
                               ? 0
                               : entries[n].offset + 1);
    b->has_failed |= plain.has_failed;
    put_packed(b, plain.at, plain.count);
    free(plain.at);
}

/* ---- tiles ---- */

static bool is_vector(const char *name)
{
    return strcmp(name, "vectors") == 0;
}

static void name_tile(const web_site *site, const char *name, const pm_entry *e, char path[NAME_ROOM])
{
    snprintf(path, NAME_ROOM, "%s/%s/%d/%lld/%lld.%s", site->folder, name, e->zoom, (long long)e->x, (long long)e->y,
             is_vector(name) ? "pbf" : "png");
}

static bool add_entry(pm_entries *list, pm_entry entry)
{
    pm_entry *at = ter_grow(list->at, &list->room, list->count + 1, sizeof *at);
    if (!at)
        return false;
    list->at = at;
    list->at[list->count++] = entry;
    return true;
}

static int by_id(const void *a, const void *b)
{
    const pm_entry *u = a, *v = b;
    return u->id < v->id ? -1 : u->id > v->id;
}

/** List the tiles that exist, in the order of their ids, one behind the other. */
static result list_tiles(const web_site *site, const char *name, pm_entries *list)
{
    char path[NAME_ROOM];
    system_facts facts;
    for (int zoom = site->zooms.least; zoom <= site->zooms.greatest; zoom++) {
        const web_range r = web_site_range(site, zoom);
        for (int64_t x = r.first[0]; x <= r.last[0]; x++)
            for (int64_t y = r.first[1]; y <= r.last[1]; y++) {
                pm_entry e = {.id = pmtiles_id(zoom, (uint32_t)x, (uint32_t)y), .run = 1, .zoom = zoom, .x = x, .y = y};
                name_tile(site, name, &e, path);
                if (!system_facts_of_target(path, &facts))
                    continue;
                e.length = (uint32_t)facts.bytes;
                if (!add_entry(list, e))
                    return result_of(RESULT_FAILED, "out of memory");
            }
    }
    if (list->count > 1)
        qsort(list->at, list->count, sizeof *list->at, by_id);
    for (size_t n = 1; n < list->count; n++)
        list->at[n].offset = list->at[n - 1].offset + list->at[n - 1].length;
    return result_done();
}

/* ---- the file ---- */

/** The parts of a file before its tiles. */
typedef struct pm_parts {
    unsigned char header[HEADER];
    pm_bytes root, metadata, leaves;
} pm_parts;

static void make_directories(const pm_entries *list, pm_parts *parts)
{
    put_directory(&parts->root, list->at, list->count);
    if (parts->root.count <= ROOT_MOST)
        return;
    pm_entries root = {0};
    parts->root.count = 0;
    size_t per_leaf = LEAF;
    while (list->count / per_leaf > 1000) /* the entries of a thousand leaves fit into the root directory */
        per_leaf *= 2;
    for (size_t n = 0; n < list->count && !parts->leaves.has_failed; n += per_leaf) {
        const size_t count = list->count - n < per_leaf ? list->count - n : per_leaf, before = parts->leaves.count;
        put_directory(&parts->leaves, list->at + n, count);
        const pm_entry leaf = {
            .id = list->at[n].id, .offset = before, .length = (uint32_t)(parts->leaves.count - before)};
        parts->leaves.has_failed |= !add_entry(&root, leaf);
    }
    put_directory(&parts->root, root.at, root.count);
    free(root.at);
}

/** Degrees of the map, times 10^7, of a place from 0 to 1 along its side. */
static uint64_t degrees_e7(double share, bool is_north)
{
    const double pi = 3.14159265358979323846;
    const double degrees = is_north ? atan(sinh(pi * (1.0 - 2.0 * share))) * 180.0 / pi : 360.0 * share - 180.0;
    return (uint64_t)(uint32_t)(int32_t)rint(degrees * 1e7);
}

/** Where the site begins or ends along the side of the map. */
static double share_of(const web_site *site, int axis, const double place[2])
{
    const double side = ldexp(1.0, WEB_MAP_SIDE_LOG);
    return fmin(fmax((place[axis] - (double)site->land.centre[axis]) / side + 0.5, 0.0), 1.0);
}

static void make_header(const web_site *site, const char *name, const pm_entries *list, pm_parts *parts)
{
    static const unsigned char magic[8] = {'P', 'M', 'T', 'i', 'l', 'e', 's', 3};
    unsigned char *h = parts->header;
    const uint64_t root = parts->root.count, metadata = parts->metadata.count, leaves = parts->leaves.count;
    const pm_entry *last = list->count > 0 ? &list->at[list->count - 1] : NULL;
    const uint64_t parts_at[8] = {HEADER,
                                  root,
                                  HEADER + root,
                                  metadata,
                                  HEADER + root + metadata,
                                  leaves,
                                  HEADER + root + metadata + leaves,
                                  last ? last->offset + last->length : 0};
    memcpy(h, magic, sizeof magic);
    for (int n = 0; n < 8; n++)
        put_little(h + 8 + 8 * n, parts_at[n], 8);
    for (int n = 0; n < 3; n++) /* tiles that can be asked for, entries, and different tiles */
        put_little(h + 72 + 8 * n, list->count, 8);
    h[96] = 1;           /* the tiles lie in the order of their ids */
    h[97] = PACKED_GZIP; /* directories and metadata */
    h[98] = PACKED_NONE;
    h[99] = is_vector(name) ? TYPE_MVT : TYPE_PNG;
    h[100] = (unsigned char)site->zooms.least;
    h[101] = (unsigned char)site->zooms.greatest;
    const double west = share_of(site, 0, site->first), east = share_of(site, 0, site->last),
                 north = share_of(site, 1, site->first), south = share_of(site, 1, site->last);
    put_little(h + 102, degrees_e7(west, false), 4);
    put_little(h + 106, degrees_e7(south, true), 4);
    put_little(h + 110, degrees_e7(east, false), 4);
    put_little(h + 114, degrees_e7(north, true), 4);
    h[118] = (unsigned char)site->zooms.least;
    put_little(h + 119, degrees_e7(0.5 * (west + east), false), 4);
    put_little(h + 123, degrees_e7(0.5 * (north + south), true), 4);
}

static void make_metadata(const web_site *site, const char *name, pm_bytes *out)
{
    char layers[256] = "", text[512];
    size_t used = 0;
    for (const char *at = site->land.vectors; is_vector(name) && at && *at && used < 200;) {
        const int length = (int)strcspn(at, ",");
        used += (size_t)snprintf(layers + used, sizeof layers - used, "%s{\"id\":\"%.*s\",\"fields\":{}}",
                                 used > 0 ? "," : "", length, at);
        at += length + (at[length] == ',');
    }
    snprintf(text, 512, "{\"name\":\"terrane %s\"%s%s%s%s}", name,
             strcmp(name, "terrarium") == 0 ? ",\"encoding\":\"terrarium\"" : "",
             used > 0 ? ",\"vector_layers\":[" : "", layers, used > 0 ? "]" : "");
    put_packed(out, text, strlen(text));
}

static result copy_tile(const char *path, uint32_t length, output_file *out)
{
    unsigned char bytes[COPY];
    const int file = system_open(path, SYSTEM_READ);
    result res = file < 0 ? result_of_file("read", path) : result_done();
    uint32_t done = 0;
    while (res.kind == RESULT_DONE && done < length) {
        const int64_t got = system_read_at(file, bytes, length - done < COPY ? length - done : COPY, done);
        if (got <= 0)
            res = result_of(RESULT_FILE, "cannot read '%s': it ends after %u of %u bytes", path, done, length);
        else
            res = output_file_write(out, bytes, (size_t)got);
        done += got > 0 ? (uint32_t)got : 0;
    }
    if (file >= 0)
        system_close(file);
    return res;
}

static result write_parts(const web_site *site, const char *name, const pm_entries *list, const pm_parts *parts,
                          output_file *out, const work_events *events)
{
    char path[NAME_ROOM];
    result res = output_file_write(out, parts->header, HEADER);
    if (res.kind == RESULT_DONE)
        res = output_file_write(out, parts->root.at, parts->root.count);
    if (res.kind == RESULT_DONE)
        res = output_file_write(out, parts->metadata.at, parts->metadata.count);
    if (res.kind == RESULT_DONE && parts->leaves.count > 0)
        res = output_file_write(out, parts->leaves.at, parts->leaves.count);
    for (size_t n = 0; n < list->count && res.kind == RESULT_DONE; n++) {
        if (n % 64 == 0 && !work_goes_on(events, out->path, (double)n / (double)list->count))
            return result_of(RESULT_INTERRUPTED, "interrupted; --resume makes what is missing");
        name_tile(site, name, &list->at[n], path);
        res = copy_tile(path, list->at[n].length, out);
    }
    return res;
}

static result write_file(const web_site *site, const char *name, const pm_entries *list, const pm_parts *parts,
                         const work_events *events)
{
    char path[NAME_ROOM];
    output_file out;
    snprintf(path, sizeof path, "%s/%s.pmtiles", site->folder, name);
    result res = output_file_open_beside(&out, path, 0, site->may_replace || site->resume);
    if (res.kind != RESULT_DONE)
        return res;
    res = write_parts(site, name, list, parts, &out, events);
    if (res.kind == RESULT_DONE)
        return output_file_commit(&out);
    output_file_discard(&out);
    return res;
}

result pmtiles_pack(const web_site *site, const char *name, const work_events *events)
{
    pm_entries list = {0};
    pm_parts parts = {.root = {0}};
    result res = list_tiles(site, name, &list);
    if (res.kind == RESULT_DONE) {
        make_directories(&list, &parts);
        make_metadata(site, name, &parts.metadata);
        make_header(site, name, &list, &parts);
        const bool has_failed = parts.root.has_failed || parts.metadata.has_failed || parts.leaves.has_failed;
        res = has_failed ? result_of(RESULT_FAILED, "out of memory") : write_file(site, name, &list, &parts, events);
    }
    free(list.at);
    free(parts.root.at);
    free(parts.metadata.at);
    free(parts.leaves.at);
    return res;
}
