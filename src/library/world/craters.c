/* craters.c - lists the craters of a world. */
#include "terrane/craters.h"

#include <math.h>

#include "library/core/sized_struct.h"
#include "library/core/status.h"
#include "library/fractal/crater.h"
#include "library/world/world.h"

/** A list that is being filled. */
typedef struct crater_list {
    const ter_field *field;
    const ter_crater_query *query;
    ter_crater_place *out;
    size_t capacity, count;
} crater_list;

/** Add the craters of cell (i, j) of octave m that match the query. */
static void add_cell(crater_list *l, int m, int64_t i, int64_t j)
{
    const ter_crater_query *q = l->query;
    const double unit = ldexp(1.0, -TER_CRATER_UNITS), cell = ldexp(1.0, m + TER_CRATER_CELL);
    const float oldest = fminf(l->field->craters.age, (float)q->age_max);
    const ter_words words = ter_random_block(l->field, TER_CRATER_TAG + m, i, j);
    for (int n = 0; n < TER_CRATERS_A_CELL; n++) {
        ter_crater c;
        if (!ter_crater_find(m, words.w[2 * n], words.w[2 * n + 1], &c) ||
            !ter_crater_make(m, words.w[2 * n], words.w[2 * n + 1], oldest, &c))
            continue;
        const ter_crater_place place = {.x = (double)i * cell + c.x * unit,
                                        .z = (double)j * cell + c.y * unit,
                                        .diameter = ldexp(2.0 / sqrt((double)c.per_area), m),
                                        .age = (double)c.age};
        if (place.diameter < q->diameter_min || place.x < q->west || place.x > q->east || place.z < q->north ||
            place.z > q->south)
            continue;
        if (l->count < l->capacity)
            l->out[l->count] = place;
        l->count++;
    }
}

static ter_status check(const ter_crater_query *q)
{
    const double most = (double)TER_COORDINATE_MAX;
    if (!(q->west >= -most && q->west <= q->east && q->east <= most))
        return ter_fail(TER_EINVAL, "west and east are %g and %g, expected west <= east within +-%g lattice steps",
                        q->west, q->east, most);
    if (!(q->north >= -most && q->north <= q->south && q->south <= most))
        return ter_fail(TER_EINVAL, "north and south are %g and %g, expected north <= south within +-%g lattice steps",
                        q->north, q->south, most);
    if (!(q->diameter_min > 0.0))
        return ter_fail(TER_EINVAL, "diameter_min is %g, expected a number above 0", q->diameter_min);
    if (!(q->age_max > 0.0))
        return ter_fail(TER_EINVAL, "age_max is %g, expected a number above 0", q->age_max);
    return TER_OK;
}

/** The octave of the smallest craters of a query. */
static int first_octave(const ter_crater_query *q)
{
    int m = TER_CRATER_FIRST;
    while (m <= TER_CRATER_LAST && ldexp(2.0, m) < q->diameter_min)
        m++;
    return m;
}

ter_status ter_craters_list(const ter_world *world, const ter_crater_query *query, size_t capacity,
                            ter_crater_place *out, size_t *count)
{
    TER_REQUIRE(world);
    TER_REQUIRE(query);
    TER_REQUIRE(count);
    if (capacity > 0)
        TER_REQUIRE(out);
    ter_crater_query q = {0};
    TER_READ_STRUCT(&q, query, ter_crater_query);
    const ter_status status = check(&q);
    if (status != TER_OK)
        return status;
    crater_list list = {&world->field, &q, out, capacity, 0};
    const int first = first_octave(&q), shift = first + TER_CRATER_CELL;
    const double cells =
        ((q.east - q.west) / ldexp(1.0, shift) + 1.0) * ((q.south - q.north) / ldexp(1.0, shift) + 1.0);
    if (cells > TER_CRATER_CELLS_MAX)
        return ter_fail(TER_EINVAL,
                        "the query has %.0f cells, expected at most %d: take a smaller rectangle or a greater "
                        "diameter_min",
                        cells, TER_CRATER_CELLS_MAX);
    for (int m = TER_CRATER_LAST; m >= first && world->field.craters.age > 0.0f; m--) {
        const double cell = ldexp(1.0, m + TER_CRATER_CELL);
        const int64_t i0 = (int64_t)floor(q.west / cell), i1 = (int64_t)floor(q.east / cell),
                      j0 = (int64_t)floor(q.north / cell), j1 = (int64_t)floor(q.south / cell);
        for (int64_t j = j0; j <= j1; j++)
            for (int64_t i = i0; i <= i1; i++)
                add_cell(&list, m, i, j);
    }
    *count = list.count;
    return TER_OK;
}

ter_crater_surface ter_craters_surface(const ter_world *world)
{
    const ter_cratering *c = &world->field.craters;
    if (!(c->age > 0.0f))
        return (ter_crater_surface){0};
    return (ter_crater_surface){.age = (double)c->age,
                                .lava_age = (double)c->mare_age,
                                .lava_level_m = (double)c->mare_level,
                                .lava_top_m = c->mare_scale > 0.0f ? (double)(c->mare_offset / c->mare_scale)
                                                                   : (double)c->mare_level};
}
