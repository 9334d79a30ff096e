/* block.h - a rectangle of a file's samples in memory. */
#ifndef TERRANE_PROGRAM_EXPORT_FORMATS_BLOCK_H
#define TERRANE_PROGRAM_EXPORT_FORMATS_BLOCK_H

#include <stddef.h>
#include <stdint.h>

/** A rectangle of samples to write or to read: float or uint16_t, or channels of pictures, in the machine's byte order
 * and in the order of the file's rows. */
typedef struct block {
    unsigned char *first; /* sample (column, row); the caller owns the memory */
    ptrdiff_t stride;     /* bytes from each row to the file's next row; may be negative */
    int64_t column, row;  /* place in the file */
    int64_t width, rows;
    int apron; /* samples that can be read beyond the rectangle on all four sides */
} block;

#endif
