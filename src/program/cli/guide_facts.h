/* guide_facts.h - prints what a guide is, and what a world makes of it. */
#ifndef TERRANE_PROGRAM_CLI_GUIDE_FACTS_H
#define TERRANE_PROGRAM_CLI_GUIDE_FACTS_H

#include <stdio.h>

#include "program/core/result.h"

/** Print the facts of the guide of `params`, which guide_open has made. The function makes the tables of the guide,
 * because they contain the network. Errors as ter_world_create */
result guide_facts_print(FILE *to, const ter_params *params);

#endif
