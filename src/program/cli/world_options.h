/* world_options.h - the tables of a world's parameters and look. The entries are command-line options and keys of world
 * files. */
#ifndef TERRANE_PROGRAM_CLI_WORLD_OPTIONS_H
#define TERRANE_PROGRAM_CLI_WORLD_OPTIONS_H

#include "program/cli/options.h"
#include "program/guide/guide_request.h"
#include "program/surface/look.h"

enum { WORLD_PARAMETERS = 28, GUIDE_PARAMETERS = 16, LOOK_PARAMETERS = 10 };

/** Make the options that set parameters. In section [world] of world files they are keys, with '_' for '-'. */
void world_options(ter_params *params, option options[WORLD_PARAMETERS]);

/** Find an option that was given although the world's basis does not use it; NULL if there is none.
 *
 *  given  whether each option of world_options was given
 */
const option *world_options_stray(const ter_params *params, const option options[WORLD_PARAMETERS],
                                  const bool given[WORLD_PARAMETERS]);

/** The error for an option that world_options_stray has found.
 *
 *  label  "--gain", or file, line and key
 */
result world_options_refuse(const char *label, const ter_params *params);

/** Make the options of a guide. In section [world] of world files they are keys, too. The first option is the guide's
 * file. */
void guide_options(guide_request *request, option options[GUIDE_PARAMETERS]);

/** Make the options that set the look: keys of section [look] of world files, with '_' for '-'.
 *
 *  palette  gets the look_palette; look_set_palette sets its colours
 */
void look_options(look *look, int *palette, option options[LOOK_PARAMETERS]);

#endif
