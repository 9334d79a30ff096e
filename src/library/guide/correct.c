/* correct.c - makes the network of a few finer levels on the guide's nodes, and predicts the mean heights of cells. */
#include "library/guide/correct.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "library/fluvial/cpu/kernels.h"
#include "library/fluvial/overview.h"

enum {
    TILE = 64 /* cells; side of a task */
};

#define CORRECTED_SHARE 0.8f /* share of the error that a round corrects */
/* ter_mean_rise was fitted to land whose nodes are bare or free for the most part. A guide's nodes all have channels
 * from which hillsides rise. These shares of the rise of a hillside of level 8 make up for it. */
#define EXTRA_RISE       0.16f /* where the guide's level is 8 */
#define EXTRA_RISE_BELOW 0.05f /* where it is coarser */

#define LAKE_DEPTH 2.0f  /* m; least depth of a lake at a node */
#define END_SHARE  0.1f  /* share of the depth of a basin without an outlet that its lake fills */
#define END_LEAST  4.0f  /* m; least depth of such a lake */
#define END_MOST   60.0f /* m; greatest depth of such a lake */

/** Store the lakes in which the water of basins ends. Cells that drain to such a lake and lie lower belong to it. */
static void store_end_lakes(const guide_network *n)
{
    ter_guide_cell *cells = guide_cells(n->m);
    for (size_t i = 0; i < n->n_ends; i++) {
        const guide_end *end = &n->ends[i];
        cells[end->cell].lake = n->z[end->cell] + ter_clamp(END_SHARE * end->depth, END_LEAST, END_MOST);
    }
    for (size_t i = 0; i < n->n_active && n->n_ends > 0; i++) {
        const size_t k = n->order[i];
        if (n->to[k] == TER_SINK || guide_is_lake(n, k))
            continue;
        const size_t q = k + (size_t)n->off[n->to[k]];
        const float level = guide_is_active(n, q) && !guide_is_lake(n, q) ? cells[q].lake : TER_NO_LAKE;
        if (!(n->z[k] < level))
            continue;
        cells[k].lake = level;
        cells[k].z = ter_min(n->z[k], level - LAKE_DEPTH);
    }
}

void guide_store_nodes(const guide_network *n)
{
    ter_guide_cell *cells = guide_cells(n->m);
    for (size_t k = 0; k < n->count; k++) {
        if (!guide_is_active(n, k))
            continue;
        ter_guide_cell *cell = &cells[k];
        cell->z = n->z[k];
        cell->lake = TER_NO_LAKE;
        cell->to = n->to[k];
        cell->has_node = 1;
        cell->keeps_place = n->m->has_detail && guide_is_on_line(n, k) && !isnan(n->line_z[k]);
        if (guide_is_lake(n, k)) {
            cell->lake = n->z[n->sill[k]];
            cell->z = ter_min(n->wish[k], cell->lake - LAKE_DEPTH);
        }
    }
    store_end_lakes(n);
}

/** Tasks: each task makes the cells of a tile. */
typedef struct cell_tasks {
    guide_network *n;
    bool (*make)(guide_network *n, ter_window cells);
    int columns;
    atomic_int has_failed;
} cell_tasks;

static void make_task(void *user, int thread, int64_t task)
{
    (void)thread;
    cell_tasks *t = user;
    const ter_window at = t->n->m->at;
    const int x = (int)(task % t->columns) * TILE, y = (int)(task / t->columns) * TILE;
    const ter_window cells = {at.x + x, at.y + y, at.width - x < TILE ? at.width - x : TILE,
                              at.height - y < TILE ? at.height - y : TILE};
    bool is_used = false;
    for (int j = 0; j < cells.height && !is_used; j++)
        for (int i = 0; i < cells.width && !is_used; i++)
            is_used = guide_is_active(t->n, (size_t)(y + j) * (size_t)at.width + (size_t)(x + i));
    if (is_used && (ter_is_cancelled(&t->n->m->cancel) || !t->make(t->n, cells)))
        atomic_store(&t->has_failed, 1);
}

static ter_status run_tasks(guide_network *n, bool (*make)(guide_network *n, ter_window cells))
{
    cell_tasks t = {.n = n, .make = make, .columns = (n->width + TILE - 1) / TILE};
    atomic_init(&t.has_failed, 0);
    ter_team_run(n->m->team, (int64_t)t.columns * ((n->height + TILE - 1) / TILE), make_task, &t);
    if (!atomic_load(&t.has_failed))
        return TER_OK;
    const ter_status status = ter_check_cancelled(&n->m->cancel);
    return status == TER_OK ? guide_no_memory(n->m) : status;
}

/** Plan a job for nodes of a level, and make its provinces. at: receives the job's memory; the caller frees both.
 * Returns NULL when there is no memory. */
static ter_fluvial_job *plan_job(const guide_network *n, int level, ter_window nodes, void **at)
{
    ter_fluvial_job *job = calloc(1, sizeof *job);
    ter_arena size = {NULL, 0}, arena = {NULL, 0};
    *at = NULL;
    if (!job)
        return NULL;
    job->f = n->m->f;
    ter_plan_nodes(level, ter_window_grown(nodes, TER_AREA_MARGIN), job);
    ter_place_provinces(&size, job);
    ter_place_nodes(&size, job);
    *at = arena.base = malloc(size.bytes);
    if (!arena.base) {
        free(job);
        return NULL;
    }
    ter_place_provinces(&arena, job);
    ter_place_nodes(&arena, job);
    n->m->kernels->provinces(job);
    return job;
}

static bool make_floors(guide_network *n, ter_window cells)
{
    void *memory;
    ter_fluvial_job *job = plan_job(n, n->m->level, cells, &memory);
    if (!job)
        return false;
    for (int64_t y = cells.y; y < cells.y + cells.height; y++)
        for (int64_t x = cells.x; x < cells.x + cells.width; x++) {
            ter_guide_cell *cell = &guide_cells(n->m)[ter_window_index(n->m->at, x, y)];
            float v[TER_PROVINCE_COUNT];
            if (!cell->has_node)
                continue;
            const ter_node node = ter_node_of_guide(cell);
            ter_node_province(job, n->m->level, x, y, &node, v);
            cell->floor = v[TER_PROVINCE_FLOOR] * ter_area_side(cell->area);
        }
    free(memory);
    free(job);
    return true;
}

ter_status guide_make_floors(guide_network *n)
{
    return run_tasks(n, make_floors);
}

/** Predicted mean height of the surroundings of a node of a level. */
static float predicted(const ter_fluvial_job *job, int level, int64_t x, int64_t y)
{
    const ter_window at = job->node_at[level];
    const ter_node *node = job->node[level & 1] + ter_window_index(at, x, y);
    float v[TER_PROVINCE_COUNT];
    const float rise = ter_node_rise(job, level, x, y, v);
    const float extra = level < TER_NETWORK_LAST ? 0.0f : job->f.guide_level == level ? EXTRA_RISE : EXTRA_RISE_BELOW;
    return ter_max(node->z + rise + extra * v[TER_PROVINCE_SLOPE] * 256.0f, node->lake);
}

/** Whether a correction would move the shore of a lake or the bed of the sea. */
static bool is_water(const guide_network *n, size_t k)
{
    bool is_lake = guide_is_lake(n, k) || guide_cells(n->m)[k].height < n->m->f.sea;
    for (int d = 0; d < 8; d++)
        is_lake = is_lake || guide_is_lake(n, k + (size_t)n->off[d]);
    return is_lake;
}

static bool correct_cells(guide_network *n, ter_window cells)
{
    const int level = n->m->level + n->finer < TER_NETWORK_LAST ? n->m->level + n->finer : TER_NETWORK_LAST;
    const int side = 1 << (level - n->m->level);
    const ter_window nodes = {cells.x * side, cells.y * side, cells.width * side, cells.height * side};
    void *memory;
    ter_fluvial_job *job = plan_job(n, level, nodes, &memory);
    if (!job)
        return false;
    n->m->kernels->nodes(job, &n->m->cancel);
    for (int64_t y = cells.y; y < cells.y + cells.height; y++)
        for (int64_t x = cells.x; x < cells.x + cells.width; x++) {
            const size_t k = (size_t)ter_window_index(n->m->at, x, y);
            if (!guide_is_active(n, k) || is_water(n, k))
                continue;
            float sum = 0.0f;
            for (int j = 0; j < side; j++)
                for (int i = 0; i < side; i++)
                    sum += predicted(job, level, x * side + i, y * side + j);
            n->scratch[k] = guide_cells(n->m)[k].height - sum / (float)(side * side);
        }
    free(memory);
    free(job);
    return true;
}

ter_status guide_correct(guide_network *n, int finer)
{
    n->finer = finer;
    for (size_t k = 0; k < n->count; k++)
        n->scratch[k] = 0.0f;
    const ter_status status = run_tasks(n, correct_cells);
    for (size_t k = 0; k < n->count && status == TER_OK; k++)
        n->correct[k] += CORRECTED_SHARE * n->scratch[k];
    return status;
}
