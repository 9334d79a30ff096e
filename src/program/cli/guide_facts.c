/* guide_facts.c - prints a guide: its pixels, its place, its heights, and the network that a world makes of it. */
#include "program/cli/guide_facts.h"

#include <math.h>

#include "program/guide/guide_request.h"

/** Heights of a guide. */
typedef struct height_facts {
    double low, high; /* m */
    size_t count, below, missing;
} height_facts;

static height_facts measure(const ter_guide_options *o, double sea)
{
    height_facts f = {.low = INFINITY, .high = -INFINITY, .count = (size_t)o->cols * (size_t)o->rows};
    for (size_t n = 0; n < f.count; n++) {
        const double z = (double)o->heights[n];
        if (isnan(z)) {
            f.missing++;
            continue;
        }
        f.below += z < sea;
        f.low = fmin(f.low, z);
        f.high = fmax(f.high, z);
    }
    return f;
}

static double percent(size_t part, size_t whole)
{
    return 100.0 * (double)part / (double)whole;
}

static void print_place(FILE *to, const ter_guide_options *o, const guide_crs *crs)
{
    const double width = (o->cols - 1) * o->spacing, height = (o->rows - 1) * o->spacing;
    fprintf(to, "pixels: %d x %d, %.15g m apart: %.15g x %.15g km\n", o->cols, o->rows, o->spacing,
            o->cols * o->spacing / 1000.0, o->rows * o->spacing / 1000.0);
    fprintf(to, "place: north-western pixel at %.0f,%.0f m, middle of the guide at %.0f,%.0f m\n", o->x, o->z,
            o->x + 0.5 * width, o->z + 0.5 * height);
    if (crs)
        fprintf(to, "on the Earth: EPSG:%d, north-western pixel at east %.15g, north %.15g\n", crs->epsg, crs->east,
                crs->north);
}

static void print_heights(FILE *to, const ter_guide_options *o, double sea)
{
    const height_facts f = measure(o, sea);
    fprintf(to, "heights: %.1f to %.1f m, %.1f %% of the pixels below the sea, %.1f %% without data\n", f.low, f.high,
            percent(f.below, f.count), percent(f.missing, f.count));
}

static void print_network(FILE *to, const ter_guide_options *o, const ter_guide_report *r)
{
    fprintf(to, "network: level %d, %s; cells of %.15g m, %llu nodes of the guide, %llu lakes\n", r->level,
            o->level > 0 ? "as given" : "chosen by measure", r->cell_m, (unsigned long long)r->cells,
            (unsigned long long)r->lakes);
    if (r->detail_m > 0.0)
        fprintf(to, "detail: heights of the pixels are kept at points %.15g m apart\n", r->detail_m);
    if (o->n_rivers > 0)
        fprintf(to, "rivers: %d lines, %llu nodes on them, up to %.1f m below the guide\n", o->n_rivers,
                (unsigned long long)r->river_cells, r->river_cut_m);
    if (o->endorheic > 0.0)
        fprintf(to, "basins: %llu without an outlet\n", (unsigned long long)r->basins);
    fprintf(to, "around: %s, rim of %.1f km, %llu nodes of rivers that leave the guide\n",
            ter_guide_surround_name(o->surround), r->rim_m / 1000.0, (unsigned long long)r->tails);
    fprintf(to, "tables: %.1f MB, sha256 %s\n", (double)r->bytes / 1e6, r->checksum);
}

result guide_facts_print(FILE *to, const ter_params *params)
{
    const guide_request *request = guide_request_of(params->guide);
    const ter_guide_options *o = ter_guide_options_used(params->guide);
    ter_guide_report report = {TER_SIZED(ter_guide_report)};
    ter_world *world = NULL;
    char sum[TER_GUIDE_CHECKSUM];
    ter_status status = ter_world_create(params, &world);
    if (status == TER_OK)
        status = ter_world_guide_report(world, &report);
    ter_world_destroy(world);
    if (status != TER_OK)
        return result_of_library(status, "world");
    ter_guide_checksum(params->guide, sum);
    fprintf(to, "guide: %s\n", request->file);
    print_place(to, o, guide_crs_of(params->guide));
    print_heights(to, o, params->sea);
    fprintf(to, "sha256: %s\n", sum);
    print_network(to, o, &report);
    return result_done();
}
