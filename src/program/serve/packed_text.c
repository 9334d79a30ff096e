/* packed_text.c - packs texts with zlib. */
#include "program/serve/packed_text.h"

#include <stdlib.h>
#include <zlib.h>

enum { SMALL_BYTES = 1024, GZIP_WINDOW = 15 + 16 }; /* smaller texts fit into one packet of the network anyway */

/** Pack into `to`. Returns the number of bytes, 0 if they do not fit. */
static size_t pack(const void *bytes, size_t count, unsigned char *to, size_t room)
{
    z_stream z = {.next_in = (Bytef *)bytes, .avail_in = (uInt)count, .next_out = to, .avail_out = (uInt)room};
    gz_header header = {.os = 3}; /* as on Unix: the bytes do not depend on the system */
    if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return 0;
    deflateSetHeader(&z, &header);
    const size_t size = deflate(&z, Z_FINISH) == Z_STREAM_END ? z.total_out : 0;
    deflateEnd(&z);
    return size;
}

packed_text packed_text_of(const void *bytes, size_t size)
{
    packed_text text = {.bytes = bytes, .size = size};
    unsigned char *packed = size > SMALL_BYTES ? malloc(size) : NULL;
    text.packed_size = packed ? pack(bytes, size, packed, size) : 0;
    if (text.packed_size > 0)
        text.packed = packed;
    else
        free(packed);
    return text;
}

void *packed_bytes(const void *bytes, size_t size, size_t *packed_size)
{
    const size_t room = size + size / 1000 + 64; /* more than the most that gzip adds */
    unsigned char *packed = malloc(room);
    *packed_size = packed ? pack(bytes, size, packed, room) : 0;
    if (*packed_size > 0)
        return packed;
    free(packed);
    return NULL;
}

void packed_text_free(packed_text *text)
{
    free(text->packed);
    *text = (packed_text){0};
}
