/* command_fly.c - terrane fly: options. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/run_options.h"
#include "fly/fly.h"
#include "fly/pilot.h"
#include "program/clock.h"
#include "render/renderer.h"

static const char *const qualities[] = {"auto", "low", "medium", "high", NULL};
static const char *const debug_views[] = {"off", "lod", "normals", "tiles", "wire", NULL};

/* ---- what a flight tells ---- */

static bool is_bar_shown; /* progress stands on the terminal's last line */

static void clear_bar(void)
{
    if (is_bar_shown)
        fputs("\r\033[K", stderr);
    is_bar_shown = false;
}

static void say(const char *text)
{
    clear_bar();
    fprintf(stderr, "terrane: %s\n", text);
}

static outcome print_line(const char *line)
{
    return puts(line) >= 0 && fflush(stdout) == 0 ? outcome_done() : outcome_of_file("write", "standard output");
}

/** A bar on a terminal, some times a second. */
static void show_progress(const char *of, double share)
{
    static double shown_s = -1.0;
    const double now_s = clock_now_s();
    char bar[41];
    if (!isatty(STDERR_FILENO) || (shown_s >= 0.0 && now_s - shown_s < 0.1))
        return;
    shown_s = now_s;
    is_bar_shown = true;
    memset(bar, '.', 40);
    memset(bar, '#', (size_t)(share * 40.0));
    bar[40] = '\0';
    fprintf(stderr, "\r\033[K%s [%s] %3.0f %%", of, bar, share * 100.0);
}

/** "terrain,water,..." as bits. */
static outcome parse_layers(const char *text, unsigned *layers)
{
    char copy[128];
    snprintf(copy, sizeof copy, "%s", text);
    *layers = 0;
    for (char *word = strtok(copy, ","); word; word = strtok(NULL, ",")) {
        size_t n = 0;
        while (n < LAYERS && strcmp(render_layer_names[n], word) != 0)
            n++;
        *layers = n < LAYERS ? *layers | 1u << n : 0;
        if (n == LAYERS)
            break;
    }
    if (*layers == 0)
        return outcome_of(OUTCOME_USAGE, "--layers is '%s', expected a list of terrain, water, sky, clouds, shadows and hud", text);
    return outcome_done();
}

/** The request, and what the table sets that a request holds in another form. */
typedef struct fly_options {
    fly_request request;
    int64_t size[2];
    bool has_layers, has_sun, is_list_keys;
    const char *morph_to, *morph_world;
    int quality; /* in qualities */
} fly_options;

/** "SEED[,SECONDS]" of this world, or another world's file. */
static outcome parse_morph(const fly_options *f, const setup *s, fly_morph *m)
{
    *m = (fly_morph){.params = s->params, .look = s->look, .seconds = 20.0, .is_wanted = f->morph_to || f->morph_world};
    if (f->morph_to) {
        char *end, rest;
        errno = 0;
        m->params.seed = strtoull(f->morph_to, &end, 10);
        const bool is_seed = f->morph_to[0] >= '0' && f->morph_to[0] <= '9' && !errno;
        const bool is_time = *end == '\0' || (*end == ',' && sscanf(end + 1, "%lf%c", &m->seconds, &rest) == 1);
        if (!is_seed || !is_time || !(m->seconds > 0 && m->seconds <= 1e6))
            return outcome_of(OUTCOME_USAGE, "--morph-to is '%s', expected SEED or SEED,SECONDS", f->morph_to);
    }
    const uint64_t seed = m->params.seed;
    const outcome o = f->morph_world ? setup_read_named_world(f->morph_world, &m->params, &m->look) : outcome_done();
    if (f->morph_world && f->morph_to)
        m->params.seed = seed;
    return o;
}

static outcome list_keys(void)
{
    char text[4096];
    keys_describe(text, sizeof text);
    fputs(text, stdout);
    return outcome_done();
}

static outcome check(const fly_options *f, const setup *s)
{
    const fly_request *r = &f->request;
    const int64_t *size = f->size;
    if (size[0] > 16384 || size[1] > 16384)
        return outcome_of(OUTCOME_USAGE, "--size is '%lldx%lld', expected at most 16384x16384", (long long)size[0],
                          (long long)size[1]);
    if ((r->film || r->frames_dir || r->has_checksums) && (size[0] > FLY_FRAME_MAX || size[1] > FLY_FRAME_MAX))
        return outcome_of(OUTCOME_USAGE, "--size is '%lldx%lld', expected at most %dx%d for films, frames and checksums",
                          (long long)size[0], (long long)size[1], FLY_FRAME_MAX, FLY_FRAME_MAX);
    for (int n = 0; n < 2; n++)
        if (r->at[n] > CAMERA_COORDINATE_MAX || r->at[n] < -CAMERA_COORDINATE_MAX)
            return outcome_of(OUTCOME_USAGE, "--at is '%lld,%lld', expected two integers from -(2^46 - 2^31) to 2^46 - 2^31",
                              (long long)r->at[0], (long long)r->at[1]);
    if (!(s->params.spacing >= 1e-3 && s->params.spacing <= 1e6))
        return outcome_of(OUTCOME_USAGE, "--spacing is '%g', expected 0.001 to 1000000 for a flight", s->params.spacing);
    if (r->view && r->path)
        return outcome_of(OUTCOME_USAGE, "--view and --path both say where the camera is, expected one of them");
    return outcome_done();
}

static outcome fly(void *user, const setup *s, int n_words, const char *const *words)
{
    fly_options *f = user;
    fly_request *r = &f->request;
    (void)n_words, (void)words;
    ter_world *world = NULL;
    ter_generator *generator = NULL;
    const fly_events events = {say, print_line, show_progress, command_is_interrupted};
    if (f->is_list_keys)
        return list_keys();
    r->width = (int)f->size[0];
    r->height = (int)f->size[1];
    r->quality = f->quality - 1;
    r->look = s->look;
    if (f->has_sun)
        r->time_h = NAN;
    outcome o = check(f, s);
    if (o.kind == OUTCOME_DONE)
        o = parse_layers(f->has_layers ? r->layer_names : "terrain,water,sky,clouds,shadows,hud", &r->layers);
    if (o.kind == OUTCOME_DONE)
        o = parse_morph(f, s, &r->morph);
    if (o.kind == OUTCOME_DONE)
        o = setup_world(s, &world);
    if (o.kind == OUTCOME_DONE)
        o = setup_generator(s, &generator);
    if (o.kind == OUTCOME_DONE)
        o = fly_run(r, &events, world, generator);
    else
        ter_world_destroy(world);
    clear_bar();
    ter_generator_destroy(generator);
    return o;
}

outcome command_fly(int argc, char **argv)
{
    fly_options f = {.size = {1280, 720}};
    fly_request *r = &f.request;
    *r = (fly_request){.at = {1858048 + 60000, 2480640 + 60000},
                       .altitude_m = 400,
                       .heading_deg = 30,
                       .pitch_deg = -8,
                       .speed = 120,
                       .planet_radius_km = 6371,
                       .pixel_error = 1,
                       .time_h = 9.5,
                       .min_clearance_m = 2};
    const option options[] = {
        {"at", "X,Z", "lattice coordinates to start at", OPTION_PLACE, r->at, {0}, NULL, NULL},
        {"altitude", "M", "metres above the ground", OPTION_REAL, &r->altitude_m, {0, 1e6, 0, 0}, NULL, NULL},
        {"heading", "DEG", "0 north, 90 east", OPTION_REAL, &r->heading_deg, {-360, 360, 0, 0}, NULL, NULL},
        {"pitch", "DEG", "up is positive", OPTION_REAL, &r->pitch_deg, {-89, 89, 0, 0}, NULL, NULL},
        {"speed", "M/S", "metres a second", OPTION_REAL, &r->speed, {PILOT_SPEED_MIN, PILOT_SPEED_MAX, 0, 0}, NULL, NULL},
        {"size", "WxH", "pixels", OPTION_SIZE, f.size, {0}, NULL, NULL},
        {"planet-radius", "KM", "curvature of the land, 0 is flat", OPTION_REAL, &r->planet_radius_km, {0, 1e9, 0, 0}, NULL, NULL},
        {"headless", NULL, "no window: needs no display", OPTION_FLAG, &r->is_headless, {0}, NULL, NULL},
        {"no-wait",
         NULL,
         "headless: frames do not wait for tiles, late ones are counted as in a window",
         OPTION_FLAG,
         &r->is_impatient,
         {0},
         NULL,
         NULL},
        {"frames", "N", "stop after N frames", OPTION_INTEGER, &r->frames, {1, 100000000, 0, 0}, NULL, NULL},
        {"fps",
         "F",
         "frames a second: of flight without a window or for a film, else at most",
         OPTION_INTEGER,
         &r->fps,
         {1, 1000, 0, 0},
         NULL,
         NULL},
        {"view",
         "LINE",
         "X,Z,ALTITUDE,HEADING,PITCH as the key C copies it; altitude over the datum",
         OPTION_TEXT,
         &r->view,
         {0},
         NULL,
         NULL},
        {"path", "FILE", "fly along lines of TIME X Z ALTITUDE HEADING PITCH", OPTION_TEXT, &r->path, {0}, NULL, NULL},
        {"min-clearance", "M", "never nearer to ground and sea", OPTION_REAL, &r->min_clearance_m, {0.3, 100000, 0, 0}, NULL, NULL},
        {"morph-to",
         "SEED[,S]",
         "become the land of another seed, within 20 or S seconds",
         OPTION_TEXT,
         &f.morph_to,
         {0},
         NULL,
         NULL},
        {"morph-world", "FILE", "become another world", OPTION_TEXT, &f.morph_world, {0}, NULL, NULL},
        {"morph-front", NULL, "morphs sweep over the land along the flight", OPTION_FLAG, &r->is_front, {0}, NULL, NULL},
        {"journey",
         "S",
         "become the next seed every S seconds, without end",
         OPTION_REAL,
         &r->journey_s,
         {0.1, 1e6, 0, 0},
         NULL,
         NULL},
        {"record", "FILE.mp4", "film of the flight, by ffmpeg", OPTION_TEXT, &r->film, {0}, NULL, NULL},
        {"frames-dir", "DIR", "a picture of every frame", OPTION_TEXT, &r->frames_dir, {0}, NULL, NULL},
        {"force", NULL, "replace existing films, frames, pictures and figures", OPTION_FLAG, &r->may_replace, {0}, NULL, NULL},
        {"checksums", NULL, "number and CRC-32 of every frame on stdout", OPTION_FLAG, &r->has_checksums, {0}, NULL, NULL},
        {"export-view",
         NULL,
         "at the end mark the ground in view, and print the command that exports it on stdout",
         OPTION_FLAG,
         &r->is_view_exported,
         {0},
         NULL,
         NULL},
        {"list-keys", NULL, "print the keys and leave", OPTION_FLAG, &f.is_list_keys, {0}, NULL, NULL},
        {"screenshot", "FILE.png", "picture of the last frame", OPTION_TEXT, &r->screenshot, {0}, NULL, NULL},
        {"stats", "FILE.json", "figures of the flight", OPTION_TEXT, &r->stats, {0}, NULL, NULL},
        {"time", "H", "solar time, hours", OPTION_REAL, &r->time_h, {0, 24, 0, 0}, NULL, NULL},
        {"sun",
         "AZ,EL",
         "azimuth and elevation of the sun, degrees, instead of a time",
         OPTION_ANGLES,
         r->sun_deg,
         {0},
         NULL,
         &f.has_sun},
        {"pixel-error", "PX", "how coarse the land may look, pixels", OPTION_REAL, &r->pixel_error, {0.25, 16, 0, 0}, NULL, NULL},
        {"tile-memory",
         "MB",
         "memory for tiles; 0 is enough for the quality",
         OPTION_INTEGER,
         &r->tile_memory_mb,
         {0, 65536, 0, 0},
         NULL,
         NULL},
        {"layers", "LIST", "terrain,water,sky,clouds,shadows,hud", OPTION_TEXT, &r->layer_names, {0}, NULL, &f.has_layers},
        {"quality",
         "NAME",
         "detail of mesh and shading; auto is high on a GPU, low without one",
         OPTION_CHOICE,
         &f.quality,
         {0},
         qualities,
         NULL},
        {"debug", "NAME", "debug view", OPTION_CHOICE, &r->debug, {0}, debug_views, NULL},
        {"shader-dir", "DIR", "load shaders from a folder", OPTION_TEXT, &r->shader_folder, {0}, NULL, NULL},
    };
    const usage usage = {"fly",
                         "[OPTIONS]",
                         "Flies over the land: in a window, or with --headless (and where there is no display) without one.\n"
                         "H in the window shows the keys.",
                         {"Fly", options, sizeof options / sizeof options[0]}};
    return run_command(&usage, argc, argv, fly, &f);
}
