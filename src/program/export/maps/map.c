/* map.c - generates heights and water of a plan's file, draws a relief map of them, and writes it as PNG. */
#include "program/export/maps/map.h"

#include <stdlib.h>

#include "program/core/fill.h"
#include "program/core/clock.h"
#include "program/core/work_pieces.h"
#include "program/export/formats/export_file.h"
#include "program/export/sidecar/sidecar.h"
#include "program/file/output_file.h"
#include "program/picture/map_rivers.h"
#include "program/picture/picture.h"
#include "program/picture/relief.h"

enum {
    PIECE_MAX = 1 << 18, /* greatest number of pixels of a piece with water */
    PIXEL_SAMPLES = 4    /* greatest number of samples of a pixel with water */
};
static const double LAND_SHARE = 0.95; /* share of the time for a large map that the generation of its land takes */

/** A map that is being made. */
typedef struct map {
    relief land;
    float *heights;
    map_water *water; /* NULL: the world has no water */
    float *climate;   /* layers of map_climate_layers, one after another; NULL in style relief */
    float *cover;     /* layers of map_cover_layers, one after another; NULL: the world has no glaciers and no sand */
    float *samples;   /* samples of one piece, one layer after another; NULL if the world has no water */
    uint8_t *pixels;
    const planned_file *planned;
    const work_events *events;
} map;

static bool goes_on(void *user, double share)
{
    const map *m = user;
    return work_goes_on(m->events, m->planned->path, share);
}

static bool goes_on_joining(void *user)
{
    return goes_on(user, LAND_SHARE);
}

static bool goes_on_drawing(void *user, double share)
{
    return goes_on(user, LAND_SHARE + (1.0 - LAND_SHARE) * share);
}

static bool goes_on_packing(void *user)
{
    const map *m = user;
    return work_goes_on(m->events, m->planned->path, 1.0);
}

static result interrupted(const map *m)
{
    return result_of(RESULT_INTERRUPTED, "interrupted; nothing is left of '%s'", m->planned->path);
}

/** Greatest number of pixels of a piece. */
static int64_t largest_piece(const map *m)
{
    const int64_t all = (int64_t)m->land.width * m->land.height;
    return world_has_rivers(m->land.world) && all > PIECE_MAX ? PIECE_MAX : all;
}

static ter_status make_dry_piece(const map *m, const strips_source *source, const ter_rect *piece)
{
    const ter_rect *whole = &m->planned->rect;
    float *to = m->heights + (piece->j - whole->j) * whole->width + (piece->i - whole->i);
    return fill_heights(source->generators[0], source->world, piece, to, (size_t)whole->width);
}

static ter_status make_wet_piece(const map *m, const strips_source *source, const ter_rect *piece)
{
    const ter_rect *whole = &m->planned->rect;
    const int n_a_side = map_water_samples_a_side(m->land.world, whole);
    const ter_rect rect = map_water_samples(n_a_side, whole, piece);
    const float *layers[MAP_LAYERS];
    layer_arrays out = {{0}};
    for (int n = 0; n < MAP_LAYERS; n++)
        layers[n] = out.at[map_water_layers[n]] =
            map_water_needs(m->land.world, n) ? m->samples + n * rect.width * rect.height : NULL;
    const ter_status status = fill_rect(source->generators[0], source->world, &rect, &out, (size_t)rect.width);
    if (status == TER_OK)
        map_water_compute(m->land.world, n_a_side, whole, piece, layers, m->heights, m->water);
    return status;
}

/** Make layers of climate and cover at a piece's pixels. */
static ter_status make_layers(const map *m, const strips_source *source, const ter_rect *piece)
{
    const ter_rect *whole = &m->planned->rect;
    const int64_t first = (piece->j - whole->j) * whole->width + (piece->i - whole->i);
    layer_arrays out = {{0}};
    for (int n = 0; n < MAP_CLIMATE_LAYERS && m->climate; n++)
        out.at[map_climate_layers[n]] = m->climate + n * whole->width * whole->height + first;
    for (int n = 0; n < MAP_COVER_LAYERS && m->cover; n++)
        out.at[map_cover_layers[n]] = m->cover + n * whole->width * whole->height + first;
    return fill_rect(source->generators[0], source->world, piece, &out, (size_t)whole->width);
}

static result make_land(const map *m, const strips_source *source)
{
    const ter_rect *rect = &m->planned->rect;
    double made = 0.0;
    work_pieces p = work_pieces_create(largest_piece(m));
    work_pieces_begin(&p, m->land.width, m->land.height);
    while (work_pieces_next(&p)) {
        const ter_rect piece = {rect->level, rect->i + p.column, rect->j + p.row, p.piece_width, p.piece_rows};
        ter_status status = m->water ? make_wet_piece(m, source, &piece) : make_dry_piece(m, source, &piece);
        if (status == TER_OK && (m->climate || m->cover))
            status = make_layers(m, source, &piece);
        made += (double)p.piece_width * (double)p.piece_rows;
        if (status == TER_ECANCELLED ||
            !goes_on((void *)m, LAND_SHARE * made / ((double)m->land.width * (double)m->land.height)))
            return interrupted(m);
        if (status != TER_OK)
            return result_of_library(status, "map");
    }
    return result_done();
}

static result draw_map(map *m, const strips_source *source)
{
    const relief_progress progress = {goes_on_drawing, m};
    const result res = make_land(m, source);
    if (res.kind != RESULT_DONE)
        return res;
    const picture_progress of_rivers = {goes_on_joining, m};
    result drawn = m->water ? map_rivers_join(m->land.world, &m->planned->rect, m->heights, m->water, &of_rivers) : res;
    if (drawn.kind == RESULT_DONE)
        drawn = relief_draw(&m->land, m->pixels, &progress);
    return drawn.kind == RESULT_INTERRUPTED ? interrupted(m) : drawn;
}

/** Compress the drawn map as PNG. The caller frees *bytes with free(). */
static result pack_map(map *m, void **bytes, size_t *size)
{
    const picture_progress progress = {goes_on_packing, m};
    const result res = picture_encode(m->planned->path, m->pixels, m->land.width, relief_picture_height(&m->land),
                                      &progress, bytes, size);
    return res.kind == RESULT_INTERRUPTED ? interrupted(m) : res;
}

/** Allocate memory for heights, water and pixels. The caller frees it with free_map, also on error. */
static result allocate(map *m)
{
    const relief *land = &m->land;
    const bool is_wet = world_has_rivers(land->world), is_covered = map_has_cover(land->world);
    const size_t pixels = (size_t)land->width * (size_t)land->height;
    m->heights = malloc(pixels * sizeof *m->heights);
    m->pixels = malloc((size_t)land->width * (size_t)relief_picture_height(land) * 3);
    if (is_wet) {
        m->water = malloc(pixels * sizeof *m->water);
        m->samples = malloc((size_t)largest_piece(m) * PIXEL_SAMPLES * MAP_LAYERS * sizeof *m->samples);
    }
    if (land->style != MAP_RELIEF)
        m->climate = malloc(pixels * MAP_CLIMATE_LAYERS * sizeof *m->climate);
    if (is_covered)
        m->cover = malloc(pixels * MAP_COVER_LAYERS * sizeof *m->cover);
    for (int n = 0; n < MAP_CLIMATE_LAYERS && m->climate; n++)
        m->land.climate[n] = m->climate + (size_t)n * pixels;
    for (int n = 0; n < MAP_COVER_LAYERS && m->cover; n++)
        m->land.cover[n] = m->cover + (size_t)n * pixels;
    m->land.heights = m->heights;
    m->land.water = m->water;
    if (!m->heights || !m->pixels || (is_wet && (!m->water || !m->samples)) ||
        (land->style != MAP_RELIEF && !m->climate) || (is_covered && !m->cover))
        return result_of(RESULT_FAILED, "no memory for a map of %d x %d", land->width, land->height);
    return result_done();
}

static void free_map(map *m)
{
    free(m->heights);
    free(m->water);
    free(m->samples);
    free(m->climate);
    free(m->cover);
    free(m->pixels);
}

/** Make the bytes of a map. The caller frees the map with free_map and *bytes with free(), also on error. */
static result make_map(map *m, const strips_source *source, void **bytes, size_t *size)
{
    result res = allocate(m);
    if (res.kind == RESULT_DONE)
        res = draw_map(m, source);
    return res.kind == RESULT_DONE ? pack_map(m, bytes, size) : res;
}

static relief relief_of_file(const export_file *file, const ter_params *world, const look *look)
{
    return (relief){.world = world,
                    .look = look,
                    .x = file->x,
                    .z = file->z,
                    .step = export_file_step(file),
                    .pixel_m = export_file_spacing_m(file),
                    .width = (int)file->width,
                    .height = (int)file->height,
                    .style = file->map_style};
}

/** Give a map its name, together with its sidecars. */
static result commit(const export_plan *plan, const map *m, output_file *file, checksum *sum)
{
    file_facts facts = file_facts_none();
    relief_range(&m->land, &facts.min_m, &facts.max_m);
    if (sum)
        checksum_text(sum, facts.checksum);
    return sidecar_commit(file, false, plan->may_replace, &m->planned->file, &facts);
}

result export_map(const export_plan *plan, const strips_source *source, const look *look, const work_events *events,
                  export_report *report)
{
    output_file file;
    planned_file planned;
    void *bytes = NULL;
    size_t size = 0;
    export_plan_file(plan, 0, &planned);
    map m = {.land = relief_of_file(&planned.file, ter_world_params(source->world), look),
             .planned = &planned,
             .events = events};
    result res = plan->is_regular ? output_file_open_beside(&file, planned.path, 0, plan->may_replace)
                                  : output_file_open(&file, planned.path, 0, plan->may_replace);
    if (res.kind != RESULT_DONE)
        return res;
    checksum *sum = plan->is_regular ? checksum_create() : NULL;
    file.sums[0] = sum;
    res = make_map(&m, source, &bytes, &size);
    if (res.kind == RESULT_DONE)
        res = output_file_write(&file, bytes, size);
    *report = (export_report){.n_files = 1, .bytes = file.written};
    if (res.kind == RESULT_DONE)
        relief_range(&m.land, &report->min_m, &report->max_m);
    if (res.kind == RESULT_DONE)
        res = commit(plan, &m, &file, sum);
    else
        output_file_discard(&file);
    checksum_destroy(sum);
    free_map(&m);
    free(bytes);
    return res;
}

/** Make a part of about `pixels` pixels, and extrapolate its time to the whole map. */
static result try_part(const planned_file *whole, const strips_source *source, const look *look, int64_t pixels,
                       double *seconds)
{
    static const work_events silent = {0};
    planned_file part = *whole;
    void *bytes = NULL;
    size_t size = 0;
    const double begun_s = clock_now_s();
    part.file = export_file_middle(&whole->file, pixels);
    part.rect = export_file_rect(&part.file);
    map m = {
        .land = relief_of_file(&part.file, ter_world_params(source->world), look), .planned = &part, .events = &silent};
    const result res = make_map(&m, source, &bytes, &size);
    const double made = (double)m.land.width * (double)m.land.height;
    *seconds = (clock_now_s() - begun_s) / made * (double)whole->file.width * (double)whole->file.height;
    free_map(&m);
    free(bytes);
    return res;
}

result export_map_estimate(const export_plan *plan, const strips_source *source, const look *look, double *seconds)
{
    static const double ENOUGH_S = 1.0; /* no larger part is tried after this time */
    enum { PIXELS_FIRST = 1 << 6 };
    planned_file whole;
    result res = result_done();
    export_plan_file(plan, 0, &whole);
    const double begun_s = clock_now_s();
    bool is_enough = false;
    for (int64_t pixels = PIXELS_FIRST; res.kind == RESULT_DONE && !is_enough; pixels *= 4) {
        res = try_part(&whole, source, look, pixels, seconds);
        is_enough = pixels >= whole.file.width * whole.file.height || clock_now_s() - begun_s > ENOUGH_S;
    }
    return res;
}
