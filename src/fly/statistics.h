/* statistics.h - figures of a flight, written as JSON by fly --stats. */
#ifndef TERRANE_FLY_STATISTICS_H
#define TERRANE_FLY_STATISTICS_H

#include "fly/edges.h"
#include "fly/request.h"
#include "fly/terrain.h"
#include "render/renderer.h"

/** Growing list of times. */
typedef struct time_list {
    double *ms;
    size_t count, capacity;
    bool is_cut; /* there was no memory for a time */
} time_list;

typedef struct flight_statistics {
    time_list frame, cpu, pass[PASSES];
    uint64_t n_frames, n_triangles_max, n_tiles_max;
    int n_gl_errors;
} flight_statistics;

/** Add a time. Without memory it is lost, which flight_statistics_write reports. */
void time_list_add(time_list *list, double ms);

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

/** Whether this build can write figures. Errors OUTCOME_USAGE it has no JSON */
outcome flight_statistics_check(const char *path);

/** Write the JSON to the file that the request names; the lists of times become sorted. Errors OUTCOME_FILE; OUTCOME_FAILED no
 * memory, now or for a time that was added */
outcome flight_statistics_write(flight_statistics *statistics, const flight_facts *facts);

void flight_statistics_free(flight_statistics *statistics);

#endif
