/* web_export.c - makes a web map from the options of terrane export. */
#include "program/cli/web_export.h"

#include <math.h>
#include <stdio.h>

#include "program/cli/export_report.h"
#include "program/cli/notes.h"
#include "program/cli/progress_bar.h"
#include "program/cli/web_land.h"

#ifdef TER_HAVE_SERVE

#include <string.h>

#include "program/serve/pmtiles.h"
#include "program/serve/web_vectors.h"

/** Refuse options that --preset web cannot use, and requests that lack an option. */
static result check_options(const export_options *e)
{
    if (!e->path)
        return result_of(RESULT_USAGE, "-o is missing, expected -o FOLDER");
    if (!e->has_zoom)
        return result_of(RESULT_USAGE, "--zoom is missing, expected --zoom A-B with 0 to %d", WEB_ZOOM_MAX);
    if (e->has_format || e->layers || e->has_tiles || e->crs || e->has_row_order || e->has_byte_order)
        return result_of(RESULT_USAGE, "--format, --layer, --tiles, --crs, --row-order and --byte-order are not for "
                                       "--preset web, whose files are fixed");
    if (e->features && strcmp(e->features, "rivers") != 0 && strcmp(e->features, "lakes") != 0 &&
        strcmp(e->features, "rivers,lakes") != 0)
        return result_of(RESULT_USAGE, "--features is '%s', expected rivers, lakes or rivers,lakes for --preset web",
                         e->features);
    if (e->has_interval)
        return result_of(RESULT_USAGE, "--interval is for contours and peaks, which --preset web does not take");
    if (e->has_at != e->has_size)
        return result_of(RESULT_USAGE, "--preset web takes --at and --size together, for a part of the map, or none");
    return result_done();
}

/** Set the part of the map that is written: the rectangle of --at and --size, or the whole map. With --at, the middle
 * of the map lies near the middle of this part; without it, it is the same as for serve. */
static void take_place(const export_options *e, web_site *site)
{
    const double step = ldexp(1.0, e->lods[0]), half = ldexp(1.0, WEB_MAP_SIDE_LOG - 1);
    double middle[2];
    for (int n = 0; n < 2; n++) {
        site->first[n] = e->at[n];
        site->last[n] = e->at[n] + (double)(e->size[n] - 1) * step;
        middle[n] = e->has_at ? (site->first[n] + site->last[n]) / 2.0 : e->at[n];
    }
    web_centre_near(middle, site->land.centre);
    for (int n = 0; n < 2 && !e->has_at; n++) {
        site->first[n] = (double)site->land.centre[n] - half;
        site->last[n] = (double)site->land.centre[n] + half - 1.0;
    }
}

static result check_site(const web_site *site)
{
    const int least = web_zoom_min(site->land.world);
    const int64_t count = web_site_count(site);
    if (site->zooms.least < least)
        return result_of(RESULT_USAGE, "--zoom is %d-%d, expected %d to %d for a world of these levels",
                         site->zooms.least, site->zooms.greatest, least, WEB_ZOOM_MAX);
    if (count > WEB_SITE_TILES_MAX)
        return result_of(RESULT_USAGE,
                         "--zoom %d-%d means %lld tiles, expected at most %d: take a part of the map "
                         "by --at and --size, or a lower zoom",
                         site->zooms.least, site->zooms.greatest, (long long)count, WEB_SITE_TILES_MAX);
    return result_done();
}

/** Set which vectors are written, and check them. */
static result take_vectors(const export_options *e, const web_site *site, web_vectors *vectors)
{
    const ter_generator_options *o = &site->options;
    vectors->job = (features_job){.world = site->land.world,
                                  .min_area_km2 = e->min_area_km2,
                                  .is_cancelled = o->is_cancelled,
                                  .cancel_user = o->cancel_user};
    vectors->job.has[FEATURE_RIVERS] = strstr(e->features, "rivers") != NULL;
    vectors->job.has[FEATURE_LAKES] = strstr(e->features, "lakes") != NULL;
    return web_vectors_begin(site, vectors);
}

static result write_vectors(const setup *s, const web_site *site, web_vectors *vectors)
{
    result res = setup_generator(s, &vectors->job.generator);
    if (res.kind == RESULT_DONE)
        res = web_vectors_write(site, vectors, &export_terminal_events);
    progress_bar_end();
    ter_generator_destroy(vectors->job.generator);
    return res;
}

/** Pack the tiles of all kinds, and the vectors. */
static result pack(const export_options *e, const web_site *site)
{
    result res = result_done();
    for (int kind = 0; kind < WEB_KINDS && res.kind == RESULT_DONE; kind++)
        if (web_land_has(&site->land, (web_kind)kind))
            res = pmtiles_pack(site, web_kind_names[kind], &export_terminal_events);
    if (res.kind == RESULT_DONE && e->features)
        res = pmtiles_pack(site, "vectors", &export_terminal_events);
    progress_bar_end();
    return res;
}

static result write_site(const export_options *e, const setup *s, web_site *site)
{
    web_site_report report;
    web_vectors vectors;
    result res = check_site(site);
    if (res.kind == RESULT_DONE && e->features)
        res = take_vectors(e, site, &vectors);
    if (res.kind != RESULT_DONE)
        return res;
    if (e->is_dry_run) {
        printf("%lld tiles in %s\n", (long long)web_site_count(site), site->folder);
        return res;
    }
    site->n_threads = web_threads(s, &site->options);
    res = web_site_write(site, &export_terminal_events, &report);
    progress_bar_end();
    if (res.kind == RESULT_DONE && e->features)
        res = write_vectors(s, site, &vectors);
    if (res.kind == RESULT_DONE && e->has_pmtiles)
        res = pack(e, site);
    if (res.kind == RESULT_DONE)
        note("%s: %lld tiles, %lld kept, %llu bytes; show them with a web server: python3 -m http.server -d '%s'",
             site->folder, (long long)report.n_tiles, (long long)report.n_kept, (unsigned long long)report.bytes,
             site->folder);
    return res;
}

result web_export(const export_options *e, const setup *s)
{
    char world[WEB_WORLD_TEXT];
    ter_world *land = NULL;
    result res = check_options(e);
    if (res.kind == RESULT_DONE)
        res = setup_world(s, &land);
    web_site site = {.land = {.world = land, .look = &s->look, .vectors = e->features},
                     .options = setup_generator_options(s),
                     .folder = e->path,
                     .world = web_world_options(s, world),
                     .zooms = {e->zoom[0], e->zoom[1]},
                     .may_replace = e->job.force,
                     .resume = e->job.resume};
    if (res.kind == RESULT_DONE) {
        take_place(e, &site);
        site.land.identity = web_land_identity(s, &site.land);
        res = write_site(e, s, &site);
    }
    ter_world_destroy(land);
    return res;
}

#else

result web_export(const export_options *e, const setup *s)
{
    (void)e, (void)s;
    return result_of(RESULT_USAGE, "--preset web: this build has no web maps (libmicrohttpd, zlib or the viewer's "
                                   "libraries were missing)");
}

#endif
