/* embedded.h - files that the build puts into the program. */
#ifndef TERRANE_PROGRAM_FILE_EMBEDDED_H
#define TERRANE_PROGRAM_FILE_EMBEDDED_H

#include <stddef.h>

struct embedded_file {
    const char *name;           /* NULL ends a table */
    const unsigned char *bytes; /* a zero byte follows */
    size_t size;
};

extern const struct embedded_file embedded_shaders[];
extern const struct embedded_file embedded_fonts[];
extern const struct embedded_file embedded_worlds[];

#endif
