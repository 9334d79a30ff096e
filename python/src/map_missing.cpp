/* map_missing.cpp - replaces map.cpp in a build without libpng or stb. Its functions throw. */
#include "errors.h"
#include "map.h"

static void missing(const nb::args &)
{
    throw failure("Error", "this build cannot draw maps (libpng or stb was missing)");
}

void bind_map(nb::module_ &m)
{
    for (const char *name : {"map_height", "draw_map", "encode_png", "write_png"})
        m.def(name, missing);
}
