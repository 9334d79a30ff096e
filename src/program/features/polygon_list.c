/* polygon_list.c - keeps the rings of each number in an array that grows. */
#include "program/features/polygon_list.h"

#include <stdlib.h>
#include <string.h>

#include "library/core/grow.h"

result polygon_list_begin(polygon_list *list, const feature_run *run, size_t count)
{
    list->run = run;
    list->count = count;
    list->groups = calloc(count + 1, sizeof *list->groups);
    return list->groups ? result_done() : result_of(RESULT_FAILED, "out of memory");
}

static void free_group(polygon_group *g)
{
    for (size_t n = 0; n < g->n_rings; n++)
        free(g->rings[n].points);
    free(g->rings);
    *g = (polygon_group){0};
}

void polygon_list_free(polygon_list *list)
{
    for (size_t n = 0; n < list->count && list->groups; n++)
        free_group(&list->groups[n]);
    free(list->groups);
}

result polygon_list_add(void *user, int64_t value, vector_ring *rings, size_t n_rings)
{
    polygon_list *list = user;
    if (value < 0 || (size_t)value >= list->count)
        return result_done();
    polygon_group *g = &list->groups[value];
    vector_ring *grown = ter_grow(g->rings, &g->room, g->n_rings + n_rings, sizeof *grown);
    if (!grown)
        return result_of(RESULT_FAILED, "out of memory");
    g->rings = grown;
    const ring_measure m = feature_measure(list->run, rings, n_rings);
    g->area += m.area;
    g->length += m.length;
    g->is_cut |= m.is_cut;
    memcpy(g->rings + g->n_rings, rings, n_rings * sizeof *rings);
    g->n_rings += n_rings;
    for (size_t n = 0; n < n_rings; n++)
        rings[n].points = NULL; /* the group has them now */
    return result_done();
}

result polygon_list_write(polygon_list *list, size_t number, double altitude, vector_file *file,
                          const vector_value *values)
{
    polygon_group *g = &list->groups[number];
    for (size_t n = 0; n < g->n_rings; n++) {
        for (size_t k = 0; k < g->rings[n].count; k++)
            g->rings[n].points[3 * k + 2] = altitude;
        feature_place_points(list->run, g->rings[n].points, g->rings[n].count);
    }
    const result res = vector_file_add_polygons(file, g->rings, g->n_rings, values);
    free_group(g);
    return res;
}
