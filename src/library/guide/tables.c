/* tables.c - makes the tables of a guide step by step, and places their arrays in memory. */
#include "library/guide/tables.h"

#include <stdlib.h>
#include <string.h>

#include "library/core/system.h"
#include "library/fluvial/cpu/kernels.h"
#include "library/guide/blocks.h"
#include "library/guide/correct.h"
#include "library/guide/detail.h"
#include "library/guide/ends.h"
#include "library/guide/fields.h"
#include "library/guide/flood.h"
#include "library/guide/forced.h"
#include "library/guide/line_cells.h"
#include "library/guide/outlets.h"
#include "library/guide/rivers.h"
#include "library/guide/scale.h"
#include "library/guide/scatter.h"
#include "library/guide/weather.h"

enum { ROUNDS = 3 }; /* rounds in which the heights of nodes are corrected */

#define ROUGH_PAINTING  0.6f
#define JITTER_PAINTING 0.3f
#define BLUR_SHARE      0.05  /* of the rim's width */
#define FADE_SHARE      0.2   /* of the rim's width */
#define LAKE_RELIEF     0.03f /* beds of lakes are even */
#define DETAIL_SPACING  256.0 /* lattice steps; only guides with finer pixels have detail */
#define DETAIL_BEYOND   512.0 /* lattice steps; heights of pixels are needed up to this far around such a guide */

/* ---- memory ---- */

static uint64_t cut(ter_guide_tables *t, uint64_t bytes)
{
    const uint64_t at = t->bytes;
    t->bytes += (bytes + 63) & ~UINT64_C(63);
    return at;
}

static uint64_t cells_in(ter_window w)
{
    return (uint64_t)w.width * (uint64_t)w.height;
}

/** Allocate the tables, except for the tails. All numbers are 0. */
static ter_status allocate(guide_making *m)
{
    ter_guide_tables t = {.bytes = (sizeof t + 63) & ~(size_t)63, .level = m->level};
    t.is_ocean = m->guide->options.surround == TER_GUIDE_SEA;
    for (int k = TER_GUIDE_PLATEAU; k < TER_GUIDE_RASTER_COUNT; k++)
        t.rasters |= m->guide->options.rasters[k] ? TER_GUIDE_HAS(k) : 0;
    t.cells = m->at;
    t.raise = guide_raise_window(m);
    t.cells_at = cut(&t, cells_in(t.cells) * sizeof(ter_guide_cell));
    t.raise_at = cut(&t, cells_in(t.raise) * sizeof(float));
    for (int n = 0; n < m->level - TER_GUIDE_COARSEST; n++) {
        t.blocks[n] = guide_block_window(m, n + TER_GUIDE_COARSEST);
        t.blocks_at[n] = cut(&t, cells_in(t.blocks[n]) * sizeof(ter_guide_block));
    }
    m->tables = ter_aligned_alloc(64, t.bytes);
    if (!m->tables)
        return guide_no_memory(m);
    memset(m->tables, 0, t.bytes);
    *m->tables = t;
    m->f.guide = m->tables;
    return TER_OK;
}

/** Append an array to the tables.
 *
 *  head   the tables' head, with the members that describe the array
 *  at     receives its offset; a member of `head`
 *  array  `bytes` bytes
 */
static ter_status append(guide_making *m, ter_guide_tables *head, uint64_t *at, const void *array, uint64_t bytes)
{
    const uint64_t before = head->bytes;
    *at = cut(head, bytes);
    ter_guide_tables *all = ter_aligned_alloc(64, head->bytes);
    if (!all)
        return guide_no_memory(m);
    memcpy(all, m->tables, before);
    memset((char *)all + before, 0, head->bytes - before);
    if (bytes > 0)
        memcpy((char *)all + before, array, bytes);
    *all = *head;
    ter_aligned_free(m->tables);
    m->tables = all;
    m->f.guide = all;
    return TER_OK;
}

static ter_status append_tails(guide_making *m, const guide_cell_map *tails)
{
    ter_guide_tables t = *m->tables;
    t.tails = tails->room;
    return append(m, &t, &t.tails_at, tails->slots, tails->room * sizeof *tails->slots);
}

static ter_status append_bends(const guide_network *n)
{
    guide_making *m = n->m;
    ter_guide_tables t = *m->tables;
    ter_guide_bend *bends = m->has_detail ? malloc(n->count * sizeof *bends) : NULL;
    if (!m->has_detail)
        return TER_OK;
    if (!bends)
        return guide_no_memory(m);
    guide_store_bends(n, bends);
    t.has_bends = 1;
    const ter_status status = append(m, &t, &t.bends_at, bends, n->count * sizeof *bends);
    free(bends);
    return status;
}

static ter_status append_detail(guide_making *m, guide_tables *out)
{
    ter_guide_tables t = *m->tables;
    float *values;
    ter_status status = guide_make_detail(m, &t.detail, &values);
    if (status != TER_OK || !values)
        return status;
    status = append(m, &t, &t.detail.first, values, cells_in(t.detail.at) * sizeof *values);
    out->report.detail_m = (double)(1 << t.detail.shift) * (double)m->f.spacing;
    free(values);
    return status;
}

static ter_status append_weather(guide_making *m)
{
    ter_guide_tables t = *m->tables;
    t.climate = guide_weather_points(m);
    if (t.climate.at.width == 0)
        return TER_OK;
    const uint64_t bytes = cells_in(t.climate.at) * sizeof(ter_guide_weather);
    ter_guide_weather *values = malloc(bytes);
    if (!values)
        return guide_no_memory(m);
    guide_make_weather(m, &t.climate, values);
    const ter_status status = append(m, &t, &t.climate.first, values, bytes);
    free(values);
    return status;
}

/* ---- steps ---- */

static void tell(const guide_making *m, double share)
{
    if (m->guide->options.progress)
        m->guide->options.progress(m->guide->options.user, share);
}

/** Find the directions and areas of the network from the guide's heights, and its lakes. */
static ter_status route(guide_making *m, guide_network *n)
{
    ter_status status = guide_network_begin(m, n);
    if (status == TER_OK)
        status = guide_force_lines(n);
    if (status == TER_OK)
        status = guide_take_ends(n);
    if (status == TER_OK)
        status = guide_find_outlets(n);
    if (status == TER_OK)
        guide_network_open(n);
    if (status == TER_OK)
        status = guide_flood(n);
    return status == TER_OK ? guide_direct(n) : status;
}

/** Make the beds of lakes even. */
static void smooth_lakes(const guide_network *n)
{
    for (size_t k = 0; k < n->count; k++)
        if (guide_is_lake(n, k)) {
            guide_cells(n->m)[k].relief = LAKE_RELIEF;
            guide_cells(n->m)[k].rough = 0.0f;
        }
}

/** Make the network. The beds of lakes change the provinces, so all is made again if there are lakes. */
static ter_status make_network(guide_making *m, guide_network *n)
{
    ter_status status = route(m, n);
    if (status == TER_OK && n->n_lakes > 0) {
        smooth_lakes(n);
        guide_network_free(n);
        status = route(m, n);
    }
    return status;
}

/** Set nodes: areas, floors, and in rounds the heights. area: scratch of n->count numbers */
static ter_status make_nodes(guide_making *m, guide_network *n, int64_t *area)
{
    guide_sum_areas(n, area);
    for (size_t k = 0; k < n->count; k++)
        if (guide_is_active(n, k))
            guide_cells(m)[k].area = (float)area[k];
    guide_level(n);
    guide_store_nodes(n);
    m->f.guide_level = m->level;
    ter_status status = guide_make_floors(n);
    for (int round = 0; round < ROUNDS && status == TER_OK; round++) {
        tell(m, 0.4 + 0.15 * round);
        status = guide_correct(n, round + 1 < ROUNDS ? 1 : 2);
        if (status != TER_OK)
            break;
        guide_network_wish(n);
        guide_level(n);
        guide_store_nodes(n);
    }
    return status;
}

static ter_status add_network(guide_making *m, guide_tables *out)
{
    guide_network n = {.m = m};
    guide_cell_map tails = {NULL, 0, 0};
    ter_status status = make_network(m, &n);
    tell(m, 0.3);
    int64_t *area = status == TER_OK ? malloc(n.count * sizeof *area) : NULL;
    if (status == TER_OK)
        status = area ? make_nodes(m, &n, area) : guide_no_memory(m);
    if (status == TER_OK)
        status = guide_find_tails(&n, area, &tails);
    if (status == TER_OK)
        guide_report_lines(&n, &out->report);
    if (status == TER_OK)
        status = append_tails(m, &tails);
    if (status == TER_OK)
        status = append_bends(&n);
    out->report.cells = n.n_active;
    out->report.lakes = n.n_lakes;
    out->report.basins = n.n_ends;
    out->report.tails = tails.count;
    free(area);
    guide_cell_map_free(&tails);
    guide_network_free(&n);
    return status;
}

/** Find the cells of lines, and where the water of basins ends. */
static ter_status find_lines(guide_making *m)
{
    guide_pixel_flood pixels;
    if (!m->has_thalwegs && m->guide->options.endorheic <= 0.0)
        return guide_find_line_cells(m, NULL);
    ter_status status = guide_flood_pixels(m, guide_pixels(m), &pixels);
    if (status == TER_OK)
        status = guide_find_pixel_ends(m, &pixels);
    if (status == TER_OK)
        status = guide_find_line_cells(m, m->has_thalwegs ? &pixels : NULL);
    guide_pixel_flood_free(&pixels);
    return status;
}

/** All steps that need the raster's points. */
static ter_status add_points(guide_making *m)
{
    ter_status status = guide_scatter(m);
    tell(m, 0.15);
    if (status == TER_OK)
        status = find_lines(m);
    if (status == TER_OK)
        status = allocate(m);
    if (status == TER_OK)
        status = guide_make_fields(m);
    return status == TER_OK ? guide_make_raise(m) : status;
}

/* ---- numbers ---- */

/** A guide's place and spacing in lattice steps. */
typedef struct guide_place {
    double x, y, spacing, rim;
} guide_place;

static ter_status find_place(const ter_guide *guide, const ter_fluvial *f, guide_place *out)
{
    const ter_guide_options *o = &guide->options;
    const double step = (double)f->spacing, most = (double)TER_COORDINATE_MAX;
    *out = (guide_place){rint(o->x / step), rint(o->z / step), o->spacing / step, o->rim / step};
    const double east = out->x + (o->cols - 1) * out->spacing, south = out->y + (o->rows - 1) * out->spacing;
    if (out->x < -most || out->y < -most || east > most || south > most)
        return ter_fail(TER_EINVAL,
                        "the guide reaches from x %.0f, z %.0f to x %.0f, z %.0f lattice steps: it leaves the world, "
                        "which ends at -2^46 and 2^46",
                        out->x, out->y, east, south);
    if (!(out->spacing >= TER_GUIDE_SPACING_MIN && out->spacing <= 2.0 * TER_GUIDE_SPACING_MAX))
        return ter_fail(TER_EINVAL,
                        "pixels of the guide are %g lattice steps apart, expected %g to %g: change its spacing or that "
                        "of the world",
                        out->spacing, TER_GUIDE_SPACING_MIN, 2.0 * TER_GUIDE_SPACING_MAX);
    return TER_OK;
}

static ter_status choose_scale(guide_making *m, const guide_place *place)
{
    const ter_guide_options *o = &m->guide->options;
    guide_scale scale;
    const ter_status status = guide_find_scale(m->guide, place->spacing, place->rim, m->f.sea, GUIDE_CELLS_MAX, &scale);
    if (status != TER_OK)
        return status;
    m->level = o->level > 0 ? o->level : scale.level;
    m->cell = 131072 >> m->level;
    m->rim = (float)guide_rim(place->rim, (double)m->cell);
    m->rough = o->rough > 0.0 ? (float)o->rough : scale.is_painting ? ROUGH_PAINTING : 0.0f;
    m->jitter = scale.is_painting ? JITTER_PAINTING : 0.0f;
    m->point = m->cell / 8;
    m->has_thalwegs = !scale.is_painting;
    m->has_detail = !scale.is_painting && m->level == TER_NETWORK_LAST && place->spacing < DETAIL_SPACING;
    m->reach_points = place->spacing > 0.75 * (double)m->cell ? 8 : 4;
    m->reach = (float)(m->reach_points * m->point);
    return TER_OK;
}

static ter_status make_rasters(guide_making *m, const guide_place *place)
{
    const guide_raster_plan plan = {.spacing = place->spacing,
                                    .x = (int64_t)place->x,
                                    .y = (int64_t)place->y,
                                    .finest = (double)m->point,
                                    .pad = (double)m->rim + (double)m->reach,
                                    .blur = BLUR_SHARE * (double)m->rim,
                                    .fade = FADE_SHARE * (double)m->rim};
    const ter_guide_options *o = &m->guide->options;
    ter_status status = guide_raster_make(o, o->heights, &plan, &m->raster);
    guide_raster_plan full = plan;
    full.finest = place->spacing;
    full.pad = full.fade = DETAIL_BEYOND + 8.0 * place->spacing;
    if (status == TER_OK && 2.0 * place->spacing <= plan.finest)
        status = guide_raster_make(o, o->heights, &full, &m->full);
    for (int k = 0; k < TER_GUIDE_RASTER_COUNT && status == TER_OK; k++)
        if (o->rasters[k]) {
            m->has_rasters |= k < GUIDE_SUMMED;
            status = guide_raster_make(o, o->rasters[k], &plan, &m->beside[k]);
        }
    return status;
}

/** Compute the checksum of the finished tables, and set the numbers of the report. */
static void finish(const guide_making *m, guide_tables *out)
{
    unsigned char digest[TER_SHA256_BYTES];
    ter_sha256 hash;
    ter_sha256_begin(&hash);
    ter_sha256_add(&hash, m->tables, m->tables->bytes);
    ter_sha256_end(&hash, digest);
    memcpy(&out->key, digest, sizeof out->key);
    ter_sha256_text(digest, out->report.checksum);
    out->report.struct_size = sizeof out->report;
    out->report.level = m->level;
    out->report.cell_m = (double)m->cell * (double)m->f.spacing;
    out->report.rim_m = (double)m->rim * (double)m->f.spacing;
    out->report.bytes = m->tables->bytes;
    out->at = m->tables;
}

static ter_status make(guide_making *m, guide_tables *out)
{
    guide_place place;
    ter_status status = find_place(m->guide, &m->f, &place);
    if (status == TER_OK)
        status = choose_scale(m, &place);
    if (status == TER_OK)
        status = make_rasters(m, &place);
    if (status == TER_OK)
        status = add_points(m);
    if (status == TER_OK)
        status = add_network(m, out);
    if (status == TER_OK)
        status = guide_make_blocks(m);
    tell(m, 0.85);
    if (status == TER_OK)
        status = append_detail(m, out);
    if (status == TER_OK)
        status = append_weather(m);
    if (status == TER_OK)
        finish(m, out);
    return status;
}

ter_status guide_make_tables(const ter_guide *guide, const ter_fluvial *f, guide_tables *out)
{
    const ter_guide_options *o = &guide->options;
    guide_making m = {
        .guide = guide, .f = *f, .kernels = ter_fluvial_best_kernels(), .cancel = {o->is_cancelled, o->user}};
    ter_status status = ter_team_create(o->threads > 0 ? o->threads : ter_team_processors(), &m.team);
    if (status != TER_OK)
        return status;
    tell(&m, 0.0);
    status = make(&m, out);
    tell(&m, 1.0);
    guide_raster_free(&m.raster);
    guide_raster_free(&m.full);
    for (int k = 0; k < TER_GUIDE_RASTER_COUNT; k++)
        guide_raster_free(&m.beside[k]);
    free(m.sums);
    free(m.raster_sums);
    free(m.line_cells);
    free(m.pixel_ends);
    if (status != TER_OK)
        ter_aligned_free(m.tables);
    ter_team_destroy(m.team);
    return status;
}
