/* triangulation_edges.c - simplifies the edges of grids. Each edge is walked from west to east or from north to south,
 * so that two grids that share an edge choose the same samples. */
#include "program/export/mesh/triangulation_edges.h"

#include <stdbool.h>
#include <stdlib.h>

/** An edge as a line of heights. */
typedef struct edge_line {
    const float *heights;
    ptrdiff_t stride; /* floats from each sample to the next */
    int32_t count;
} edge_line;

static edge_line line_of(const height_grid *g, int side)
{
    const bool is_row = side == 0 || side == 2;
    const ptrdiff_t start = side == 1 ? g->width - 1 : side == 2 ? (ptrdiff_t)(g->height - 1) * g->stride : 0;
    return (edge_line){g->heights + start, is_row ? 1 : g->stride, is_row ? g->width : g->height};
}

/** Find the sample between `first` and `last` that is farthest from the line through these two; the first of several
 * equally far ones. Returns `last` if no sample is farther than the error. */
static int32_t farthest(const edge_line *line, int32_t first, int32_t last, double max_error_m)
{
    const double from = (double)line->heights[first * line->stride], to = (double)line->heights[last * line->stride];
    double greatest = max_error_m;
    int32_t found = last;
    for (int32_t n = first + 1; n < last; n++) {
        const double on_line = from + (to - from) * ((double)(n - first) / (double)(last - first));
        const double off = (double)line->heights[n * line->stride] - on_line, error = off < 0.0 ? -off : off;
        if (error > greatest) {
            greatest = error;
            found = n;
        }
    }
    return found;
}

/** Mark the samples that become vertices.
 *
 *  ends  memory for a stack of line->count samples
 */
static void mark_samples(const edge_line *line, double max_error_m, bool *is_vertex, int32_t *ends)
{
    int32_t n_ends = 0, first = 0;
    ends[n_ends++] = line->count - 1;
    while (n_ends > 0) { /* the current part goes from `first` to the top of the stack */
        const int32_t last = ends[n_ends - 1], middle = farthest(line, first, last, max_error_m);
        is_vertex[last] = true;
        if (middle == last) {
            first = last;
            n_ends--;
        } else {
            ends[n_ends++] = middle;
        }
    }
}

/** Place of the n-th sample of a side in the grid, row * width + column. */
static uint32_t place_of(const height_grid *g, int side, int32_t n)
{
    const int32_t column = side == 1   ? g->width - 1
                           : side == 3 ? 0
                                       : n,
                  row = side == 2   ? g->height - 1
                        : side == 0 ? 0
                                    : n;
    return (uint32_t)row * (uint32_t)g->width + (uint32_t)column;
}

result triangulation_edge(const height_grid *grid, int side, double max_error_m, uint32_t **places, uint32_t *count)
{
    const edge_line line = line_of(grid, side);
    bool *is_vertex = calloc((size_t)line.count, sizeof *is_vertex);
    int32_t *ends = malloc((size_t)line.count * sizeof *ends);
    *places = malloc((size_t)line.count * sizeof **places);
    *count = 0;
    result res = result_of(RESULT_FAILED, "no memory for an edge of %d samples", line.count);
    if (is_vertex && ends && *places) {
        res = result_done();
        mark_samples(&line, max_error_m, is_vertex, ends);
        for (int32_t n = 1; n < line.count - 1; n++) {
            /* clockwise: westwards on the south side, northwards on the west side */
            const int32_t sample = side >= 2 ? line.count - 1 - n : n;
            if (is_vertex[sample])
                (*places)[(*count)++] = place_of(grid, side, sample);
        }
    }
    free(is_vertex);
    free(ends);
    return res;
}
