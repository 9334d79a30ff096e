/* world_options.h - the tables of a world's parameters and of its look: options of every command, keys of world files.
 */
#ifndef TERRANE_PROGRAM_CLI_WORLD_OPTIONS_H
#define TERRANE_PROGRAM_CLI_WORLD_OPTIONS_H

#include "program/cli/options.h"
#include "program/surface/look.h"

enum { WORLD_PARAMETERS = 18, LOOK_PARAMETERS = 10 };

/** Options that set parameters; keys of a world file's section [world], with '_' for '-'. */
void world_options(ter_params *params, option options[WORLD_PARAMETERS]);

/** An option that was given although the world's basis does not use it, or NULL. given: of world_options, in their
 * order */
const option *world_options_stray(const ter_params *params, const option options[WORLD_PARAMETERS],
                                  const bool given[WORLD_PARAMETERS]);

/** Words for the error that world_options_stray asks for. label: "--gain", or a file's place and key */
outcome world_options_refuse(const char *label, const ter_params *params);

/** Keys of a world file's section [look], with '_' for '-'.
 *
 *  palette  a look_palette; its colours are taken by look_set_palette
 */
void look_options(look *look, int *palette, option options[LOOK_PARAMETERS]);

#endif
