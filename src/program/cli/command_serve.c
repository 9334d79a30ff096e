/* command_serve.c - terrane serve: answers requests for tiles of a web map until it is interrupted. */
#include <stdio.h>

#include "program/cli/command.h"
#include "program/cli/interrupt.h"
#include "program/cli/notes.h"
#include "program/cli/run_options.h"
#include "program/cli/start_place.h"
#include "program/cli/web_land.h"
#include "program/core/system.h"
#include "program/serve/server.h"

typedef struct serve_options {
    int port;
    double centre[2];
} serve_options;

/** Wait until a signal ends the command. */
static result wait_for_end(void)
{
    enum { LOOK_NS = 50000000 };
    while (!command_is_interrupted())
        system_rest(LOOK_NS);
    return result_of(RESULT_INTERRUPTED, "interrupted");
}

static result serve_land(const serve_options *o, const setup *s, const web_land *land)
{
    server *server = NULL;
    int port;
    char world[WEB_WORLD_TEXT];
    server_setup of = {
        .land = *land, .options = setup_generator_options(s), .port = o->port, .world = web_world_options(s, world)};
    of.n_threads = web_threads(s, &of.options);
    result res = server_start(&of, &server, &port);
    if (res.kind == RESULT_DONE) {
        printf("http://127.0.0.1:%d/\n", port);
        fflush(stdout);
        note("open this address in a browser; Ctrl-C ends the server");
        res = wait_for_end();
    }
    server_stop(server);
    return res;
}

static result serve(void *user, const setup *s, int n_words, const char *const *words)
{
    const serve_options *o = user;
    ter_world *world = NULL;
    (void)n_words, (void)words;
    result res = setup_world(s, &world);
    if (res.kind == RESULT_DONE) {
        web_land land = {.world = world, .look = &s->look};
        web_centre_near(o->centre, land.centre);
        land.identity = web_land_identity(s, &land);
        res = serve_land(o, s, &land);
    }
    ter_world_destroy(world);
    return res;
}

result command_serve(const command_line *line)
{
    serve_options o = {.port = 8080, .centre = {START_X, START_Z}};
    const option options[] = {
        {"port", "N", "port of the loopback address; 0: any free one", OPTION_INTEGER, &o.port, {0, 65535, 0, 0}},
        {"centre", "X,Z", "lattice coordinates of the map's middle, rounded to multiples of 131072", OPTION_POINT,
         o.centre},
    };
    static const usage_example examples[] = {
        {"serve", "show the default world at http://127.0.0.1:8080/"},
        {"serve --world alps --port 0", "show another world, at any free port"},
        {"serve --centre 20000000,-5000000", "show another part of the default world"},
        {NULL, NULL},
    };
    const usage usage = {
        .name = "serve",
        .synopsis = "[OPTIONS]",
        .text = "Shows the world as a web map. The address is printed; a browser on this machine opens it. Tiles are\n"
                "made when they are asked for, from a continent to single metres: /map, /climate and /biome are\n"
                "pictures, /terrain-rgb and /terrarium heights, /tiles.json and /tilejson describe them for other\n"
                "programs.",
        .options = {"Serve", options, sizeof options / sizeof options[0]},
        .examples = examples};
    return run_command(&usage, line, serve, &o);
}
