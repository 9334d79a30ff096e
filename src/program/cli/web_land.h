/* web_land.h - what a web map says about its world: the options that choose it, and what its tiles depend on. */
#ifndef TERRANE_PROGRAM_CLI_WEB_LAND_H
#define TERRANE_PROGRAM_CLI_WEB_LAND_H

#include "program/cli/setup.h"
#include "program/export/formats/export_file.h"

enum { WEB_WORLD_TEXT = 256, WEB_IDENTITY_TEXT = 2 * EXPORT_FILE_TEXT };

/** The options of the world as the user gave them, for `terrane fly`; empty if they are too long. Returns `text`. */
const char *web_world_options(const setup *s, char text[WEB_WORLD_TEXT]);

/** A line that describes world and look. Worlds with equal lines have equal tiles. Returns `text`. */
const char *web_land_identity(const setup *s, char text[WEB_IDENTITY_TEXT]);

#endif
