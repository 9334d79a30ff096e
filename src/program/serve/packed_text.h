/* packed_text.h - texts, and the same texts packed by gzip, for readers over HTTP. */
#ifndef TERRANE_PROGRAM_SERVE_PACKED_TEXT_H
#define TERRANE_PROGRAM_SERVE_PACKED_TEXT_H

#include <stddef.h>

typedef struct packed_text {
    const void *bytes; /* of the caller */
    size_t size;
    void *packed; /* NULL: packing would not help, or there is no memory */
    size_t packed_size;
} packed_text;

/** Pack a text, which must stay valid. */
packed_text packed_text_of(const void *bytes, size_t size);
/** Pack bytes by gzip, whatever their number. Returns memory to free, or NULL when there is none. */
void *packed_bytes(const void *bytes, size_t size, size_t *packed_size);

void packed_text_free(packed_text *text);

#endif
