/* region_trace.c - reads rows of numbers, joins their samples to regions, and ends the regions that do not go on. */
#include "program/features/region_trace.h"

#include <stdlib.h>
#include <string.h>

#include "library/core/grow.h"
#include "program/features/region_rings.h"
#include "program/features/row_sets.h"

/** A region that reaches into the last rows. */
typedef struct region {
    int64_t last_row;    /* its last row so far; INT64_MAX: its polygon was visited */
    int32_t first, last; /* closed chains */
} region;

/** A row with a sample of number 0 at both ends. */
typedef struct region_row {
    int32_t *numbers, *regions;
} region_row;

typedef struct region_scan {
    int width;
    region_row row, before; /* this row, and the one before */
    row_sets sets;          /* of the numbers of regions */
    region *regions;
    size_t room;
    region_chains chains;
    region_rings rings;
    trace_polygon visit;
    void *user;
} region_scan;

static result out_of_memory(void)
{
    return result_of(RESULT_FAILED, "out of memory");
}

/* ---- regions ---- */

/** A new region; ROW_SETS_NONE without memory. */
static int32_t add_region(region_scan *s, int64_t row)
{
    const int32_t n = row_sets_add(&s->sets);
    region *regions = ter_grow(s->regions, &s->room, s->sets.count, sizeof *regions);
    s->regions = regions ? regions : s->regions;
    if (!regions || n == ROW_SETS_NONE)
        return ROW_SETS_NONE;
    regions[n] = (region){row, REGION_NONE, REGION_NONE};
    return n;
}

/** Add closed chains to a region. */
static void add_chains(region_scan *s, int32_t n, int32_t first, int32_t last)
{
    region *r = &s->regions[n];
    if (r->first == REGION_NONE)
        r->first = first;
    else
        s->chains.chains[r->last].next = first;
    r->last = last;
}

/** Join two regions. Returns the one that stays. */
static int32_t unite(region_scan *s, int32_t a, int32_t b)
{
    a = row_sets_find(&s->sets, a);
    b = row_sets_find(&s->sets, b);
    if (a == b)
        return a;
    row_sets_join(&s->sets, a, b);
    if (s->regions[b].first != REGION_NONE)
        add_chains(s, a, s->regions[b].first, s->regions[b].last);
    return a;
}

/** Find the regions of the samples of a row. Returns false when there is no memory. */
static bool join_row(region_scan *s, int64_t row)
{
    const int32_t *now = s->row.numbers, *above = s->before.numbers;
    int32_t *regions = s->row.regions;
    for (int n = 1; n <= s->width; n++) {
        const bool goes_on = now[n] == now[n - 1], is_joined = now[n] == above[n];
        regions[n] = ROW_SETS_NONE;
        if (now[n] == 0)
            continue;
        if (goes_on)
            regions[n] = regions[n - 1];
        if (is_joined && !(goes_on && above[n - 1] == above[n]))
            regions[n] =
                goes_on ? unite(s, regions[n], s->before.regions[n]) : row_sets_find(&s->sets, s->before.regions[n]);
        if (!goes_on && !is_joined)
            regions[n] = add_region(s, row);
        if (regions[n] == ROW_SETS_NONE)
            return false;
        s->regions[regions[n]].last_row = row;
    }
    return true;
}

/** Give each sample of the row the region that others have been joined to. */
static void settle_row(region_scan *s)
{
    const int32_t *now = s->row.numbers;
    int32_t *regions = s->row.regions;
    for (int n = 1; n <= s->width; n++)
        if (now[n] != 0)
            regions[n] = now[n] == now[n - 1] ? regions[n - 1] : row_sets_find(&s->sets, regions[n]);
}

/* ---- borders ---- */

/** Lead the borders through the corners between the row and the one before. */
static result trace_corners(region_scan *s, int64_t row)
{
    const int32_t *now = s->row.numbers, *above = s->before.numbers;
    for (int n = 0; n <= s->width; n++) {
        const int32_t numbers[4] = {above[n], above[n + 1], now[n], now[n + 1]};
        int32_t closed[2];
        if (numbers[0] == numbers[1] && numbers[0] == numbers[2] && numbers[0] == numbers[3])
            continue;
        region_chains_corner(&s->chains, n, (int32_t)row, numbers, closed);
        for (int k = 0; k < 2; k++)
            if (closed[k] != REGION_NONE)
                add_chains(s, row_sets_find(&s->sets, s->before.regions[n + k]), closed[k], closed[k]);
    }
    return s->chains.has_failed ? out_of_memory() : result_done();
}

/** Visit the polygons of the regions that do not reach into the row. */
static result end_regions(region_scan *s, int64_t row)
{
    result res = result_done();
    for (int n = 1; n <= s->width && res.kind == RESULT_DONE; n++) {
        const int32_t number = s->before.numbers[n];
        if (number == 0 || number == s->before.numbers[n - 1])
            continue;
        const int32_t at = row_sets_find(&s->sets, s->before.regions[n]);
        region *r = &s->regions[at];
        if (r->last_row >= row)
            continue;
        if (!region_rings_make(&s->rings, &s->chains, r->first))
            return out_of_memory();
        res = s->visit(s->user, number, s->rings.rings, s->rings.n_rings);
        r->last_row = INT64_MAX;
        row_sets_end(&s->sets, at);
    }
    return res;
}

static result add_row(region_scan *s, int64_t row)
{
    const region_row before = s->before;
    result res = join_row(s, row) ? trace_corners(s, row) : out_of_memory();
    if (res.kind == RESULT_DONE)
        res = end_regions(s, row);
    if (res.kind != RESULT_DONE)
        return res;
    settle_row(s);
    row_sets_end_row(&s->sets);
    s->before = s->row;
    s->row = before;
    return res;
}

static result scan(region_scan *s, const region_source *source)
{
    enum { REPORT = 16 }; /* rows */
    const size_t row_bytes = (size_t)s->width * sizeof(int32_t);
    result res = result_done();
    for (int row = 0; row < source->raster.height && res.kind == RESULT_DONE; row++) {
        const int32_t *numbers;
        if (row % REPORT == 0)
            res = source->goes_on(source->user, (double)row / source->raster.height);
        if (res.kind == RESULT_DONE)
            res = source->row(source->user, row, &numbers);
        if (res.kind != RESULT_DONE)
            return res;
        memcpy(s->row.numbers + 1, numbers, row_bytes);
        res = add_row(s, row);
    }
    memset(s->row.numbers, 0, row_bytes + 2 * sizeof(int32_t));
    return res.kind == RESULT_DONE ? add_row(s, source->raster.height) : res;
}

result region_trace(const region_source *source, trace_polygon visit, void *user)
{
    const size_t samples = (size_t)source->raster.width + 2;
    region_scan s = {.width = source->raster.width, .visit = visit, .user = user};
    int32_t *rows = calloc(4 * samples, sizeof *rows);
    result res = out_of_memory();
    if (rows) {
        s.row = (region_row){rows, rows + samples};
        s.before = (region_row){rows + 2 * samples, rows + 3 * samples};
    }
    if (region_chains_begin(&s.chains, s.width) && rows)
        res = scan(&s, source);
    region_chains_free(&s.chains);
    region_rings_free(&s.rings);
    free(rows);
    row_sets_free(&s.sets);
    free(s.regions);
    return res;
}
