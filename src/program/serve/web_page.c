/* web_page.c - finds embedded files, and writes TileJSON. */
#include "program/serve/web_page.h"

#include <stdio.h>
#include <string.h>

#include "program/file/embedded.h"

/** The type of an embedded file, by the ending of its name. */
static const char *type_of(const char *name)
{
    static const char *const types[][2] = {{".html", "text/html; charset=utf-8"},
                                           {".js", "text/javascript; charset=utf-8"},
                                           {".css", "text/css; charset=utf-8"}};
    const char *dot = strrchr(name, '.');
    for (size_t n = 0; dot && n < sizeof types / sizeof types[0]; n++)
        if (strcmp(dot, types[n][0]) == 0)
            return types[n][1];
    return "text/plain; charset=utf-8";
}

bool web_file_at(int n, web_file *file)
{
    const struct embedded_file *from = &embedded_web[n];
    if (!from->name)
        return false;
    *file = (web_file){from->name, type_of(from->name), from->bytes, from->size};
    return true;
}

uint64_t web_checksum(uint64_t sum, const char *text)
{
    for (; *text; text++)
        sum = (sum ^ (unsigned char)*text) * 0x100000001b3U;
    return sum;
}

/** Copy text into a JSON string. Letters that JSON does not allow become '?'. */
static const char *for_json(const char *text, char quoted[512])
{
    size_t n = 0;
    for (; *text && n + 3 < 512; text++) {
        if (*text == '"' || *text == '\\')
            quoted[n++] = '\\';
        quoted[n++] = (unsigned char)*text < ' ' ? '?' : *text;
    }
    quoted[n] = '\0';
    return quoted;
}

void web_tilejson(const web_land *land, web_kind kind, web_zooms zooms, const char *base, const char *world,
                  char text[WEB_TEXT])
{
    char quoted[512];
    const char *encoding = kind == WEB_TERRARIUM     ? "\"encoding\":\"terrarium\","
                           : kind == WEB_TERRAIN_RGB ? "\"encoding\":\"mapbox\","
                                                     : "";
    snprintf(text, WEB_TEXT,
             "{\"tilejson\":\"3.0.0\",\"name\":\"terrane %s\",\"scheme\":\"xyz\",%s"
             "\"tiles\":[\"%s%s/{z}/{x}/{y}.png\"],\"minzoom\":%d,\"maxzoom\":%d,\"tileSize\":%d,"
             "\"bounds\":[-180,-85.051129,180,85.051129],\"center\":[0,0,%d],"
             "\"terrane\":{\"version\":\"%s\",\"centre\":[%lld,%lld],\"side\":%lld,\"spacing\":%.17g,\"sea\":%.17g,"
             "\"identity\":\"%016llx\",\"climate\":%s,%s%s%s\"world\":\"%s\"}}\n",
             web_kind_names[kind], encoding, base, web_kind_names[kind], zooms.least, zooms.greatest, WEB_TILE_SIDE,
             zooms.least + 1 < zooms.greatest ? zooms.least + 1 : zooms.greatest, ter_version(),
             (long long)land->centre[0], (long long)land->centre[1], 1LL << WEB_MAP_SIDE_LOG,
             ter_world_params(land->world)->spacing, ter_world_params(land->world)->sea,
             (unsigned long long)land->identity, web_land_has(land, WEB_BIOME) ? "true" : "false",
             land->vectors ? "\"vectors\":\"" : "", land->vectors ? land->vectors : "", land->vectors ? "\"," : "",
             for_json(world, quoted));
}
