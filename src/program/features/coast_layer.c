/* coast_layer.c - writes coasts: a polygon for each piece of land, with the parts of the sea that it encloses as holes.
 */
#include "program/features/feature_run.h"
#include "program/features/outline.h"

static const vector_field fields[] = {
    {"kind", VECTOR_TEXT}, /* island, or land that the edge of the samples cuts */
    {"area_km2", VECTOR_REAL}, {"coast_km", VECTOR_REAL}, {"holes", VECTOR_INTEGER}, {"cut", VECTOR_TEXT},
};

enum { FIELDS = sizeof fields / sizeof fields[0] };

static result write_land(void *user, int64_t value, vector_ring *rings, size_t n_rings)
{
    feature_run *run = user;
    const ring_measure m = feature_measure(run, rings, n_rings);
    const double step = feature_step_m(run);
    const vector_value values[FIELDS] = {vector_text(m.is_cut ? "land" : "island"),
                                         vector_real(m.area * step * step * 1e-6), vector_real(m.length * step * 1e-3),
                                         vector_integer((int64_t)n_rings - 1), vector_text(m.is_cut ? "edge" : "")};
    (void)value;
    for (size_t n = 0; n < n_rings; n++) {
        for (size_t k = 0; k < rings[n].count; k++)
            rings[n].points[3 * k + 2] = run->params->sea;
        feature_place_points(run, rings[n].points, rings[n].count);
    }
    run->count++;
    return vector_file_add_polygons(run->file, rings, n_rings, values);
}

result write_coast_layer(feature_run *run)
{
    const result res = vector_file_layer(run->file, feature_names[FEATURE_COAST], VECTOR_POLYGONS, fields, FIELDS);
    const trace_source source = feature_heights(run);
    return res.kind == RESULT_DONE ? outline_trace(&source, run->params->sea, write_land, run) : res;
}
