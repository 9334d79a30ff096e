/* statistics.h - figures of a flight, written as JSON by fly --stats. */
#ifndef TERRANE_FLY_STATISTICS_H
#define TERRANE_FLY_STATISTICS_H

#include "fly/edges.h"
#include "render/renderer.h"

/** Growing list of times. */
typedef struct time_list {
    double *ms;
    size_t count, capacity;
} time_list;

typedef struct flight_statistics {
    time_list frame, cpu, pass[PASSES];
    uint64_t n_frames, n_morphs, n_late, n_generated, n_triangles_max, n_tiles_max;
    int n_gl_errors;
} flight_statistics;

void time_list_add(time_list *list, double ms);

/** What else the JSON says. */
typedef struct flight_facts {
    double min_clearance_m;
    int altitude_latency_frames;
    const char *backend, *interop, *gl_renderer;
    int width, height, fps;
    int64_t at[2];
    uint64_t seed; /* at the beginning */
    double altitude_m, heading_deg, pitch_deg, speed;
    const char *quality, *layers;
    double pixel_error;
    uint64_t n_slots; /* of the tile pool */
    edge_count edges; /* of the last frame */
    const ter_world *world;
} flight_facts;

/** Write the JSON. Errors OUTCOME_FILE; OUTCOME_USAGE when this build has no JSON */
outcome flight_statistics_write(const flight_statistics *s, const flight_facts *facts, const char *path);

void flight_statistics_free(flight_statistics *s);

#endif
