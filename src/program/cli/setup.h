/* setup.h - the options that commands share, for the world and the backend, and the worlds and generators made from
 * them. */
#ifndef TERRANE_PROGRAM_CLI_SETUP_H
#define TERRANE_PROGRAM_CLI_SETUP_H

#include "program/cli/world_options.h"

enum {
    WORLD_OPTIONS = WORLD_PARAMETERS + 1,
    GUIDE_OPTIONS = GUIDE_PARAMETERS + 1,
    BACKEND_OPTIONS = 3,
    COMMON_OPTIONS = 3
};

/** The common options of a command, and their values. */
typedef struct setup {
    const char *world_file; /* value of --world; NULL if it is not given */
    ter_params params;
    guide_request guide;    /* setup_open_guide sets params.guide */
    bool keeps_tables;      /* the tables of the guide are kept in a file */
    look look;              /* look of the land, from the world file; heights do not depend on it */
    int backend, generator; /* ter_backend, ter_method */
    int threads;
    int simd; /* ter_simd */
    bool is_help, is_version, is_quiet;

    option world_options[WORLD_OPTIONS];
    bool is_world_option_given[WORLD_PARAMETERS];
    option guide_options[GUIDE_OPTIONS];
    bool is_guide_option_given[GUIDE_OPTIONS];
    option backend_options[BACKEND_OPTIONS];
    option common_options[COMMON_OPTIONS];
} setup;

/** The groups of options. Every command has SETUP_COMMON; commands that generate heights have all groups; commands with
 * takes_guide (usage.h) have those of the world and the guide too. */
enum { SETUP_WORLD, SETUP_GUIDE, SETUP_BACKEND, SETUP_COMMON, SETUP_GROUPS };

/** Set the defaults, and make the option groups for options_parse. `groups` has SETUP_GROUPS entries, which refer to
 * `setup`. */
void setup_begin(setup *setup, option_group *groups);

/** Read the world file of --world, if there is one; its keys overwrite the parameters. */
result setup_read_world(setup *setup);

/** Refuse options that the world's basis does not use, and options of a guide without a guide. Call it after all words
 * are parsed. Errors RESULT_USAGE */
result setup_check_world(const setup *setup);

/** Read the guide, if one is given, and set it in the parameters. With --guide-cache, read or make its tables too.
 * Errors as guide_open and guide_cache_use */
result setup_open_guide(setup *setup);

/** Create the world. */
result setup_world(const setup *setup, ter_world **world);

/** Options of a generator, from the options of the command. Signals that end the program cancel its work. */
ter_generator_options setup_generator_options(const setup *setup);

/** Create the generator, and print a note if --backend auto has chosen CUDA. */
result setup_generator(const setup *setup, ter_generator **generator);

/** Create one generator for each CUDA device, or one generator if the backend is not CUDA.
 *
 *  gpus   number of devices; 0: all
 *  max    greatest number of generators
 *  count  becomes the number of generators made, also on error; the caller destroys them
 */
result setup_generators(const setup *setup, int gpus, ter_generator **generators, int max, int *count);

/** The error for a --gpus that is larger than the number of usable devices.
 *
 *  why  end of the sentence; may be ""
 */
result setup_missing_gpus(int wanted, int usable, const char *why);

/** Destroy generators. */
void setup_destroy(ter_generator **generators, int count);

#endif
