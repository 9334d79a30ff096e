/* web_site.c - makes folders and files of a web map. Threads make tiles; the calling thread writes them. */
#include "program/serve/web_site.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/core/system.h"
#include "program/file/commit.h"
#include "program/file/input_file.h"
#include "program/file/output_file.h"
#include "program/serve/tile_queue.h"

enum { SITE_PATH = 1024, AT_ONCE = 4 * WEB_THREADS_MAX };

/** The work on a site. */
typedef struct writing {
    const web_site *site;
    const work_events *events;
    web_site_report *report;
    tile_jobs *jobs;
    int64_t n_all;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    tile_job *finished; /* list of finished jobs, changed under the lock */
    int n_open;         /* jobs that are added and not written yet */
} writing;

/* ---- which tiles ---- */

web_range web_site_range(const web_site *site, int zoom)
{
    web_range range;
    const double side = ldexp(1.0, WEB_MAP_SIDE_LOG - zoom), end = ldexp(1.0, zoom) - 1.0;
    for (int n = 0; n < 2; n++) {
        const double west = (double)site->land.centre[n] - ldexp(1.0, WEB_MAP_SIDE_LOG - 1);
        range.first[n] = (int64_t)fmin(fmax(floor((site->first[n] - west) / side), 0.0), end);
        range.last[n] = (int64_t)fmin(fmax(floor((site->last[n] - west) / side), 0.0), end);
    }
    return range;
}

int64_t web_site_count(const web_site *site)
{
    int64_t count = 0;
    int kinds = 0;
    for (int kind = 0; kind < WEB_KINDS; kind++)
        kinds += web_land_has(&site->land, (web_kind)kind);
    for (int zoom = site->zooms.least; zoom <= site->zooms.greatest; zoom++) {
        const web_range r = web_site_range(site, zoom);
        count += (r.last[0] - r.first[0] + 1) * (r.last[1] - r.first[1] + 1) * kinds;
    }
    return count;
}

/* ---- files ---- */

static result make_folder(const char *path)
{
    return system_folder_make(path) || errno == EEXIST ? result_done() : result_of_file("make folder", path);
}

static result write_file(const web_site *site, const char *name, const void *bytes, size_t size)
{
    char path[SITE_PATH];
    output_file out;
    snprintf(path, sizeof path, "%s/%s", site->folder, name);
    result res = output_file_open_beside(&out, path, size, site->may_replace || site->resume);
    if (res.kind != RESULT_DONE)
        return res;
    res = output_file_write(&out, bytes, size);
    if (res.kind == RESULT_DONE)
        return output_file_commit(&out);
    output_file_discard(&out);
    return res;
}

static void describe(const web_site *site, web_kind kind, char text[WEB_TEXT])
{
    web_tilejson(&site->land, kind, site->zooms, "", site->world, text);
}

/** Refuse a folder with the map of another world. */
static result check_folder(const web_site *site)
{
    char path[SITE_PATH], expected[WEB_TEXT], *found = NULL;
    if (snprintf(path, sizeof path, "%s/map.json", site->folder) > SITE_PATH - 100)
        return result_of(RESULT_FILE, "-o is a folder with a name of more than %d letters", SITE_PATH - 100);
    if (site->may_replace || !system_exists(path))
        return result_done();
    if (!site->resume)
        return result_of(RESULT_FILE, "'%s' exists already; --force replaces the map, --resume continues it", path);
    const result res = input_file_text(path, WEB_TEXT, &found);
    if (res.kind != RESULT_DONE)
        return res;
    describe(site, WEB_MAP, expected);
    const bool is_same = strcmp(found, expected) == 0;
    free(found);
    return is_same
               ? res
               : result_of(RESULT_FILE, "'%s' is of another world, place or range of zooms; --force replaces it", path);
}

static result write_descriptions(const web_site *site)
{
    result res = result_done();
    for (int kind = WEB_KINDS - 1; kind >= 0 && res.kind == RESULT_DONE; kind--) {
        char name[64], text[WEB_TEXT];
        if (!web_land_has(&site->land, (web_kind)kind))
            continue;
        describe(site, (web_kind)kind, text);
        snprintf(name, sizeof name, "%s.json", web_kind_names[kind]);
        res = write_file(site, name, text, strlen(text));
    }
    return res;
}

static result write_pages(const web_site *site)
{
    web_file file;
    result res = result_done();
    int count = 0;
    while (web_file_at(count, &file))
        count++;
    for (int n = count - 1; n >= 0 && res.kind == RESULT_DONE; n--) /* index.html is the first: write it last */
        if (web_file_at(n, &file))
            res = write_file(site, file.name, file.bytes, file.size);
    return res;
}

/* ---- tiles ---- */

static void name_tile(const web_tile *tile, char name[96])
{
    snprintf(name, 96, "%s/%d/%lld/%lld.png", web_kind_names[tile->kind], tile->zoom, (long long)tile->x,
             (long long)tile->y);
}

/** Called by a thread of the queue. */
static void finish(tile_job *job)
{
    writing *w = job->user;
    pthread_mutex_lock(&w->lock);
    job->next = w->finished;
    w->finished = job;
    pthread_cond_signal(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

/** Wait for a finished job. */
static tile_job *next_finished(writing *w)
{
    pthread_mutex_lock(&w->lock);
    while (!w->finished)
        pthread_cond_wait(&w->changed, &w->lock);
    tile_job *job = w->finished;
    w->finished = job->next;
    pthread_mutex_unlock(&w->lock);
    w->n_open--;
    return job;
}

static bool goes_on(const writing *w)
{
    const double done = (double)(w->report->n_tiles + w->report->n_kept);
    return work_goes_on(w->events, w->site->folder, done / (double)w->n_all);
}

/** Write a finished tile. */
static result take(writing *w)
{
    char name[96];
    tile_job *job = next_finished(w);
    result res = job->result;
    name_tile(&job->tile, name);
    if (res.kind == RESULT_DONE)
        res = write_file(w->site, name, job->bytes, job->size);
    w->report->n_tiles += res.kind == RESULT_DONE;
    w->report->bytes += res.kind == RESULT_DONE ? job->size : 0;
    free(job->bytes);
    free(job);
    return res.kind == RESULT_DONE && !goes_on(w) ? result_of(RESULT_INTERRUPTED, "interrupted") : res;
}

static bool is_kept(const writing *w, const web_tile *tile)
{
    char name[96], path[SITE_PATH];
    name_tile(tile, name);
    snprintf(path, sizeof path, "%s/%s", w->site->folder, name);
    return w->site->resume && !w->site->may_replace && system_exists(path);
}

static result add(writing *w, const web_tile *tile)
{
    if (is_kept(w, tile)) {
        w->report->n_kept++;
        return goes_on(w) ? result_done() : result_of(RESULT_INTERRUPTED, "interrupted");
    }
    tile_job *job = calloc(1, sizeof *job);
    if (!job)
        return result_of(RESULT_FAILED, "no memory for a tile");
    *job = (tile_job){.tile = *tile, .socket = -1, .user = w};
    if (!tile_jobs_add(w->jobs, job)) {
        free(job);
        return result_of(RESULT_FAILED, "the queue of tiles is full");
    }
    w->n_open++;
    return w->n_open >= 2 * w->site->n_threads ? take(w) : result_done();
}

/** Make the tiles of a column, in a folder of its own. */
static result write_column(writing *w, web_kind kind, int zoom, int64_t x)
{
    char path[SITE_PATH];
    const web_range range = web_site_range(w->site, zoom);
    snprintf(path, sizeof path, "%s/%s/%d/%lld", w->site->folder, web_kind_names[kind], zoom, (long long)x);
    result res = make_folder(path);
    for (int64_t y = range.first[1]; y <= range.last[1] && res.kind == RESULT_DONE; y++) {
        const web_tile tile = {kind, zoom, x, y};
        res = add(w, &tile);
    }
    return res;
}

static result write_zoom(writing *w, web_kind kind, int zoom)
{
    char path[SITE_PATH];
    const web_range range = web_site_range(w->site, zoom);
    snprintf(path, sizeof path, "%s/%s", w->site->folder, web_kind_names[kind]);
    result res = make_folder(path);
    snprintf(path, sizeof path, "%s/%s/%d", w->site->folder, web_kind_names[kind], zoom);
    if (res.kind == RESULT_DONE)
        res = make_folder(path);
    for (int64_t x = range.first[0]; x <= range.last[0] && res.kind == RESULT_DONE; x++)
        res = write_column(w, kind, zoom, x);
    return res;
}

static result write_tiles(writing *w)
{
    const web_site *site = w->site;
    result res = result_done();
    for (int zoom = site->zooms.least; zoom <= site->zooms.greatest; zoom++)
        for (int kind = 0; kind < WEB_KINDS && res.kind == RESULT_DONE; kind++)
            if (web_land_has(&site->land, (web_kind)kind))
                res = write_zoom(w, (web_kind)kind, zoom);
    if (res.kind != RESULT_DONE)
        tile_jobs_close(w->jobs); /* all open jobs end soon */
    while (w->n_open > 0) {
        const result last = take(w);
        res = res.kind == RESULT_DONE ? last : res;
    }
    return res;
}

static result run(writing *w)
{
    const web_site *site = w->site;
    const tile_jobs_setup setup = {
        .land = site->land, .options = site->options, .n_threads = site->n_threads, .most = AT_ONCE, .done = finish};
    result res = tile_jobs_create(&setup, &w->jobs);
    if (res.kind == RESULT_DONE)
        res = write_tiles(w);
    tile_jobs_destroy(w->jobs);
    return res;
}

result web_site_write(const web_site *site, const work_events *events, web_site_report *report)
{
    writing w = {.site = site, .events = events, .report = report, .n_all = web_site_count(site)};
    *report = (web_site_report){0};
    result res = check_folder(site);
    if (res.kind == RESULT_DONE)
        res = make_folder(site->folder);
    if (res.kind == RESULT_DONE)
        res = write_descriptions(site);
    if (res.kind != RESULT_DONE)
        return res;
    pthread_mutex_init(&w.lock, NULL);
    pthread_cond_init(&w.changed, NULL);
    res = run(&w);
    pthread_cond_destroy(&w.changed);
    pthread_mutex_destroy(&w.lock);
    if (res.kind == RESULT_INTERRUPTED)
        return result_of(res.kind, "interrupted; %lld of %lld tiles are complete, --resume makes the others",
                         (long long)(report->n_tiles + report->n_kept), (long long)w.n_all);
    return res.kind == RESULT_DONE ? write_pages(site) : res;
}
