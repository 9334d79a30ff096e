/* job.c - geometry and names of jobs. */
#include "program/export/job/job.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "program/file/output_file.h"
#include "program/file/path_name.h"

/* ---- geometry ---- */

int64_t export_job_tiles(const export_job *job)
{
    return job->tiles.columns * job->tiles.rows;
}

/** A file with samples added on all four sides. */
static export_file grow(export_file file, int64_t border)
{
    const int64_t step = INT64_C(1) << file.lod;
    file.x -= border * step;
    file.z -= border * step;
    file.width += 2 * border;
    file.height += 2 * border;
    return file;
}

int export_job_layers(const export_job *job)
{
    return job->n_layers > 0 ? job->n_layers : 1;
}

const export_format *export_job_format(const export_job *job, int k)
{
    return job->n_layers > 0 ? job->layers[k].format : job->tile.format;
}

export_layer_id export_job_layer(const export_job *job, int k)
{
    return job->n_layers > 0 ? job->layers[k].id : EXPORT_HEIGHT;
}

bool export_job_json_replaces_ending(const export_job *job, const export_file *file)
{
    return job->json_replaces_ending && file->format->envi_type != 0 && file->layer == EXPORT_HEIGHT;
}

/** A file as one of the k-th layer: what was asked for is about heights. Pictures have the north at their top. */
static export_file take_layer(export_file file, const export_job *job, int k)
{
    file.format = export_job_format(job, k);
    file.layer = export_job_layer(job, k);
    file.is_big_endian &= file.format->channels == 0;
    file.is_south_first &= file.format->channels == 0;
    file.is_any_water &= export_file_has_water(&file);
    if (file.layer == EXPORT_HEIGHT)
        return file;
    file.is_normalised = false;
    export_layer_range(file.layer, file.world.spacing, file.lod, file.range);
    return file;
}

export_file export_job_file(const export_job *job, int64_t n)
{
    const int k = (int)(n % export_job_layers(job));
    const int64_t tile = n / export_job_layers(job), step = INT64_C(1) << job->tile.lod;
    export_file file = take_layer(job->tile, job, k);
    const tile_set *t = &job->tiles;
    file.x += step * (tile % t->columns * (file.width - t->overlap));
    file.z += step * (tile / t->columns * (file.height - t->overlap));
    return grow(file, t->border);
}

export_file export_job_whole(const export_job *job)
{
    export_file file = take_layer(job->tile, job, 0);
    file.width += (job->tiles.columns - 1) * (file.width - job->tiles.overlap);
    file.height += (job->tiles.rows - 1) * (file.height - job->tiles.overlap);
    return file;
}

export_file export_job_request(const export_job *job)
{
    return grow(export_job_whole(job), job->tiles.border);
}

/* ---- names ---- */

/** Length of an index in a name, as {x} or {y:3}; 0 when there is none at `at`. */
static size_t index_at(const char *at, char *which, int *digits)
{
    if (at[0] != '{' || (at[1] != 'x' && at[1] != 'y'))
        return 0;
    *which = at[1];
    *digits = 1;
    if (at[2] == '}')
        return 3;
    if (at[2] != ':' || at[3] < '1' || at[3] > '9' || at[4] != '}')
        return 0;
    *digits = at[3] - '0';
    return 5;
}

int tile_set_digits(const tile_set *t)
{
    char text[32];
    return snprintf(text, sizeof text, "%lld",
                    (long long)((t->columns > t->rows ? t->columns : t->rows) - 1 + t->start));
}

bool export_name_has_index(const char *path, char wanted, const char *end)
{
    char which;
    int digits;
    for (const char *at = path; *at && at != end; at++)
        if (index_at(at, &which, &digits) && which == wanted)
            return true;
    return false;
}

bool export_name_is_ambiguous(const char *path, const tile_set *tiles)
{
    char which;
    int digits, next;
    for (const char *at = path; *at; at++) {
        const size_t length = index_at(at, &which, &digits);
        const char *after = at + length;
        while (length && isdigit((unsigned char)*after))
            after++;
        if (length && index_at(after, &which, &next) && digits < tile_set_digits(tiles))
            return true;
    }
    return false;
}

static const char LAYER_FIELD[] = "{layer}";

bool export_name_has_layer(const char *path, const char *end)
{
    const char *at = strstr(path, LAYER_FIELD);
    return at && (!end || at < end);
}

/** Length of {layer} in a name, where a job has layers; 0 when there is none at `at`. */
static size_t layer_at(const export_job *job, const char *at)
{
    const size_t length = sizeof LAYER_FIELD - 1;
    return job->n_layers > 0 && strncmp(at, LAYER_FIELD, length) == 0 ? length : 0;
}

/** What stands in a name for {x}, {y} or {layer}; its length there, 0 for none of them. */
static size_t expand(const export_job *job, int64_t n, const char *at, char text[32])
{
    const tile_set *t = &job->tiles;
    const int64_t tile = n / export_job_layers(job), row = tile / t->columns, x = t->start + tile % t->columns,
                  y = t->start + (t->y_from_south ? t->rows - 1 - row : row);
    char which;
    int digits;
    size_t length = t->is_set ? index_at(at, &which, &digits) : 0;
    if (length)
        snprintf(text, 32, "%0*lld", digits, (long long)(which == 'x' ? x : y));
    else if ((length = layer_at(job, at)) > 0)
        snprintf(text, 32, "%s", export_layers[export_job_layer(job, (int)(n % export_job_layers(job)))].name);
    return length;
}

outcome export_job_path(const export_job *job, int64_t n, char path[EXPORT_PATH_MAX])
{
    const export_format *format = export_job_format(job, (int)(n % export_job_layers(job)));
    size_t used = 0;
    for (const char *at = job->path; *at && used < EXPORT_PATH_MAX;) {
        char text[32];
        const size_t length = expand(job, n, at, text);
        if (length)
            used += (size_t)snprintf(path + used, EXPORT_PATH_MAX - used, "%s", text);
        else
            path[used++] = *at;
        at += length ? length : 1;
    }
    if (used >= 1000)
        return outcome_of(OUTCOME_USAGE, "-o is a name of more than 1000 characters");
    path[used] = '\0';
    if (strcmp(format->ending, job->tile.format->ending) != 0 && output_file_is_regular(job->path)) {
        char *dot = path + (path_dot(path) - path);
        snprintf(dot, (size_t)(EXPORT_PATH_MAX - (dot - path)), ".%s", format->ending);
    }
    return outcome_done();
}

static bool is_joint(char c)
{
    return c == '_' || c == '-';
}

void export_job_set_path(const export_job *job, int k, const char *ending, char path[EXPORT_PATH_MAX])
{
    size_t used = 0;
    char which;
    int digits;
    for (const char *at = job->path; *at && used < 1000;) {
        size_t length = index_at(at, &which, &digits);
        if (length) /* "_x{x}", "_{x}": what joins the index to the name goes with it */
            used -= used > 1 && path[used - 1] == which && is_joint(path[used - 2])
                        ? 2
                        : used > 0 && is_joint(path[used - 1]);
        else if ((length = layer_at(job, at)) > 0)
            used += (size_t)snprintf(path + used, EXPORT_PATH_MAX - used, "%s",
                                     export_layers[export_job_layer(job, k)].name);
        else
            path[used++] = *at;
        at += length ? length : 1;
    }
    path[used] = '\0';
    char *dot = path + (path_dot(path) - path);
    if (dot == path_base(path)) /* nothing but indices */
        dot += snprintf(dot, 8, "tiles");
    snprintf(dot, (size_t)(EXPORT_PATH_MAX - (dot - path)), "%s", ending);
}
