/* web_site.h - writes a web map as files: tiles, their descriptions, and a page. Any web server can show them. */
#ifndef TERRANE_PROGRAM_SERVE_WEB_SITE_H
#define TERRANE_PROGRAM_SERVE_WEB_SITE_H

#include "program/core/events.h"
#include "program/serve/web_page.h"

enum { WEB_SITE_TILES_MAX = 4000000 };

/** A map to write. */
typedef struct web_site {
    web_land land;
    ter_generator_options options; /* of generators */
    int n_threads;                 /* that make tiles */
    const char *folder, *world;    /* world: as in web_tilejson */
    web_zooms zooms;
    double first[2], last[2]; /* lattice coordinates: tiles that have points between them are made */
    bool may_replace, resume; /* --force; --resume: keep tiles that an earlier run has written */
} web_site;

typedef struct web_site_report {
    int64_t n_tiles, n_kept;
    uint64_t bytes;
} web_site_report;

/** Tiles of a zoom: columns first[0] to last[0], rows first[1] to last[1]. */
typedef struct web_range {
    int64_t first[2], last[2];
} web_range;

/** The tiles of a site at a zoom. */
web_range web_site_range(const web_site *site, int zoom);

/** Number of tiles of a site. */
int64_t web_site_count(const web_site *site);

/** Write the files. Each appears when it is complete, the page last. Errors RESULT_FILE; RESULT_FAILED;
 * RESULT_INTERRUPTED; those of generators */
result web_site_write(const web_site *site, const work_events *events, web_site_report *report);

#endif
