/* rivers.h - the reaches of all rivers in a rectangle: each one once, cut at the border. It writes no files. */
#ifndef TERRANE_PROGRAM_FEATURES_RIVERS_H
#define TERRANE_PROGRAM_FEATURES_RIVERS_H

#include "program/features/cut.h"
#include "program/features/reach.h"

enum {
    RIVERS_SQUARE_COLUMNS = 2, /* tiles of the network; width of a square */
    RIVERS_SQUARE_ROWS = 16,   /* its height; the tiles north and south of it are made again for the next band */
    RIVERS_TILES = 96          /* tiles in memory: those of a square, those around it, and 24 more, because rivers are
                                  followed beyond these */
};

/** Which rivers are listed. */
typedef struct rivers_request {
    const ter_world *world;
    ter_rect rect;         /* samples; the rectangle ends where the samples after the last ones would lie */
    double min_area_m2;    /* as in ter_river_edges_options */
    double point_distance; /* as in ter_river_edges_options */
    int (*is_cancelled)(void *user);
    void *cancel_user;
    work_events events;
    const char *path; /* for the progress */
} rivers_request;

struct features_job;

/** The rivers of an export. events: report its progress */
rivers_request rivers_request_of(const struct features_job *job, const work_events *events);

/** The rectangle of a request in lattice coordinates. */
cut_rect rivers_rect(const rivers_request *request);

/** Begin the network of a rectangle. It has at most RIVERS_TILES tiles in memory, and what is known about the outer
 * cells of the others.
 *
 *  cells    receives the cells of all edges that can have points in the rectangle
 *  net      receives the network; destroy it, also after an error
 *  Errors   RESULT_USAGE; RESULT_FAILED
 */
result rivers_open(const rivers_request *request, ter_river_window *cells, river_net **net);

/** Number of the squares in which the reaches of a window of cells are visited. */
int64_t rivers_squares(const ter_river_window *cells);

/** Called for each piece of a reach in the rectangle.
 *
 *  piece   x, z and altitude of its points, which the callee may change
 *  number  of the piece
 */
typedef result (*rivers_visitor)(void *user, const reach *reach, cut_piece *piece, int number);

/** Called when all reaches of a square have been visited. done: number of squares that have been visited */
typedef result (*rivers_square_end)(void *user, int64_t done);

/** How reaches are visited: square after square of cells, band after band from north to south, each from west to east.
 * A reach belongs to the square of its first edge that touches the rectangle, so the same rectangle has the same
 * squares with the same reaches in the same order. */
typedef struct rivers_visits {
    rivers_visitor visit;
    rivers_square_end end; /* may be NULL */
    void *user;
    int64_t begin; /* number of squares that are left out: those that an earlier run has visited */
    double share;  /* of the progress that is reached before; at the end it is 1 */
} rivers_visits;

/** Visit the reaches in a rectangle. Errors of the callbacks; RESULT_INTERRUPTED; RESULT_FAILED */
result rivers_visit(const rivers_request *request, const ter_river_window *cells, river_net *net,
                    const rivers_visits *visits);

#endif
