/* budget.h - what a flight spends: the quality of its frames, and memory for tiles. */
#ifndef TERRANE_PROGRAM_VIEWER_FLIGHT_BUDGET_H
#define TERRANE_PROGRAM_VIEWER_FLIGHT_BUDGET_H

#include "program/render/quality.h"
#include "program/viewer/flight/resolution.h"
#include "program/viewer/request.h"

typedef struct budget {
    int kind; /* as fly_request.quality */
    render_quality quality;
    uint32_t n_slots; /* tiles that are held at a time */
    double rest;      /* seconds without work on tiles after each second of it: 0 where a GPU draws */
} budget;

/** Choose for the OpenGL context that is current and a quality, of fly_request.quality, for tiles with or without
 * water; `report` is told when it cannot hold what was asked for. */
budget budget_choose(const fly_request *request, int quality, unsigned layers, bool has_water,
                     void (*report)(const char *text));

/** The quality where nobody has asked for one, for the OpenGL context that is current. */
int budget_usual_quality(const fly_request *request, bool is_window);

/** Whether every frame counts, however long it takes: else they are flown past, in a window. */
bool budget_keeps_frames(const fly_request *request, bool is_window);

/** How large frames are drawn, for the OpenGL context that is current. is_measured: the GPU's times are known. */
resolution budget_resolution(const fly_request *request, unsigned layers, bool is_window, bool is_measured);

/** Name of a quality: "lowest", "low", "medium", "high". */
const char *budget_quality_name(const budget *budget);

#endif
