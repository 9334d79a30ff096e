/* path_name.c - finds parts of paths, and checks the characters of names. */
#include "program/file/path_name.h"

#include <stdint.h>
#include <string.h>

#include "program/core/system.h"

const char *path_base(const char *path)
{
    return path + system_path_base(path);
}

const char *path_dot(const char *path)
{
    const char *dot = strrchr(path_base(path), '.');
    return dot ? dot : path + strlen(path);
}

/** Bytes of the UTF-8 character at the beginning of a text; 0 if XML does not allow it. */
static size_t character_length(const unsigned char *text)
{
    static const uint32_t least[] = {0, 0x20, 0x80, 0x800, 0x10000}; /* least code of n bytes */
    const unsigned first = text[0];
    const size_t length = first < 0x80 ? 1 : first >> 5 == 0x6 ? 2 : first >> 4 == 0xe ? 3 : first >> 3 == 0x1e ? 4 : 0;
    uint32_t code = length > 1 ? first & (0x7fU >> length) : first;
    for (size_t n = 1; n < length; n++) {
        if (text[n] >> 6 != 0x2)
            return 0;
        code = code << 6 | (text[n] & 0x3fU);
    }
    const int is_valid = length > 0 && code >= least[length] && code <= 0x10ffff &&
                         !(code >= 0xd800 && code <= 0xdfff) && code != 0xfffe && code != 0xffff;
    return is_valid ? length : 0;
}

size_t path_text_length(const char *name)
{
    size_t used = 0, length;
    while (name[used] && (length = character_length((const unsigned char *)name + used)) > 0)
        used += length;
    return used;
}
