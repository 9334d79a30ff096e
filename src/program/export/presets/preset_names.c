/* preset_names.c - adds fields of indices and layers to -o, and the ending that a tool expects. */
#include "program/export/presets/preset_names.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "program/file/output_file.h"
#include "program/file/path_name.h"

/** Copy a preset's fields of indices, with %d replaced by the number of digits. */
static void expand_indices(const char *pattern, int n_digits, char indices[80])
{
    size_t used = 0;
    for (const char *at = pattern; *at; at++)
        if (at[0] == '%' && at[1] == 'd')
            used += (size_t)snprintf(indices + used, 64 - used, "%d", n_digits), at++;
        else
            indices[used++] = *at;
    indices[used] = '\0';
}

result preset_name_files(const preset *p, const export_job *job, const char *path, char pattern[EXPORT_PATH_MAX],
                         char changed[512])
{
    const char *part = p && job->tiles.is_set ? p->layer_part : NULL;
    char indices[80] = "", added[100], first[EXPORT_PATH_MAX];
    const char *dot = path_dot(path);
    const int stem = (int)(dot - path);
    changed[0] = '\0';
    if (job->tiles.is_set && output_file_is_regular(path) && !strstr(path, "{x") && !strstr(path, "{y"))
        expand_indices(p ? p->indices : "_x{x}_y{y}", tile_set_digits(&job->tiles), indices);
    if (job->n_layers > 1 && output_file_is_regular(path) && !pattern_has_layer(path, NULL))
        snprintf(added, sizeof added, "%s%s%s", part ? part : "", indices, part ? "" : "_{layer}");
    else
        snprintf(added, sizeof added, "%s", indices);
    const bool changes = p && p->ending && job->tile.format->channels == 0 && output_file_is_regular(path) &&
                         strcasecmp(*dot ? dot + 1 : dot, p->ending) != 0;
    const int length = changes ? snprintf(pattern, EXPORT_PATH_MAX, "%.*s%s.%s", stem, path, added, p->ending)
                               : snprintf(pattern, EXPORT_PATH_MAX, "%.*s%s%s", stem, path, added, dot);
    if (length >= 1000)
        return result_of(RESULT_USAGE, "-o is a name of %d characters, expected at most 1000", length);
    export_job named = *job;
    named.path = pattern;
    const tile_set *t = &job->tiles;
    const result res = export_job_path(
        &named, (t->y_from_south ? (t->rows - 1) * t->columns : 0) * export_job_layer_count(job), first);
    if (res.kind == RESULT_DONE && changes)
        snprintf(changed, 512, "'%.200s' becomes '%.200s'%s: %s lists .%s files only", path, first,
                 tile_set_count(t) > 1 ? " and so on" : "", p->tool, p->ending);
    return res;
}
