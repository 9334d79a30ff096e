/* rivers.h - the reaches of all rivers in a rectangle: each one once, cut at the border. It writes no files. */
#ifndef TERRANE_PROGRAM_FEATURES_RIVERS_H
#define TERRANE_PROGRAM_FEATURES_RIVERS_H

#include "program/features/cut.h"
#include "program/features/reach.h"

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

/** The rectangle of a request in lattice coordinates. */
cut_rect rivers_rect(const rivers_request *request);

/** Make the network of a rectangle, with the points of all edges that can lie in it.
 *
 *  cells    receives the cells of these edges
 *  net      receives the network; destroy it, also after an error
 *  share    of the progress that is reached at the end
 *  Errors   RESULT_USAGE; RESULT_INTERRUPTED; RESULT_FAILED
 */
result rivers_open(const rivers_request *request, double share, ter_river_window *cells, river_net **net);

/** Called for each piece of a reach in the rectangle.
 *
 *  piece   x, z and altitude of its points, which the callee may change
 *  number  of the piece
 */
typedef result (*rivers_visitor)(void *user, const reach *reach, cut_piece *piece, int number);

/** Visit the reaches in a rectangle. share: of the progress that is reached before; at the end it is 1. Errors of the
 * visitor; RESULT_INTERRUPTED; RESULT_FAILED */
result rivers_visit(const rivers_request *request, const ter_river_window *cells, river_net *net, double share,
                    rivers_visitor visit, void *user);

#endif
