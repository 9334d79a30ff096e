/* command_probe.c - terrane probe: prints exact heights and other layers at points. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "program/cli/command.h"
#include "program/core/fill.h"
#include "program/cli/interrupt.h"
#include "program/cli/run_options.h"
#include "program/cli/start_place.h"
#include "program/core/system.h"

enum { BATCH = 4096 };

/** What is printed: layers, in the order of --layer, at points of a level of detail. */
typedef struct probe_choice {
    const char *names; /* value of --layer */
    ter_layer layers[TER_LAYER_COUNT];
    int count;
    int lod;
} probe_choice;

typedef struct point_batch {
    double points[BATCH][2]; /* lattice coordinates */
    size_t count;
    probe_choice choice;
} point_batch;

/** Read the comma-separated names of layers. The option has checked each name. */
static result choose_layers(probe_choice *choice, const ter_world *world)
{
    char quoted[RESULT_QUOTE];
    choice->count = 0;
    for (const char *at = choice->names; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        const size_t length = strcspn(at, ",");
        int layer = 0;
        while (strncmp(ter_layer_name((ter_layer)layer), at, length) != 0 || ter_layer_name((ter_layer)layer)[length])
            layer++;
        for (int n = 0; n < choice->count; n++)
            if ((int)choice->layers[n] == layer)
                return result_of(RESULT_USAGE, "--layer is %s, expected each layer once",
                                 result_quote(choice->names, quoted));
        if (!ter_world_has_layer(world, (ter_layer)layer))
            return result_of(RESULT_USAGE,
                             "--layer is %s, expected height alone: a world of basis %s has no other layer",
                             result_quote(choice->names, quoted), ter_basis_name(ter_world_params(world)->basis));
        choice->layers[choice->count++] = (ter_layer)layer;
    }
    return result_done();
}

static void print_value(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (isnan(value))
        printf(" nan %08x", bits);
    else
        printf(" %.9g %08x", (double)value, bits);
}

/** The tile of one sample at a point. */
static ter_tile tile_of(const ter_world *world, const point_batch *batch, size_t n)
{
    const double step = ldexp(1.0, batch->choice.lod);
    return (ter_tile){ter_world_params(world)->levels - batch->choice.lod, (int64_t)(batch->points[n][0] / step),
                      (int64_t)(batch->points[n][1] / step)};
}

static result print_batch(ter_generator *generator, const ter_world *world, point_batch *batch)
{
    static float values[TER_LAYER_COUNT][BATCH];
    static ter_tile tiles[BATCH];
    const tile_layout layout = {.width = 1, .height = 1, .row_stride = 1, .slot_stride = 1};
    layer_arrays layers = {{0}};
    for (size_t n = 0; n < batch->count; n++)
        tiles[n] = tile_of(world, batch, n);
    for (int n = 0; n < batch->choice.count; n++)
        layers.at[batch->choice.layers[n]] = values[n];
    const ter_status status = fill_tiles(generator, world, (tile_span){tiles, batch->count}, &layout, &layers);
    if (status != TER_OK)
        return result_of_library(status, "point");
    for (size_t n = 0; n < batch->count; n++) {
        printf("%.17g %.17g", batch->points[n][0], batch->points[n][1]);
        for (int layer = 0; layer < batch->choice.count; layer++)
            print_value(values[layer][n]);
        putchar('\n');
    }
    batch->count = 0;
    return result_done();
}

static result add_point(ter_generator *generator, const ter_world *world, point_batch *batch, const char *label,
                        const char *text)
{
    const option point = {.name = "point", .kind = OPTION_POINT, .target = batch->points[batch->count]};
    const result res = option_set(&point, label, text);
    if (res.kind != RESULT_DONE)
        return res;
    const double step = ldexp(1.0, batch->choice.lod), *at = batch->points[batch->count];
    char quoted[RESULT_QUOTE];
    if (fmod(at[0], step) != 0.0 || fmod(at[1], step) != 0.0)
        return result_of(RESULT_USAGE, "%s is %s, expected multiples of %.15g%s", label, result_quote(text, quoted),
                         step, batch->choice.lod > -TER_FINE_LODS ? "; --lod -4 has points between them" : "");
    batch->count++;
    return batch->count == BATCH ? print_batch(generator, world, batch) : result_done();
}

/** Add the point where flights begin. It is used if no points are given and standard input is a terminal. */
static result add_start(point_batch *batch)
{
    const double step = ldexp(1.0, batch->choice.lod),
                 start[2] = {trunc(START_X / step) * step, trunc(START_Z / step) * step};
    memcpy(batch->points[batch->count++], start, sizeof start);
    return result_done();
}

/** Read points from standard input, one "X,Z" or "X Z" in a line; empty lines and lines that start with # are skipped.
 */
static result read_points(ter_generator *generator, const ter_world *world, point_batch *batch)
{
    char line[256], label[64];
    for (long n = 1; fgets(line, sizeof line, stdin) && !command_is_interrupted(); n++) {
        char x[64], z[64], rest[2], pair[136];
        if (!strchr(line, '\n') && !feof(stdin))
            return result_of(RESULT_USAGE, "standard input, line %ld: longer than a pair X,Z", n);
        if (line[0] == '#' || line[strspn(line, " \t\r\n")] == '\0')
            continue;
        if (sscanf(line, " %63[-+0-9.eE] , %63[-+0-9.eE] %1s", x, z, rest) != 2 &&
            sscanf(line, " %63[-+0-9.eE] %63[-+0-9.eE] %1s", x, z, rest) != 2) {
            line[strcspn(line, "\r\n")] = '\0';
            return result_of(RESULT_USAGE, "standard input, line %ld is '%s', expected a pair X,Z", n, line);
        }
        snprintf(label, sizeof label, "standard input, line %ld", n);
        snprintf(pair, sizeof pair, "%s,%s", x, z);
        const result res = add_point(generator, world, batch, label, pair);
        if (res.kind != RESULT_DONE)
            return res;
    }
    return result_done();
}

static result probe(void *user, const setup *s, int n_words, const char *const *words)
{
    static point_batch batch;
    ter_world *world = NULL;
    ter_generator *generator = NULL;
    batch.choice = *(const probe_choice *)user;
    result res = setup_world(s, &world);
    if (res.kind == RESULT_DONE && batch.choice.lod > s->params.levels)
        res = result_of(RESULT_USAGE, "--lod is %d, expected %d to %d, the levels of this world", batch.choice.lod,
                        -TER_FINE_LODS, s->params.levels);
    if (res.kind == RESULT_DONE)
        res = choose_layers(&batch.choice, world);
    if (res.kind == RESULT_DONE)
        res = setup_generator(s, &generator);
    for (int n = 0; res.kind == RESULT_DONE && n < n_words; n++)
        res = add_point(generator, world, &batch, "point", words[n]);
    if (res.kind == RESULT_DONE && n_words == 0)
        res = system_is_terminal(fileno(stdin)) ? add_start(&batch) : read_points(generator, world, &batch);
    if (res.kind == RESULT_DONE)
        res = print_batch(generator, world, &batch);
    if (res.kind == RESULT_DONE && command_is_interrupted())
        res = result_of(RESULT_INTERRUPTED, "interrupted");
    ter_generator_destroy(generator);
    ter_world_destroy(world);
    return res;
}

result command_probe(const command_line *line)
{
    static const char *layers[TER_LAYER_COUNT + 1];
    for (int n = 0; n < TER_LAYER_COUNT; n++)
        layers[n] = ter_layer_name((ter_layer)n);
    probe_choice choice = {.names = "height"};
    const option options[] = {
        {"layer", "LIST", "what is printed; all but height are for worlds of basis fluvial", OPTION_LIST, &choice.names,
         .choices = layers},
        {"lod",
         "D",
         "level of detail: points lie 2^D lattice steps apart, for D below 0 between whole coordinates",
         OPTION_INTEGER,
         &choice.lod,
         {-TER_FINE_LODS, TER_LEVELS_MAX, 0, 0}},
    };
    static const usage_example examples[] = {
        {"probe 5,7 -100,2000", "print the heights of two points"},
        {"probe --world alps 0,0", "print a height of a world that comes with Terrane"},
        {"probe --basis fluvial --layer height,water,flow 0,0",
         "print ground, water and drained area of a land with rivers"},
        {"probe --lod -2 10.25,-3.5", "print a height between the points of whole metres"},
        {"probe <points.txt", "print a height for every line X,Z of a file"},
        {NULL, NULL},
    };
    const usage usage = {
        .name = "probe",
        .synopsis = "X,Z [X,Z ...] [OPTIONS]",
        .text =
            "Prints a line \"x z height bits\" for each point: lattice coordinates, metres, and the\n"
            "float's bit pattern. Each further layer adds its value and its bits; water is nan where it is dry.\n"
            "Without points on the command line, pairs are read from standard input, one a line; at a terminal, the "
            "height\n"
            "of the place where flights and exports begin is printed.",
        .takes_words = true,
        .options = {"Probe", options, sizeof options / sizeof options[0]},
        .examples = examples};
    return run_command(&usage, line, probe, &choice);
}
