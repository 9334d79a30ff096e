/* embedded.h - files that the build embeds in the program: shaders, fonts, worlds, files of the web page, scripts for
 * splines. */
#ifndef TERRANE_PROGRAM_FILE_EMBEDDED_H
#define TERRANE_PROGRAM_FILE_EMBEDDED_H

#include <stddef.h>

struct embedded_file {
    const char *name;           /* NULL in the last entry of a table */
    const unsigned char *bytes; /* followed by a zero byte that `size` does not count */
    size_t size;
};

extern const struct embedded_file embedded_shaders[];
extern const struct embedded_file embedded_fonts[];
extern const struct embedded_file embedded_worlds[];
extern const struct embedded_file embedded_web[];
extern const struct embedded_file embedded_splines[];

#endif
