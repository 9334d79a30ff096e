/* tiff_memory.h - TIFF files in memory, and functions for files that libtiff need not read or close. */
#ifndef TERRANE_PROGRAM_EXPORT_FORMATS_TIFF_MEMORY_H
#define TERRANE_PROGRAM_EXPORT_FORMATS_TIFF_MEMORY_H

#include <stddef.h>
#include <tiffio.h>

/** A TIFF file in memory. Initialise it with zeros; free `bytes` with free(). */
typedef struct tiff_memory {
    unsigned char *bytes;
    size_t size, room, position;
} tiff_memory;

/** Functions for TIFFClientOpen whose handle is a tiff_memory. */
tmsize_t tiff_memory_read(thandle_t handle, void *bytes, tmsize_t count);
tmsize_t tiff_memory_write(thandle_t handle, void *bytes, tmsize_t count);
toff_t tiff_memory_seek(thandle_t handle, toff_t offset, int whence);
toff_t tiff_memory_size(thandle_t handle);

/** Functions for handles of any kind. The first one reads nothing; the second one leaves the file open. */
tmsize_t tiff_read_nothing(thandle_t handle, void *bytes, tmsize_t count);
int tiff_close_nothing(thandle_t handle);

#endif
