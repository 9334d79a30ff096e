/* budget.h - chooses the quality of frames, the number of tiles and the resolution of a flight. */
#ifndef TERRANE_PROGRAM_VIEWER_FLIGHT_BUDGET_H
#define TERRANE_PROGRAM_VIEWER_FLIGHT_BUDGET_H

#include "program/render/quality.h"
#include "program/viewer/flight/resolution.h"
#include "program/viewer/request.h"

typedef struct budget {
    int kind; /* FLY_QUALITY_*, without FLY_QUALITY_AUTO */
    render_quality quality;
    uint32_t n_slots; /* greatest number of tiles in memory */
    double rest;      /* seconds that the tile worker rests after each second of work; 0 if a GPU draws */
} budget;

/** Choose the budget of a quality for the current OpenGL context.
 *
 *  has_water  tiles have water
 *  report     receives a message if the context cannot hold the requested memory
 */
budget budget_choose(const fly_request *request, int quality, unsigned layers, bool has_water,
                     void (*report)(const char *text));

/** The default quality for the current OpenGL context. */
int budget_usual_quality(const fly_request *request, bool is_window);

/** Whether all frames are recorded or the flight has no window, so that quality must not be reduced for speed. */
bool budget_keeps_frames(const fly_request *request, bool is_window);

/** Choose the resolution of frames for the current OpenGL context. is_measured: GPU times are measured. */
resolution budget_resolution(const fly_request *request, unsigned layers, bool is_window, bool is_measured);

/** Name of a quality: "lowest", "low", "medium", "high". */
const char *budget_quality_name(const budget *budget);

#endif
