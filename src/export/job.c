/* job.c - geometry, names and checks of jobs. */
#include "export/job.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "file/path_name.h"

/* ---- files ---- */

double export_file_spacing_m(const export_file *file)
{
    return file->world.spacing * (double)(INT64_C(1) << file->lod);
}

ter_rect export_file_rect(const export_file *file)
{
    const int64_t step = INT64_C(1) << file->lod;
    return (ter_rect){file->world.levels - file->lod, file->x / step, file->z / step, file->width, file->height};
}

uint64_t export_file_bytes(const export_file *file)
{
    return (uint64_t)file->width * (uint64_t)file->height * (uint64_t)(file->format->bits / 8);
}

bool export_file_is_scaled(const export_file *file)
{
    return export_format_is_scaled(file->format) || file->is_normalised;
}

void export_file_describe(const export_file *f, char text[1024])
{
    const ter_params *w = &f->world;
    const bool is_scaled = export_file_is_scaled(f);
    snprintf(text, 1024,
             "terrane format=%d world=%llu,%d,%a,%a,%d,%a,%a,%d,%a,%a,%a at=%lld,%lld size=%lldx%lld lod=%d file=%s,%d,%d,%d,%d,%s "
             "range=%a,%a",
             TER_WORLD_FORMAT, (unsigned long long)w->seed, w->levels, w->amplitude, w->gain, w->broad, w->broad_gain, w->base,
             (int)w->basis, w->valley, w->sea, w->spacing, (long long)f->x, (long long)f->z, (long long)f->width,
             (long long)f->height, f->lod, f->format->name, f->is_big_endian, f->is_south_first, f->is_normalised,
             f->is_marked_linear, f->channel, is_scaled ? f->range[0] : 0.0, is_scaled ? f->range[1] : 0.0);
}

/* ---- tiles ---- */

int64_t export_job_tiles(const export_job *job)
{
    return job->tiles.columns * job->tiles.rows;
}

export_file export_job_file(const export_job *job, int64_t n)
{
    export_file file = job->tile;
    const tile_set *t = &job->tiles;
    const int64_t step = INT64_C(1) << file.lod;
    file.x += step * (n % t->columns * (file.width - t->overlap) - t->border);
    file.z += step * (n / t->columns * (file.height - t->overlap) - t->border);
    file.width += 2 * t->border;
    file.height += 2 * t->border;
    return file;
}

export_file export_job_whole(const export_job *job)
{
    export_file file = job->tile;
    file.width += (job->tiles.columns - 1) * (file.width - job->tiles.overlap);
    file.height += (job->tiles.rows - 1) * (file.height - job->tiles.overlap);
    return file;
}

export_file export_job_request(const export_job *job)
{
    export_file file = export_job_whole(job);
    const int64_t border = job->tiles.border, step = INT64_C(1) << file.lod;
    file.x -= border * step;
    file.z -= border * step;
    file.width += 2 * border;
    file.height += 2 * border;
    return file;
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
    return snprintf(text, sizeof text, "%lld", (long long)((t->columns > t->rows ? t->columns : t->rows) - 1 + t->start));
}

/** Whether names of different tiles may be the same: only digits, or nothing, between two indices. Is "111" 1, 11 or 11, 1? */
static bool is_ambiguous(const export_job *job)
{
    char which;
    int digits, next;
    for (const char *at = job->path; *at; at++) {
        const size_t length = index_at(at, &which, &digits);
        const char *after = at + length;
        while (length && isdigit((unsigned char)*after))
            after++;
        if (length && index_at(after, &which, &next) && digits < tile_set_digits(&job->tiles))
            return true;
    }
    return false;
}

/** Whether an index stands in a path before a place. */
static bool has_index_before(const char *path, const char *end)
{
    char which;
    int digits;
    for (const char *at = path; at < end; at++)
        if (index_at(at, &which, &digits))
            return true;
    return false;
}

static bool has_index(const char *path, char wanted)
{
    char which;
    int digits;
    for (const char *at = path; *at; at++)
        if (index_at(at, &which, &digits) && which == wanted)
            return true;
    return false;
}

outcome export_job_path(const export_job *job, int64_t n, char path[1024])
{
    const tile_set *t = &job->tiles;
    const int64_t row = n / t->columns, x = t->start + n % t->columns, y = t->start + (t->y_from_south ? t->rows - 1 - row : row);
    size_t used = 0;
    for (const char *at = job->path; *at && used < 1024;) {
        char which;
        int digits;
        const size_t length = t->is_set ? index_at(at, &which, &digits) : 0;
        if (length)
            used += (size_t)snprintf(path + used, 1024 - used, "%0*lld", digits, (long long)(which == 'x' ? x : y));
        else
            path[used++] = *at;
        at += length ? length : 1;
    }
    if (used >= 1000)
        return outcome_of(OUTCOME_USAGE, "-o is a name of more than 1000 characters");
    path[used] = '\0';
    return outcome_done();
}

static bool is_joint(char c)
{
    return c == '_' || c == '-';
}

void export_job_set_path(const export_job *job, const char *ending, char path[1024])
{
    size_t used = 0;
    char which;
    int digits;
    for (const char *at = job->path; *at && used < 1000;) {
        const size_t length = index_at(at, &which, &digits);
        if (length) /* "_x{x}", "_{x}": what joins the index to the name goes with it */
            used -= used > 1 && path[used - 1] == which && is_joint(path[used - 2]) ? 2 : used > 0 && is_joint(path[used - 1]);
        else
            path[used++] = *at;
        at += length ? length : 1;
    }
    path[used] = '\0';
    char *dot = path + (path_dot(path) - path);
    if (dot == path_base(path)) /* nothing but indices */
        dot += snprintf(dot, 8, "tiles");
    snprintf(dot, (size_t)(1024 - (dot - path)), "%s", ending);
}

/* ---- checks ---- */

static outcome check_place(const export_job *job)
{
    const export_file *f = &job->tile;
    const int levels = f->world.levels;
    if (f->lod > levels)
        return outcome_of(OUTCOME_USAGE, "--lod is %d, expected 0 to %d, the levels of this world", f->lod, levels);
    const int64_t step = INT64_C(1) << f->lod;
    if (f->x % step != 0 || f->z % step != 0)
        return outcome_of(OUTCOME_USAGE, "--at is %lld,%lld, expected multiples of %lld with --lod %d", (long long)f->x,
                          (long long)f->z, (long long)step, f->lod);
    const int64_t border = job->tiles.border * step, lattice = 2 * TER_COORDINATE_MAX / step + 1,
                  side_max = f->format->side_max < lattice ? f->format->side_max : lattice,
                  height_max = f->format->envi_type ? lattice : side_max, around = 2 * (int64_t)job->tiles.border;
    if (f->width > side_max - around || f->height > height_max - around)
        return outcome_of(OUTCOME_USAGE, "--size is %lldx%lld, expected at most %lldx%lld for %s at --lod %d", (long long)f->width,
                          (long long)f->height, (long long)(side_max - around), (long long)(height_max - around), f->format->name,
                          f->lod);
    if (job->tiles.columns > EXPORT_TILES_MAX || job->tiles.rows > EXPORT_TILES_MAX || export_job_tiles(job) > EXPORT_TILES_MAX)
        return outcome_of(OUTCOME_USAGE, "--tiles is %lldx%lld, expected at most %d tiles", (long long)job->tiles.columns,
                          (long long)job->tiles.rows, EXPORT_TILES_MAX);
    if (job->tiles.overlap >= f->width || job->tiles.overlap >= f->height)
        return outcome_of(OUTCOME_USAGE, "--overlap is %d, expected less than the tile, %lld x %lld", job->tiles.overlap,
                          (long long)f->width, (long long)f->height);
    const __int128 east = f->x + (__int128)step * (job->tiles.columns * (__int128)f->width - 1) + border,
                   south = f->z + (__int128)step * (job->tiles.rows * (__int128)f->height - 1) + border;
    if (east > TER_COORDINATE_MAX || south > TER_COORDINATE_MAX || f->x - border < -TER_COORDINATE_MAX ||
        f->z - border < -TER_COORDINATE_MAX)
        return outcome_of(OUTCOME_USAGE, "--at %lld,%lld with --size %lldx%lld leaves the world, which ends at 2^46 = %lld",
                          (long long)f->x, (long long)f->z, (long long)f->width, (long long)f->height,
                          (long long)TER_COORDINATE_MAX);
    if (f->height > INT64_MAX / 8 / f->width / export_job_tiles(job))
        return outcome_of(OUTCOME_USAGE, "--size is %lldx%lld, expected less than 2^60 samples", (long long)f->width,
                          (long long)f->height);
    return outcome_done();
}

static outcome check_orders(const export_job *job)
{
    const export_file *f = &job->tile;
    if (f->is_big_endian && !f->format->envi_type && f->format != &export_formats[EXPORT_PGM])
        return outcome_of(OUTCOME_USAGE, "--byte-order is for raw formats, r32 and r16, not for format %s", f->format->name);
    if (f->is_south_first && (f->format->has_place || f->format == &export_formats[EXPORT_MAP]))
        return outcome_of(OUTCOME_USAGE, "--row-order south is not for format %s, whose rows come from the north", f->format->name);
    if (!isnan(f->range[0]) && !export_file_is_scaled(f))
        return outcome_of(OUTCOME_USAGE, "--range is for 16-bit formats, not for %s", f->format->name);
    return outcome_done();
}

static outcome check_name(const export_job *job)
{
    const tile_set *t = &job->tiles;
    const export_format_id id = (export_format_id)(job->tile.format - export_formats);
    if (!export_format_fits_name(id, job->path))
        return outcome_of(OUTCOME_USAGE, "-o is '%s', whose ending means %s, but the format is %s: expected .%s", job->path,
                          export_formats[export_format_of_name(job->path)].name, job->tile.format->name, job->tile.format->ending);
    if (t->is_set && strchr(job->path, '/') && has_index_before(job->path, path_base(job->path)))
        return outcome_of(OUTCOME_USAGE, "-o is '%s', expected {x} and {y} in the file's name, not in its folder's", job->path);
    if (!t->is_set && (has_index(job->path, 'x') || has_index(job->path, 'y')))
        return outcome_of(OUTCOME_USAGE, "-o is '%s', but {x} and {y} are for sets of tiles: expected --tiles CxR too", job->path);
    if (t->is_set && is_ambiguous(job))
        return outcome_of(OUTCOME_USAGE, "-o is '%s', expected something between {x} and {y}: their digits would run together",
                          job->path);
    if (t->is_set && !output_file_is_regular(job->path))
        return outcome_of(OUTCOME_USAGE, "-o is '%s', expected the name of files for a set of tiles", job->path);
    if ((t->columns > 1 && !has_index(job->path, 'x')) || (t->rows > 1 && !has_index(job->path, 'y')))
        return outcome_of(OUTCOME_USAGE,
                          "-o is '%s', expected both {x} and {y} in the name, as {x} or {x:1} to {x:9}, or neither of them",
                          job->path);
    if (job->tile.format->needs_seeking && !output_file_can_seek(job->path))
        return outcome_of(OUTCOME_USAGE, "-o is '%s', but format %s can only be written to a file; for pipes: r32, r16, png16, pgm",
                          job->path, job->tile.format->name);
    return outcome_done();
}

outcome export_job_check(const export_job *job)
{
    const export_format *format = job->tile.format;
    if (!format->codec && format != &export_formats[EXPORT_MAP])
        return outcome_of(OUTCOME_USAGE, "--format %s: this build cannot write it (%s was missing)", format->name, format->package);
    outcome o = check_place(job);
    if (o.kind == OUTCOME_DONE)
        o = check_orders(job);
    if (o.kind == OUTCOME_DONE)
        o = check_name(job);
    if (o.kind == OUTCOME_DONE && job->preset)
        o = preset_check(job->preset, job);
    return o;
}
