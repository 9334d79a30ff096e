/* web_address.h - reads the addresses of tiles. No part of an address becomes the name of a file. */
#ifndef TERRANE_PROGRAM_SERVE_WEB_ADDRESS_H
#define TERRANE_PROGRAM_SERVE_WEB_ADDRESS_H

#include "program/serve/web_tile.h"

/** How an address was read. */
typedef enum web_answer {
    WEB_OK = 200,
    WEB_BAD = 400,      /* the address names a kind, but no tile: its numbers cannot be read */
    WEB_NOT_FOUND = 404 /* no such kind, or a tile outside the map */
} web_answer;

/** Read the address of a tile, "/map/10/500/511.png".
 *
 *  why  becomes a sentence for the reader, if the address is refused
 */
web_answer web_address_read(const char *address, const web_land *land, web_tile *tile, char why[256]);

#endif
