/* command_scout.c - terrane scout: searches for views, and prints them as text and as a contact sheet. */
#include <stdio.h>
#include <stdlib.h>

#include "program/cli/command.h"
#include "program/cli/forecast.h"
#include "program/cli/interrupt.h"
#include "program/cli/notes.h"
#include "program/cli/progress_bar.h"
#include "program/cli/run_options.h"
#include "program/cli/start_place.h"
#include "program/picture/sun.h"
#include "program/scout/scout.h"
#ifdef TER_HAVE_FLY
#include "program/render/view.h"
#include "program/viewer/flight/contact_sheet.h"
#include "program/viewer/record/outputs.h"
#endif

enum { SHEET_WIDTH = 480, SHEET_HEIGHT = 270, VIEW_MAX = 96 };
static const int64_t NEAR_MAX = TER_COORDINATE_MAX - (INT64_C(1) << 31);

/** Values of the options. */
typedef struct scout_options {
    int64_t at[2];
    double radius_km, time_h;
    int count, quality; /* quality: index into fly_qualities */
    const char *sheet;
    bool may_replace;
} scout_options;

/** Write a place in the form that fly --view takes. */
static void describe_view(const scout_place *p, char view[VIEW_MAX])
{
    snprintf(view, VIEW_MAX, "%lld,%lld,%.0f,%.1f,%.0f", (long long)p->x, (long long)p->z, p->altitude_m,
             p->heading_deg, p->pitch_deg);
}

static result print_places(const scout_place *places, int count)
{
    for (int n = 0; n < count; n++) {
        const scout_place *p = &places[n];
        char view[VIEW_MAX];
        describe_view(p, view);
        printf("%s # score %.2f, relief %.0f m, mountains %.1f deg, sky %.1f %%, sea %.1f %%, lake %.1f %%, river %.1f "
               "%%, "
               "snow %.1f %%, kinds %d, distances %d\n",
               view, p->score, p->relief_m, p->mountain_deg, 100.0 * p->sky, 100.0 * p->sea, 100.0 * p->lake,
               100.0 * p->river, 100.0 * p->snow, p->n_kinds, p->n_distances);
    }
    return fflush(stdout) == 0 ? result_done() : result_of_file("write", "standard output");
}

#ifdef TER_HAVE_FLY

static void show_note(const char *text)
{
    progress_bar_end();
    note("%s", text);
}

static result print_nothing(const char *line)
{
    (void)line;
    return result_done();
}

static result check_sheet(const scout_options *s)
{
    return s->sheet ? outputs_check_picture("--sheet", s->sheet, s->may_replace) : result_done();
}

/** Draw and write the contact sheet. Takes ownership of the world. */
static result write_sheet(const scout_options *s, const setup *setup, ter_world *world, ter_generator *generator,
                          const scout_place *places, int count)
{
    const fly_events events = {show_note, print_nothing, progress_bar_show, command_is_interrupted};
    const fly_request request = {.speed = 1,
                                 .min_clearance_m = 2,
                                 .planet_radius_km = 6371,
                                 .width = SHEET_WIDTH,
                                 .height = SHEET_HEIGHT,
                                 .is_headless = true,
                                 .may_replace = s->may_replace,
                                 .quality = s->quality - 1,
                                 .pixel_error = 1,
                                 .render_percent = FLY_RENDER_AUTO,
                                 .time_h = s->time_h,
                                 .season = FLY_SEASON,
                                 .look = setup->look,
                                 .layers = (1u << LAYERS) - 1};
    char views[SCOUT_COUNT_MAX][VIEW_MAX];
    const char *list[SCOUT_COUNT_MAX];
    for (int n = 0; n < count; n++) {
        describe_view(&places[n], views[n]);
        list[n] = views[n];
    }
    const result res = contact_sheet_write(&request, &events, world, generator, list, count, s->sheet);
    progress_bar_end();
    if (res.kind == RESULT_DONE)
        note("picture: %s", s->sheet);
    return res;
}

#else

static result check_sheet(const scout_options *s)
{
    return s->sheet ? result_of(RESULT_USAGE, "--sheet: the viewer was left out of this build: %s", TER_LEFT_OUT)
                    : result_done();
}

static result write_sheet(const scout_options *s, const setup *setup, ter_world *world, ter_generator *generator,
                          const scout_place *places, int count)
{
    (void)setup, (void)generator, (void)places, (void)count;
    ter_world_destroy(world);
    return check_sheet(s);
}

#endif

static result check(const scout_options *s)
{
    for (int n = 0; n < 2; n++)
        if (s->at[n] > NEAR_MAX || s->at[n] < -NEAR_MAX)
            return result_of(RESULT_USAGE,
                             "--near is '%lld,%lld', expected two integers from -(2^46 - 2^31) to 2^46 - 2^31",
                             (long long)s->at[0], (long long)s->at[1]);
    return check_sheet(s);
}

static void show_progress(const char *label, double share)
{
    progress_bar_show(label, share);
    forecast_follow(label, share);
}

static result search(const scout_options *s, const setup *setup, const ter_world *world, ter_generator *generator,
                     scout_place *places, int *count)
{
    float moon[3];
    scout_search request = {.generator = generator,
                            .world = world,
                            .look = &setup->look,
                            .at = {s->at[0], s->at[1]},
                            .radius_m = 1e3 * s->radius_km,
                            .count = s->count,
                            .show_progress = show_progress,
                            .is_interrupted = command_is_interrupted};
    sun_at_time(s->time_h, request.sun, moon);
    const result res = scout_find(&request, places, count);
    progress_bar_end();
    if (res.kind == RESULT_DONE && *count == 0)
        return result_of(RESULT_FAILED, "no ground to look from within %g km of %lld,%lld", s->radius_km,
                         (long long)s->at[0], (long long)s->at[1]);
    return res.kind == RESULT_DONE ? print_places(places, *count) : res;
}

static result scout(void *user, const setup *setup, int n_words, const char *const *words)
{
    const scout_options *s = user;
    scout_place places[SCOUT_COUNT_MAX];
    ter_world *world = NULL;
    ter_generator *generator = NULL;
    int count = 0;
    (void)n_words, (void)words;
    result res = check(s);
    if (res.kind == RESULT_DONE)
        res = setup_world(setup, &world);
    if (res.kind == RESULT_DONE)
        res = setup_generator(setup, &generator);
    if (res.kind == RESULT_DONE)
        res = search(s, setup, world, generator, places, &count);
    if (res.kind == RESULT_DONE && s->sheet)
        res = write_sheet(s, setup, world, generator, places, count);
    else
        ter_world_destroy(world);
    ter_generator_destroy(generator);
    return res;
}

result command_scout(const command_line *line)
{
    scout_options s = {.at = {START_X, START_Z}, .radius_km = 120, .time_h = START_TIME_H, .count = 8};
    const option options[] = {
        {"near", "X,Z", "lattice coordinates that are searched around", OPTION_PLACE, s.at},
        {"radius", "KM", "how far around, in each direction", OPTION_REAL, &s.radius_km, {8, 20000, 0, 0}},
        {"count", "N", "places, at most", OPTION_INTEGER, &s.count, {1, SCOUT_COUNT_MAX, 0, 0}},
        {"time", "H", "solar time, hours: views against the sun count less", OPTION_REAL, &s.time_h, {0, 24, 0, 0}},
        {"sheet", "FILE.png", "small pictures of all places side by side", OPTION_PATH, &s.sheet,
         .otherwise = "no picture"},
#ifdef TER_HAVE_FLY
        {"quality", "NAME", "of these pictures; auto is high on a GPU, low without one", OPTION_CHOICE, &s.quality,
         .choices = fly_qualities},
#endif
        {"force", NULL, "replace an existing picture", OPTION_FLAG, &s.may_replace},
    };
    static const usage_example examples[] = {
        {"scout", "find eight places near the start of the default world"},
        {"scout --world fjords --count 4 --sheet places.png",
         "find four places of another world, with a picture of them"},
        {"scout --near 5000000,-2000000 --radius 4000", "search elsewhere, over a continent"},
        {NULL, NULL},
    };
    const usage usage = {
        .name = "scout",
        .synopsis = "[OPTIONS]",
        .text = "Finds places where mountains, rivers, lakes and coasts are in view, and prints a line for each, best "
                "first: a view\n"
                "as terrane fly --view takes it, and after # measured values. Relief is the highest less the lowest "
                "ground\n"
                "within 8 km; mountains is the elevation of the skyline, degrees. Sky, sea, lake, river and snow are "
                "shares\n"
                "of the picture. Kinds and distances say how many kinds of ground and water, and how many ranges of\n"
                "distance, the picture shows.",
        .options = {"Scout", options, sizeof options / sizeof options[0]},
        .examples = examples};
    return run_command(&usage, line, scout, &s);
}
