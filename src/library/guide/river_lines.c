/* river_lines.c - checks, copies and hashes rivers. The rivers of a guide lie in one piece of memory: first all rivers,
 * then all places. */
#include "library/guide/river_lines.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BEYOND                                                                                                         \
    0.51 /* pixels from the middles of the outermost pixels to the ends of lines that were cut at the edge             \
          */

static bool is_between(double value, double first, double count, double spacing)
{
    return value >= first - BEYOND * spacing && value <= first + (count - 1.0 + BEYOND) * spacing;
}

static ter_status check_places(const ter_guide_options *o, int river)
{
    const ter_guide_river *r = &o->rivers[river];
    for (int n = 0; n < r->count; n++) {
        const double x = r->places[2 * n], z = r->places[2 * n + 1];
        if (!is_between(x, o->x, o->cols, o->spacing) || !is_between(z, o->z, o->rows, o->spacing))
            return ter_fail(TER_EINVAL,
                            "vertex %d of river %d lies at %.15g,%.15g m and leaves the guide, expected %.15g,%.15g to "
                            "%.15g,%.15g m; cut its line at the guide's edge",
                            n, river, x, z, o->x, o->z, o->x + (o->cols - 1) * o->spacing,
                            o->z + (o->rows - 1) * o->spacing);
    }
    return TER_OK;
}

static ter_status check(const ter_guide_options *o, int64_t *n_vertices)
{
    *n_vertices = 0;
    if (o->n_rivers < 0 || o->n_rivers > TER_GUIDE_RIVERS_MAX || (o->n_rivers > 0 && !o->rivers))
        return ter_fail(TER_EINVAL, "the guide has %d rivers, expected lines of at most %d", o->n_rivers,
                        TER_GUIDE_RIVERS_MAX);
    for (int n = 0; n < o->n_rivers; n++) {
        const ter_guide_river *r = &o->rivers[n];
        if (r->count < 2 || !r->places)
            return ter_fail(TER_EINVAL, "river %d of the guide has %d vertices, expected 2 or more", n, r->count);
        if (!(r->width >= 0.0 && r->width <= TER_GUIDE_RIVER_WIDTH_MAX))
            return ter_fail(TER_EINVAL, "width of river %d of the guide is %g, expected 0 to %g m", n, r->width,
                            TER_GUIDE_RIVER_WIDTH_MAX);
        *n_vertices += r->count;
        if (*n_vertices > TER_GUIDE_VERTICES_MAX)
            return ter_fail(TER_EINVAL, "the rivers of the guide have more than %d vertices", TER_GUIDE_VERTICES_MAX);
        const ter_status status = check_places(o, n);
        if (status != TER_OK)
            return status;
    }
    return TER_OK;
}

ter_status guide_copy_rivers(const ter_guide_options *from, ter_guide_options *to)
{
    int64_t n_vertices;
    const size_t count = from->n_rivers > 0 ? (size_t)from->n_rivers : 0;
    const ter_status status = check(from, &n_vertices);
    to->rivers = NULL;
    if (status != TER_OK || count == 0)
        return status;
    ter_guide_river *rivers = malloc(count * sizeof *rivers + 2 * (size_t)n_vertices * sizeof(double));
    if (!rivers)
        return ter_fail(TER_ENOMEM, "no memory for %zu rivers of a guide", count);
    double *places = (double *)(void *)(rivers + count);
    for (size_t n = 0; n < count; n++) {
        rivers[n] = from->rivers[n];
        rivers[n].width += 0.0; /* no -0 */
        rivers[n].places = places;
        for (int k = 0; k < 2 * rivers[n].count; k++)
            *places++ = from->rivers[n].places[k] + 0.0;
    }
    to->rivers = rivers;
    return TER_OK;
}

void guide_free_rivers(ter_guide_options *options)
{
    free((void *)options->rivers);
    options->rivers = NULL;
}

static void add_bytes(ter_sha256 *hash, uint64_t number, int count)
{
    unsigned char bytes[8];
    for (int n = 0; n < count; n++)
        bytes[n] = (unsigned char)(number >> 8 * n);
    ter_sha256_add(hash, bytes, (size_t)count);
}

static void add_number(ter_sha256 *hash, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    add_bytes(hash, bits, 8);
}

void guide_hash_rivers(const ter_guide_options *o, unsigned char digest[TER_SHA256_BYTES])
{
    ter_sha256 hash;
    memset(digest, 0, TER_SHA256_BYTES);
    if (o->n_rivers <= 0)
        return;
    ter_sha256_begin(&hash);
    add_bytes(&hash, (uint64_t)o->n_rivers, 4);
    for (int n = 0; n < o->n_rivers; n++) {
        const ter_guide_river *r = &o->rivers[n];
        add_bytes(&hash, (uint64_t)r->count, 4);
        add_number(&hash, r->width);
        for (int k = 0; k < 2 * r->count; k++)
            add_number(&hash, r->places[k]);
    }
    ter_sha256_end(&hash, digest);
}
