/* edge_network.h - the network of a window of cells, and the edges that leave its nodes. */
#ifndef TERRANE_REACHES_EDGE_NETWORK_H
#define TERRANE_REACHES_EDGE_NETWORK_H

#include "library/fluvial/cpu/kernels.h"
#include "library/fluvial/cpu/memory.h"
#include "library/fluvial/passes.h"
#include "library/world/world.h"
#include "terrane/reaches.h"

/** Make the network of some cells: nodes, pieces and reaches of the cells and of TER_GROUND_CELLS around them.
 *
 *  memory  holds the arrays of the job; free memory->at
 *  Errors  TER_ENOMEM; TER_ECANCELLED
 */
ter_status edge_network_make(const ter_fluvial *f, ter_window cells, const ter_cancel *cancel, ter_fluvial_job *job,
                             ter_fluvial_memory *memory);

/** Check a least area; 0 chooses the default. cells: receives the area in cells. Errors TER_EINVAL */
ter_status edge_network_least(const ter_world *world, double min_area_m2, float *cells);

/** The node of cell (x, y). */
static inline const ter_node *edge_network_node(const ter_fluvial_job *job, int64_t x, int64_t y)
{
    return job->node[TER_NETWORK_LAST & 1] + ter_window_index(job->node_at[TER_NETWORK_LAST], x, y);
}

/** Whether an edge that is drawn as a river leaves the node of a cell of job->piece_at. least: cells; smallest area */
static inline bool edge_network_has_edge(const ter_fluvial_job *job, float least, int64_t x, int64_t y)
{
    return job->course[ter_window_index(job->piece_at, x, y)] == TER_COURSE_BROOK &&
           edge_network_node(job, x, y)->area >= least;
}

/** Id of the edge that leaves the node of cell (x, y). */
static inline int64_t edge_network_id(int64_t x, int64_t y)
{
    return (int64_t)((uint64_t)y << 32 | (uint32_t)(uint64_t)x);
}

#endif
