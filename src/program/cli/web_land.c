/* web_land.c - describes the world of a web map. */
#include "program/cli/web_land.h"

#include <stdio.h>
#include <string.h>

const char *web_world_options(const setup *s, char text[WEB_WORLD_TEXT])
{
    size_t used = 0;
    text[0] = '\0';
    if (s->world_file)
        used += (size_t)snprintf(text, WEB_WORLD_TEXT, " --world '%s'", s->world_file);
    if (used < WEB_WORLD_TEXT && s->guide.file)
        used += (size_t)snprintf(text + used, WEB_WORLD_TEXT - used, " --guide '%s'", s->guide.file);
    for (int n = 0; n < WORLD_PARAMETERS && used < WEB_WORLD_TEXT; n++) {
        const option *o = &s->world_options[n];
        char value[64];
        if (!s->is_world_option_given[n])
            continue;
        option_describe_default(o, value, sizeof value);
        used += (size_t)snprintf(text + used, WEB_WORLD_TEXT - used, " --%s %s", o->name, value);
    }
    if (used >= WEB_WORLD_TEXT)
        text[0] = '\0';
    return text;
}

const char *web_land_identity(const setup *s, char text[WEB_IDENTITY_TEXT])
{
    /* a file of the climate with a map's look depends on all parameters of the world */
    const export_file file = {.format = &export_formats[EXPORT_MAP],
                              .layer = EXPORT_CLIMATE_FIRST,
                              .world = s->params,
                              .channel = "Y",
                              .look = s->look};
    export_file_describe(&file, text);
    return text;
}
