/* web_land.h - what a web map says about its world: the options that choose it, and what its tiles depend on. */
#ifndef TERRANE_PROGRAM_CLI_WEB_LAND_H
#define TERRANE_PROGRAM_CLI_WEB_LAND_H

#include "program/cli/setup.h"
#include "program/serve/web_tile.h"

enum { WEB_WORLD_TEXT = 256 };

/** The options of the world as the user gave them, for `terrane fly`; empty if they are too long. Returns `text`. */
const char *web_world_options(const setup *s, char text[WEB_WORLD_TEXT]);

/** A checksum of world, look, version and the map's middle. Maps with equal checksums have equal tiles. */
uint64_t web_land_identity(const setup *s, const web_land *land);

/** Choose the number of threads that make tiles, and set the threads of their generators in `options`. With CUDA a few
 * threads share the device; otherwise there is a thread for each processor, at most WEB_THREADS_MAX, with a generator
 * of one thread. Returns the number of threads. */
int web_threads(const setup *s, ter_generator_options *options);

#endif
