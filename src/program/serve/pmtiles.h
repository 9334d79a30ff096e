/* pmtiles.h - packs the tiles of a kind into one file, from which programs read single tiles by their place in the
 * file. Source: PMTiles Version 3 Specification, github.com/protomaps/PMTiles */
#ifndef TERRANE_PROGRAM_SERVE_PMTILES_H
#define TERRANE_PROGRAM_SERVE_PMTILES_H

#include "program/serve/web_site.h"

/** Number of a tile in PMTiles: zoom after zoom, and along a Hilbert curve in each. */
uint64_t pmtiles_id(int zoom, uint32_t x, uint32_t y);

/** Pack the tiles NAME/Z/X/Y.png of a site, or .pbf for the name "vectors", into NAME.pmtiles beside them. Tiles that
 * are missing are left out. Errors RESULT_FILE; RESULT_FAILED; RESULT_INTERRUPTED */
result pmtiles_pack(const web_site *site, const char *name, const work_events *events);

#endif
