/* setup.h - the options every command has: the world, the backend; and what they make. */
#ifndef TERRANE_PROGRAM_CLI_SETUP_H
#define TERRANE_PROGRAM_CLI_SETUP_H

#include "program/cli/world_options.h"

enum { WORLD_OPTIONS = WORLD_PARAMETERS + 1, BACKEND_OPTIONS = 3, COMMON_OPTIONS = 3 };

/** The common options of a command, and their values. */
typedef struct setup {
    const char *world_file; /* --world, or NULL */
    ter_params params;
    look look;              /* from the world file; heights do not depend on it */
    int backend, generator; /* ter_backend, ter_method */
    int threads;
    int simd; /* ter_simd, of the CPU */
    bool is_help, is_version, is_quiet;

    option world_options[WORLD_OPTIONS];
    bool is_world_option_given[WORLD_PARAMETERS];
    option backend_options[BACKEND_OPTIONS];
    option common_options[COMMON_OPTIONS];
} setup;

/** The option groups of commands: all have SETUP_COMMON, those that make heights the others too. */
enum { SETUP_WORLD, SETUP_BACKEND, SETUP_COMMON, SETUP_GROUPS };

/** Defaults, and the option groups for options_parse; `groups` has SETUP_GROUPS entries, valid as long as `setup`. */
void setup_begin(setup *setup, option_group *groups);

/** Read the world file of --world over the parameters. */
outcome setup_read_world(setup *setup);

/** Refuse options for another basis than the world's; after all words are parsed. */
outcome setup_check_world(const setup *setup);

/** Create the world. */
outcome setup_world(const setup *setup, ter_world **world);

/** How the options want heights to be made; signals that end the program cancel it. */
ter_generator_options setup_generator_options(const setup *setup);

/** Create the generator; notes that --backend auto has chosen CUDA. */
outcome setup_generator(const setup *setup, ter_generator **generator);

/** Create a generator a CUDA device, when the backend is CUDA: on the first `gpus` devices, 0 for all there are, at
 * most `max`. For other backends one generator. *count is how many were made, also when there is an error. */
outcome setup_generators(const setup *setup, int gpus, ter_generator **generators, int max, int *count);

/** What to say when --gpus asks for more devices than can be used; why: or "". */
outcome setup_missing_gpus(int wanted, int usable, const char *why);

/** Destroy generators. */
void setup_destroy(ter_generator **generators, int count);

#endif
