/* setup.h - the options every command has: the world, the backend; and what they make. */
#ifndef TERRANE_CLI_SETUP_H
#define TERRANE_CLI_SETUP_H

#include "cli/options.h"
#include "picture/look.h"

enum { WORLD_OPTIONS_MAX = 12, LOOK_OPTIONS = 10, BACKEND_OPTIONS_MAX = 3, COMMON_OPTIONS_MAX = 2 };

/** The common options of a command, and their values. */
typedef struct setup {
    const char *world_file; /* --world, or NULL */
    ter_params params;
    int palette;            /* look_palette */
    look look;              /* from the world file; heights do not depend on it */
    int backend, generator; /* ter_backend, ter_method */
    int threads;
    int simd; /* ter_simd, of the CPU */
    bool is_help, is_version;

    option world_options[WORLD_OPTIONS_MAX];
    option look_options[LOOK_OPTIONS]; /* in world files only */
    option backend_options[BACKEND_OPTIONS_MAX];
    option common_options[COMMON_OPTIONS_MAX];
} setup;

enum { SETUP_GROUPS = 3 };

/** Defaults, and the three option groups for options_parse; `groups` has SETUP_GROUPS entries, valid as long as `setup`. */
void setup_begin(setup *setup, option_group *groups);

/** Read --world, wherever it stands in argv, so that the other options override what the file says. */
outcome setup_read_world(setup *setup, int argc, char **argv);

/** Create the world. */
outcome setup_world(const setup *setup, ter_world **world);

/** Create the generator; with --backend auto, says on stderr what was chosen and why. */
outcome setup_generator(const setup *setup, ter_generator **generator);

/** Create a generator a CUDA device, when the backend is CUDA: on the first `gpus` devices, 0 for all there are, at most `max`. For
 *  other backends one generator. *count is how many were made, also when there is an error. */
outcome setup_generators(const setup *setup, int gpus, ter_generator **generators, int max, int *count);

/** What to say when --gpus asks for more devices than can be used; why: or "". */
outcome setup_missing_gpus(int wanted, int usable, const char *why);

/** Destroy generators. */
void setup_destroy(ter_generator **generators, int count);

/** Read another world file, or one that comes with Terrane, over the defaults. */
outcome setup_read_named_world(const char *name, ter_params *params, look *look);

#endif
