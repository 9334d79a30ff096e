/* world_options.h - the tables of a world's parameters and of its look: options of every command, keys of world files. */
#ifndef TERRANE_CLI_WORLD_OPTIONS_H
#define TERRANE_CLI_WORLD_OPTIONS_H

#include "cli/options.h"
#include "picture/look.h"

enum { WORLD_PARAMETERS = 11, LOOK_PARAMETERS = 10 };

/** Options that set parameters; keys of a world file's section [world], with '_' for '-'. */
void world_options(ter_params *params, option options[WORLD_PARAMETERS]);

/** Keys of a world file's section [look], with '_' for '-'.
 *
 *  palette  a look_palette; its colours are taken by look_set_palette
 */
void look_options(look *look, int *palette, option options[LOOK_PARAMETERS]);

#endif
