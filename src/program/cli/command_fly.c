/* command_fly.c - terrane fly: turns options into the request of a flight. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/cli/command.h"
#include "program/cli/interrupt.h"
#include "program/cli/notes.h"
#include "program/cli/progress_bar.h"
#include "program/cli/run_options.h"
#include "program/cli/start_place.h"
#include "program/cli/world_file.h"
#include "program/core/world_parameters.h"
#include "program/render/renderer.h"
#include "program/viewer/camera/camera.h"
#include "program/viewer/camera/pilot.h"
#include "program/viewer/flight/fly.h"

static const char *const debug_views[] = {"off", "lod", "normals", "tiles", "wire", NULL};

/* ---- callbacks of a flight ---- */

static void show_note(const char *text)
{
    progress_bar_end();
    note("%s", text);
}

static result print_line(const char *line)
{
    return puts(line) >= 0 && fflush(stdout) == 0 ? result_done() : result_of_file("write", "standard output");
}

/** Bits of the render layers that a list names. The option has checked the names. */
static unsigned layers_of(const char *list)
{
    unsigned layers = 0;
    for (int n = 0; n < LAYERS; n++) {
        const size_t length = strlen(render_layer_names[n]);
        for (const char *at = list; at; at = strchr(at, ',')) {
            at += *at == ',';
            if (strncmp(at, render_layer_names[n], length) == 0 && (at[length] == ',' || !at[length]))
                layers |= 1u << n;
        }
    }
    return layers;
}

/** The request, and values of options that the request needs in another form. */
typedef struct fly_options {
    fly_request request;
    int64_t size[2];
    bool has_place, has_time, has_sun, is_list_keys;
    const char *morph_to, *morph_world;
    int quality; /* index into fly_qualities */
} fly_options;

/** Read the world of --morph-world; the seed of --morph-to, if given, replaces that world's seed. */
static result read_morph_world(const fly_options *f, fly_morph *m)
{
    const uint64_t seed = m->params.seed;
    ter_world *world = NULL;
    ter_params_default(&m->params);
    look_default(&m->look);
    result res = world_file_open("--morph-world", f->morph_world, &m->params, &m->look);
    if (f->morph_to)
        m->params.seed = seed;
    if (res.kind == RESULT_DONE) /* find invalid parameters before the flight begins */
        res = result_of_library(ter_world_create(&m->params, &world), "--morph-world");
    ter_world_destroy(world);
    return res;
}

/** Read --morph-to "SEED[,SECONDS]" and --morph-world. */
static result parse_morph(const fly_options *f, const setup *s, fly_morph *m)
{
    *m = (fly_morph){.params = s->params, .look = s->look, .seconds = 20.0, .is_wanted = f->morph_to || f->morph_world};
    if (f->morph_to) {
        char *end, rest;
        errno = 0;
        m->params.seed = strtoull(f->morph_to, &end, 10);
        const bool is_seed = f->morph_to[0] >= '0' && f->morph_to[0] <= '9' && !errno;
        const bool is_time = *end == '\0' || (*end == ',' && sscanf(end + 1, "%lf%c", &m->seconds, &rest) == 1);
        if (!is_seed || !is_time || !(m->seconds > 0 && m->seconds <= 1e6)) {
            char quoted[RESULT_QUOTE];
            return result_of(RESULT_USAGE, "--morph-to is %s, expected SEED or SEED,SECONDS",
                             result_quote(f->morph_to, quoted));
        }
    }
    return f->morph_world ? read_morph_world(f, m) : result_done();
}

static result list_keys(void)
{
    char text[4096];
    keys_describe(text, sizeof text);
    fputs(text, stdout);
    return result_done();
}

static result check(const fly_options *f)
{
    const fly_request *r = &f->request;
    const int64_t *size = f->size;
    if (size[0] > 16384 || size[1] > 16384)
        return result_of(RESULT_USAGE, "--size is '%lldx%lld', expected at most 16384x16384", (long long)size[0],
                         (long long)size[1]);
    if ((r->film || r->frames_dir || r->has_checksums) && (size[0] > FLY_FRAME_MAX || size[1] > FLY_FRAME_MAX))
        return result_of(RESULT_USAGE, "--size is '%lldx%lld', expected at most %dx%d for films, frames and checksums",
                         (long long)size[0], (long long)size[1], FLY_FRAME_MAX, FLY_FRAME_MAX);
    for (int n = 0; n < 2; n++)
        if (r->at[n] > CAMERA_COORDINATE_MAX || r->at[n] < -CAMERA_COORDINATE_MAX)
            return result_of(RESULT_USAGE,
                             "--at is '%lld,%lld', expected two integers from -(2^46 - 2^31) to 2^46 - 2^31",
                             (long long)r->at[0], (long long)r->at[1]);
    if (r->view && r->path)
        return result_of(RESULT_USAGE, "--view and --path both say where the camera is, expected one of them");
    return result_done();
}

/** Whether a world has the same land as the default world. */
static bool is_default_land(const ter_params *p)
{
    ter_params d;
    ter_params_default(&d);
    bool is_same = p->basis == d.basis && p->seed == d.seed && !p->guide;
    for (int n = 0; n < WORLD_NUMBERS; n++) {
        const world_parameter *w = &world_parameters[n];
        is_same &= !world_parameter_shapes(w, p) || world_parameter_get(p, w) == world_parameter_get(&d, w);
    }
    return is_same;
}

/** If no place is given, begin a flight over the default world at a view of mountains and a coast. */
static void choose_start(const fly_options *f, const setup *s, fly_request *r)
{
    if (f->has_place || r->view || r->path || !is_default_land(&s->params))
        return;
    r->view = START_VIEW;
    if (!f->has_time)
        r->time_h = START_VIEW_TIME_H;
}

/* ---- the command ---- */

static result fly(void *user, const setup *s, int n_words, const char *const *words)
{
    fly_options *f = user;
    fly_request *r = &f->request;
    (void)n_words, (void)words;
    ter_world *world = NULL;
    ter_generator *generator = NULL;
    const fly_events events = {show_note, print_line, progress_bar_show, command_is_interrupted};
    if (f->is_list_keys)
        return list_keys();
    r->width = (int)f->size[0];
    r->height = (int)f->size[1];
    r->quality = f->quality - 1;
    r->look = s->look;
    choose_start(f, s, r);
    if (f->has_sun)
        r->time_h = NAN;
    r->layers = r->layer_names ? layers_of(r->layer_names) : (1u << LAYERS) - 1;
    result res = check(f);
    if (res.kind == RESULT_DONE)
        res = parse_morph(f, s, &r->morph);
    if (res.kind == RESULT_DONE)
        res = setup_world(s, &world);
    if (res.kind == RESULT_DONE)
        res = setup_generator(s, &generator);
    if (res.kind == RESULT_DONE)
        res = fly_run(r, &events, world, generator);
    else
        ter_world_destroy(world);
    progress_bar_end();
    ter_generator_destroy(generator);
    return res;
}

result command_fly(const command_line *line)
{
    const char *layers[LAYERS + 1] = {NULL};
    memcpy(layers, render_layer_names, sizeof render_layer_names);
    fly_options f = {.size = {1280, 720}};
    fly_request *r = &f.request;
    *r = (fly_request){.at = {START_X, START_Z},
                       .altitude_m = START_ALTITUDE_M,
                       .heading_deg = START_HEADING_DEG,
                       .pitch_deg = START_PITCH_DEG,
                       .speed = 120,
                       .planet_radius_km = 6371,
                       .pixel_error = 1,
                       .render_percent = FLY_RENDER_AUTO,
                       .time_h = START_TIME_H,
                       .season = FLY_SEASON,
                       .min_clearance_m = 2};
    const option options[] = {
        {"at", "X,Z", "lattice coordinates to start at", OPTION_PLACE, r->at, .is_given = &f.has_place},
        {"altitude",
         "M",
         "metres above the ground",
         OPTION_REAL,
         &r->altitude_m,
         {0, CAMERA_ALTITUDE_MAX_M, 0, 0},
         .is_given = &f.has_place},
        {"heading",
         "DEG",
         "0 north, 90 east",
         OPTION_REAL,
         &r->heading_deg,
         {-360, 360, 0, 0},
         .is_given = &f.has_place},
        {"pitch",
         "DEG",
         "up is positive; -90 looks straight down",
         OPTION_REAL,
         &r->pitch_deg,
         {-CAMERA_PITCH_MAX_DEG, CAMERA_PITCH_MAX_DEG, 0, 0},
         .is_given = &f.has_place},
        {"speed", "M/S", "metres a second", OPTION_REAL, &r->speed, {PILOT_SPEED_MIN, PILOT_SPEED_MAX, 0, 0}},
        {"view", "LINE", "X,Z,ALTITUDE,HEADING,PITCH as the key C copies it; altitude over the datum", OPTION_TEXT,
         &r->view,
         .otherwise = "the four options above; without them, in the default world, mountains and a coast at 15:30"},
        {"path", "FILE", "fly along lines of TIME X Z ALTITUDE HEADING PITCH", OPTION_PATH, &r->path,
         .otherwise = "straight ahead"},
        {"min-clearance",
         "M",
         "least distance from the ground, water and trees, metres",
         OPTION_REAL,
         &r->min_clearance_m,
         {0.3, 100000, 0, 0}},
        {"size", "WxH", "pixels", OPTION_SIZE, f.size},
        {"planet-radius", "KM", "curvature of the land, 0 is flat", OPTION_REAL, &r->planet_radius_km, {0, 1e9, 0, 0}},
        {"headless", NULL, "no window: needs no display", OPTION_FLAG, &r->is_headless},
        {"no-wait", NULL, "headless: frames do not wait for tiles; late tiles are counted, as in a window", OPTION_FLAG,
         &r->is_impatient},
        {"frames",
         "N",
         "stop after N frames",
         OPTION_INTEGER,
         &r->frames,
         {1, 100000000, 0, 0},
         .otherwise = "until the window is closed or the path ends; headless without a path 120"},
        {"fps",
         "F",
         "frames per second of flight; in a window without a film, at most this many",
         OPTION_INTEGER,
         &r->fps,
         {1, 1000, 0, 0},
         .otherwise = "60; in a window as the display"},
        {"morph-to", "SEED[,S]", "become the land of another seed, within S seconds", OPTION_TEXT, &f.morph_to,
         .otherwise = "no morph; S 20"},
        {"morph-world", "WORLD", "become another world", OPTION_WORLD, &f.morph_world, .choices = world_names(),
         .otherwise = "no morph"},
        {"morph-front", NULL, "morphs sweep over the land along the flight", OPTION_FLAG, &r->is_front},
        {"journey",
         "S",
         "become the next seed every S seconds, without end",
         OPTION_REAL,
         &r->journey_s,
         {0.1, 1e6, 0, 0},
         .otherwise = "no journey"},
        {"record", "FILE.mp4", "film of the flight, by ffmpeg", OPTION_PATH, &r->film, .otherwise = "no film"},
        {"frames-dir", "DIR", "a picture of every frame", OPTION_FOLDER, &r->frames_dir, .otherwise = "no pictures"},
        {"screenshot", "FILE.png", "picture of the last frame", OPTION_PATH, &r->screenshot, .otherwise = "no picture"},
        {"stats", "FILE.json", "figures of the flight", OPTION_PATH, &r->stats, .otherwise = "no file"},
        {"force", NULL, "replace existing films, frames, pictures and figures", OPTION_FLAG, &r->may_replace},
        {"checksums", NULL, "number and CRC-32 of every frame on stdout", OPTION_FLAG, &r->has_checksums},
        {"export-view", NULL, "at the end mark the ground in view, and print the command that exports it on stdout",
         OPTION_FLAG, &r->is_view_exported},
        {"list-keys", NULL, "print the keys and leave", OPTION_FLAG, &f.is_list_keys},
        {"time", "H", "solar time, hours", OPTION_REAL, &r->time_h, {0, 24, 0, 0}, .is_given = &f.has_time},
        {"season", "S", "time of the year: 0 and 1 midwinter, 0.5 midsummer", OPTION_REAL, &r->season, {0, 1, 0, 0}},
        {"sun", "AZ,EL", "azimuth and elevation of the sun, degrees, instead of a time", OPTION_ANGLES, r->sun_deg,
         .is_given = &f.has_sun, .otherwise = "as --time says"},
        {"pixel-error", "PX", "how coarse the land may look, pixels", OPTION_REAL, &r->pixel_error, {0.25, 16, 0, 0}},
        {"render-scale",
         "PERCENT",
         "frames have PERCENT of the picture's width and height, and are scaled up; 0: adapted to the time of a frame",
         OPTION_INTEGER,
         &r->render_percent,
         {0, 100, 0, 0},
         .otherwise = "0 in a window, 100 headless and for films"},
        {"tile-memory",
         "MB",
         "memory for tiles; 0: as much as the quality needs",
         OPTION_INTEGER,
         &r->tile_memory_mb,
         {0, 65536, 0, 0}},
        {"layers", "LIST", "what is drawn", OPTION_LIST, &r->layer_names, .choices = layers,
         .otherwise = "all; headless all but hud"},
        {"quality", "NAME", "detail of mesh and shading; auto: high on a GPU; without one low, or lowest in a window",
         OPTION_CHOICE, &f.quality, .choices = fly_qualities},
        {"debug", "NAME", "debug view", OPTION_CHOICE, &r->debug, .choices = debug_views},
        {"shader-dir", "DIR", "load shaders from a folder", OPTION_FOLDER, &r->shader_folder,
         .otherwise = "those in the program"},
    };
    static const usage_example examples[] = {
        {"fly", "fly over the default world in a window"},
        {"fly --world fjords --time 18.5 --speed 300", "another world, in the evening"},
        {"fly --headless --frames 1 --size 1920x1080 --screenshot land.png", "a picture, without a display"},
        {"fly --headless --frames 600 --fps 60 --record flight.mp4", "a film of ten seconds"},
        {"fly --journey 60 --morph-front", "become another land every minute"},
        {NULL, NULL},
    };
    const usage usage = {
        .name = "fly",
        .synopsis = "[OPTIONS]",
        .text = "Flies over the land: in a window, or with --headless (and where there is no display) without one.\n"
                "H in the window shows the keys.",
        .options = {"Fly", options, sizeof options / sizeof options[0]},
        .examples = examples};
    return run_command(&usage, line, fly, &f);
}
