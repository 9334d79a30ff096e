/* web_address.c - splits an address into a kind and three numbers, and checks them. */
#include "program/serve/web_address.h"

#include <stdio.h>
#include <string.h>

enum { DIGITS_MAX = 9 };

/** Read a number of at most DIGITS_MAX digits, and the text that must follow it. */
static bool read_number(const char **at, const char *after, int64_t *number)
{
    int digits = 0;
    *number = 0;
    for (; **at >= '0' && **at <= '9' && digits <= DIGITS_MAX; (*at)++, digits++)
        *number = *number * 10 + (**at - '0');
    const size_t length = strlen(after);
    if (digits == 0 || digits > DIGITS_MAX || strncmp(*at, after, length) != 0)
        return false;
    *at += length;
    return true;
}

static bool read_numbers(const char *at, web_tile *tile)
{
    int64_t zoom;
    if (!read_number(&at, "/", &zoom) || !read_number(&at, "/", &tile->x) || !read_number(&at, ".png", &tile->y))
        return false;
    tile->zoom = zoom <= WEB_ZOOM_MAX ? (int)zoom : WEB_ZOOM_MAX + 1;
    return *at == '\0';
}

/** Find the kind that an address begins with, and where its numbers begin. */
static const char *read_kind(const char *address, web_kind *kind)
{
    for (int n = 0; n < WEB_KINDS; n++) {
        const size_t length = strlen(web_kind_names[n]);
        if (address[0] == '/' && strncmp(address + 1, web_kind_names[n], length) == 0 && address[1 + length] == '/') {
            *kind = (web_kind)n;
            return address + length + 2;
        }
    }
    return NULL;
}

static web_answer check(const web_land *land, const web_tile *tile, char why[256])
{
    const int least = web_zoom_min(land->world);
    if (!web_land_has(land, tile->kind)) {
        snprintf(why, 256, "%s: a world of basis %s has no climate\n", web_kind_names[tile->kind],
                 ter_basis_name(ter_world_params(land->world)->basis));
        return WEB_NOT_FOUND;
    }
    if (tile->zoom < least || tile->zoom > WEB_ZOOM_MAX) {
        snprintf(why, 256, "the zoom is outside the map, expected %d to %d\n", least, WEB_ZOOM_MAX);
        return WEB_NOT_FOUND;
    }
    const int64_t end = (int64_t)1 << tile->zoom;
    if (tile->x < end && tile->y < end)
        return WEB_OK;
    snprintf(why, 256, "x %lld, y %lld is outside the map, expected 0 to %lld at zoom %d\n", (long long)tile->x,
             (long long)tile->y, (long long)end - 1, tile->zoom);
    return WEB_NOT_FOUND;
}

web_answer web_address_read(const char *address, const web_land *land, web_tile *tile, char why[256])
{
    const char *numbers = read_kind(address, &tile->kind);
    if (!numbers) {
        snprintf(why, 256, "nothing is here, expected /, /tiles.json, /tilejson, or /map/ZOOM/X/Y.png\n");
        return WEB_NOT_FOUND;
    }
    if (!read_numbers(numbers, tile)) {
        snprintf(why, 256, "this is no tile, expected /%s/ZOOM/X/Y.png with integers of at most %d digits\n",
                 web_kind_names[tile->kind], DIGITS_MAX);
        return WEB_BAD;
    }
    return check(land, tile, why);
}
