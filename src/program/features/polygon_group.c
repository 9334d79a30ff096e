/* polygon_group.c - keeps the rings of a feature in an array that grows. */
#include "program/features/polygon_group.h"

#include <stdlib.h>
#include <string.h>

#include "library/core/grow.h"

polygon_group *polygon_group_create(void)
{
    return calloc(1, sizeof(polygon_group));
}

void polygon_group_destroy(polygon_group *g)
{
    if (!g)
        return;
    for (size_t n = 0; n < g->n_rings; n++)
        free(g->rings[n].points);
    free(g->rings);
    free(g);
}

result polygon_group_add(polygon_group *g, const feature_run *run, vector_ring *rings, size_t n_rings)
{
    vector_ring *grown = ter_grow(g->rings, &g->room, g->n_rings + n_rings, sizeof *grown);
    if (!grown)
        return result_of(RESULT_FAILED, "out of memory");
    g->rings = grown;
    const ring_measure m = feature_measure(run, rings, n_rings);
    g->measure.area += m.area;
    g->measure.length += m.length;
    g->measure.is_cut |= m.is_cut;
    memcpy(g->rings + g->n_rings, rings, n_rings * sizeof *rings);
    g->n_rings += n_rings;
    for (size_t n = 0; n < n_rings; n++)
        rings[n].points = NULL; /* the group has them now */
    return result_done();
}

result polygon_group_write(polygon_group *g, feature_run *run, double altitude, const vector_value *values)
{
    for (size_t n = 0; n < g->n_rings; n++) {
        for (size_t k = 0; k < g->rings[n].count; k++)
            g->rings[n].points[3 * k + 2] = altitude;
        feature_place_points(run, g->rings[n].points, g->rings[n].count);
    }
    run->count++;
    return vector_file_add_polygons(run->file, g->rings, g->n_rings, values);
}
