/* web_land.c - describes the world of a web map. */
#include "program/cli/web_land.h"

#include <stdio.h>
#include <string.h>

#include "library/core/team.h"
#include "program/export/formats/export_file.h"
#include "program/serve/tile_queue.h"
#include "program/serve/web_page.h"

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

uint64_t web_land_identity(const setup *s, const web_land *land)
{
    char text[EXPORT_FILE_TEXT], centre[64];
    /* the description of a map of the climate contains all parameters of the world, and the look */
    const export_file file = {.format = &export_formats[EXPORT_MAP],
                              .layer = EXPORT_CLIMATE_FIRST,
                              .world = s->params,
                              .channel = "Y",
                              .look = s->look};
    export_file_describe(&file, text);
    snprintf(centre, sizeof centre, " %lld,%lld", (long long)land->centre[0], (long long)land->centre[1]);
    return web_checksum(web_checksum(web_checksum(WEB_CHECKSUM_START, text), ter_version()), centre);
}

/* Generators that share a GPU. While one of them waits for its heights, others compress pictures. */
enum { CUDA_THREADS = 8 };

int web_threads(const setup *s, ter_generator_options *options)
{
    ter_generator *generator = NULL;
    const bool is_cuda = s->backend != TER_BACKEND_CPU && ter_generator_create(options, &generator) == TER_OK &&
                         ter_generator_backend(generator) == TER_BACKEND_CUDA;
    ter_generator_destroy(generator);
    const int processors = s->threads > 0 ? s->threads : ter_team_processors();
    const int most = is_cuda ? CUDA_THREADS : WEB_THREADS_MAX;
    options->threads = is_cuda ? options->threads : 1;
    return processors < most ? processors : most;
}
