/* flight_statistics.h - figures of a flight, written as JSON by fly --stats. */
#ifndef TERRANE_PROGRAM_VIEWER_RECORD_FLIGHT_STATISTICS_H
#define TERRANE_PROGRAM_VIEWER_RECORD_FLIGHT_STATISTICS_H

#include "program/core/time_histogram.h"
#include "program/render/renderer.h"
#include "program/viewer/request.h"
#include "program/viewer/tiles/edge_check.h"
#include "program/viewer/tiles/terrain.h"

typedef struct flight_statistics {
    time_histogram frame, cpu, pass[PASSES]; /* ms */
    uint64_t n_frames, n_triangles_max, n_tiles_max;
    int n_gl_errors;
    double first_picture_s,
        first_view_s; /* from the beginning to some land in a window, and to all of its first view; 0: neither */
} flight_statistics;

/** What else the JSON says. */
typedef struct flight_facts {
    const fly_request *request;
    const terrain_counts *counts;
    double min_clearance_m;
    int altitude_latency_frames;
    const char *backend, *interop, *gl_renderer;
    uint64_t seed; /* at the beginning */
    int levels;    /* of the world at the end */
    const char *quality, *layers;
    double render_percent; /* of the last frame: share of the picture's width */
    uint64_t n_slots;      /* of the tile pool */
    edge_count edges;      /* of the last frame */
} flight_facts;

/** Whether this build can write figures. Errors RESULT_USAGE it has no JSON */
result flight_statistics_check(const char *path);

/** Write the JSON to the file that the request names. Errors RESULT_FILE; RESULT_FAILED no memory */
result flight_statistics_write(const flight_statistics *statistics, const flight_facts *facts);

#endif
