/* plot.c - writes the chart as SVG 1.1. */
#include "program/bench/plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/core/system.h"
#include "program/file/commit.h"

enum { WIDTH = 860, PANEL_HEIGHT = 440, LEFT = 84, RIGHT = 230, TOP = 48, BOTTOM = 56, LINES_MAX = 32, SIZES_MAX = 64 };

/* Colours that people with colour blindness can tell apart. Source: Okabe and Ito, "Color Universal Design", 2008. */
static const char *const COLOURS[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                      "#e69f00", "#56b4e9", "#000000", "#f0e442"};
static const char *const DASHES[] = {"", " stroke-dasharray=\"7 4\"", " stroke-dasharray=\"2 3\"",
                                     " stroke-dasharray=\"9 3 2 3\""};

/** One panel of the chart: its rows, the ranges of its axes, and its place. */
typedef struct panel {
    const bench_row *rows;
    size_t count;
    ter_backend backend;
    double size_low, size_high; /* log2 of the size */
    double rate_low, rate_high; /* log10 of samples per second */
    double top;                 /* upper edge, pixels */
} panel;

static bool is_drawn(const panel *p, const bench_row *r)
{
    return r->backend == p->backend && r->n_devices <= 1 && r->size > 0 && r->is_identical;
}

static double x_of(const panel *p, double size)
{
    return LEFT + (log2(size) - p->size_low) / (p->size_high - p->size_low) * (WIDTH - LEFT - RIGHT);
}

static double y_of(const panel *p, double rate)
{
    return p->top + TOP + (p->rate_high - log10(rate)) / (p->rate_high - p->rate_low) * (PANEL_HEIGHT - TOP - BOTTOM);
}

static double fill_rate(const bench_row *r)
{
    return bench_work_samples(&r->work) / r->fill_ms * 1e3;
}

/** Samples per second of a row; with is_fill, of storing a constant into the same memory. */
static double rate_of(const bench_row *r, bool is_fill)
{
    return is_fill ? fill_rate(r) : bench_row_gsamples_per_s(r) * 1e9;
}

static bool measure_panel(panel *p)
{
    double low = INFINITY, high = 0.0, size_low = INFINITY, size_high = 0.0;
    for (size_t n = 0; n < p->count; n++) {
        const bench_row *r = &p->rows[n];
        if (!is_drawn(p, r))
            continue;
        low = fmin(low, bench_row_gsamples_per_s(r) * 1e9);
        high = fmax(high, fmax(bench_row_gsamples_per_s(r) * 1e9, fill_rate(r)));
        size_low = fmin(size_low, (double)r->size);
        size_high = fmax(size_high, (double)r->size);
    }
    if (high <= 0.0)
        return false;
    p->rate_low = floor(log10(low));
    p->rate_high = ceil(log10(high));
    p->size_low = log2(size_low) - 0.25;
    p->size_high = log2(size_high) + 0.25;
    return true;
}

static void draw_axes(FILE *out, const panel *p)
{
    static const char *const UNITS[] = {"", "K", "M", "G", "T", "P"};
    const double right = WIDTH - RIGHT, bottom = p->top + PANEL_HEIGHT - BOTTOM;
    fprintf(out,
            "<text x=\"%d\" y=\"%.0f\" font-size=\"17\" font-weight=\"bold\">%s: samples a second by size of the "
            "array</text>\n",
            LEFT, p->top + 28, p->backend == TER_BACKEND_CUDA ? "CUDA" : "CPU");
    for (int e = (int)p->rate_low; e <= (int)p->rate_high; e++) {
        const double y = y_of(p, pow(10.0, e));
        fprintf(out, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#d8d8d8\"/>\n", LEFT, y, right, y);
        fprintf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.0f %s</text>\n", LEFT - 10, y + 4,
                pow(10.0, e % 3), UNITS[e / 3 < 5 ? e / 3 : 5]);
    }
    double last = -1e9;
    for (int exponent = 0; exponent <= (int)p->size_high; exponent++) {
        const double size = (double)(1 << exponent), x = exponent >= p->size_low ? x_of(p, size) : -1e9;
        if (x < LEFT || x - last < 52.0)
            continue;
        last = x;
        fprintf(out, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#d8d8d8\"/>\n", x, p->top + TOP, x,
                bottom);
        fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.0f\xc2\xb2</text>\n", x, bottom + 20, size);
    }
    fprintf(out, "<rect x=\"%d\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" stroke=\"#606060\"/>\n", LEFT,
            p->top + TOP, right - LEFT, bottom - p->top - TOP);
}

/** Print generator and world as XML text. XML does not allow control characters; they become '?'. */
static void print_key(FILE *out, const bench_row *row)
{
    fprintf(out, "%s, ", bench_row_generator(row));
    for (const char *c = row->world_name; *c; c++)
        switch (*c) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        default:
            fputc((unsigned char)*c < ' ' ? '?' : *c, out);
        }
}

/** Draw a line through all rows with the generator and world of `first`; with is_fill, the speed of the memory. */
static void draw_line(FILE *out, const panel *p, const bench_row *first, bool is_fill, const char *colour,
                      const char *dash, int place)
{
    const double key_y = p->top + TOP + 14 + 22 * place, key_x = WIDTH - RIGHT + 16;
    const bench_row *points[SIZES_MAX];
    int n_points = 0;
    for (int64_t last = 0; n_points < SIZES_MAX; last = points[n_points++]->size) { /* in order of size */
        const bench_row *next = NULL;
        for (size_t n = 0; n < p->count; n++) {
            const bench_row *r = &p->rows[n];
            const bool is_same = is_fill || (strcmp(bench_row_generator(r), bench_row_generator(first)) == 0 &&
                                             strcmp(r->world_name, first->world_name) == 0);
            if (is_drawn(p, r) && is_same && r->size > last && (!next || r->size < next->size))
                next = r;
        }
        if (!next)
            break;
        points[n_points] = next;
    }
    fprintf(out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%s\"%s d=\"", colour, is_fill ? "1.5" : "2.2", dash);
    for (int n = 0; n < n_points; n++)
        fprintf(out, "%c%.1f %.1f", n == 0 ? 'M' : 'L', x_of(p, (double)points[n]->size),
                y_of(p, rate_of(points[n], is_fill)));
    fprintf(out, "\"/>\n");
    for (int n = 0; n < n_points; n++)
        fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.6\" fill=\"%s\"/>\n", x_of(p, (double)points[n]->size),
                y_of(p, rate_of(points[n], is_fill)), colour);
    fprintf(out, "<line x1=\"%.0f\" y1=\"%.0f\" x2=\"%.0f\" y2=\"%.0f\" stroke=\"%s\" stroke-width=\"2.2\"%s/>\n",
            key_x, key_y, key_x + 30, key_y, colour, dash);
    fprintf(out, "<text x=\"%.0f\" y=\"%.0f\">", key_x + 38, key_y + 4);
    if (is_fill)
        fprintf(out, "fill: the memory's limit");
    else
        print_key(out, first);
    fprintf(out, "</text>\n");
}

static void draw_panel(FILE *out, const panel *p)
{
    const char *generators[LINES_MAX], *worlds[LINES_MAX];
    const bench_row *lines[LINES_MAX];
    int n_generators = 0, n_worlds = 0, n_lines = 0;
    draw_axes(out, p);
    for (size_t n = 0; n < p->count; n++) {
        const bench_row *r = &p->rows[n];
        int g = 0, w = 0, l = 0;
        if (!is_drawn(p, r))
            continue;
        while (g < n_generators && strcmp(generators[g], bench_row_generator(r)) != 0)
            g++;
        while (w < n_worlds && strcmp(worlds[w], r->world_name) != 0)
            w++;
        while (l < n_lines && (strcmp(bench_row_generator(lines[l]), bench_row_generator(r)) != 0 ||
                               strcmp(lines[l]->world_name, r->world_name) != 0))
            l++;
        if (l < n_lines || n_lines == LINES_MAX)
            continue;
        if (g == n_generators)
            generators[n_generators++] = bench_row_generator(r);
        if (w == n_worlds)
            worlds[n_worlds++] = r->world_name;
        lines[n_lines++] = r;
        draw_line(out, p, r, false, COLOURS[(size_t)g % (sizeof COLOURS / sizeof COLOURS[0])],
                  DASHES[(size_t)w % (sizeof DASHES / sizeof DASHES[0])], n_lines);
    }
    draw_line(out, p, lines[0], true, "#808080", "", 0);
}

result bench_plot(const char *path, const bench_row *rows, size_t count)
{
    static const ter_backend BACKENDS[] = {TER_BACKEND_CUDA, TER_BACKEND_CPU};
    panel panels[2];
    int n_panels = 0;
    for (size_t b = 0; b < 2; b++) {
        panels[n_panels] =
            (panel){.rows = rows, .count = count, .backend = BACKENDS[b], .top = n_panels * (double)PANEL_HEIGHT};
        n_panels += measure_panel(&panels[n_panels]);
    }
    if (n_panels == 0)
        return result_of(RESULT_USAGE, "--plot '%s': no array was measured that could be drawn", path);
    system_text text;
    if (!system_text_open(&text))
        return result_of(RESULT_FAILED, "no memory for the chart");
    fprintf(text.to,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
            "font-family=\"sans-serif\" "
            "font-size=\"13\" fill=\"#202020\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n",
            WIDTH, n_panels * PANEL_HEIGHT, WIDTH, n_panels * PANEL_HEIGHT);
    for (int n = 0; n < n_panels; n++)
        draw_panel(text.to, &panels[n]);
    fprintf(text.to, "</svg>\n");
    const result res = system_text_close(&text) ? output_file_text(path, text.text, true, false)
                                                : result_of(RESULT_FAILED, "no memory for the chart");
    free(text.text);
    return res;
}
