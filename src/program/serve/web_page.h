/* web_page.h - the texts of a web map: its page, MapLibre GL, and descriptions of the tiles. */
#ifndef TERRANE_PROGRAM_SERVE_WEB_PAGE_H
#define TERRANE_PROGRAM_SERVE_WEB_PAGE_H

#include "program/serve/web_tile.h"

enum { WEB_TEXT = 2048 };

/** A file that does not depend on the world. */
typedef struct web_file {
    const char *name; /* "index.html" */
    const char *type; /* for the header Content-Type */
    const void *bytes;
    size_t size;
} web_file;

/** The n-th file; false after the last one. */
bool web_file_at(int n, web_file *file);

/** Continue a checksum, which begins with WEB_CHECKSUM_START. Source: Fowler, Noll, Vo: FNV-1a, 64 bits */
uint64_t web_checksum(uint64_t sum, const char *text);

static const uint64_t WEB_CHECKSUM_START = 0xcbf29ce484222325U;

/** Range of zooms of a map. */
typedef struct web_zooms {
    int least, greatest;
} web_zooms;

/** Make the TileJSON of a kind. Source: TileJSON 3.0.0. The member "terrane" has facts about the map and its world, and
 * the options that choose the world.
 *
 *  base   of the addresses of tiles: "http://127.0.0.1:8080/", or "" for tiles beside the file
 *  world  options that choose the world, for `terrane fly`
 */
void web_tilejson(const web_land *land, web_kind kind, web_zooms zooms, const char *base, const char *world,
                  char text[WEB_TEXT]);

#endif
