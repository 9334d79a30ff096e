/* flight_statistics.h - figures of a flight, written as JSON by fly --stats. */
#ifndef TERRANE_PROGRAM_VIEWER_RECORD_FLIGHT_STATISTICS_H
#define TERRANE_PROGRAM_VIEWER_RECORD_FLIGHT_STATISTICS_H

#include "program/core/time_histogram.h"
#include "program/render/renderer.h"
#include "program/viewer/request.h"
#include "program/viewer/tiles/edge_check.h"
#include "program/viewer/tiles/terrain.h"

typedef struct flight_statistics {
    time_histogram frame, cpu, pass[PASSES]; /* times in ms */
    uint64_t n_frames, n_triangles_max, n_tiles_max;
    int n_gl_errors;
    double first_picture_s; /* time from opening to the first land in a window; 0: not measured */
    double first_view_s;    /* time from opening to the complete first view; 0: not measured */
} flight_statistics;

/** Further facts for the JSON. */
typedef struct flight_facts {
    const fly_request *request;
    const terrain_counts *counts;
    double min_clearance_m;
    int altitude_latency_frames;
    const char *backend, *interop, *gl_renderer;
    uint64_t seed; /* seed of the first world */
    int levels;    /* levels of the last world */
    const char *quality, *layers;
    double render_percent; /* width of the last frame, percent of the picture's width */
    uint64_t n_slots;      /* slots of the tile pool */
    edge_count edges;      /* counts of the last frame */
} flight_facts;

/** Check that this build can write the figures. Errors RESULT_USAGE it was built without cJSON */
result flight_statistics_check(const char *path);

/** Write the JSON to the file that the request names. Errors RESULT_FILE; RESULT_FAILED no memory */
result flight_statistics_write(const flight_statistics *statistics, const flight_facts *facts);

#endif
